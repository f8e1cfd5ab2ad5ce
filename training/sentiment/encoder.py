"""The model: a BERT encoder of six layers, and one linear layer on its first token and on the first marker."""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn

from training.sentiment.examples import LABELS, Batch

WIDTH, INNER, LAYERS, HEADS = 384, 1536, 6, 12
POSITIONS = 128
_NARROW = -10_000.0  # what is added to the weight of a token that is only padding


class Attention(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: torch.Tensor, narrow: torch.Tensor) -> torch.Tensor:
        query, key, value = (self._split(part(hidden)) for part in (self.query, self.key, self.value))
        weights = query @ key.transpose(-1, -2) / (WIDTH // HEADS) ** 0.5 + narrow
        seen = self.dropout(weights.softmax(-1)) @ value
        joined: torch.Tensor = self.out(seen.permute(0, 2, 1, 3).contiguous().view(*hidden.shape[:2], WIDTH))
        return joined

    @staticmethod
    def _split(part: torch.Tensor) -> torch.Tensor:
        return part.view(part.shape[0], part.shape[1], HEADS, WIDTH // HEADS).permute(0, 2, 1, 3)


class Layer(nn.Module):
    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.attention = Attention(dropout)
        self.attention_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.widen, self.narrow = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: torch.Tensor, narrow: torch.Tensor) -> torch.Tensor:
        hidden = self.attention_norm(self.dropout(self.attention(hidden, narrow)) + hidden)
        wide = nn.functional.gelu(self.widen(hidden))
        out: torch.Tensor = self.norm(self.dropout(self.narrow(wide)) + hidden)
        return out


class SentimentEncoder(nn.Module):
    def __init__(self, tokens: int, opening: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.opening = opening
        self.words = nn.Embedding(tokens, WIDTH, padding_idx=0)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.kinds = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.dropout = nn.Dropout(dropout)
        self.decide = nn.Linear(2 * WIDTH, len(LABELS))

    def forward(self, ids: torch.Tensor, types: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        places = torch.arange(ids.shape[1], device=ids.device).unsqueeze(0)
        hidden = self.dropout(self.norm(self.words(ids) + self.kinds(types) + self.positions(places)))
        narrow = (1.0 - mask[:, None, None, :].to(hidden.dtype)) * _NARROW
        for layer in self.layers:
            hidden = layer(hidden, narrow)
        marked = (ids == self.opening).unsqueeze(-1).to(hidden.dtype)  # one token of each row
        features = torch.cat((hidden[:, 0], (hidden * marked).sum(1)), -1)
        out: torch.Tensor = self.decide(self.dropout(features))
        return out

    def read(self, batch: Batch) -> torch.Tensor:
        out: torch.Tensor = self(batch.ids, batch.types, batch.mask)
        return out


def load_base(model: SentimentEncoder, weights: Path, rows: list[int]) -> None:
    """Load the base model's weights, rounded to 16 bits, so that a copy of half the size trains the same model."""
    given = {name.removeprefix("bert."): each.half().float() for name, each in load_file(weights).items()}
    mine = {
        "words.weight": given["embeddings.word_embeddings.weight"][torch.tensor(rows)],
        "positions.weight": given["embeddings.position_embeddings.weight"][:POSITIONS],
        "kinds.weight": given["embeddings.token_type_embeddings.weight"],
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
    for number in range(LAYERS):
        for ours, theirs in parts.items():
            for kind in ("weight", "bias"):
                mine[f"layers.{number}.{ours}.{kind}"] = given[f"encoder.layer.{number}.{theirs}.{kind}"]
    missing, unexpected = model.load_state_dict(mine, strict=False)
    if unexpected or set(missing) != {"decide.weight", "decide.bias"}:
        raise ValueError(f"not the base model: {missing}, {unexpected}")
