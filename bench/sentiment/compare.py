"""Sentiment's CPU time per answer in two checkouts, in alternating rounds, on answers from a file.

    python -m bench.sentiment.compare --old CHECKOUT --answers FILE

The file is JSON Lines with `text`, `prompt`, `market` and `labels` (each with a `brand`). The brands that are labelled
most often in a market are tracked there, and the first of them is the measured one. Each round is a process of its own,
so that nothing is remembered from the round before.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

_ROUND = """
import json, sys, time
from collections import Counter, defaultdict
from sightline.answers.mentions import find_mentions
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.scorers import SCORERS
from sightline.answers.stance import find_stances

rows = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
rows = [row for row in rows if row["platform"] in sys.argv[2].split(",")]
brands = defaultdict(Counter)
for row in rows:
    brands[row["market"]].update(label["brand"] for label in row["labels"] if label["brand"])
lexicons = {market: Lexicon([Brand(name) for name, _ in found.most_common(8)]) for market, found in brands.items()}
ready = []
for row in rows:
    prepared = prepare(row["text"], row["prompt"])
    mentions = find_mentions(prepared, lexicons[row["market"]], lambda: "en", row["prompt"])
    ready.append((prepared, mentions, find_stances(prepared, mentions)))
scorer = SCORERS["model"]
scorer.score(*ready[0], frozenset({0}))  # loads the model
began = time.process_time()
for each in ready:
    scorer.score(*each, frozenset({0}))
print(1000 * (time.process_time() - began) / len(ready))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--old", type=Path, required=True, help="checkout to compare with")
    parser.add_argument("--new", type=Path, default=Path(__file__).parents[2], help="default: this one")
    parser.add_argument("--answers", type=Path, required=True)
    parser.add_argument("--platforms", default="chatgpt", help="with commas between them")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    taken: dict[str, list[float]] = {"old": [], "new": []}
    for _ in range(given.rounds):
        for name, checkout in (("old", given.old), ("new", given.new)):
            taken[name].append(_measure(checkout, given.answers, given.platforms))
    for name, values in taken.items():
        print(f"{name}: {median(values):.2f} CPU ms per answer ({min(values):.2f} to {max(values):.2f})")
    ratios = [new / old for old, new in zip(taken["old"], taken["new"], strict=True)]
    print(f"new / old: {median(ratios):.3f} ({min(ratios):.3f} to {max(ratios):.3f}) over {given.rounds} rounds")


def _measure(checkout: Path, answers: Path, platforms: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _ROUND, str(answers.resolve()), platforms],
        capture_output=True,
        text=True,
        check=True,
        cwd=checkout,
        env={**os.environ, "PYTHONPATH": str(checkout.resolve() / "src")},
    )
    return float(done.stdout.split()[-1])


if __name__ == "__main__":
    main()
