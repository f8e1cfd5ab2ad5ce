"""Tries variants of the recipe on several seeds, side by side, and writes how each does on the development sets.

    python -m training.sentiment.search --data DIR --base DIR --words FILE --out DIR --variants a,b --seeds 1,2

The gold set has no part in it: it is for reporting, not for choosing.
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from torch import multiprocessing

from sightline.answers.sentiment_input import OPEN, InputBuilder
from training.sentiment.encoder import SentimentEncoder, load_base
from training.sentiment.examples import OWN, Encoded, Example, read_own, read_public
from training.sentiment.fit import Recipe, fit, make_deterministic, predict
from training.sentiment.measure import Figures, measure
from training.sentiment.vocabulary import make_vocabulary, read_tokenizer

RECIPE = Recipe(own_weight=0.0)
STRONG = replace(RECIPE, rate=1e-4, by_layer=0.9, head_rate=5.0)
AGREEING = replace(STRONG, agreement=3.0)
ATTACKED = replace(AGREEING, attack=1.0)
VARIANTS: dict[str, Recipe] = {
    "recipe": RECIPE,
    "rate 1e-4": replace(RECIPE, rate=1e-4),
    "rate 2e-4": replace(RECIPE, rate=2e-4),
    "by layer": STRONG,
    "agreement 1": replace(STRONG, agreement=1.0),
    "agreement 3": AGREEING,
    "attack": replace(STRONG, attack=1.0),
    "attack, agreement": ATTACKED,
    "recipe, own 1": replace(RECIPE, own_weight=1.0),
    "agreement 3, own 1": replace(AGREEING, own_weight=1.0),
    "agreement 3, own 3": replace(AGREEING, own_weight=3.0),
    "attack, agreement, own 1": replace(ATTACKED, own_weight=1.0),
    "attack, agreement, own 3": replace(ATTACKED, own_weight=3.0),
}
SHIPPED = "attack, agreement, own 3"  # the best of those tried, by the mean of the three development sets
INITIAL = 0  # the seed of what every run begins with: so their weights can be averaged


def run_one(given: argparse.Namespace, name: str, seed: int) -> dict[str, object]:
    """Train one variant and return how it does; its weights and logits are stored in the output folder."""
    began = time.monotonic()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train, dev = read_public(given.data, "train"), read_public(given.data, "dev")
    recipe = VARIANTS[name]
    train += read_own(given.own, "train") if recipe.own_weight else []
    dev += read_own(given.own, "dev")
    tokenizer = read_tokenizer(given.out / "tokenizer.json")
    rows = json.loads((given.out / "rows.json").read_text())
    build = InputBuilder(tokenizer)
    make_deterministic(INITIAL)
    model = SentimentEncoder(len(rows), tokenizer.token_to_id(OPEN), recipe.dropout)
    load_base(model, given.base / "model.safetensors", rows)
    model.to(device)
    fit(model, Encoded(train, build, device), recipe, seed)
    logits = predict(model, Encoded(dev, build, device)).numpy().astype(np.float64)
    stem = f"{name}-{seed}".replace(" ", "_").replace(",", "")
    torch.save({key: each.half().cpu() for key, each in model.state_dict().items()}, given.out / f"{stem}.pt")
    np.save(given.out / f"{stem}.dev.npy", logits)
    return {"variant": name, "seed": seed, "seconds": round(time.monotonic() - began), **by_source(dev, logits)}


def by_source(dev: list[Example], logits: np.ndarray) -> dict[str, float]:
    labels, sources = np.array([each.label for each in dev]), np.array([each.source for each in dev])
    found: dict[str, Figures] = {}
    for source in sorted(set(sources), key=lambda each: (each == OWN, each)):
        inside = sources == source
        found[source] = measure(logits[inside].argmax(-1), labels[inside])
    shown: dict[str, float] = {}
    for source, figures in found.items():
        shown[source] = round(figures.macro_f1, 4)
        shown[f"{source} opposite"] = round(figures.opposite, 4)
    return shown


def _work(given: argparse.Namespace, wanted: list[tuple[str, int]], worker: int) -> None:
    for name, seed in wanted[worker :: given.workers]:
        line = json.dumps(run_one(given, name, seed))
        with (given.out / "results.jsonl").open("a") as file:
            file.write(line + "\n")
        print(line, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--words", type=Path, required=True, help="English words whose tokens are kept")
    parser.add_argument("--own", type=Path, required=True, help="folder of clauses of our own")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--variants", default=";".join(VARIANTS), help="names with semicolons between them")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--whole-vocabulary", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    texts = [each.text for each in read_public(given.data, "train")]
    texts += [each.text for each in read_own(given.own, "train")]
    words = given.words.read_text("utf-8").split()
    vocabulary = make_vocabulary(given.base / "tokenizer.json", texts, words, trimmed=not given.whole_vocabulary)
    vocabulary.tokenizer.save(str(given.out / "tokenizer.json"))
    (given.out / "rows.json").write_text(json.dumps(vocabulary.rows))
    wanted = [(name, int(seed)) for seed in given.seeds.split(",") for name in given.variants.split(";")]
    print(f"{len(vocabulary.rows)} tokens, {len(wanted)} runs", flush=True)
    multiprocessing.start_processes(_spawned, (given, wanted), nprocs=given.workers, start_method="spawn")


def _spawned(worker: int, given: argparse.Namespace, wanted: list[tuple[str, int]]) -> None:
    torch.set_num_threads(max(1, torch.get_num_threads() // given.workers))
    _work(given, wanted, worker)


if __name__ == "__main__":
    main()
