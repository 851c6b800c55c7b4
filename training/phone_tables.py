"""Our phones (the GPT-SoVITS v2 names the front end writes) spelled in the teacher's symbols.

TABLE maps a phone name, or two names joined by a space, to a string of teacher symbols. A pair wins
over its two single phones: Mandarin glides are spelled differently before some finals ("y i1" is
"i→", not "ji→").

The network reads the symbols, not the phones: there are 114 of them for over 300 phones, so stress, tone and
vowel are learned separately, and a final in a tone that no training sentence has still comes out right.
"""

SYMBOLS = (' !"(),.:;?AIOQSTWYabcdefhijklmnopqrstuvwxyzæçðøŋœɐɑɒɔɕɖəɚɛɜɟ'
           'ɡɣɤɥɨɪɯɰɲɳɴɸɹɻɽɾʁʂʃʈʊʋʌʎʒʔʝʣʤʥʦʧʨʰʲˈˌː̃βθχᵊᵝᵻ—“”…→↓↗↘ꭧ')
PAD, EDGE = 0, 1  # ids: filling of a batch, and the silence at either end of an utterance
SYMBOL_IDS = {symbol: index + 2 for index, symbol in enumerate(SYMBOLS)}
WORD = " "  # in front of every word but the first, after punctuation

CONSONANTS = {
    "B": "b", "CH": "ʧ", "D": "d", "DH": "ð", "F": "f", "G": "ɡ", "HH": "h", "JH": "ʤ", "K": "k",
    "L": "l", "M": "m", "N": "n", "NG": "ŋ", "P": "p", "R": "ɹ", "S": "s", "SH": "ʃ", "T": "t",
    "TH": "θ", "V": "v", "W": "w", "Y": "j", "Z": "z", "ZH": "ʒ",
}
VOWELS = {
    "AA": "ɑ", "AE": "æ", "AH": "ʌ", "AO": "ɔ", "AW": "W", "AY": "I", "EH": "ɛ", "ER": "ɜɹ", "EY": "A",
    "IH": "ɪ", "IY": "i", "OW": "O", "OY": "Y", "UH": "ʊ", "UW": "u",
}
REDUCED = {"AH0": "ə", "ER0": "əɹ"}
STRESS = {"0": "", "1": "ˈ", "2": "ˌ"}

INITIALS = {
    "b": "p", "p": "pʰ", "m": "m", "f": "f", "d": "t", "t": "tʰ", "n": "n", "l": "l", "g": "k", "k": "kʰ",
    "h": "x", "j": "ʨ", "q": "ʨʰ", "x": "ɕ", "zh": "ꭧ", "ch": "ꭧʰ", "sh": "ʂ", "r": "ɻ", "z": "ʦ",
    "c": "ʦʰ", "s": "s",
}
GLIDES = {"y": "j", "w": "w"}
ZERO_INITIALS = ("AA", "EE", "OO")  # carry no sound: an, en, er, ou ... begin with their vowel
# "*" marks where the tone arrow stands: after the nucleus, before a nasal coda.
FINALS = {
    "a": "a*", "ai": "ai*", "an": "a*n", "ang": "a*ŋ", "ao": "au*", "e": "ɤ*", "ei": "ei*", "en": "ə*n",
    "eng": "ə*ŋ", "er": "ɚ*", "i": "i*", "i0": "ɨ*", "ir": "ɨ*", "ia": "ja*", "ian": "jɛ*n",
    "iang": "ja*ŋ", "iao": "jau*", "ie": "je*", "in": "i*n", "ing": "i*ŋ", "iong": "jʊ*ŋ", "iu": "jou*",
    "o": "wo*", "ong": "ʊ*ŋ", "ou": "ou*", "u": "u*", "ua": "wa*", "uai": "wai*", "uan": "wa*n",
    "uang": "wa*ŋ", "ui": "wei*", "un": "wə*n", "uo": "wo*", "v": "y*", "van": "ɥɛ*n", "ve": "ɥe*",
    "vn": "y*n", "E": "e*", "En": "ɛ*n",
}
TONES = {"1": "→", "2": "↗", "3": "↓", "4": "↘", "5": ""}
# Pairs that are not spelled as one part after the other, mostly because the glide has no symbol of its own.
PAIRS = {
    "y": {"i": "i*", "in": "i*n", "ing": "i*ŋ", "v": "y*", "ve": "ɥe*", "van": "ɥɛ*n", "vn": "y*n"},
    "w": {"u": "u*", "o": "wo*"},
    "OO": {"o": "ɔ*"},
}

PUNCTUATION = {",": ",", ".": ".", "!": "!", "?": "?", "…": ",", "-": ",", "SP": ",", "SP2": ",", "SP3": ","}


def build_table():
    table = dict(PUNCTUATION)
    table.update(CONSONANTS)
    for name, symbol in VOWELS.items():
        for digit, mark in STRESS.items():
            table[name + digit] = mark + symbol
    table.update(REDUCED)
    table["ER"] = table["ER0"]
    table.update(INITIALS)
    table.update({name: "" for name in ZERO_INITIALS})
    table.update(GLIDES)
    for digit, arrow in TONES.items():
        for name, spelling in FINALS.items():
            table[name + digit] = spelling.replace("*", arrow)
        for first, finals in PAIRS.items():
            for name, spelling in finals.items():
                table[f"{first} {name}{digit}"] = spelling.replace("*", arrow)
    return table


TABLE = build_table()


def spell(phones):
    """Teacher symbols for a list of phones, by the rule the engine uses: a pair first, then single phones."""
    out, at = [], 0
    while at < len(phones):
        pair = " ".join(phones[at:at + 2])
        if at + 1 < len(phones) and pair in TABLE:
            out.append(TABLE[pair])
            at += 2
        else:
            out.append(phones[at] if phones[at] == WORD else TABLE[phones[at]])
            at += 1
    return "".join(out)
