"""Teaches a small model what several large ones say together.

The teachers have all layers of the base model. The student begins with some layers of the first teacher and learns the
mean of what all of them say: of the labelled examples, and of other words in the same texts, for which nobody has
written a label.
"""

import random
import re
from collections.abc import Sequence

import torch

from training.sentiment.encoder import SentimentEncoder
from training.sentiment.examples import UNLABELED, Encoded, Example
from training.sentiment.fit import predict

_WORD = re.compile(r"[A-Za-z][\w'-]{2,}")
_SEED = 29


def add_unlabeled(examples: Sequence[Example], each: int) -> list[Example]:
    """Return examples of other words in the texts, up to `each` of every text: how it speaks of them is left open."""
    chance = random.Random(_SEED)  # noqa: S311 - reproducible, not secret
    taken: dict[str, set[int]] = {}
    for example in examples:
        taken.setdefault(example.text, set()).add(example.start)
    found: list[Example] = []
    for text, starts in taken.items():
        words = [match.span() for match in _WORD.finditer(text) if match.start() not in starts]
        for start, end in chance.sample(words, min(each, len(words))):
            found.append(Example(text, start, end, UNLABELED, "unlabeled"))
    return found


def ask_teachers(teachers: Sequence[SentimentEncoder], data: Encoded, temperature: float = 1.0) -> torch.Tensor:
    """Return the mean of the teachers' probabilities, on the device of the data."""
    said = [(predict(teacher, data) / temperature).softmax(-1) for teacher in teachers]
    return torch.stack(said).mean(0).to(data.labels.device)


def start_student(student: SentimentEncoder, teacher: dict[str, torch.Tensor], layers: Sequence[int]) -> None:
    """Load the teacher's weights: of its layers only those that the student has, and of these the heaviest part."""
    mine = {name: each for name, each in teacher.items() if not name.startswith("layers.")}
    for number, theirs in enumerate(layers):
        prefix = f"layers.{theirs}."
        for name, each in teacher.items():
            if name.startswith(prefix):
                mine[f"layers.{number}.{name.removeprefix(prefix)}"] = each
        _narrow(mine, f"layers.{number}.", student.state_dict()[f"layers.{number}.widen.bias"].shape[0])
    student.load_state_dict(mine)


def _narrow(weights: dict[str, torch.Tensor], prefix: str, inner: int) -> None:
    """Keep as many of the inner units as the student has: those with the greatest weights on both sides."""
    widen, narrow = weights[f"{prefix}widen.weight"], weights[f"{prefix}narrow.weight"]
    kept = (widen.norm(dim=1) * narrow.norm(dim=0)).topk(inner).indices.sort().values
    weights[f"{prefix}widen.weight"] = widen[kept]
    weights[f"{prefix}widen.bias"] = weights[f"{prefix}widen.bias"][kept]
    weights[f"{prefix}narrow.weight"] = narrow[:, kept]


def average(states: Sequence[dict[str, torch.Tensor]]) -> dict[str, torch.Tensor]:
    """Return the mean of the weights of students that began alike."""
    return {name: torch.stack([state[name].float() for state in states]).mean(0) for name in states[0]}
