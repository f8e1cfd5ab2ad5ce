"""Sentiment of the answers about a brand (metrics 1.8). Only Full Check answers are scored, in `answers/`."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.metrics.intervals import market_interval
from sightline.metrics.measure import Measure, build_measure
from sightline.metrics.observation import UNSCORED_MEANING, Observation, UnscoredReason
from sightline.metrics.panel import select_all, split_by

Label = Literal["positive", "neutral", "negative"]

POSITIVE_FROM = 60
NEGATIVE_TO = 40
MIN_SCORED = 3
MIN_PROMPTS = 3
_SIGN: dict[Label, int] = {"negative": -1, "neutral": 0, "positive": 1}


class SentimentSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Sentiment about a brand over a set of answers."""

    score: Annotated[
        float | None,
        Meta(description="Median score, 0 to 100; between 40 and 60 is neutral. Null with too few scored answers."),
    ]
    label: Annotated[Label | None, Meta(description="Most frequent label of the scored answers.")]
    low_data: Annotated[bool, Meta(description="Whether there are too few scored answers.")]
    mixed: Annotated[bool, Meta(description="Whether the answers contradict each other.")]
    scored: Annotated[int, Meta(description="Number of answers that the score is based on.")]
    unscored: Annotated[int, Meta(description="Number of answers that could not be scored with confidence.")]
    labels: Annotated[dict[Label, int], Meta(description="Number of scored answers for each label.")]
    unscored_reasons: Annotated[
        dict[UnscoredReason, int],
        Meta(
            description=f"Number of unscored answers for each reason. {UNSCORED_MEANING} The sum may be "
            "less than `unscored`, because older answers have no reason."
        ),
    ] = msgspec.field(default_factory=dict)


def label_score(score: float) -> Label:
    if score >= POSITIVE_FROM:
        return "positive"
    return "negative" if score <= NEGATIVE_TO else "neutral"


def is_scored(observation: Observation) -> bool:
    """Return whether the answer has a score. One that does not know the brand says nothing good or bad of it."""
    return (
        observation.is_valid
        and observation.mentioned
        and observation.stance != "unknown"
        and observation.sentiment is not None
    )


def summarize_sentiment(observations: Sequence[Observation]) -> SentimentSummary:
    """Return the median score and the modal label, which may disagree. Null below three scored answers."""
    scores = [answer.sentiment for answer in observations if is_scored(answer) and answer.sentiment is not None]
    mentions = sum(answer.is_valid and answer.mentioned for answer in observations)
    enough = len(scores) >= MIN_SCORED
    median_score = median(scores) if enough else None
    label, mixed = (None, False) if median_score is None else _choose_label(scores, median_score)
    return SentimentSummary(
        score=median_score,
        label=label,
        low_data=not enough,
        mixed=mixed,
        scored=len(scores),
        unscored=mentions - len(scores),
        labels=_count_labels(scores),
        unscored_reasons=_count_reasons(observations),
    )


def measure_net_sentiment(observations: Sequence[Observation]) -> Measure:
    """Measure net sentiment, each prompt counted once. Null below three prompts with a scored answer."""
    panel = select_all(observations)
    scored = [answer for answer in panel.answers if is_scored(answer)]
    labels = _count_labels([answer.sentiment for answer in scored if answer.sentiment is not None])
    nets = [_net_sentiment(answers) for answers in split_by(scored, lambda answer: answer.prompt_id).values()]
    enough = len(nets) >= MIN_PROMPTS
    found = market_interval([net / 100 for net in nets], floor=-1.0)
    return build_measure(
        panel,
        value=fmean(nets) if enough else None,
        numerator=labels["positive"] - labels["negative"],
        denominator=len(scored),
        n=len(scored),
        market=found.scaled(100) if found else None,
    )


def _net_sentiment(answers: Sequence[Observation]) -> float:
    return fmean(100 * _SIGN[label_score(answer.sentiment)] for answer in answers if answer.sentiment is not None)


def _count_labels(scores: Sequence[float]) -> dict[Label, int]:
    counts = Counter(map(label_score, scores))
    return {label: counts[label] for label in _SIGN}


def _count_reasons(observations: Sequence[Observation]) -> dict[UnscoredReason, int]:
    unscored = (answer for answer in observations if answer.is_valid and answer.mentioned and not is_scored(answer))
    return dict(Counter(answer.unscored for answer in unscored if answer.unscored is not None))


def _choose_label(scores: Sequence[float], median_score: float) -> tuple[Label, bool]:
    """Return the mode; of tied labels the one nearest to the median's; if still tied, neutral and mixed."""
    counts = _count_labels(scores)
    most = max(counts.values())
    center = _SIGN[label_score(median_score)]
    tied = [label for label in _SIGN if counts[label] == most]
    nearest = min(abs(_SIGN[label] - center) for label in tied)
    chosen = [label for label in tied if abs(_SIGN[label] - center) == nearest]
    return (chosen[0], False) if len(chosen) == 1 else ("neutral", True)
