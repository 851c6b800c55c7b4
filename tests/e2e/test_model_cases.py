#!/usr/bin/env python3
"""Model files from real bug reports, at the level of the program: D20 to D22, and hostile files."""
import io
import json
import os
import pickle
import shutil
import struct
import unittest
import zipfile

from program import DEFAULT_MODEL, SAMPLE, SOURCE, WEIGHTS, ProgramTest

TEXT = "Hello."


class Hostile:
    """Unpickled by Python, this would make the folder."""

    def __init__(self, marker):
        self.marker = marker

    def __reduce__(self):
        return os.mkdir, (str(self.marker),)


def torch_zip(pickled):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("archive/data.pkl", pickled)
        archive.writestr("archive/version", "3\n")
    return data.getvalue()


def torch_legacy(pickled):
    magic = pickle.dumps(0x1950A86A20F9469CFC6C, 2)
    protocol = pickle.dumps(1001, 2)
    system = pickle.dumps({"protocol_version": 1001, "little_endian": True, "type_sizes": {}}, 2)
    return magic + protocol + system + pickled + pickle.dumps([], 2)


def safetensors(tensors):
    """tensors: name -> (shape, bytes of f32)."""
    header, offset = {}, 0
    for name, (shape, data) in tensors.items():
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [offset, offset + len(data)]}
        offset += len(data)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + b"".join(data for _, data in tensors.values())


class ModelCases(ProgramTest):
    def model_folder(self, name="model", **parts):
        """A copy of the default model's folder, with some parts of model.json replaced."""
        folder = self.folder / name
        folder.mkdir(parents=True)
        description = json.loads((DEFAULT_MODEL / "model.json").read_text())
        for file in ("nat.safetensors", "nat.json", "activation_ranges.json"):
            shutil.copy(DEFAULT_MODEL / file, folder)
        description.update(parts)
        (folder / "model.json").write_text(json.dumps(description, ensure_ascii=False))
        return folder

    def test_d20_code_in_a_checkpoint_never_runs(self):
        marker = self.folder / "marker"
        pickled = pickle.dumps({"model_state": Hostile(marker)}, 2)
        os.mkdir(self.folder / "proof")
        pickle.loads(pickle.dumps(Hostile(self.folder / "proof" / "marker"), 2))
        self.assertTrue((self.folder / "proof" / "marker").exists())  # the file is really hostile
        for kind, data in (("zip", torch_zip(pickled)), ("legacy", torch_legacy(pickled)),
                           ("bare", pickled)):
            with self.subTest(kind):
                path = self.folder / f"{kind}.pth"
                path.write_bytes(data)
                for arguments in (("inspect", path),
                                  ("say", TEXT, "--voice", SAMPLE, "--model",
                                   self.model_folder(kind, synthesizer={"weights": str(path)}))):
                    run = self.timbre(*arguments)
                    self.assertEqual(run.code, 5, run.errors)
                    if kind != "bare":
                        self.assertIn("mkdir", run.errors)
                        self.assertIn("(pickle_forbidden_global)", run.errors)
                    self.assertFalse(marker.exists())
        self.ok("inspect", DEFAULT_MODEL / "nat.safetensors")  # and the next good file works

    def test_hostile_safetensors(self):
        path = self.folder / "x.safetensors"
        good = safetensors({"a": ([4], bytes(16))})
        for name, data in (("huge header", struct.pack("<Q", 2 ** 60) + good[8:]),
                           ("truncated", good[:-5]),
                           ("no JSON", struct.pack("<Q", 8) + b"not json" + bytes(8)),
                           ("deep", struct.pack("<Q", 200000) + b"[" * 200000)):
            with self.subTest(name):
                path.write_bytes(data)
                self.assertIn(self.timbre("inspect", path).code, (3, 5))

    def test_d21_another_symbol_table_is_refused_at_load(self):
        shapes = json.loads((SOURCE / "tests/golden/sv2tts/rtvc/small.shapes.json").read_text())["shapes"]
        tensors = {}
        for name, (shape, dtype) in shapes.items():
            if name == "encoder.embedding.weight":
                shape = [71, *shape[1:]]
            size = 1
            for extent in shape:
                size *= extent
            tensors[name] = (shape, bytes(4 * size))
        path = self.folder / "synthesizer.safetensors"
        path.write_bytes(safetensors(tensors))
        model = self.model_folder(synthesizer={"weights": str(path)})
        run = self.timbre("say", TEXT, "--voice", SAMPLE, "--model", model)
        self.assertIn(run.code, (3, 5), run.errors)
        self.assertIn("71", run.errors)
        self.assertRegex(run.errors, "symbol")

    def test_d21_a_vocoder_of_other_sizes_names_tensor_and_shapes(self):
        config = json.loads((WEIGHTS / "hifigan-universal-v1/config.json").read_text())
        config["upsample_initial_channel"] = 256
        (self.folder / "config.json").write_text(json.dumps(config))
        model = self.model_folder(vocoder={
            "weights": "data:weights/hifigan-universal-v1/generator_universal.pth.tar",
            "config": str(self.folder / "config.json")})
        run = self.timbre("say", TEXT, "--voice", SAMPLE, "--model", model)
        self.assertIn(run.code, (3, 5), run.errors)
        self.assertIn("conv_pre", run.errors)
        self.assertIn("512", run.errors)
        self.assertIn("256", run.errors)

    def test_d22_path_with_any_characters(self):
        folder = self.model_folder("模型 v2 (测试)/声音é")
        out = self.folder / "声音é.wav"
        self.ok("say", TEXT, "--voice", SAMPLE, "--model", folder, "-o", out)
        self.assertTrue(out.exists())
        missing = self.model_folder("模型 v2 (测试)/b", synthesizer={"weights": "没有é.pt"})
        run = self.timbre("say", TEXT, "--voice", SAMPLE, "--model", missing)
        self.assertEqual(run.code, 4, run.errors)
        self.assertIn("模型 v2 (测试)/b/没有é.pt", run.errors)

    def test_folders_without_model_json_and_wrong_ones(self):
        self.refused(4, "model_not_found", "say", TEXT, "--voice", SAMPLE, "--model",
                     self.folder / "none")
        empty = self.folder / "empty"
        empty.mkdir()
        self.refused(4, "model_file_missing", "say", TEXT, "--voice", SAMPLE, "--model", empty)
        broken = self.model_folder("broken")
        (broken / "model.json").write_text("{")
        self.refused(3, "model_json_invalid", "say", TEXT, "--voice", SAMPLE, "--model", broken)
        swapped = self.model_folder("swapped", synthesizer={
            "weights": "data:weights/ge2e/pretrained.pt"})
        run = self.timbre("say", TEXT, "--voice", SAMPLE, "--model", swapped)
        self.assertEqual(run.code, 3, run.errors)
        self.assertIn("(model_part_wrong)", run.errors)

    def test_a_folder_of_checkpoints_needs_no_model_json(self):
        """Real-Time-Voice-Cloning's layout; with this small synthesizer's mel a stock HiFi-GAN does not fit."""
        folder = self.folder / "saved_models"
        folder.mkdir()
        shutil.copy(WEIGHTS / "ge2e/pretrained.pt", folder / "encoder.pt")
        shutil.copy(SOURCE / "tests/golden/sv2tts/rtvc/small_stop.pt", folder / "synthesizer.pt")
        shutil.copy(SOURCE / "tests/golden/sv2tts/hifigan/v2.g.pth", folder / "vocoder.pt")
        shutil.copy(SOURCE / "tests/golden/sv2tts/hifigan/v2.config.json", folder / "config.json")
        message = self.refused(3, "mel_format_mismatch", "say", TEXT, "--voice", SAMPLE, "--model",
                               folder)
        self.assertIn("16000", message)
        self.assertIn("22050", message)

    def test_inspect_names_what_is_in_a_file(self):
        for path, kind in ((WEIGHTS / "ge2e/pretrained.pt", "ge2e_encoder"),
                           (WEIGHTS / "hifigan-universal-v1/generator_universal.pth.tar", "hifigan"),
                           (DEFAULT_MODEL / "nat.safetensors", "nat_synthesizer"),
                           (SOURCE / "tests/golden/sv2tts/nvtaco2/small.pt", "nvidia_tacotron2"),
                           (SOURCE / "tests/golden/sv2tts/rtvc/small_legacy.pt", "rtvc_synthesizer"),
                           (SOURCE / "tests/golden/sv2tts/wavernn/small_mol.pt", "wavernn")):
            with self.subTest(kind):
                result = self.ok("inspect", path, "--json").json()
                self.assertEqual(result["kind"], kind)
                self.assertGreater(result["parameters"], 1000)
                self.assertTrue(all({"name", "dtype", "shape"} <= tensor.keys()
                                    for tensor in result["tensors"]))


if __name__ == "__main__":
    unittest.main()
