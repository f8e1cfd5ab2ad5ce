"""The scorer that the product uses for English: a small trained model, on the CPU, without a network.

It is loaded when the first clause is scored, once in a process, and uses one core. `data/sentiment/CARD.md` says what
it is, on which data it was trained and how good it is; `training/sentiment` makes it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, get_args

import msgspec

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.mentions import Mention
from sightline.answers.models import Label, Sentiment, Stance
from sightline.answers.sentiment_input import InputBuilder
from sightline.answers.sentiment_scope import Clause, find_clauses

_BATCH = 32
_MAX_LENGTH_RATIO = 1.25  # how much longer the longest of a batch may be than its shortest
_LABELS: tuple[Label, ...] = get_args(Label)
_NEUTRAL_WEIGHT = 0.1  # of a mention that says nothing for or against


class Calibration(msgspec.Struct, frozen=True):
    """The contents of `calibration.json`, fitted on the development sets."""

    version: str
    temperature: float
    threshold: float
    """An answer is scored when its label is at least this likely."""


class Probabilities(msgspec.Struct, frozen=True):
    """How likely a clause, or a whole answer, is blame, neither, or praise."""

    negative: float
    neutral: float
    positive: float


_DISCOURAGED = Probabilities(0.98, 0.02, 0.0)


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
        prepared: PreparedAnswer,
        mentions: Sequence[Mention],
        stances: Sequence[Stance],
        praised: frozenset[int],  # noqa: ARG002 - the model reads the phrase itself
        wanted: frozenset[int],
    ) -> dict[int, Sentiment]:
        """Return the sentiment of each wanted brand for which the model is sure enough."""
        clauses = find_clauses(prepared, mentions, stances, wanted)
        by_brand: dict[int, list[Probabilities]] = {}
        for clause, probabilities in zip(clauses, self.classify(clauses), strict=True):
            by_brand.setdefault(clause.brand, []).append(probabilities)
        scored = {brand: decide(combine(found), self.calibration, self.name) for brand, found in by_brand.items()}
        return {brand: sentiment for brand, sentiment in scored.items() if sentiment is not None}

    def classify(self, clauses: Sequence[Clause]) -> list[Probabilities]:
        """Return one verdict per clause, in order. The rules decide where a brand is advised against."""
        results = [_DISCOURAGED] * len(clauses)
        inputs = {
            place: self._inputs.build(clause.text, clause.start, clause.end)
            for place, clause in enumerate(clauses)
            if not clause.discouraged
        }
        for places in batch_by_length({place: len(ids) for place, (ids, _) in inputs.items()}):
            for place, probabilities in zip(places, self._run([inputs[each] for each in places]), strict=True):
                results[place] = probabilities
        return results

    def _run(self, inputs: Sequence[tuple[list[int], int]]) -> list[Probabilities]:
        import numpy as np  # heavy, and needed only once something is scored

        width = max(len(ids) for ids, _ in inputs)
        ids = np.zeros((len(inputs), width), np.int64)
        types, mask = np.zeros_like(ids), np.zeros_like(ids)
        for row, (tokens, first) in enumerate(inputs):
            ids[row, : len(tokens)] = tokens
            types[row, first : len(tokens)] = 1
            mask[row, : len(tokens)] = 1
        (logits,) = self._session.run(None, {"ids": ids, "types": types, "mask": mask})
        exponentials = np.exp((logits - logits.max(-1, keepdims=True)) / self.calibration.temperature)
        return [Probabilities(*row) for row in (exponentials / exponentials.sum(-1, keepdims=True)).tolist()]


def batch_by_length(lengths: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield batches of similar length, because padding makes a short clause as costly as the longest one."""
    batch: list[int] = []
    for place in sorted(lengths, key=lambda each: (lengths[each], each)):
        if batch and (len(batch) == _BATCH or lengths[place] > _MAX_LENGTH_RATIO * lengths[batch[0]]):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def combine(parts: Sequence[Probabilities]) -> Probabilities:
    """Combine everything that an answer says of a brand.

    Plain mentions do not dilute praise; praise and blame balance each other.
    """
    weights = [max(_NEUTRAL_WEIGHT, 1 - each.neutral) for each in parts]
    total = sum(weights)

    def mean(kind: str) -> float:
        return float(sum(weight * getattr(each, kind) for weight, each in zip(weights, parts, strict=True)) / total)

    return Probabilities(mean("negative"), mean("neutral"), mean("positive"))


def decide(probabilities: Probabilities, calibration: Calibration, scorer: str) -> Sentiment | None:
    """Return the sentiment, or None below the confidence that keeps mistaken opposites rare."""
    difference = probabilities.positive - probabilities.negative
    label = max(_LABELS, key=lambda each: float(getattr(probabilities, each)))
    if getattr(probabilities, label) < calibration.threshold:
        return None
    return Sentiment(to_score(label, difference), label, scorer)


def to_score(label: Label, difference: float) -> float:
    """Map P(positive) - P(negative) to the range of its label: from 60, up to 40, or between for neutral."""
    if label == "neutral":
        return 50 + 19.9 * difference  # below one half, or neutral would not be likeliest
    return 60 + 40 * max(difference, 0.0) if label == "positive" else 40 + 40 * min(difference, 0.0)


@cache
def load_model() -> SentimentModel:
    """Load the model that ships, once in a process: 20 MB from disk in a quarter of a second."""
    with as_file(files("sightline.answers").joinpath("data", "sentiment")) as folder:
        return open_model(folder)


def open_model(folder: Path, *, threshold: float | None = None) -> SentimentModel:
    """Open a model. `threshold` replaces the calibrated one: 0 scores everything."""
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
