"""A BERT encoder, and the sentiment model: one linear layer on the encoder's first token and on the first marker.

Only these two tokens of the last layer are used, so the last layer computes only them.
"""

from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn

from sightline.answers.sentiment_input import LONGEST
from training.sentiment.examples import LABELS, Batch

WIDTH, HEADS = 384, 12
POSITIONS = LONGEST
_NARROW = -10_000.0  # what is added to the weight of a token that is only padding


class Attention(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.dropout = nn.Dropout(dropout)

    def forward(self, asking: torch.Tensor, hidden: torch.Tensor, narrow: torch.Tensor) -> torch.Tensor:
        query, key, value = (
            self._split(self.query(asking)),
            self._split(self.key(hidden)),
            self._split(self.value(hidden)),
        )
        weights = query @ key.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + narrow
        seen = self.dropout(weights.softmax(-1)) @ value
        joined: torch.Tensor = self.out(seen.permute(0, 2, 1, 3).contiguous().view(*asking.shape[:2], WIDTH))
        return joined

    @staticmethod
    def _split(part: torch.Tensor) -> torch.Tensor:
        return part.view(part.shape[0], part.shape[1], HEADS, WIDTH // HEADS).permute(0, 2, 1, 3)


class Layer(nn.Module):
    def __init__(self, inner: int, dropout: float) -> None:
        super().__init__()
        self.attention = Attention(dropout)
        self.attention_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.widen, self.narrow = nn.Linear(WIDTH, inner), nn.Linear(inner, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, asking: torch.Tensor, hidden: torch.Tensor, narrow: torch.Tensor) -> torch.Tensor:
        """Return the new state of the tokens in `asking`, which look at all tokens in `hidden`."""
        asking = self.attention_norm(self.dropout(self.attention(asking, hidden, narrow)) + asking)
        wide = nn.functional.gelu(self.widen(asking))
        out: torch.Tensor = self.norm(self.dropout(self.narrow(wide)) + asking)
        return out


class TextEncoder(nn.Module):
    """The part that all models made of the base share: embeddings and layers."""

    output = "vectors"
    """What the exported model calls its result."""

    def __init__(self, tokens: int, layers: int, inner: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.words = nn.Embedding(tokens, WIDTH, padding_idx=0)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(inner, dropout) for _ in range(layers))
        self.dropout = nn.Dropout(dropout)

    def embed(self, ids: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the first layer gets: the state of each token, and what padding adds to its weight."""
        places = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        hidden = self.dropout(self.norm(self.words(ids) + self.positions(places)))
        return hidden, (1.0 - mask[:, None, None, :].to(hidden.dtype)) * _NARROW

    def make_sample(self) -> torch.Tensor:
        """Return an input that the export follows through the model."""
        return torch.ones((2, 8), dtype=torch.long)


class SentimentEncoder(TextEncoder):
    output = "logits"

    def __init__(self, tokens: int, opening: int, layers: int, inner: int, dropout: float = 0.1) -> None:
        super().__init__(tokens, layers, inner, dropout)
        self.opening = opening
        self.decide = nn.Linear(2 * WIDTH, len(LABELS))

    def make_sample(self) -> torch.Tensor:
        sample = super().make_sample()
        sample[:, 3] = self.opening
        return sample

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden, narrow = self.embed(ids, mask)
        *lower, last = self.layers
        for layer in lower:
            hidden = layer(hidden, hidden, narrow)
        marked = (ids == self.opening).unsqueeze(1).to(hidden.dtype)  # one token of each row
        asking = last(torch.cat((hidden[:, :1], marked @ hidden), 1), hidden, narrow)
        out: torch.Tensor = self.decide(self.dropout(asking.reshape(-1, 2 * WIDTH)))
        return out

    def read(self, batch: Batch) -> torch.Tensor:
        out: torch.Tensor = self(batch.ids, batch.mask)
        return out


def load_base(model: TextEncoder, weights: Path, rows: list[int], layers: Sequence[int]) -> None:
    """Load layers of the base model, rounded to 16 bits, so that a copy of half the size trains the same model."""
    given = {name.removeprefix("bert."): each.half().float() for name, each in load_file(weights).items()}
    mine = {
        "words.weight": given["embeddings.word_embeddings.weight"][torch.tensor(rows)],
        # A text is never a pair here, so the base model's embedding of "first of a pair" is part of every place.
        "positions.weight": given["embeddings.position_embeddings.weight"][:POSITIONS]
        + given["embeddings.token_type_embeddings.weight"][:1],
        "norm.weight": given["embeddings.LayerNorm.weight"],
        "norm.bias": given["embeddings.LayerNorm.bias"],
    }
    parts = {
        "attention.query": "attention.self.query",
        "attention.key": "attention.self.key",
        "attention.value": "attention.self.value",
        "attention.out": "attention.output.dense",
        "attention_norm": "attention.output.LayerNorm",
        "widen": "intermediate.dense",
        "narrow": "output.dense",
        "norm": "output.LayerNorm",
    }
    for number, theirs_number in enumerate(layers):
        for ours, theirs in parts.items():
            for kind in ("weight", "bias"):
                mine[f"layers.{number}.{ours}.{kind}"] = given[f"encoder.layer.{theirs_number}.{theirs}.{kind}"]
    missing, unexpected = model.load_state_dict(mine, strict=False)
    if unexpected or not set(missing) <= {"decide.weight", "decide.bias"}:
        raise ValueError(f"not the base model: {missing}, {unexpected}")
