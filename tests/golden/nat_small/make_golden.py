"""Makes this folder: a small Non-Attentive Tacotron with random weights and what PyTorch computes
with it, for tests/golden/nat_synthesizer_test.cc. Run with Python, PyTorch, NumPy and safetensors:

    python3 tests/golden/nat_small/make_golden.py

nat.safetensors (fp16), nat.json   the model, as training/ writes them
ids [symbols], speaker [16]        the input
encoder [symbols, 48], log_durations, durations [symbols], mel [frames, 80] (no dropout, denormalised)
"""
import pathlib
import sys

import numpy as np
import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "training"))
import export_format  # noqa: E402
import model as training_model  # noqa: E402

SYMBOLS, DECODER_LSTM = 20, 64
SIZES = dict(embedding=32, encoder_lstm=16, speaker_embedding=16, speaker=16, duration_lstm=12, prenet=24,
             postnet=28, position_scale=8, prenet_dropout=0.5)


def small_model():
    training_model.EMBEDDING, training_model.LSTM = SIZES["embedding"], SIZES["encoder_lstm"]
    training_model.SPEAKER_IN, training_model.SPEAKER = SIZES["speaker_embedding"], SIZES["speaker"]
    training_model.PRENET, training_model.POSTNET = SIZES["prenet"], SIZES["postnet"]
    training_model.ENCODING = SIZES["embedding"] + SIZES["speaker"]
    net = training_model.NonAttentiveTacotron(SYMBOLS, DECODER_LSTM)
    # The duration network has a width of its own here, so that a mix-up of the two shows.
    net.dp = torch.nn.LSTM(training_model.ENCODING, SIZES["duration_lstm"], bidirectional=True, batch_first=True)
    net.do = torch.nn.Linear(2 * SIZES["duration_lstm"], 1)
    state = net.state_dict()
    generator = torch.Generator().manual_seed(20)
    for name, value in state.items():
        if not value.is_floating_point():
            continue
        noise = torch.randn(value.shape, generator=generator)
        if name.endswith("running_var"):
            state[name] = torch.exp(0.3 * noise)
        elif ".1.weight" in name and name.startswith("enc"):
            state[name] = 1 + 0.2 * noise
        elif name == "mel_mean":
            state[name] = -5 + noise
        elif name == "mel_std":
            state[name] = 2 + 0.3 * noise
        elif value.dim() > 1:
            state[name] = 1.5 * noise / value[0].numel() ** 0.5
        else:
            state[name] = 0.1 * noise
    state["emb.weight"] *= 4  # so that durations differ
    for name in ("dp.weight_ih_l0", "dp.weight_ih_l0_reverse"):
        state[name] *= 3
    state["do.weight"] *= 3
    state["do.bias"] += 2
    state = {name: value.half().float() if value.is_floating_point() else value for name, value in state.items()}
    net.load_state_dict(state)
    return net.eval(), state


def main():
    net, state = small_model()
    export_format.SIZES = SIZES
    export_format.write_model(
        HERE, state, dict(rate=22050, n_fft=1024, hop=256, bins=80, fmin=0, fmax=8000, log="ln", clamp=1e-5),
        {"AA1": [4], "B": [5, 6], "sh": [7], "i1": [8, 9], "sh i1": [10], "AA": [], ",": [3], "-": [3, 2]},
        pad=0, edge=1, word_boundary=[2], extra=dict(languages=["en", "zh"]))
    generator = np.random.default_rng(7)
    ids = np.concatenate([[1], generator.integers(2, SYMBOLS, 24), [1]]).astype(np.int32)
    speaker = np.abs(generator.standard_normal(SIZES["speaker_embedding"])).astype(np.float32)
    speaker /= np.linalg.norm(speaker)
    with torch.no_grad():
        batch = torch.as_tensor(ids, dtype=torch.long)[None]
        mask = torch.ones_like(batch, dtype=torch.float32)
        encoder = net.encode(batch, torch.as_tensor(speaker)[None], mask)
        log_durations = net.log_durations(encoder, mask)
        frames = torch.exp(log_durations[0]) - 1
        assert ((frames - frames.floor() - 0.5).abs() > 0.005).all(), "a duration is too near to a tie"
        durations = torch.clamp(torch.round(frames), min=0).int()
        mel = net.synthesise(batch[0], speaker, dropout=False)
    print(durations.tolist(), mel.shape, mel.min(), mel.max())
    for name, array in dict(ids=ids, speaker=speaker, encoder=encoder[0].numpy(), mel=mel,
                            log_durations=log_durations[0].numpy(), durations=durations.numpy()).items():
        np.save(HERE / f"{name}.npy", array)


main()
