"""Reads the teacher's phoneme strings as our phones, with a duration for each.

The teacher writes one character per symbol and gives one duration per symbol. Both parsers return a
list of Phone(name, first, last): the phone covers the symbols first..last-1 of the utterance, and its
duration is their sum. An empty range (first == last) is a phone without a sound, such as a zero initial.
"""
from functools import lru_cache
from typing import NamedTuple

from phone_tables import CONSONANTS, FINALS, INITIALS, STRESS, TONES, VOWELS, spell

ARROWS = {arrow: digit for digit, arrow in TONES.items() if arrow}


class Phone(NamedTuple):
    name: str
    first: int
    last: int


# ---------------------------------------------------------------- English
# The teacher's American "T" is a flapped t, "ᵻ" a reduced i, "ɐ" and "ᵊ" reduced vowels; "Q" and "ɒ" are British.
ENGLISH = {symbol: name for name, symbol in CONSONANTS.items()}
ENGLISH.update({"T": "T", "ɾ": "T"})
ENGLISH_VOWELS = {symbol: name for name, symbol in VOWELS.items() if len(symbol) == 1}
ENGLISH_VOWELS.update({"ə": "AH", "ɐ": "AH", "ᵊ": "AH", "ᵻ": "IH", "ɜ": "ER", "ɒ": "AA", "Q": "OW", "a": "AE"})
MARKS = {mark: digit for digit, mark in STRESS.items() if mark}


def parse_english(word, start=0):
    """Phones of one word of teacher symbols; start is the index of its first symbol in the utterance."""
    phones, at, digit, first = [], 0, "0", 0
    while at < len(word):
        symbol = word[at]
        if symbol in MARKS:
            digit, first = MARKS[symbol], at
            at += 1
            continue
        if digit == "0":
            first = at
        end = at + 1
        if symbol in ENGLISH_VOWELS:
            name = ENGLISH_VOWELS[symbol]
            if symbol in "əɜ" and word[end:end + 1] == "ɹ":
                name, end = "ER", end + 1
            name += digit
        elif symbol in ENGLISH:
            name = ENGLISH[symbol]
        elif symbol == "ː":  # length mark: belongs to the vowel before
            if phones:
                phones[-1] = phones[-1]._replace(last=start + end)
            at = end
            continue
        else:
            raise ValueError(f"unknown English symbol {symbol!r} in {word!r}")
        phones.append(Phone(name, start + first, start + end))
        at, digit = end, "0"
    return phones


# ---------------------------------------------------------------- Mandarin
def spelled_alike(initial, final):
    """Finals that share a spelling, by the initial they follow."""
    if final in ("i0", "ir"):
        return "ir" if initial in ("zh", "ch", "sh", "r") else "i0"
    if final in ("o", "uo"):
        return "o" if initial in ("b", "p", "m", "f") else "uo"
    return final


TONELESS_FINALS = {spelling.replace("*", ""): name for name, spelling in FINALS.items() if name not in ("E", "En")}
# Syllables without an initial: toneless teacher spelling -> (first phone, final).
ZERO_SYLLABLES = {spell((first, final + "5")): (first, final) for first, finals in {
    "AA": ("a", "ai", "an", "ang", "ao"), "EE": ("e", "ei", "en", "eng", "er"), "OO": ("o", "ou"),
    "y": ("a", "ang", "ao", "E", "En", "i", "in", "ing", "ong", "ou", "v", "van", "ve", "vn"),
    "w": ("a", "ai", "an", "ang", "ei", "en", "eng", "o", "u"),
}.items() for final in finals}
BY_SYMBOLS = {symbols: name for name, symbols in INITIALS.items()}


class Syllable(NamedTuple):
    initial: str
    final: str  # with its tone
    sounding: int  # symbols of the initial
    used: int  # symbols of the syllable


def read_syllable(text):
    """Every syllable that text can begin with."""
    symbols = text[:2] if text[:2] in BY_SYMBOLS else text[:1] if text[:1] in BY_SYMBOLS else ""
    found = []
    for length in range(1, min(5, len(text) - len(symbols)) + 1):
        piece = text[len(symbols):len(symbols) + length]
        tone = "".join(ARROWS[c] for c in piece if c in ARROWS) or "5"
        toneless = "".join(c for c in piece if c not in ARROWS)
        if symbols and toneless in TONELESS_FINALS:
            initial = BY_SYMBOLS[symbols]
            final = spelled_alike(initial, TONELESS_FINALS[toneless])
            sounding = len(symbols)
        elif not symbols and toneless in ZERO_SYLLABLES:
            initial, final = ZERO_SYLLABLES[toneless]
            sounding = 1 if piece[0] in "jw" else 0
        else:
            continue
        # Spelled again it must be the same: the arrow stands where it has to, and there is only one.
        if len(tone) == 1 and spell((initial, final + tone)) == symbols + piece:
            found.append(Syllable(initial, final + tone, sounding, len(symbols) + length))
    return found


@lru_cache(maxsize=None)
def split_syllables(word, count):
    """All ways to read a word of teacher symbols as count syllables."""
    if count == 0:
        return [()] if not word else []
    return [(syllable,) + rest for syllable in read_syllable(word)
            for rest in split_syllables(word[syllable.used:], count - 1)]


def pinyin(syllable):
    """Toneless pinyin, to compare with a dictionary's."""
    initial, final = syllable.initial, syllable.final[:-1]
    if initial == "y":
        return "y" + {"E": "e", "En": "an", "v": "u", "ve": "ue", "van": "uan", "vn": "un"}.get(final, final)
    if initial in ("AA", "EE", "OO"):
        return final
    if initial in ("j", "q", "x"):
        final = final.replace("v", "u")
    return initial + {"i0": "i", "ir": "i"}.get(final, final)


def parse_mandarin(word, readings, start=0):
    """Phones of one word. readings holds, for each of its characters, the set of its toneless pinyin; it
    settles what the symbols alone do not ("ana" is a + na or an + a)."""
    ways = split_syllables(word, len(readings))
    if not ways:
        raise ValueError(f"cannot read {word!r} as {len(readings)} syllables")
    phones, at = [], start
    for syllable in max(ways, key=lambda way: sum(pinyin(s) in known for s, known in zip(way, readings))):
        phones.append(Phone(syllable.initial, at, at + syllable.sounding))
        phones.append(Phone(syllable.final, at + syllable.sounding, at + syllable.used))
        at += syllable.used
    return phones


def shortest_split(word):
    """Number of syllables in a word of teacher symbols: the fewest that read it."""
    for count in range(1, len(word) + 1):
        if split_syllables(word, count):
            return count
    raise ValueError(f"cannot read {word!r}")
