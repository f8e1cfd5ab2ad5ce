"""Measures a model on hand-labelled mentions from real answers, through the product's own scopes and clauses.

    python -m training.sentiment.real_mentions --answers FILE --model DIR

The answers are not part of this repository: `real_mentions.jsonl` holds only the id of an answer, the place of a name
in it, the label, and whether the mention belongs to the half that is tuned on (`tune`) or that is reported (`report`).
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sightline.answers.mentions import find_mentions
from sightline.answers.models import Brand, Label, Sentiment, Stance
from sightline.answers.names import Lexicon
from sightline.answers.prepare import find_raw_spans, prepare
from sightline.answers.sentiment_model import SentimentModel, combine, decide, open_model
from sightline.answers.sentiment_scope import Clause, find_clauses
from sightline.answers.stance import find_stances

MENTIONS = Path(__file__).parent / "real_mentions.jsonl"


@dataclass(frozen=True)
class RealMention:
    """One labelled mention with the clauses that the product reads about it."""

    answer: str
    label: Label
    half: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True)
class RealFigures:
    mentions: int
    found: int
    """Mentions that the product finds and reads something about."""
    with_opinion: int
    """Those of the found that are labelled positive or negative."""
    opinion_unscored: float
    scored: int
    right: float
    """The share of the scored mentions whose label is right."""
    opposite: float

    def as_dict(self) -> dict[str, Any]:
        return {key: round(value, 4) for key, value in asdict(self).items()}


def read_mentions(answers: Path, labels: Path = MENTIONS) -> Iterator[RealMention]:
    """Yield the labelled mentions. All brands that the data set labels in a market are tracked together."""
    rows = {row["id"]: row for row in map(json.loads, answers.read_text("utf-8").splitlines())}
    names: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for row in rows.values():
        names[row["market"]].update((label["brand"], None) for label in row["labels"] if label["brand"])
    lexicons = {market: Lexicon([Brand(name) for name in found]) for market, found in names.items()}
    for line in labels.read_text("utf-8").splitlines():
        given = json.loads(line)
        row = rows[given["id"]]
        clauses = _find_clauses_at(row, lexicons[row["market"]], given["from"], given["to"])
        yield RealMention(given["id"], given["label"], given["half"], clauses)


def _find_clauses_at(row: dict[str, Any], lexicon: Lexicon, start: int, end: int) -> tuple[Clause, ...]:
    """Return what the product reads about the mention in this place of the raw text; nothing if it finds none there."""
    prepared = prepare(row["text"], row["prompt"])
    mentions = find_mentions(prepared, lexicon, lambda: row["language"], row["prompt"])
    spans = find_raw_spans(prepared, [(mention.start, mention.end) for mention in mentions])
    here = next((place for place, (first, last) in enumerate(spans) if first < end and start < last), None)
    if here is None:
        return ()
    stances = find_stances(prepared, mentions)
    # Mentions of unknown brands are not read, but end the scope of others: so only this one is read.
    alone: list[Stance] = [stance if place == here else "unknown" for place, stance in enumerate(stances)]
    return tuple(find_clauses(prepared, mentions, alone, frozenset({mentions[here].brand})))


def score_mention(model: SentimentModel, mention: RealMention) -> Sentiment | None:
    return decide(combine(model.classify(mention.clauses)), model.calibration, model.name)


def measure_mentions(model: SentimentModel, mentions: list[RealMention]) -> RealFigures:
    found = [each for each in mentions if each.clauses]
    verdicts = [score_mention(model, each) for each in found]
    opinions = [verdict for each, verdict in zip(found, verdicts, strict=True) if each.label != "neutral"]
    scored = [(each.label, verdict.label) for each, verdict in zip(found, verdicts, strict=True) if verdict is not None]
    opposite = sum({true, said} == {"positive", "negative"} for true, said in scored)
    return RealFigures(
        mentions=len(mentions),
        found=len(found),
        with_opinion=len(opinions),
        opinion_unscored=sum(verdict is None for verdict in opinions) / max(1, len(opinions)),
        scored=len(scored),
        right=sum(true == said for true, said in scored) / max(1, len(scored)),
        opposite=opposite / max(1, len(scored)),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=Path, required=True, help="JSON Lines file of the answers")
    parser.add_argument("--labels", type=Path, default=MENTIONS)
    parser.add_argument("--model", type=Path, required=True, help="folder of model.onnx")
    given = parser.parse_args()
    mentions = list(read_mentions(given.answers, given.labels))
    model = open_model(given.model)
    for half in ("tune", "report"):
        figures = measure_mentions(model, [each for each in mentions if each.half == half])
        print(half, json.dumps(figures.as_dict()))


if __name__ == "__main__":
    main()
