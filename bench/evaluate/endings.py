"""Does an utterance end well? It may be cut off, run on, or lose its last word."""
import numpy as np

CUT_DB = -20.0  # the last 30 ms this close to the loudest part means that speech was cut
SILENT_DB = -45.0
LONGEST_SILENCE = 1.0  # seconds of silence after the speech
# Ordinary speech: seconds per word of English and per character of Mandarin. The limits are wide on purpose.
SECONDS_PER_UNIT = {"en": 0.36, "zh": 0.24}
SHORTEST, LONGEST = 0.5, 2.0  # times the expected length of speech


def levels(samples, rate, seconds=0.03):
    size = max(1, int(rate * seconds))
    count = max(1, len(samples) // size)
    frames = np.asarray(samples[len(samples) - count * size:], dtype=np.float64).reshape(count, size)
    energy = (frames ** 2).mean(axis=1) + 1e-12
    return 10 * np.log10(energy / np.percentile(energy, 95)), size / rate


def faults(samples, rate, reference, matched, language):
    """Names of what is wrong with the ending; reference holds the text's units, matched what was heard of them."""
    if len(samples) < rate // 10:
        return ["no speech"]
    level, step = levels(samples, rate)
    loud = np.nonzero(level > SILENT_DB)[0]
    speech = (loud[-1] - loud[0] + 1) * step
    silence = (len(level) - 1 - loud[-1]) * step
    expected = SECONDS_PER_UNIT[language] * len(reference)
    found = []
    if level[-1] > CUT_DB:
        found.append("cut off")
    if silence > LONGEST_SILENCE:
        found.append("long silence")
    if speech > LONGEST * expected:
        found.append("too long")
    if speech < SHORTEST * expected:
        found.append("too short")
    last = 2 if language == "zh" else 1
    if not any(matched[-last:]):
        found.append("last word missing")
    return found
