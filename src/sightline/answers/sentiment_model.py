"""The scorer that the product uses for English: a small trained model, on the CPU, without a network.

It is loaded when the first clause is scored, once in a process, and uses one core. What it is, on which data it was
trained and how good it is stands in `data/sentiment/CARD.md`; how it is made, in `training/sentiment`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, get_args

import msgspec

from sightline.answers.blocks import Prepared
from sightline.answers.mentions import Mention
from sightline.answers.models import Label, Sentiment, Stance
from sightline.answers.sentiment_input import InputBuilder
from sightline.answers.sentiment_scope import Clause, find_clauses

_BATCH = 32
_ALIKE = 1.25  # how much longer the longest of a batch may be than its shortest
_LABELS: tuple[Label, ...] = get_args(Label)
_FAINT = 0.1  # what a mention counts that says nothing for or against: little beside one that does, yet not nothing


class Calibration(msgspec.Struct, frozen=True):
    """`calibration.json`, fitted on the development sets."""

    version: str
    temperature: float
    threshold: float
    """An answer is scored when its label is at least this likely."""


class Likely(msgspec.Struct, frozen=True):
    """How likely a clause, or all of an answer, is blame, neither, or praise."""

    negative: float
    neutral: float
    positive: float


_WARNED = Likely(0.98, 0.02, 0.0)


class SentimentModel:
    def __init__(self, session: Any, tokens: Any, calibration: Calibration) -> None:
        self.calibration = calibration
        self._session = session
        self._inputs = InputBuilder(tokens)

    @property
    def name(self) -> str:
        return f"model {self.calibration.version}"

    def score(
        self,
        prepared: Prepared,
        mentions: Sequence[Mention],
        stances: Sequence[Stance],
        praised: frozenset[int],  # noqa: ARG002 - the model reads the phrase itself
        wanted: frozenset[int],
    ) -> dict[int, Sentiment]:
        """Brand → sentiment, where the model is sure enough."""
        clauses = find_clauses(prepared, mentions, stances, wanted)
        by_brand: dict[int, list[Likely]] = {}
        for clause, likely in zip(clauses, self.judge(clauses), strict=True):
            by_brand.setdefault(clause.brand, []).append(likely)
        found = {brand: decide(join(said), self.calibration, self.name) for brand, said in by_brand.items()}
        return {brand: sentiment for brand, sentiment in found.items() if sentiment is not None}

    def judge(self, clauses: Sequence[Clause]) -> list[Likely]:
        """One verdict for each clause, in their order. The rules' word that a brand is advised against stands."""
        out = [_WARNED] * len(clauses)
        inputs = {
            place: self._inputs.build(clause.text, clause.start, clause.end)
            for place, clause in enumerate(clauses)
            if not clause.warned
        }
        for places in gather_alike({place: len(ids) for place, (ids, _) in inputs.items()}):
            for place, likely in zip(places, self._run([inputs[each] for each in places]), strict=True):
                out[place] = likely
        return out

    def _run(self, inputs: Sequence[tuple[list[int], int]]) -> list[Likely]:
        import numpy as np

        width = max(len(ids) for ids, _ in inputs)
        ids = np.zeros((len(inputs), width), np.int64)
        types, mask = np.zeros_like(ids), np.zeros_like(ids)
        for row, (tokens, first) in enumerate(inputs):
            ids[row, : len(tokens)] = tokens
            types[row, first : len(tokens)] = 1
            mask[row, : len(tokens)] = 1
        (logits,) = self._session.run(None, {"ids": ids, "types": types, "mask": mask})
        grown = np.exp((logits - logits.max(-1, keepdims=True)) / self.calibration.temperature)
        return [Likely(*row) for row in (grown / grown.sum(-1, keepdims=True)).tolist()]


def gather_alike(lengths: Mapping[int, int]) -> Iterator[list[int]]:
    """Batches of what is alike in length: a short clause that is padded to a long one costs as much as that."""
    batch: list[int] = []
    for place in sorted(lengths, key=lambda each: (lengths[each], each)):
        if batch and (len(batch) == _BATCH or lengths[place] > _ALIKE * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def join(said: Sequence[Likely]) -> Likely:
    """All that an answer says of a brand. Plain mentions do not water down praise; praise and blame meet."""
    weights = [max(_FAINT, 1 - each.neutral) for each in said]
    whole = sum(weights)

    def mean(kind: str) -> float:
        return float(sum(weight * getattr(each, kind) for weight, each in zip(weights, said, strict=True)) / whole)

    return Likely(mean("negative"), mean("neutral"), mean("positive"))


def decide(likely: Likely, calibration: Calibration, scorer: str) -> Sentiment | None:
    """None below the confidence that keeps the opposite of the truth rare."""
    apart = likely.positive - likely.negative
    label = max(_LABELS, key=lambda each: float(getattr(likely, each)))
    if getattr(likely, label) < calibration.threshold:
        return None
    return Sentiment(to_score(label, apart), label, scorer)


def to_score(label: Label, apart: float) -> float:
    """P(positive) - P(negative) on the scale of its label: from 60, to 40, or between where neutral is likeliest."""
    if label == "neutral":
        return 50 + 19.9 * apart  # less than a half, or it would not be likeliest
    return 60 + 40 * max(apart, 0.0) if label == "positive" else 40 + 40 * min(apart, 0.0)


@cache
def load_model() -> SentimentModel:
    """The one that ships, once in a process: 20 MB from the disk, a quarter of a second."""
    with as_file(files("sightline.answers").joinpath("data", "sentiment")) as folder:
        return open_model(folder)


def open_model(folder: Path, *, threshold: float | None = None) -> SentimentModel:
    """`threshold` takes the place of the calibrated one: 0 scores everything."""
    import onnxruntime
    from tokenizers import Tokenizer

    tokens = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokens.encode_special_tokens = True  # what stands in an answer in square brackets is text
    calibration = msgspec.json.decode((folder / "calibration.json").read_bytes(), type=Calibration)
    if threshold is not None:
        calibration = msgspec.structs.replace(calibration, threshold=threshold)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), options, providers=["CPUExecutionProvider"])
    return SentimentModel(session, tokens, calibration)
