"""Turns the teacher's clips into training features, one .npz per clip.

Each file holds
  mel    float16 [frames, 80]  natural logarithm, in HiFi-GAN's definition (see MEL below)
  emb    float32 [256]         GE2E embedding of the clip

Clips that already have a file are skipped, so the script can be stopped and started again.
"""
import argparse
import json
import math
import multiprocessing
import os
from pathlib import Path

import numpy as np

# What HiFi-GAN "universal" was trained on. The engine and the vocoder rely on the same numbers.
MEL = dict(rate=22050, n_fft=1024, hop=256, bins=80, fmin=0, fmax=8000, log="ln", clamp=1e-5)

_state = {}


def load_audio(path, rate):
    """Mono float32 samples at the given rate."""
    import soundfile
    from scipy.signal import resample_poly
    samples, native = soundfile.read(path, dtype="float32", always_2d=True)
    samples = samples.mean(axis=1)
    if native != rate:
        common = math.gcd(native, rate)
        samples = resample_poly(samples, rate // common, native // common).astype(np.float32)
    return samples


def normalise_peak(samples):
    """The network learns one loudness; near-silent clips are left quiet."""
    return samples / max(0.05, float(np.abs(samples).max())) * 0.9


def mel_spectrogram(samples):
    """[frames, 80] log-mel of samples at MEL['rate'], identical to HiFi-GAN's own front end."""
    import librosa
    import torch
    if "basis" not in _state:
        basis = librosa.filters.mel(sr=MEL["rate"], n_fft=MEL["n_fft"], n_mels=MEL["bins"],
                                    fmin=MEL["fmin"], fmax=MEL["fmax"])
        _state["basis"] = torch.from_numpy(basis).float()
        _state["window"] = torch.hann_window(MEL["n_fft"])
    pad = (MEL["n_fft"] - MEL["hop"]) // 2
    signal = torch.nn.functional.pad(torch.from_numpy(samples)[None, None], (pad, pad), mode="reflect")[0]
    spectrum = torch.stft(signal, MEL["n_fft"], MEL["hop"], MEL["n_fft"], _state["window"],
                          center=False, return_complex=True)
    magnitude = spectrum.abs().pow(2).add(1e-9).sqrt()
    return torch.log(torch.clamp(_state["basis"] @ magnitude, min=MEL["clamp"]))[0].T.numpy()


def speaker_encoder():
    if "encoder" not in _state:
        from resemblyzer import VoiceEncoder
        _state["encoder"] = VoiceEncoder("cpu", verbose=False)
    return _state["encoder"]


def embed(samples_16k):
    from resemblyzer.audio import normalize_volume
    return speaker_encoder().embed_utterance(normalize_volume(samples_16k, -30, increase_only=True))


def extract(job):
    source, target = job
    samples = normalise_peak(load_audio(source, MEL["rate"]))
    mel = mel_spectrogram(samples)
    emb = embed(load_audio(source, 16000))
    part = target.with_suffix(".part.npz")
    np.savez(part, mel=mel.astype(np.float16), emb=emb.astype(np.float32))
    os.replace(part, target)  # a half-written file never counts as done


def start_worker():
    import torch
    torch.set_num_threads(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teacher", type=Path, required=True, help="folder with meta.jsonl and clips/")
    parser.add_argument("--cache", type=Path, required=True, help="folder for features/")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    args = parser.parse_args()

    out = args.cache / "features"
    out.mkdir(parents=True, exist_ok=True)
    jobs = []
    with open(args.teacher / "meta.jsonl", encoding="utf-8") as lines:
        for line in lines:
            clip = json.loads(line)["id"]
            if not (out / f"{clip}.npz").exists():
                jobs.append((args.teacher / "clips" / f"{clip}.opus", out / f"{clip}.npz"))
    with multiprocessing.get_context("spawn").Pool(args.jobs, start_worker) as pool:
        for done, _ in enumerate(pool.imap_unordered(extract, jobs, chunksize=8), 1):
            if done % 200 == 0:
                print(f"{done}/{len(jobs)} clips", flush=True)
    print(f"features complete: {len(jobs)} new in {out}")


if __name__ == "__main__":
    main()
