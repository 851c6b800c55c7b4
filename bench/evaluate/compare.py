"""Compares the program's precisions: the same sentences with the same seed, each against f32.

snr_db       signal to noise against the f32 waveform; only where both have the same length, for at a different
             precision a duration can round the other way and everything after it moves
log_mel_db   mean absolute difference of log-mel frames in dB, along the best time alignment
"""
import numpy as np

import judges
import score
import speech

RATE, FFT, HOP, BINS = 22050, 1024, 256, 80


def log_mel(samples):
    import librosa
    mel = librosa.feature.melspectrogram(y=samples, sr=RATE, n_fft=FFT, hop_length=HOP, n_mels=BINS, fmax=8000, power=1.0)
    return 20 * np.log10(np.maximum(mel, mel.max() * 1e-3)).T  # 60 dB of range: silence must not count


def aligned_distance(a, b):
    """Mean absolute difference along the cheapest monotonic path (dynamic time warping)."""
    import librosa
    cost, path = librosa.sequence.dtw(a.T, b.T, metric="cityblock")
    return float(np.mean([np.abs(a[i] - b[j]).mean() for i, j in path]))


def signal_to_noise(reference, other):
    noise = float(((reference - other) ** 2).sum())
    return 10 * np.log10(float((reference ** 2).sum()) / noise) if noise > 0 else float("inf")


def measure(panel, samples, text, language):
    at_16k = samples_at(samples, 16000)
    heard = panel.listener.transcribe(at_16k, language)
    overall, p808 = panel.quality.score(at_16k)
    return dict(errors=score.edit_path(score.units(text, language), score.units(heard, language))[0],
                units=len(score.units(text, language)), dnsmos=overall, p808=p808, heard=heard)


def samples_at(samples, rate):
    from math import gcd
    from scipy.signal import resample_poly
    common = gcd(RATE, rate)
    return resample_poly(samples, rate // common, RATE // common).astype(np.float32)


def run(args, panel, voices, work):
    precisions = ["f32"] + [name for name in args.precision if name != "f32"]
    rows, failures = [], []
    for language, number, text, voice in speech.jobs(voices, args.limit):
        reference = None
        for precision in precisions:
            output = work / f"{language}{number:02}-{voice.name}-{precision}.wav"
            row = dict(precision=precision, lang=language, number=number, voice=voice.name)
            try:
                report = speech.say(args.program, text, voice, language, output,
                                    [*args.always, "--precision", precision])
                row["used"] = report.get("precision", precision)
                samples = judges.load_audio(output, RATE)
                row.update(measure(panel, samples, text, language))
                if precision == "f32":
                    reference = samples
                elif reference is not None:
                    row["same_length"] = len(samples) == len(reference)
                    row["snr_db"] = signal_to_noise(reference, samples) if row["same_length"] else None
                    row["log_mel_db"] = aligned_distance(log_mel(reference), log_mel(samples))
                rows.append(row)
            except Exception as error:  # a precision this machine lacks must not stop the others
                failures.append(dict(row, error=f"{type(error).__name__}: {error}"))
        print(f"{language} {number:2} {voice.name}", flush=True)
    return dict(precisions={p: summary([r for r in rows if r["precision"] == p]) for p in precisions},
                failures=failures, details=rows)


def summary(rows):
    def mean(key):
        values = [row[key] for row in rows if row.get(key) is not None and np.isfinite(row[key])]
        return round(float(np.mean(values)), 3) if values else None

    def errors(language):
        own = [row for row in rows if row["lang"] == language]
        return round(sum(r["errors"] for r in own) / sum(r["units"] for r in own), 4) if own else None

    return dict(sentences=len(rows), used=sorted({row["used"] for row in rows}), snr_db=mean("snr_db"),
                same_length=sum(bool(row.get("same_length")) for row in rows), log_mel_db=mean("log_mel_db"),
                dnsmos=mean("dnsmos"), p808=mean("p808"), wer_en=errors("en"), cer_zh=errors("zh"))


def print_table(result):
    columns = ["sentences", "snr_db", "log_mel_db", "dnsmos", "p808", "wer_en", "cer_zh"]
    print("\n" + f"{'precision':12}" + "".join(f"{name:>12}" for name in columns))
    for precision, values in result["precisions"].items():
        print(f"{precision:12}" + "".join(f"{'-' if values[c] is None else values[c]:>12}" for c in columns))
    for failure in result["failures"][:5]:
        print(f"failed: {failure['precision']} {failure['lang']} {failure['number']}: {failure['error']}")
