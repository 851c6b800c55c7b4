"""The evaluation's material: reference voices, and speech made by the program under test."""
import json
import shlex
import subprocess
import time
from pathlib import Path

from judges import load_audio

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TIMEOUT = 300  # seconds for one sentence, loading included


class Voice:
    """name, kind ("synthetic" or "real"), file the program gets, embedding once it is computed."""

    def __init__(self, name, kind, path):
        self.name, self.kind, self.path, self.embedding = name, kind, path, None


def load_voices(packages, work):
    """Held-out synthetic voices from samples/, real people from clips inside two packages' source archives."""
    import soundfile
    voices, missing = [], []
    for kind, entries in json.loads((HERE / "voices.json").read_text(encoding="utf-8")).items():
        for name, entry in entries.items():
            if "package" not in entry:
                path = ROOT / "samples" / entry["file"]
            else:
                found = list((packages / "sources").glob(f"{entry['package']}-*/{entry['file']}"))
                if not found:
                    missing.append(name)
                    continue
                path = found[0]
                if "start" in entry:
                    samples = load_audio(path, 16000, entry["start"], entry["seconds"])
                    path = work / f"{name}.wav"
                    soundfile.write(path, samples, 16000)
            voices.append(Voice(name, kind, path))
    return voices, missing


def jobs(voices, limit):
    """(language, number, text, voice): voices alternate between synthetic and real, each in turn."""
    sentences = json.loads((HERE / "sentences.json").read_text(encoding="utf-8"))
    kinds = [[v for v in voices if v.kind == kind] for kind in ("synthetic", "real")]
    kinds = [kind for kind in kinds if kind]
    count = 0
    for language, texts in sentences.items():
        for number, text in enumerate(texts[:limit]):
            group = kinds[number % len(kinds)]
            # Mandarin takes them from the other end, so that most voices speak both languages over a whole run.
            turn = number // len(kinds)
            voice = group[turn % len(group)] if language == "en" else group[-1 - turn % len(group)]
            yield language, number, text, voice
            count += 1


def say(program, text, voice, language, output, extra=()):
    """Runs the program once. Returns its JSON report; raises RuntimeError with the reason when it fails."""
    command = [*shlex.split(program), "say", text, "--voice", str(voice.path), "--lang", language,
               "-o", str(output), "--json", *extra]
    began = time.monotonic()
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, cwd=ROOT)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise RuntimeError(str(error)[:300]) from error
    if result.returncode != 0 or not output.exists():
        raise RuntimeError((result.stderr.strip() or f"exit status {result.returncode}")[-300:])
    try:
        report = json.loads(result.stdout.strip().splitlines()[-1])
    except (ValueError, IndexError):
        report = {}
    report["wall_seconds"] = round(time.monotonic() - began, 3)
    return report


def cpu_name():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown"
