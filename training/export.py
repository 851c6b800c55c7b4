"""Writes the trained voice where the engine reads it: models/default/nat.safetensors (fp16) and nat.json.

nat.json
  sizes          dimensions of the network, so that the reader can check the tensors
  mel            definition of the frames it writes
  pad, edge      symbol ids: padding, and the silence at either end of an utterance
  phones         phone name -> list of symbol ids. A name may be two phones joined by a space; such a
                 pair wins over its two single phones. The list may be empty.
  word_boundary  symbol ids in front of every word but the first (after punctuation); may be empty
"""
import argparse
import json
from pathlib import Path

import torch
from safetensors.torch import save_file

import model
from features import MEL
from phone_tables import EDGE, PAD, SYMBOL_IDS, TABLE, WORD


def describe(tensors):
    sizes = dict(embedding=model.EMBEDDING, encoder_lstm=model.LSTM, speaker_embedding=model.SPEAKER_IN,
                 speaker=model.SPEAKER, duration_lstm=model.LSTM, prenet=model.PRENET, postnet=model.POSTNET,
                 position_scale=int(model.POSITION_SCALE), prenet_dropout=model.PRENET_DROPOUT,
                 symbols=tensors["emb.weight"].shape[0], decoder_lstm=tensors["dec.weight_hh_l0"].shape[1], mel=model.MEL)
    phones = {name: [SYMBOL_IDS[symbol] for symbol in spelling] for name, spelling in TABLE.items()}
    return dict(format=1, architecture="non-attentive-tacotron", sizes=sizes, mel=MEL, pad=PAD, edge=EDGE,
                word_boundary=[SYMBOL_IDS[WORD]], phones=phones, languages=["en", "zh"])


def push_speakers(state, middle, gain):
    """Feeds the network middle + gain * (embedding - middle), folded into the speaker projection. A network that
    heard few speakers regresses to their middle; a gain a little above 1 takes some of that back."""
    weight = state["spk.weight"]
    return dict(state, **{"spk.weight": gain * weight, "spk.bias": state["spk.bias"] + (1 - gain) * (weight @ middle)})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--checkpoint", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True, help="the model folder")
    parser.add_argument("--last", action="store_true", help="the last weights instead of their running mean")
    parser.add_argument("--speaker-gain", type=float, default=1.0, help="see push_speakers; judge it by make eval")
    args = parser.parse_args()

    stored = torch.load(args.checkpoint, weights_only=True, map_location="cpu")
    state = stored["model" if args.last else "ema"]
    if args.speaker_gain != 1:
        state = push_speakers(state, stored["speaker_mean"], args.speaker_gain)
    tensors = {name: value.contiguous().to(torch.float16) for name, value in state.items()
               if not name.endswith("num_batches_tracked")}
    unusable = [name for name, value in tensors.items() if not torch.isfinite(value).all()]
    if unusable:
        raise SystemExit(f"these weights do not fit fp16: {unusable}")
    args.output.mkdir(parents=True, exist_ok=True)
    path = args.output / "nat.safetensors"
    save_file(tensors, path, metadata={"format": "pt"})
    path.chmod(0o644)
    description = dict(describe(tensors), trained_steps=stored["step"], speaker_gain=args.speaker_gain)
    text = json.dumps(description, ensure_ascii=False).replace('"phones": {', '\n"phones": {')
    (args.output / "nat.json").write_text(text + "\n", encoding="utf-8")
    print(f"wrote {path}, {stored['step']} steps")


if __name__ == "__main__":
    main()
