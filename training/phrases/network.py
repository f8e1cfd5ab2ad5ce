"""The model: all layers of the base, the mean of its tokens, scaled to length one."""

import torch
from torch import nn

from training.sentiment.encoder import TextEncoder

LAYERS, INNER = 6, 1536


class PhraseNetwork(TextEncoder):
    def __init__(self, tokens: int) -> None:
        super().__init__(tokens, LAYERS, INNER, dropout=0.0)

    def forward(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        hidden, narrow = self.embed(ids, mask)
        for layer in self.layers:
            hidden = layer(hidden, hidden, narrow)
        real = mask.unsqueeze(-1).to(hidden.dtype)
        out: torch.Tensor = nn.functional.normalize((hidden * real).sum(1) / real.sum(1), dim=-1)
        return out
