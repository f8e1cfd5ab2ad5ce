"""How good the model is, how confident it may be, and when it should abstain."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NEGATIVE, NEUTRAL, POSITIVE = 0, 1, 2
_BINS = 15
_TEMPERATURES = np.geomspace(0.3, 4.0, 400)
_THRESHOLDS = np.arange(0.34, 0.96, 0.01)


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


def fit_threshold(likely: Floats, labels: Ints, most: float) -> float:
    """Return the lowest confidence at which the opposite label is at most `most` of what is scored."""
    for place, threshold in enumerate(_THRESHOLDS):
        following = _THRESHOLDS[place : place + 5]  # so that it is not by chance of one step
        if all(keep(likely, labels, float(each)).opposite <= most for each in following):
            return float(round(threshold, 2))
    raise ValueError("no threshold keeps the opposite rare enough")


def keep(likely: Floats, labels: Ints, threshold: float) -> Figures:
    """Return the figures of what is at least this likely."""
    return measure(likely.argmax(-1), labels, likely.max(-1) >= threshold)
