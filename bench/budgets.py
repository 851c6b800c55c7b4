#!/usr/bin/env python3
"""The budget table, as measured on this machine: `make bench`.

The targets are for two cores of an AMX Xeon; every figure is printed with its ratio to f32 in the
same run, which is what means something on another CPU.
"""
import datetime
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMBRE = ROOT / "build/release/timbre"


def bench(name, precision, threads, repeats=20):
    done = subprocess.run(
        [TIMBRE, "-q", "bench", name, "--json", "--precision", precision, "--threads", str(threads),
         "--repeats", str(repeats)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def row(what, target, measured, ratio=""):
    print(f"| {what:<52} | {target:<22} | {measured:<26} | {ratio:<12} |")


def main():
    encoder = bench("encoder", "f32", 2)
    results = {}
    for precision in ("f32", "auto"):
        results[precision] = {
            "vocoder": bench("vocoder", precision, 1),
            "synthesizer": bench("synthesizer", precision, 1),
            "sv2tts": bench("sv2tts", precision, 2),
        }
    f32, auto = results["f32"], results["auto"]
    chosen = auto["vocoder"]["precision"]
    print(f"CPU: {encoder['cpu']} ({encoder['instructions']}), {datetime.date.today()}")
    print(f"--precision auto chose {chosen}: {auto['vocoder']['precision_reason']}\n")
    row("what", "target (AMX Xeon)", "measured here", "f32 / auto")
    row("---", "---", "---", "---")
    row("GE2E, 6 s reference", "<= 20 ms", f"{encoder['encoder_ms']:.1f} ms")
    row("HiFi-GAN V1, 1 s, one core", "<= 60 ms",
        f"{auto['vocoder']['one_second_ms']:.0f} ms ({chosen})",
        f"{f32['vocoder']['one_second_ms'] / auto['vocoder']['one_second_ms']:.2f}")
    row("HiFi-GAN V1 in 80 ms chunks, one core, per second", "",
        f"{1000 * auto['vocoder']['vocoder_rtf']:.0f} ms ({chosen})",
        f"{f32['vocoder']['vocoder_rtf'] / auto['vocoder']['vocoder_rtf']:.2f}")
    row("decoder step, one utterance, one core", "",
        f"{auto['synthesizer']['step_ms']:.2f} ms ({chosen})",
        f"{f32['synthesizer']['step_ms'] / auto['synthesizer']['step_ms']:.2f}")
    row("decoder step, eight utterances, one core", "",
        f"{auto['synthesizer']['step_ms_by_batch']['8']:.2f} ms ({chosen})",
        f"{f32['synthesizer']['step_ms_by_batch']['8'] / auto['synthesizer']['step_ms_by_batch']['8']:.2f}")
    first, first_f32 = auto["sv2tts"]["first_audio_ms"], f32["sv2tts"]["first_audio_ms"]
    row("default voice, first audio, voice cached, two cores", "p50 <= 60, p95 <= 100 ms",
        f"p50 {first['p50']:.0f}, p95 {first['p95']:.0f} ms", f"{first_f32['p50'] / first['p50']:.2f}")
    row("default voice, whole sentence, real-time factor", "",
        f"{auto['sv2tts']['rtf']:.3f}", f"{f32['sv2tts']['rtf'] / auto['sv2tts']['rtf']:.2f}")
    print("\nRows of the server (concurrent streams, browser) and of GPT-SoVITS come with them.")


if __name__ == "__main__":
    main()
