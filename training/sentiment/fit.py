"""Training. The same seed, data and library on the same kind of machine give the same weights."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from torch import nn

from training.sentiment.encoder import SentimentEncoder
from training.sentiment.examples import UNLABELED, Batch, Encoded

_WARM_UP = 0.1
_BUCKET = 16  # batches whose examples are sorted by length together: little padding, still well mixed


@dataclass(frozen=True)
class Recipe:
    rate: float = 5e-5
    epochs: int = 6
    batch: int = 64
    smoothing: float = 0.05
    class_weights: tuple[float, float, float] = (1.0, 0.8, 1.2)
    decay: float = 0.01
    by_layer: float = 1.0
    """The learning rate of a layer is that of the one above it, times this."""
    head_rate: float = 1.0
    """The new linear layer learns this many times faster."""
    agreement: float = 0.0
    """R-drop: how much two readings with different dropout must agree."""
    attack: float = 0.0
    """How far the words are moved, each time, to where they hurt most."""
    own_weight: float = 1.0
    """How much a clause of our own counts next to a public example. 0: they are left out."""
    composed_weight: float = 0.5
    """How much a composed clause counts next to a public example. 0: they are left out."""
    layers: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    """The layers of the base model, or of its teacher, that a model begins with."""
    inner: int = 1536
    """The width inside a layer. A narrower student keeps what weighs most in its teacher."""
    taught: float = 0.0
    """How much of the goal is what the teachers say; the rest is the label."""
    dropout: float = 0.1


def make_deterministic(seed: int) -> None:
    random.seed(seed)
    torch.manual_seed(seed)
    torch.use_deterministic_algorithms(mode=True)
    torch.set_float32_matmul_precision("high")


def fit(
    model: SentimentEncoder, train: Encoded, recipe: Recipe, seed: int, teachers: torch.Tensor | None = None
) -> None:
    """Train the given model. `seed` decides the order of the examples and the dropout.

    `teachers` are the probabilities that a student learns; an example without a label has nothing else.
    """
    torch.manual_seed(seed)
    device = next(model.parameters()).device
    order = torch.Generator().manual_seed(seed)
    steps = recipe.epochs * -(-len(train) // recipe.batch)
    groups = _groups(model, recipe)
    optimizer = torch.optim.AdamW(groups, lr=recipe.rate, fused=device.type == "cuda")
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=[group["lr"] for group in groups], total_steps=steps, pct_start=_WARM_UP
    )
    classes = torch.tensor(recipe.class_weights, device=device)
    model.train()
    for rows in _batches(train, recipe, order):
        batch, there = train.cut(rows), rows.to(device)
        labels = train.labels[there]
        known = labels != UNLABELED
        weights = torch.where(known, classes[labels.clamp(min=0)], 1.0)
        weights = torch.where(train.own[there], recipe.own_weight * weights, weights)
        weights = torch.where(train.composed[there], recipe.composed_weight * weights, weights)
        goal = nn.functional.one_hot(labels.clamp(min=0), classes.numel())
        goal = goal * (1 - recipe.smoothing) + recipe.smoothing / 3
        if teachers is not None:
            share = torch.where(known, recipe.taught, 1.0).unsqueeze(1)
            goal = (1 - share) * goal + share * teachers[there]
        loss = _lose(model, batch, goal, weights, recipe)
        loss.backward()
        if recipe.attack:
            _attack(model, batch, goal, weights, recipe.attack)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad(set_to_none=True)
    model.eval()


def predict(model: SentimentEncoder, data: Encoded, batch: int = 256) -> torch.Tensor:
    """Return logits, in the order of the examples."""
    model.eval()
    with torch.inference_mode():
        rows = torch.arange(len(data)).split(batch)
        return torch.cat([model.read(data.cut(each)).float().cpu() for each in rows])


def _batches(train: Encoded, recipe: Recipe, order: torch.Generator) -> Iterator[torch.Tensor]:
    for _ in range(recipe.epochs):
        mixed = torch.randperm(len(train), generator=order)
        batches = []
        for bucket in mixed.split(recipe.batch * _BUCKET):
            batches += bucket[train.lengths[bucket].argsort(stable=True)].split(recipe.batch)
        for place in torch.randperm(len(batches), generator=order).tolist():
            yield batches[place]


def _lose(
    model: SentimentEncoder, batch: Batch, goal: torch.Tensor, weights: torch.Tensor, recipe: Recipe
) -> torch.Tensor:
    if not recipe.agreement:
        return _cross_entropy(model.read(batch), goal, weights)
    both = Batch(*(torch.cat((each, each)) for each in (batch.ids, batch.mask)))
    first, second = model.read(both).log_softmax(-1).chunk(2)
    apart = nn.functional.kl_div(first, second, log_target=True, reduction="batchmean")
    apart = apart + nn.functional.kl_div(second, first, log_target=True, reduction="batchmean")
    wrong = (_cross_entropy(first, goal, weights) + _cross_entropy(second, goal, weights)) / 2
    return wrong + recipe.agreement * apart / 2


def _cross_entropy(logits: torch.Tensor, goal: torch.Tensor, weights: torch.Tensor) -> torch.Tensor:
    each = -(goal * logits.log_softmax(-1)).sum(-1)
    return (each * weights).sum() / weights.sum()


def _attack(model: SentimentEncoder, batch: Batch, goal: torch.Tensor, weights: torch.Tensor, reach: float) -> None:
    """Run a second pass with the embeddings moved against the gradient of the first, and add its gradient."""
    words = model.words.weight
    assert words.grad is not None
    moved = reach * words.grad / (words.grad.norm() + 1e-12)
    with torch.no_grad():
        words += moved
    _cross_entropy(model.read(batch), goal, weights).backward()
    with torch.no_grad():
        words -= moved


def _groups(model: SentimentEncoder, recipe: Recipe) -> list[dict[str, Any]]:
    """Return a few parameter groups, each updated at once: a group per tensor would be slower than the model itself."""
    groups: dict[tuple[float, float], list[nn.Parameter]] = {}
    for name, each in model.named_parameters():
        if name.startswith("decide"):
            rate = recipe.rate * recipe.head_rate
        else:
            depth = int(name.split(".")[1]) + 1 if name.startswith("layers.") else 0
            rate = recipe.rate * recipe.by_layer ** (len(model.layers) - depth)
        decay = 0.0 if name.endswith("bias") or "norm" in name else recipe.decay
        groups.setdefault((rate, decay), []).append(each)
    return [{"params": each, "lr": rate, "weight_decay": decay} for (rate, decay), each in groups.items()]
