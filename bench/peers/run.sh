#!/usr/bin/env bash
# Runs ours and the peers side by side: `make bench-peers`. Uses the evaluation's Python packages
# (PyTorch, Resemblyzer), which its own installer brings on the first run.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
"$root/bench/evaluate/install.sh"
export PYTHONPATH=$root/third_party/evaluate/site OMP_WAIT_POLICY=PASSIVE
exec "$root/third_party/evaluate/venv/bin/python" "$here/peers.py" "$@"
