"""Labeled mentions, as tensors."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from sightline.answers.sentiment_input import InputBuilder

LABELS = ("negative", "neutral", "positive")
OWN = "own"
COMPOSED = "composed"
UNLABELED = -1
_MARKS = re.compile(r"\*\*|__|`")
_OPENING_MARK = re.compile(r"^\s*(?:[-*•|]|#{1,6}|\d{1,2}[.)])\s+")


@dataclass(frozen=True)
class Example:
    text: str
    start: int
    end: int
    label: int
    source: str
    kind: str = ""


@dataclass(frozen=True)
class Batch:
    ids: torch.Tensor
    mask: torch.Tensor


class Encoded:
    """All examples in one padded table, from which batches are cut no wider than their longest."""

    def __init__(self, examples: Sequence[Example], build: InputBuilder, device: torch.device) -> None:
        inputs = [build.build(each.text, each.start, each.end) for each in examples]
        self.lengths = torch.tensor([len(ids) for ids in inputs])
        table = torch.zeros((len(inputs), int(self.lengths.max())), dtype=torch.long)
        for row, ids in enumerate(inputs):
            table[row, : len(ids)] = torch.tensor(ids)
        self._ids = table.to(device)
        self.labels = torch.tensor([each.label for each in examples], device=device)
        self.own = torch.tensor([each.source == OWN for each in examples], device=device)
        self.composed = torch.tensor([each.source == COMPOSED for each in examples], device=device)

    def __len__(self) -> int:
        return len(self.lengths)

    def cut(self, rows: torch.Tensor) -> Batch:
        """Cut a batch. `rows` are on the CPU, where the lengths are, so that this does not wait for the device."""
        width = int(self.lengths[rows].max())
        there = rows.to(self._ids.device)
        ids = self._ids[there, :width]
        return Batch(ids, (ids != 0).long())


def read_public(folder: Path, split: str) -> list[Example]:
    return list(_read((folder / f"{split}.jsonl").read_text("utf-8").splitlines(), None))


def read_own(folder: Path, split: str) -> list[Example]:
    """Read the project's clauses: every file of the folder, the lines of this split."""
    lines = (line for path in sorted(folder.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines())
    return list(_read(lines, split))


def _read(lines: Iterable[str], split: str | None) -> Iterator[Example]:
    for line in lines:
        if not line.strip():
            continue
        given = json.loads(line)
        if split is not None and given["split"] != split:
            continue
        text, start, end = drop_marks(given["text"], given["from"], given["to"])
        if not 0 <= start < end <= len(text):
            raise ValueError(f"no target there: {line}")
        yield Example(text, start, end, LABELS.index(given["label"]), given.get("source", OWN), given.get("kind", ""))


def drop_marks(text: str, start: int, end: int) -> tuple[str, int, int]:
    """Return the text without markdown and the new place of the target: the model reads an answer's prose."""
    parts = [_MARKS.sub("", part) for part in (text[:start], text[start:end], text[end:])]
    before, target, after = parts
    before = _OPENING_MARK.sub("", before)
    return before + target + after, len(before), len(before) + len(target)
