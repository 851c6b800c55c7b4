"""Speaks fixed sentences in held-out voices and measures words, speaker, quality and endings.

Prints a table and writes docs/evaluation.json. A sentence that fails is reported and counted; it does not
stop the run. With several --precision values the program's precisions are compared instead (compare.py).
"""
import argparse
import datetime
import json
import sys
import tempfile
from pathlib import Path

import numpy as np

import compare
import endings
import judges
import score
import speech

SILENCE = np.zeros(0, dtype=np.float32)


class Judges:
    def __init__(self, packages, threads):
        self.listener = judges.Listener(judges.whisper_folder(packages), threads)
        self.speaker = judges.SpeakerJudge(threads)
        self.quality = judges.QualityJudge(packages / "site")


def measure(panel, path, text, language, voice, voices):
    """Everything known about one spoken sentence."""
    import soundfile
    samples, rate = soundfile.read(path, dtype="float32")
    at_16k = judges.load_audio(path, 16000)
    reference = score.units(text, language)
    result = dict(seconds=round(len(samples) / rate, 3))
    if len(at_16k) < 1600:
        return dict(result, heard="", errors=len(reference), units=len(reference), endings=["no speech"])
    heard = panel.listener.transcribe(at_16k, language)
    errors, matched = score.edit_path(reference, score.units(heard, language))
    overall, p808 = panel.quality.score(at_16k)
    embedding = panel.speaker.embed(at_16k)
    own = float(embedding @ voice.embedding)
    wrong = max((float(embedding @ other.embedding), other.name) for other in voices if other is not voice)
    return dict(result, heard=heard, errors=errors, units=len(reference), dnsmos=overall, p808=p808, cosine=own,
                cosine_wrong=wrong[0], nearest_wrong=wrong[1],
                endings=endings.faults(samples, rate, reference, matched, language))


def mean(values):
    values = list(values)
    return round(float(np.mean(values)), 4) if values else None


def summary(rows):
    spoken = [row for row in rows if "dnsmos" in row]
    pairs = lambda language: [(score.units(row["text"], language), score.units(row.get("heard", ""), language))
                              for row in rows if row["lang"] == language]
    result = dict(
        wer_en=round(score.error_rate(pairs("en")), 4) if pairs("en") else None,
        cer_zh=round(score.error_rate(pairs("zh")), 4) if pairs("zh") else None,
        bleu=round(score.corpus_bleu(pairs("en") + pairs("zh")), 2),
        bleu_en=round(score.corpus_bleu(pairs("en")), 2) if pairs("en") else None,
        bleu_zh=round(score.corpus_bleu(pairs("zh")), 2) if pairs("zh") else None,
        dnsmos=mean(row["dnsmos"] for row in spoken), p808=mean(row["p808"] for row in spoken))
    for kind in ("synthetic", "real"):
        own = [row for row in spoken if row["kind"] == kind]
        result[f"cosine_{kind}"] = mean(row["cosine"] for row in own)
        result[f"cosine_wrong_{kind}"] = mean(row["cosine_wrong"] for row in own)
        result[f"margin_{kind}"] = mean(row["cosine"] - row["cosine_wrong"] for row in own)
        result[f"nearest_is_own_{kind}"] = mean(row["cosine"] > row["cosine_wrong"] for row in own)
    result["bad_endings"] = sum(bool(row["endings"]) for row in rows)
    result["failed"] = sum("error" in row for row in rows)
    result["sentences"] = len(rows)
    return result


def print_table(result, rows):
    shown = lambda value: "-" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)
    print(f"\n{'word error rate, English':38}{shown(result['wer_en'])}")
    print(f"{'character error rate, Mandarin':38}{shown(result['cer_zh'])}")
    print(f"{'BLEU of the transcripts':38}{shown(result['bleu'])}")
    print(f"{'DNSMOS overall / P.808':38}{shown(result['dnsmos'])} / {shown(result['p808'])}")
    for kind in ("synthetic", "real"):
        print(f"{'GE2E cosine, ' + kind + ' references':38}{shown(result['cosine_' + kind])}   nearest wrong speaker "
              f"{shown(result['cosine_wrong_' + kind])}, margin {shown(result['margin_' + kind])}, "
              f"own voice nearest {shown(result['nearest_is_own_' + kind])}")
    print(f"{'bad endings':38}{result['bad_endings']} of {result['sentences']}")
    print(f"{'failed sentences':38}{result['failed']} of {result['sentences']}")
    for row in rows:
        if row["endings"] or "error" in row:
            print(f"  {row['lang']} {row['number']:2} {row['voice']}: {row.get('error') or ', '.join(row['endings'])}")


def evaluate(args, panel, voices, work):
    rows = []
    for language, number, text, voice in speech.jobs(voices, args.limit):
        row = dict(lang=language, number=number, text=text, voice=voice.name, kind=voice.kind, endings=[])
        output = work / f"{language}{number:02}-{voice.name}.wav"
        try:
            extra = args.always + (["--precision", args.precision[0]] if args.precision else [])
            row["report"] = speech.say(args.program, text, voice, language, output, extra)
            row.update(measure(panel, output, text, language, voice, voices))
        except Exception as error:  # one broken sentence must not cost the others
            row["error"] = f"{type(error).__name__}: {error}"
            row["endings"] = ["no speech"]
        rows.append(row)
        print(f"{language} {number:2} {voice.name:16} {row.get('error') or row['heard']}", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packages", type=Path, required=True, help="what run.sh fetched")
    parser.add_argument("--program", default="build/release/timbre", help="command in front of: say TEXT --voice ...")
    parser.add_argument("--limit", type=int, default=20, help="sentences per language")
    parser.add_argument("--precision", type=lambda text: text.split(","), default=[],
                        help="one of f32, bf16, int8; or several, separated by commas, to compare them")
    parser.add_argument("--model", help="another model folder than the default voice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="threads of the judges")
    parser.add_argument("--output", type=Path, help="default: docs/evaluation.json, or docs/precision.json")
    parser.add_argument("--keep", type=Path, help="folder for the speech; default: a temporary one")
    args = parser.parse_args()
    args.always = ["--seed", str(args.seed)] + (["--model", args.model] if args.model else [])

    with tempfile.TemporaryDirectory() as temporary:
        work = args.keep or Path(temporary)
        work.mkdir(parents=True, exist_ok=True)
        work = work.resolve()
        panel = Judges(args.packages, args.threads)
        voices, missing = speech.load_voices(args.packages, work)
        for voice in voices:
            voice.embedding = panel.speaker.embed(judges.load_audio(voice.path, 16000))
        about = dict(cpu=speech.cpu_name(), date=datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
                     program=args.program, model=args.model or "default", seed=args.seed, missing_voices=missing)
        if len(args.precision) > 1:
            result = compare.run(args, panel, voices, work)
            compare.print_table(result)
            path = args.output or speech.ROOT / "docs" / "precision.json"
        else:
            rows = evaluate(args, panel, voices, work)
            result = summary(rows)
            print_table(result, rows)
            result["details"] = rows
            path = args.output or speech.ROOT / "docs" / "evaluation.json"
        path.write_text(json.dumps({**about, **result}, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"\nwrote {path}")
    failed = result.get("failed", 0)
    sys.exit(1 if failed and failed == result.get("sentences") else 0)


if __name__ == "__main__":
    main()
