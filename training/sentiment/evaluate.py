"""Measures the model through the whole product, and writes the figures and the card that ships with it.

    python -m training.sentiment.evaluate --answers FILE

Training ends with it. It needs no PyTorch, so it can be run alone after a change of the rules that find names, stances
and clauses. Without `--answers`, the figures of the mentions from real answers stay as they are.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from sightline.answers.gold import compare_scorers, load_gold_set
from sightline.answers.scorers import LANGUAGES, SCORERS
from sightline.answers.sentiment_model import open_model
from training.sentiment.base import BASE_SHA256
from training.sentiment.card import write_card
from training.sentiment.real_mentions import measure_mentions, read_mentions

_SHIPPED = Path(__file__).parents[2] / "src" / "sightline" / "answers" / "data" / "sentiment"


def write_figures(out: Path, figures: dict[str, Any], answers: Path | None) -> dict[str, Any]:
    """Add the figures of the whole product with the model in `out`, and write `figures.json` and `CARD.md`."""
    figures["gold"] = _measure_gold(out)
    if answers is not None:
        mentions, model = list(read_mentions(answers)), open_model(out)
        halves = {half: [each for each in mentions if each.half == half] for half in ("tune", "report")}
        figures["real"] = {half: measure_mentions(model, chosen).as_dict() for half, chosen in halves.items()}
    (out / "figures.json").write_text(json.dumps(figures, indent=2) + "\n")
    write_card(out, BASE_SHA256)
    return figures


def _measure_gold(out: Path) -> dict[str, Any]:
    """Measure on the project's gold set: for reporting, never for choosing."""
    answers = [each for each in load_gold_set() if each.language in LANGUAGES]
    keys = ("sentiment_macro_f1", "sentiment_abstained", "sentiment_opposite")
    scorers = {**SCORERS, "model": open_model(out), "model, all scored": open_model(out, threshold=0.0)}
    found = {name: agreement.rates() for name, agreement in compare_scorers(answers, scorers).items()}
    return {name: {key: round(rates[key] or 0.0, 4) for key in keys} for name, rates in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, default=_SHIPPED, help="folder of model.onnx and figures.json")
    parser.add_argument("--answers", type=Path, help="real answers, to measure on the mentions in real_mentions.jsonl")
    given = parser.parse_args()
    figures = json.loads((given.model / "figures.json").read_text())
    print(json.dumps(write_figures(given.model, figures, given.answers), indent=2))


if __name__ == "__main__":
    main()
