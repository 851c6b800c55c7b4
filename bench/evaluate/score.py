"""Text scores: word and character error counts, and corpus BLEU."""
import math
import re
from collections import Counter

DIGITS = str.maketrans("0123456789", "零一二三四五六七八九")  # Whisper writes 6点 for 六点
WORD_VARIANTS = {"neighbour": "neighbor", "grey": "gray", "okay": "ok"}  # Whisper writes American English


def units(text, language):
    """What is compared: words in English, characters in Mandarin; no punctuation, no case."""
    if language == "zh":
        return re.findall(r"[\u4e00-\u9fff]|[a-z]+", text.lower().replace("著", "着").translate(DIGITS))
    words = re.sub(r"[^\w\s']", " ", text.lower().replace("’", "'")).split()
    return [WORD_VARIANTS.get(word, word) for word in words]


def edit_path(reference, heard):
    """(number of errors, for every reference unit whether it was heard)."""
    rows, columns = len(reference) + 1, len(heard) + 1
    cost = [[0] * columns for _ in range(rows)]
    for i in range(rows):
        for j in range(columns):
            if i == 0 or j == 0:
                cost[i][j] = i + j
            else:
                cost[i][j] = min(cost[i - 1][j - 1] + (reference[i - 1] != heard[j - 1]),
                                 cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    matched, i, j = [False] * len(reference), rows - 1, columns - 1
    while i and j:
        if cost[i][j] == cost[i - 1][j - 1] + (reference[i - 1] != heard[j - 1]):
            matched[i - 1] = reference[i - 1] == heard[j - 1]
            i, j = i - 1, j - 1
        elif cost[i][j] == cost[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
    return cost[-1][-1], matched


def error_rate(pairs):
    """Errors over reference units, summed over (reference, heard) pairs."""
    errors = sum(edit_path(reference, heard)[0] for reference, heard in pairs)
    return errors / max(1, sum(len(reference) for reference, _ in pairs))


def corpus_bleu(pairs, longest=4):
    """BLEU (Papineni et al. 2002) over all pairs at once, 0 to 100; 0 where an order has no match at all."""
    matches, totals = [0] * longest, [0] * longest
    heard_length = sum(len(heard) for _, heard in pairs)
    reference_length = sum(len(reference) for reference, _ in pairs)
    for reference, heard in pairs:
        for n in range(1, longest + 1):
            grams = lambda units: Counter(tuple(units[i:i + n]) for i in range(len(units) - n + 1))
            found, wanted = grams(heard), grams(reference)
            matches[n - 1] += sum(min(count, wanted[gram]) for gram, count in found.items())
            totals[n - 1] += sum(found.values())
    if not all(matches):
        return 0.0
    precision = sum(math.log(m / t) for m, t in zip(matches, totals)) / longest
    brevity = min(0.0, 1 - reference_length / heard_length)
    return 100 * math.exp(precision + brevity)
