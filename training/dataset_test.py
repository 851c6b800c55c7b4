"""Respelling and durations on a small clip made by hand."""
import unittest

import numpy as np

import dataset
from phone_tables import EDGE, SYMBOL_IDS, WORD

DICTIONARY = {"was": [["W", "AA1", "Z"], ["W", "AH1", "Z"]], "lead": [["L", "EH1", "D"], ["L", "IY1", "D"]]}


class Respelling(unittest.TestCase):
    def test_every_source_position_is_covered_once(self):
        for source, target in (("wʌz", "wˈɑz"), ("kˈætəlz", "kˈætlz"), ("a", "bcd"), ("abc", "d")):
            _, covers = dataset.align(source, target)
            self.assertEqual(len(covers), len(target))
            self.assertEqual(sorted(i for own in covers for i in own), list(range(len(source))))

    def test_weak_words_take_the_first_entry_others_the_nearest(self):
        self.assertEqual(dataset.respell_english("wʌz", "was", DICTIONARY)[0], "wˈɑz")
        self.assertEqual(dataset.respell_english("lˈid", "lead", DICTIONARY)[0], "lˈid")

    def test_mandarin_uses_as_many_characters_as_syllables(self):
        spelling, covers, used = dataset.respell_mandarin("ɻa↗nxou↘", list("然后客商"))
        self.assertEqual((spelling, used, len(covers)), ("ɻa↗nxou↘", 2, 8))

    def test_quotes_leave_their_time_to_a_neighbour(self):
        record = dict(lang="en", text="'Lead' was.", phonemes="“lˈid” wʌz.")
        spelling, covers = dataset.symbols_and_covers(record, DICTIONARY)
        self.assertEqual(spelling, "lˈid wˈɑz.")
        self.assertEqual(sorted(i for own in covers for i in own), list(range(len(record["phonemes"]))))


class Durations(unittest.TestCase):
    def test_they_fill_the_kept_frames(self):
        phonemes = "lˈid."
        record = dict(lang="en", phonemes=phonemes, durations=[16, 3, 2, 3, 20, 10, 1])
        frames = round(sum(record["durations"]) * dataset.FRAMES_PER_UNIT)
        mel = np.full((frames, 80), -11.5, np.float32)
        mel[30:58] = -3.0  # speech
        durations, start, stop = dataset.frame_durations(record, [[i] for i in range(5)], mel)
        self.assertEqual((start, stop), (30 - dataset.LEAD, 58 + dataset.TAIL))
        self.assertEqual(durations.sum(), stop - start)
        self.assertEqual(durations[0], dataset.LEAD)
        self.assertEqual(durations[:-2].sum(), 58 - start)  # the last sound ends with the speech
        self.assertTrue((durations >= 0).all())

    def test_without_word_boundaries_nothing_gets_lost(self):
        word = SYMBOL_IDS[WORD]
        ids, durations = dataset.without_words(np.array([EDGE, 30, word, 31, EDGE]), np.array([4, 5, 2, 6, 3]))
        self.assertEqual(ids.tolist(), [EDGE, 30, 31, EDGE])
        self.assertEqual(durations.tolist(), [4, 7, 6, 3])


if __name__ == "__main__":
    unittest.main()
