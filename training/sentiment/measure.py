"""How good the model is, how confident it may be, and when it should abstain."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Thresholds = tuple[float, float]
"""The least confidence for neutral, and for praise and blame."""

NEGATIVE, NEUTRAL, POSITIVE = 0, 1, 2
_BINS = 15
_TEMPERATURES = np.geomspace(0.3, 4.0, 400)
_MOST_OPPOSITE = np.arange(0.30, 0.02, -0.01)


@dataclass(frozen=True)
class Figures:
    examples: int
    macro_f1: float
    accuracy: float
    opposite: float
    """The share of what is scored that is called the opposite of what it is."""
    kept: float = 1.0

    def as_dict(self) -> dict[str, Any]:
        return {key: round(value, 4) for key, value in asdict(self).items()}


def softmax(logits: Floats, temperature: float = 1.0) -> Floats:
    scaled = logits / temperature
    grown = np.exp(scaled - scaled.max(-1, keepdims=True))
    return np.asarray(grown / grown.sum(-1, keepdims=True))


def measure(chosen: Ints, labels: Ints, kept: npt.NDArray[np.bool_] | None = None) -> Figures:
    whole = len(labels)
    if kept is not None:
        chosen, labels = chosen[kept], labels[kept]
    scores = []
    for label in (NEGATIVE, NEUTRAL, POSITIVE):
        right = int(((chosen == label) & (labels == label)).sum())
        said, true = int((chosen == label).sum()), int((labels == label).sum())
        if true:
            scores.append(2 * right / (said + true))
    opposite = int((np.abs(chosen - labels) == 2).sum())
    return Figures(
        examples=whole,
        macro_f1=sum(scores) / len(scores) if scores else 0.0,
        accuracy=float((chosen == labels).mean()) if len(labels) else 0.0,
        opposite=opposite / len(labels) if len(labels) else 0.0,
        kept=len(labels) / whole if whole else 0.0,
    )


def calibration_error(probabilities: Floats, labels: Ints) -> float:
    """Return the expected calibration error of the likeliest label, in fifteen bins of equal width."""
    best = probabilities.max(-1)
    right = probabilities.argmax(-1) == labels
    place = np.minimum((best * _BINS).astype(int), _BINS - 1)
    total = 0.0
    for each in range(_BINS):
        inside = place == each
        if inside.any():
            total += abs(float(right[inside].mean()) - float(best[inside].mean())) * float(inside.mean())
    return total


def fit_temperature(logits: Floats, labels: Ints) -> float:
    """Return the temperature under which the labels are likeliest."""

    def surprise(temperature: float) -> float:
        likely = softmax(logits, temperature)[np.arange(len(labels)), labels]
        return float(-np.log(likely + 1e-12).mean())

    return float(min(_TEMPERATURES, key=surprise))


def fit_most_opposite(
    likely: Floats, labels: Ints, sources: npt.NDArray[np.str_], limits: Mapping[str, float], thresholds: Thresholds
) -> float:
    """Return how likely the opposite label may be, so that no source has more opposites than its limit.

    Three quarters of the limit, so that new texts, which are harder, stay below it.
    """
    for most in _MOST_OPPOSITE:
        found = {
            source: keep(likely[sources == source], labels[sources == source], thresholds, float(most)).opposite
            for source in limits
        }
        if all(found[source] <= 0.75 * limit for source, limit in limits.items()):
            return float(round(most, 2))
    raise ValueError("no value keeps the opposite rare enough")


def keep(likely: Floats, labels: Ints, thresholds: Thresholds, most_opposite: float) -> Figures:
    """Return the figures of what is scored: likely enough, and its opposite unlikely enough."""
    chosen = likely.argmax(-1)
    opposite = np.where(chosen == NEUTRAL, 0.0, likely[:, [NEGATIVE, POSITIVE]].min(-1))
    needed = np.where(chosen == NEUTRAL, *thresholds)
    return measure(chosen, labels, (likely.max(-1) >= needed) & (opposite <= most_opposite))
