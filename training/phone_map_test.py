"""The phone tables and the parsers, without any download."""
import unittest

from phone_map import parse_english, parse_mandarin, shortest_split
from phone_tables import SYMBOL_IDS, TABLE, spell

# Pinyin as the front end spells it, and as the teacher does.
SYLLABLES = {
    ("sh", "ang1"): "ʂa→ŋ", ("x", "ian1"): "ɕjɛ→n", ("y", "E2"): "je↗", ("y", "En2"): "jɛ↗n", ("y", "van2"): "ɥɛ↗n",
    ("y", "i4"): "i↘", ("w", "u3"): "u↓", ("w", "o3"): "wo↓", ("b", "o1"): "pwo→", ("z", "i05"): "ʦɨ", ("zh", "ir1"): "ꭧɨ→",
    ("EE", "er4"): "ɚ↘", ("AA", "an1"): "a→n", ("OO", "ou3"): "ou↓", ("m", "en5"): "mən", ("j", "iong3"): "ʨjʊ↓ŋ",
    ("l", "v4"): "ly↘", ("q", "van2"): "ʨʰɥɛ↗n", ("y", "ong3"): "jʊ↓ŋ", ("g", "ui4"): "kwei↘", ("d", "un1"): "twə→n",
}


class PhoneMap(unittest.TestCase):
    def test_mandarin_spells_and_parses(self):
        for phones, symbols in SYLLABLES.items():
            self.assertEqual(spell(phones), symbols)
            parsed = parse_mandarin(symbols, [set()])
            self.assertEqual(tuple(phone.name for phone in parsed), phones)
            self.assertEqual((parsed[0].first, parsed[0].last), (0, parsed[1].first))
            self.assertEqual(parsed[1].last, len(symbols))

    def test_a_reading_settles_where_a_nasal_belongs(self):
        self.assertEqual([p.name for p in parse_mandarin("pʰjɛ↗ni", [{"pian"}, {"yi"}])], ["p", "ian2", "y", "i5"])
        self.assertEqual([p.name for p in parse_mandarin("ta→na↗n", [{"da"}, {"nan"}])], ["d", "a1", "n", "an2"])
        self.assertEqual(shortest_split("ɻa↗nxou↘"), 2)

    def test_english(self):
        names = lambda word: [phone.name for phone in parse_english(word)]
        self.assertEqual(names("wˈɔTəɹ"), ["W", "AO1", "T", "ER0"])
        self.assertEqual(names("pˈipᵊl"), ["P", "IY1", "P", "AH0", "L"])
        self.assertEqual(names("tˈɜɹnz"), ["T", "ER1", "N", "Z"])
        self.assertEqual(parse_english("tˈɜɹn", 7)[1], ("ER1", 8, 11))

    def test_the_table_uses_known_symbols_only(self):
        self.assertTrue({symbol for spelling in TABLE.values() for symbol in spelling} <= set(SYMBOL_IDS))

    def test_english_spelling_comes_back(self):
        self.assertEqual(spell(["HH", "AH0", "L", "OW1", ",", " ", "W", "ER1", "L", "D", "."]), "həlˈO, wˈɜɹld.")


if __name__ == "__main__":
    unittest.main()
