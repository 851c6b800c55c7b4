#!/usr/bin/env python3
"""An include goes down only: each room of src/ may include the rooms listed here, no other."""
import pathlib
import re
import sys

ALLOWED = {
    "base": set(),
    "audio": {"base"},
    "text": {"base"},
    "nn": {"base"},
    "models": {"nn", "audio", "base"},
    "synth": {"models", "nn", "text", "audio", "base"},
    "pipeline": {"synth", "text", "audio", "base"},
    "server": {"pipeline", "synth", "audio", "base"},
    "apps": {"server", "pipeline", "synth", "models", "nn", "text", "audio", "base"},
}


def violations(src):
    found = []
    rooms = {path.name for path in src.iterdir() if path.is_dir()}
    for room in sorted(rooms - ALLOWED.keys()):
        found.append(f"src/{room}: a room without a place in tests/rooms_test.py")
    for path in sorted(src.rglob("*")):
        if path.suffix not in {".h", ".cc"}:
            continue
        room = path.relative_to(src).parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            include = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
            if not include:
                continue
            target = include[1].split("/")[0]
            if target in rooms and target != room and target not in ALLOWED.get(room, set()):
                found.append(f"{path.relative_to(src.parent)}:{number}: {room} includes {include[1]}")
            if target == ".." or "/../" in include[1]:
                found.append(f"{path.relative_to(src.parent)}:{number}: include by a relative path")
    return found


def self_test():
    """The check must see an upward include, or it proves nothing."""
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        src = pathlib.Path(folder) / "src"
        (src / "base").mkdir(parents=True)
        (src / "models").mkdir()
        (src / "base" / "x.h").write_text('#include "models/y.h"\n')
        assert len(violations(src)) == 1, "an upward include was not seen"


if __name__ == "__main__":
    self_test()
    problems = violations(pathlib.Path(__file__).resolve().parent.parent / "src")
    print("\n".join(problems) or "every include goes down")
    sys.exit(bool(problems))
