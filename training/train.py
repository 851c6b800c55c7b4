"""Trains the default voice model on the features of features.py. Stop it at any time and start it again.

The learning rate falls to zero over --hours of training time, counted over all runs, so that a stopped and
resumed training ends where an uninterrupted one would.
"""
import argparse
import json
import os
import random
import time
from pathlib import Path

# Two threads that wait for each other by spinning starve on a busy machine; this must be set before torch loads.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import numpy as np
import torch

import dataset
from model import NonAttentiveTacotron
from phone_tables import SYMBOL_IDS

PEAK_RATE, WARM_UP_STEPS, EMA_DECAY, SAVE_SECONDS = 1e-3, 100, 0.998, 180


def collate(utterances, known, mean, std):
    """Padded ids, speaker embeddings, durations, normalised mel, and the frames' mask."""
    count = len(utterances)
    symbols = max(len(u["ids"]) for u in utterances)
    frames = max(len(u["mel"]) for u in utterances)
    ids = torch.zeros(count, symbols, dtype=torch.long)
    durations = torch.zeros(count, symbols, dtype=torch.long)
    mel, present = torch.zeros(count, frames, 80), torch.zeros(count, frames, 1)
    speaker = torch.zeros(count, 256)
    for i, utterance in enumerate(utterances):
        own, lengths = utterance["ids"], utterance["durations"]
        if random.random() < 0.15:  # callers that know no word boundaries must sound right too
            own, lengths = dataset.without_words(own, lengths)
        ids[i, :len(own)] = torch.from_numpy(own)
        durations[i, :len(own)] = torch.from_numpy(lengths)
        length = len(utterance["mel"])
        mel[i, :length] = (torch.from_numpy(utterance["mel"]).float() - mean) / std
        present[i, :length] = 1
        speaker[i] = torch.from_numpy(dataset.pick_embedding(known[utterance["speaker"]])).float()
    return ids, speaker, durations, mel, present


def losses(model, batch):
    ids, speaker, durations, mel, present = batch
    rough, fine, log_durations = model(ids, speaker, durations, mel)
    share = present / (present.sum() * mel.size(-1))
    mask = (ids > 0).float()
    duration = ((log_durations - torch.log1p(durations.float())) ** 2 * mask).sum() / mask.sum()
    return ((rough - mel).abs() * share).sum(), ((fine - mel).abs() * share).sum(), duration


def average_into(ema, model, decay):
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if value.dtype.is_floating_point:
                ema[name].lerp_(value, 1 - decay)
            else:
                ema[name].copy_(value)


def save(path, **content):
    torch.save(content, path.with_suffix(".part"))
    os.replace(path.with_suffix(".part"), path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--teacher", type=Path, required=True, help="folder with meta.jsonl")
    parser.add_argument("--cache", type=Path, required=True, help="folder with features/; checkpoints go here")
    parser.add_argument("--hours", type=float, default=6.0, help="training time over which the rate falls to zero")
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--start-from", type=Path, help="nat.safetensors of the same symbols to continue from")
    parser.add_argument("--peak-rate", type=float, default=PEAK_RATE)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)

    train, held, failed = dataset.load(args.teacher, args.cache)
    known, known_held = dataset.by_speaker(train), dataset.by_speaker(held)
    train.sort(key=lambda utterance: len(utterance["mel"]))
    hours = sum(len(u["mel"]) for u in train) * 256 / 22050 / 3600
    print(f"{len(train)} clips, {hours:.2f} hours, {len(known)} speakers; {len(held)} held out, {failed} left out", flush=True)

    model = NonAttentiveTacotron(len(SYMBOL_IDS) + 2)
    optimiser = torch.optim.AdamW(model.parameters(), args.peak_rate, betas=(0.9, 0.98), weight_decay=1e-4)
    checkpoint, step, spent = args.cache / "checkpoint.pt", 0, 0.0
    if checkpoint.exists():
        stored = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(stored["model"])
        optimiser.load_state_dict(stored["optimiser"])
        ema, step, spent = stored["ema"], stored["step"], stored["spent"]
    else:
        frames = np.concatenate([u["mel"].astype(np.float32) for u in train[::5]])
        model.mel_mean.copy_(torch.from_numpy(frames.mean(axis=0)))
        model.mel_std.copy_(torch.from_numpy(frames.std(axis=0)))
        if args.start_from:
            from safetensors.torch import load_file
            tensors = {name: value.float() for name, value in load_file(args.start_from).items()}
            missing, surplus = model.load_state_dict(tensors, strict=False)
            print("started from", args.start_from, "missing", [n for n in missing if "num_batches" not in n], surplus)
        ema = {name: value.clone() for name, value in model.state_dict().items()}
    seed = int.from_bytes(os.urandom(4), "little")  # a resumed run must not repeat the batches of the last one
    random.seed(seed), np.random.seed(seed % 2**32), torch.manual_seed(seed)

    # The middle of the training speakers, each counted once; export.py can push a voice away from it.
    middle = torch.from_numpy(np.mean([np.mean(own, axis=0) for own in known.values()], axis=0))
    total, saved, recent = args.hours * 3600, time.time(), []
    log = open(args.cache / "train.jsonl", "a", encoding="utf-8")
    while spent < total:
        began = time.time()
        at = random.randrange(max(1, len(train) - 4 * args.batch))  # neighbours in length pad little
        batch = collate(random.sample(train[at:at + 4 * args.batch], args.batch), known, model.mel_mean, model.mel_std)
        rate = args.peak_rate * min(1.0, (step + 1) / WARM_UP_STEPS) * max(0.0, 1 - spent / total)
        for group in optimiser.param_groups:
            group["lr"] = rate
        model.train()
        rough, fine, duration = losses(model, batch)
        optimiser.zero_grad()
        (rough + fine + 0.2 * duration).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        step += 1
        average_into(ema, model, min(EMA_DECAY, (1 + step) / (10 + step)))
        recent.append((rough.item(), fine.item(), duration.item()))
        spent += time.time() - began
        if step % 50 == 0:
            rough, fine, duration = np.mean(recent, axis=0).round(4).tolist()
            recent = []
            line = dict(step=step, seconds=round(spent), rate=rate, rough=rough, fine=fine, duration=duration)
            if step % 200 == 0 and held:  # the same teacher-forced loss on unseen speakers
                model.eval()
                with torch.no_grad():
                    unseen = [losses(model, collate(held[i:i + 16], known_held, model.mel_mean, model.mel_std))
                              for i in range(0, min(64, len(held)), 16)]
                line["held_out"] = np.mean([[float(x) for x in u] for u in unseen], axis=0).round(4).tolist()
            print(json.dumps(line), file=log, flush=True)
        if time.time() - saved > SAVE_SECONDS or spent >= total:
            save(checkpoint, model=model.state_dict(), optimiser=optimiser.state_dict(), ema=ema, step=step, spent=spent,
                 speaker_mean=middle)
            saved = time.time()
    print(f"finished after {step} steps")


if __name__ == "__main__":
    main()
