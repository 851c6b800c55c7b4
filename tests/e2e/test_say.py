#!/usr/bin/env python3
"""timbre say, enroll, voices, bench on real input: the voice that comes with timbre."""
import subprocess
import unittest

from program import CASES, SAMPLE, TIMBRE, ProgramTest, loudness, read_wav

ENGLISH = "Hello, this is my voice."
MANDARIN = "你好，很高兴认识你。"


class Say(ProgramTest):
    def test_english_and_mandarin(self):
        for text, shortest, longest in ((ENGLISH, 0.9, 4.0), (MANDARIN, 1.0, 5.0)):
            with self.subTest(text):
                out = self.folder / "out.wav"
                report = self.ok("say", text, "--voice", SAMPLE, "-o", out, "--json").json()
                rate, samples = read_wav(out)
                self.assertEqual(rate, 22050)
                self.assertEqual(report["sample_rate"], rate)
                self.assertAlmostEqual(len(samples) / rate, report["seconds"], places=3)
                self.assertTrue(shortest < report["seconds"] < longest, report)
                self.assertGreater(loudness(samples), 0.01)
                self.assertFalse(report["cut"])
                self.assertGreater(report["first_audio_ms"], 0)
                self.assertLess(report["first_audio_ms"], report["stages_ms"]["total"])
                for stage in ("load", "enroll", "analyze", "encode", "decode", "render", "total"):
                    self.assertIn(stage, report["stages_ms"])

    def test_seed_decides_the_speech_and_speed_its_length(self):
        def speech(*options):
            out = self.folder / "out.wav"
            self.ok("say", ENGLISH, "--voice", SAMPLE, "-o", out, *options)
            return read_wav(out)[1]
        first = speech("--seed", "7")
        self.assertEqual(first, speech("--seed", "7", "--threads", "1"))
        self.assertNotEqual(first, speech("--seed", "8"))
        fast = speech("--seed", "7", "--speed", "1.6")
        self.assertLess(len(fast), 0.75 * len(first))

    def test_raw_samples_equal_the_file(self):
        out = self.folder / "out.wav"
        self.ok("say", ENGLISH, "--voice", SAMPLE, "-o", out)
        raw = self.ok("say", ENGLISH, "--voice", SAMPLE, "-o", "-").stdout
        self.assertEqual(raw, read_wav(out)[1].tobytes())

    def test_a_reader_that_leaves_ends_the_speech(self):
        process = subprocess.Popen([TIMBRE, "say", ENGLISH * 20, "--voice", SAMPLE, "-o", "-"],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.assertTrue(process.stdout.read(1000))
        process.stdout.close()
        self.assertEqual(process.wait(timeout=60), 6)

    def test_a_voice_is_kept_under_a_name(self):
        enrolled = self.ok("enroll", SAMPLE, "--name", "nova", "--json").json()
        self.assertGreater(enrolled["speech_seconds"], 1.0)
        self.refused(3, "voice_exists", "enroll", SAMPLE, "--name", "nova")
        self.assertIn("nova", self.ok("voices").stdout.decode())
        by_name, by_file = self.folder / "name.wav", self.folder / "file.wav"
        self.ok("say", ENGLISH, "--voice", "nova", "-o", by_name)
        self.ok("say", ENGLISH, "--voice", SAMPLE, "-o", by_file)
        self.assertEqual(read_wav(by_name), read_wav(by_file))
        self.ok("voices", "--remove", "nova")
        self.refused(4, "voice_not_found", "say", ENGLISH, "--voice", "nova")

    def test_a_voice_name_reaches_no_other_folder(self):
        for name in ("../x", "a/../../x", "..\\x"):
            self.refused(3, "voice_name_invalid", "enroll", SAMPLE, "--name", name)
        self.assertFalse((self.folder / "x").exists())

    def test_text_that_cannot_be_spoken(self):
        for text in ("————", "(—)", "   "):
            self.refused(3, "no_speakable_text", "say", text, "--voice", SAMPLE)
        self.refused(3, "text_too_long", "say", "a " * 20000, "--voice", SAMPLE)

    def test_wrong_use_teaches(self):
        run = self.timbre("say", "Hello.")
        self.assertEqual(run.code, 2)
        self.assertIn("--voice", run.errors + run.stdout.decode())
        self.assertEqual(self.timbre("say", "Hello.", "--voice", SAMPLE, "--speed", "9").code, 2)
        self.assertIn("timbre say", self.ok("--help").stdout.decode())

    def test_an_output_that_cannot_be_written(self):
        self.refused(6, "file_not_written", "say", ENGLISH, "--voice", SAMPLE,
                     "-o", self.folder / "no such folder/out.wav")

    def test_bench_prints_one_json_object(self):
        for name, key in (("encoder", "encoder_ms"), ("synthesizer", "step_ms"),
                          ("vocoder", "vocoder_rtf"), ("sv2tts", "rtf")):
            with self.subTest(name):
                result = self.ok("bench", name, "--json", "--repeats", "3", "--precision", "f32").json()
                self.assertEqual(result["name"], name)
                self.assertGreater(result[key], 0)
                for common in ("cpu", "threads", "precision"):
                    self.assertIn(common, result)
        self.assertGreaterEqual(result["first_audio_ms"]["p95"], result["first_audio_ms"]["p50"])

    def test_pronunciation_by_the_user_changes_the_speech(self):
        plain, changed = self.folder / "plain.wav", self.folder / "changed.wav"
        self.ok("say", "他放了长假。", "--voice", SAMPLE, "-o", plain)
        self.ok("say", "他放了长假。", "--voice", SAMPLE, "-o", changed,
                "--pronounce", "长假=zhang3 jia4")
        self.assertNotEqual(read_wav(plain), read_wav(changed))
        self.refused(3, "pronunciation_unreadable", "say", "x", "--voice", SAMPLE,
                     "--pronounce", "nonsense")

    def test_case_d05_letters_in_mandarin_speak(self):
        report = self.ok("say", "这一步要靠GPT", "--voice", CASES / "ref_clean_f.wav", "-o",
                         self.folder / "out.wav", "--json").json()
        self.assertGreater(report["seconds"], 1.0)


if __name__ == "__main__":
    unittest.main()
