"""The scorer that the product uses for English: a small trained model, on the CPU, without a network.

It is loaded when the first clause is scored, once in a process, and uses one core. `data/sentiment/CARD.md` says what
it is, on which data it was trained and how good it is; `training/sentiment` makes it.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, get_args

import msgspec

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.mentions import Mention
from sightline.answers.model_files import open_onnx_session, open_tokenizer
from sightline.answers.models import Label, Sentiment, Stance
from sightline.answers.sentiment_input import InputBuilder
from sightline.answers.sentiment_scope import Clause, find_clauses

_LABELS: tuple[Label, ...] = get_args(Label)
_NEUTRAL_WEIGHT = 0.1  # of a mention that says nothing for or against


class Calibration(msgspec.Struct, frozen=True):
    """The contents of `calibration.json`, fitted on the development sets."""

    version: str
    temperature: float
    threshold: float
    """An answer is scored as neutral when that is at least this likely."""
    opinion_threshold: float
    """An answer is scored as praise or blame when that is at least this likely."""
    most_opposite: float = 1.0
    """An answer is scored as praise when blame is at most this likely, and the other way round."""
    needs_blame: bool = True
    """Whether an answer is scored as blame only if it has a word of blame."""


class Probabilities(msgspec.Struct, frozen=True):
    """How likely a clause, or a whole answer, is blame, neither, or praise."""

    negative: float
    neutral: float
    positive: float


_DISCOURAGED = Probabilities(0.98, 0.02, 0.0)
_SPECIFICATION = Probabilities(0.02, 0.96, 0.02)
_PLAIN_WEIGHT = 2.0  # of neutral, in a clause without a word of praise or blame
REMEMBERED = 4096  # inputs whose verdict is kept: the answers of a scan repeat each other


class SentimentModel:
    def __init__(self, session: Any, tokens: Any, calibration: Calibration) -> None:
        self.calibration = calibration
        self._session = session
        self.inputs = InputBuilder(tokens)
        self.known: dict[tuple[int, ...], Probabilities] = {}

    @property
    def name(self) -> str:
        return f"model {self.calibration.version}"

    def score(
        self,
        prepared: PreparedAnswer,
        mentions: Sequence[Mention],
        stances: Sequence[Stance],
        wanted: frozenset[int],
    ) -> dict[int, Sentiment]:
        """Return the sentiment of each wanted brand for which the model is sure enough.

        It is negative only if the answer has a word of blame for the brand, or advises against it.
        """
        clauses = find_clauses(prepared, mentions, stances, wanted)
        by_brand: dict[int, list[Probabilities]] = {}
        for clause, probabilities in zip(clauses, self.classify(clauses), strict=True):
            by_brand.setdefault(clause.brand, []).append(probabilities)
        needs_blame = self.calibration.needs_blame
        blamed = {clause.brand for clause in clauses if clause.blames or clause.discouraged or not needs_blame}
        scored = {brand: decide(combine(found), self.calibration, self.name) for brand, found in by_brand.items()}
        return {
            brand: sentiment
            for brand, sentiment in scored.items()
            # The model takes lists of specifications and short praise for blame now and then.
            if sentiment is not None and (sentiment.label != "negative" or brand in blamed)
        }

    def classify(self, clauses: Sequence[Clause]) -> list[Probabilities]:
        """Return one verdict per clause, in order.

        The rules decide where a brand is advised against and where only specifications are listed. The model reads an
        input once, even if several clauses, or clauses of several answers, are the same to it.
        """
        inputs = {
            place: tuple(self.inputs.build(clause.text, clause.start, clause.end))
            for place, clause in enumerate(clauses)
            if _decide_by_rules(clause) is None
        }
        known = self.known
        verdicts = {ids: known[ids] if ids in known else self._run(ids) for ids in set(inputs.values())}
        self._remember(verdicts)
        return [
            _decide_by_rules(clause) or _weigh_words(clause, verdicts[inputs[place]])
            for place, clause in enumerate(clauses)
        ]

    def forget(self) -> None:
        """Drop the verdicts that are kept, so that every clause is read again."""
        self.known = {}

    def _remember(self, verdicts: dict[tuple[int, ...], Probabilities]) -> None:
        """Keep the verdicts, or only these when there are too many. Threads share the dict, so replace all of it."""
        self.known = {**self.known, **verdicts} if len(self.known) + len(verdicts) <= REMEMBERED else verdicts

    def _run(self, tokens: tuple[int, ...]) -> Probabilities:
        """Read one input, never a batch: rounding inside the model would depend on the other inputs."""
        import numpy as np  # heavy, and needed only once something is scored

        ids = np.array([tokens], np.int64)
        (logits,) = self._session.run(None, {"ids": ids, "mask": np.ones_like(ids)})
        exponentials = np.exp((logits[0] - logits[0].max()) / self.calibration.temperature)
        return Probabilities(*(exponentials / exponentials.sum()).tolist())


def _decide_by_rules(clause: Clause) -> Probabilities | None:
    return _DISCOURAGED if clause.discouraged else _SPECIFICATION if clause.is_specification else None


def _weigh_words(clause: Clause, found: Probabilities) -> Probabilities:
    """Return the verdict, nearer to neutral if the clause has no word of praise or blame."""
    if not clause.is_plain:
        return found
    total = found.negative + _PLAIN_WEIGHT * found.neutral + found.positive
    return Probabilities(found.negative / total, _PLAIN_WEIGHT * found.neutral / total, found.positive / total)


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
    threshold = calibration.threshold if label == "neutral" else calibration.opinion_threshold
    if getattr(probabilities, label) < threshold:
        return None
    if label != "neutral" and min(probabilities.positive, probabilities.negative) > calibration.most_opposite:
        return None
    return Sentiment(to_score(label, difference), label, scorer)


def to_score(label: Label, difference: float) -> float:
    """Map P(positive) - P(negative) to the range of its label: from 60, up to 40, or between for neutral."""
    if label == "neutral":
        return 50 + 19.9 * difference  # below one half, or neutral would not be likeliest
    return 60 + 40 * max(difference, 0.0) if label == "positive" else 40 + 40 * min(difference, 0.0)


@cache
def load_model() -> SentimentModel:
    """Load the model that ships, once in a process: 16 MB from disk in a quarter of a second."""
    with as_file(files("sightline.answers").joinpath("data", "sentiment")) as folder:
        return open_model(folder)


def open_model(folder: Path, *, threshold: float | None = None) -> SentimentModel:
    """Open a model. `threshold` replaces the calibrated ones: 0 scores everything."""
    tokens = open_tokenizer(folder / "tokenizer.json")
    calibration = msgspec.json.decode((folder / "calibration.json").read_bytes(), type=Calibration)
    if threshold is not None:
        calibration = msgspec.structs.replace(
            calibration, threshold=threshold, opinion_threshold=threshold, most_opposite=1.0, needs_blame=False
        )
    return SentimentModel(open_onnx_session(folder / "model.onnx"), tokens, calibration)
