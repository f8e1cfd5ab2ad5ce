"""Trains teachers, then variants of the student, side by side, and writes how each does on the development sets.

    python -m training.sentiment.search --data DIR --base DIR --words FILE --own DIR --out DIR

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

from sightline.answers.model_files import open_tokenizer
from sightline.answers.sentiment_input import OPEN, InputBuilder
from training.sentiment.distill import add_unlabeled, ask_teachers, start_student
from training.sentiment.encoder import SentimentEncoder, load_base
from training.sentiment.examples import OWN, Encoded, Example, read_own, read_public
from training.sentiment.fit import Recipe, fit, make_deterministic, predict
from training.sentiment.listings import compose
from training.sentiment.measure import Figures, measure
from training.sentiment.vocabulary import make_vocabulary

COMPOSED_EXAMPLES = 8_000
UNLABELED_EACH = 3
"""Words of every text that only the teachers label."""
TEACHER = Recipe(rate=1e-4, by_layer=0.9, head_rate=5.0, agreement=3.0, attack=1.0, own_weight=3.0)
STUDENT = Recipe(rate=2e-4, by_layer=0.95, head_rate=1.0, epochs=8, batch=128, own_weight=3.0, taught=0.8)
THREE, FOUR = (0, 2, 5), (0, 2, 4, 5)
VARIANTS: dict[str, Recipe] = {
    "three layers": replace(STUDENT, layers=THREE),
    "four layers": replace(STUDENT, layers=FOUR),
    "four narrow layers": replace(STUDENT, layers=FOUR, inner=768),
    "four layers, longer": replace(STUDENT, layers=FOUR, epochs=12, composed_weight=0.3),
    "four layers, agreement": replace(STUDENT, layers=FOUR, epochs=7, composed_weight=0.3, agreement=1.0),
}
SHIPPED = "four layers, agreement"
INITIAL = 0  # the seed of what every run begins with


def read_training(data: Path, own: Path) -> list[Example]:
    return read_public(data, "train") + read_own(own, "train") + compose(COMPOSED_EXAMPLES)


def read_development(data: Path, own: Path) -> list[Example]:
    return read_public(data, "dev") + read_own(own, "dev")


class Workshop:
    """The data on the device, and what is trained on them."""

    def __init__(self, data: Path, own: Path, folder: Path, *, device: torch.device | None = None) -> None:
        """Read the data. `folder` holds `tokenizer.json` and `rows.json`, the rows of the base model's vocabulary."""
        self.device = device or torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self._tokenizer = open_tokenizer(folder / "tokenizer.json")
        self._rows = json.loads((folder / "rows.json").read_text())
        self._build = InputBuilder(self._tokenizer)
        self._labeled = read_training(data, own)
        self.development = read_development(data, own)

    def train_teacher(self, base: Path, seed: int, recipe: Recipe = TEACHER) -> SentimentEncoder:
        make_deterministic(INITIAL)
        model = self.make_model(recipe)
        load_base(model, base / "model.safetensors", self._rows, recipe.layers)
        model.to(self.device)
        fit(model, self._encode(self._labeled), recipe, seed)
        return model

    def make_model(self, recipe: Recipe) -> SentimentEncoder:
        return SentimentEncoder(
            len(self._rows), self._tokenizer.token_to_id(OPEN), len(recipe.layers), recipe.inner, recipe.dropout
        )

    def ask(self, teachers: list[SentimentEncoder]) -> torch.Tensor:
        """Return what the teachers say of all examples that students learn from."""
        return ask_teachers(teachers, self._encode(self._lessons()))

    def train_student(
        self, first: dict[str, torch.Tensor], said: torch.Tensor, recipe: Recipe, seed: int
    ) -> SentimentEncoder:
        make_deterministic(INITIAL)
        model = self.make_model(recipe)
        start_student(model, first, recipe.layers)
        model.to(self.device)
        fit(model, self._encode(self._lessons()), recipe, seed, said.to(self.device))
        return model

    def predict(self, model: SentimentEncoder) -> np.ndarray:
        return predict(model, self._encode(self.development)).numpy().astype(np.float64)

    def _lessons(self) -> list[Example]:
        return self._labeled + add_unlabeled(self._labeled, UNLABELED_EACH)

    def _encode(self, examples: list[Example]) -> Encoded:
        return Encoded(examples, self._build, self.device)


def make_tokenizer(base: Path, data: Path, own: Path, words: Path, out: Path) -> None:
    texts = [each.text for each in read_training(data, own)]
    vocabulary = make_vocabulary(base / "tokenizer.json", texts, words.read_text("utf-8").split())
    vocabulary.tokenizer.save(str(out / "tokenizer.json"))
    (out / "rows.json").write_text(json.dumps(vocabulary.rows))


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


def _teach(given: argparse.Namespace, seed: int) -> None:
    began = time.monotonic()
    workshop = Workshop(given.data, given.own, given.out)
    model = workshop.train_teacher(given.base, seed)
    torch.save({name: each.half().cpu() for name, each in model.state_dict().items()}, given.out / f"teacher-{seed}.pt")
    torch.save(workshop.ask([model]).cpu(), given.out / f"said-{seed}.pt")
    found = by_source(workshop.development, workshop.predict(model))
    _report(given, {"variant": "teacher", "seed": seed, "seconds": round(time.monotonic() - began), **found})


def _learn(given: argparse.Namespace, name: str, seed: int) -> None:
    began = time.monotonic()
    workshop = Workshop(given.data, given.own, given.out)
    said = torch.stack([torch.load(path) for path in sorted(given.out.glob("said-*.pt"))]).mean(0)
    first = {key: each.float() for key, each in torch.load(given.out / "teacher-1.pt").items()}
    model = workshop.train_student(first, said, VARIANTS[name], seed)
    logits = workshop.predict(model)
    stem = f"{name}-{seed}".replace(" ", "_").replace(",", "")
    torch.save({key: each.half().cpu() for key, each in model.state_dict().items()}, given.out / f"{stem}.pt")
    np.save(given.out / f"{stem}.dev.npy", logits)
    found = by_source(workshop.development, logits)
    _report(given, {"variant": name, "seed": seed, "seconds": round(time.monotonic() - began), **found})


def _report(given: argparse.Namespace, found: dict[str, object]) -> None:
    line = json.dumps(found)
    with (given.out / "results.jsonl").open("a") as file:
        file.write(line + "\n")
    print(line, flush=True)


def _work(worker: int, given: argparse.Namespace, tasks: list[tuple[str, int]]) -> None:
    torch.set_num_threads(max(1, torch.get_num_threads() // given.workers))
    for name, seed in tasks[worker :: given.workers]:
        if name == "teacher":
            _teach(given, seed)
        else:
            _learn(given, name, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--base", type=Path, required=True, help="folder with model.safetensors and tokenizer.json")
    parser.add_argument("--words", type=Path, required=True, help="English words whose tokens are kept")
    parser.add_argument("--own", type=Path, required=True, help="folder of clauses of our own")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--teachers", type=int, default=3, help="teachers to train; 0 uses those of an earlier run")
    parser.add_argument("--variants", default=";".join(VARIANTS), help="names with semicolons between them")
    parser.add_argument("--seeds", default="1,2")
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.teachers:
        make_tokenizer(given.base, given.data, given.own, given.words, given.out)
        _start(given, [("teacher", seed + 1) for seed in range(given.teachers)])
    if given.variants:
        _start(given, [(name, int(seed)) for seed in given.seeds.split(",") for name in given.variants.split(";")])


def _start(given: argparse.Namespace, tasks: list[tuple[str, int]]) -> None:
    print(f"{len(tasks)} runs", flush=True)
    multiprocessing.start_processes(_work, (given, tasks), nprocs=min(given.workers, len(tasks)), start_method="spawn")


if __name__ == "__main__":
    main()
