"""Runs the timbre program for the end-to-end tests. Standard library only."""
import array
import json
import os
import pathlib
import subprocess
import tempfile
import unittest
import wave

SOURCE = pathlib.Path(os.environ.get("TIMBRE_SOURCE", pathlib.Path(__file__).parents[2])).resolve()
TIMBRE = pathlib.Path(os.environ.get("TIMBRE", SOURCE / "build/release/timbre")).resolve()
CASES = SOURCE / "tests/cases"
SAMPLE = SOURCE / "samples/nova.wav"
DEFAULT_MODEL = SOURCE / "models/default"
WEIGHTS = SOURCE / "third_party/weights"


class Run:
    """The result of one call of the program."""

    def __init__(self, done):
        self.code = done.returncode
        self.stdout = done.stdout
        self.errors = done.stderr.decode()

    def json(self):
        return json.loads(self.stdout.decode().strip().splitlines()[-1])


class ProgramTest(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.temporary.name)
        self.addCleanup(self.temporary.cleanup)

    def timbre(self, *arguments, timeout=120):
        environment = dict(os.environ, TIMBRE_VOICES=str(self.folder / "voices"))
        done = subprocess.run([TIMBRE, *map(str, arguments)], capture_output=True, timeout=timeout,
                              env=environment, stdin=subprocess.DEVNULL)
        run = Run(done)
        # Whatever happens, nobody sees a trace or a crash.
        self.assertGreaterEqual(run.code, 0, f"ended by signal {-run.code}: {run.errors}")
        for trace in ("AddressSanitizer", "runtime error:", "terminate called", "check failed"):
            self.assertNotIn(trace, run.errors)
        return run

    def ok(self, *arguments, **options):
        run = self.timbre(*arguments, **options)
        self.assertEqual(run.code, 0, run.errors)
        return run

    def refused(self, code, reason, *arguments, **options):
        """The program must end with this exit code and name this reason, in one line."""
        run = self.timbre(*arguments, **options)
        self.assertEqual(run.code, code, run.errors or run.stdout)
        self.assertIn(f"({reason})", run.errors)
        lines = [line for line in run.errors.splitlines() if "warning:" not in line]
        self.assertEqual(len(lines), 1, run.errors)
        return run.errors


def read_wav(path):
    """(rate, samples) of a 16-bit mono file."""
    with wave.open(str(path)) as file:
        assert file.getnchannels() == 1 and file.getsampwidth() == 2
        samples = array.array("h", file.readframes(file.getnframes()))
        rate = file.getframerate()
    return rate, samples


def loudness(samples):
    """Root mean square, 0..1."""
    return (sum(s * s for s in samples) / max(1, len(samples))) ** 0.5 / 32768
