"""Measures the shipped model on published test splits, from files that you have downloaded.

    python -m training.sentiment.public_splits FILE ...

A file is NewsMTSC's in JSON Lines (`sentence_normalized` and `targets`), or MAMS-ATSA's in XML. Nothing is downloaded.
The model was not trained on these splits. Every target is scored, and then only those that the model is sure of.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from sightline.answers.sentiment_model import SentimentModel, load_model
from sightline.answers.sentiment_scope import Clause
from training.sentiment.measure import keep, measure

_LABELS = ("negative", "neutral", "positive")
_POLARITIES = {2: "negative", 4: "neutral", 6: "positive"}

Target = tuple[Clause, int]
"""A text about one name, and the number of its label."""


def read_targets(path: Path) -> Iterator[Target]:
    """Yield the targets of a file. Raise ValueError if it is neither of the two formats, or a target is misplaced."""
    text = path.read_text("utf-8")
    found = _read_xml(text) if text.lstrip().startswith("<") else _read_lines(text)
    for written, start, end, label in found:
        if not 0 <= start < end <= len(written) or label not in _LABELS:
            raise ValueError(f"{path}: no target from {start} to {end} with the label {label!r} in {written[:60]!r}")
        yield Clause(0, written, start, end), _LABELS.index(label)


def _read_lines(text: str) -> Iterator[tuple[str, int, int, str]]:
    for line in filter(str.strip, text.splitlines()):
        try:
            given = json.loads(line)
            targets = [(each["from"], each["to"], int(each["polarity"])) for each in given["targets"]]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"not a line of NewsMTSC: {line[:80]!r}") from error
        for start, end, polarity in targets:
            yield given["sentence_normalized"], start, end, _POLARITIES.get(polarity, str(polarity))


def _read_xml(text: str) -> Iterator[tuple[str, int, int, str]]:
    for sentence in LexborHTMLParser(text).css("sentence"):
        written = sentence.css_first("text")
        for term in sentence.css("aspectTerm"):
            named = {name.lower(): value or "" for name, value in term.attributes.items()}
            place = (named.get("from", ""), named.get("to", ""))
            if written is None or not all(map(str.isdecimal, place)):
                raise ValueError(f"not a sentence of MAMS: {(sentence.html or '')[:80]!r}")
            yield written.text(), int(place[0]), int(place[1]), named.get("polarity", "")


def measure_split(targets: list[Target], model: SentimentModel) -> dict[str, Any]:
    """Return macro-F1 and opposites of all targets, and of those that the model is sure of."""
    found = model.classify([clause for clause, _ in targets])
    likely = np.array([[each.negative, each.neutral, each.positive] for each in found])
    labels = np.array([label for _, label in targets])
    calibration = model.calibration
    thresholds = (calibration.threshold, calibration.opinion_threshold)
    return {
        "every target": measure(likely.argmax(-1), labels).as_dict(),
        "sure ones": keep(likely, labels, thresholds, calibration.most_opposite).as_dict(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
    for path in parser.parse_args().files:
        print(json.dumps({path.name: measure_split(list(read_targets(path)), load_model())}, indent=2))


if __name__ == "__main__":
    main()
