#!/usr/bin/env bash
# Measures how the program speaks: words, speaker, quality, endings. See README.md; options go to evaluate.py.
# The first run installs what it needs (install.sh).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
packages=$root/third_party/evaluate
python=$packages/venv/bin/python
export OMP_WAIT_POLICY=PASSIVE

"$here/install.sh"

export PYTHONPATH=$packages/site${PYTHONPATH:+:$PYTHONPATH}
cd "$root"
exec nice -n 5 "$python" "$here/evaluate.py" --packages "$packages" "$@"
