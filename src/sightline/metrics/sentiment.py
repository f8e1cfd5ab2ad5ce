"""How the brand is spoken of (metrics 1.8). Only Full Check answers are ever scored; who scores is elsewhere."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, median
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.metrics.intervals import market_interval
from sightline.metrics.measure import Measure, describe
from sightline.metrics.observation import Observation
from sightline.metrics.panel import select_all, split_by

Label = Literal["positive", "neutral", "negative"]

POSITIVE_FROM = 60
NEGATIVE_TO = 40
FEWEST_SCORED = 3
FEWEST_PROMPTS = 3
_PLACE: dict[Label, int] = {"negative": -1, "neutral": 0, "positive": 1}


class SentimentSummary(msgspec.Struct, frozen=True, kw_only=True):
    """Sentiment about a brand over a set of answers."""

    score: Annotated[
        float | None, Meta(description="Score from 0 to 100, 50 is neutral. Null with too few scored answers.")
    ]
    label: Annotated[Label | None, Meta(description="Label of the score.")]
    low_data: Annotated[bool, Meta(description="Whether there are too few scored answers.")]
    mixed: Annotated[bool, Meta(description="Whether the answers contradict each other.")]
    scored: Annotated[int, Meta(description="Number of answers that the score is based on.")]
    unscored: Annotated[int, Meta(description="Number of answers that could not be scored with confidence.")]
    labels: Annotated[dict[Label, int], Meta(description="Number of scored answers for each label.")]


def label_score(score: float) -> Label:
    if score >= POSITIVE_FROM:
        return "positive"
    return "negative" if score <= NEGATIVE_TO else "neutral"


def is_scored(reading: Observation) -> bool:
    """An answer that says it does not know the brand says nothing good or bad of it."""
    return reading.is_valid and reading.mentioned and reading.stance != "unknown" and reading.sentiment is not None


def summarize_sentiment(readings: Sequence[Observation]) -> SentimentSummary:
    """Median score and modal label, which may disagree; both are shown. Null below three scored answers."""
    scores = [answer.sentiment for answer in readings if is_scored(answer) and answer.sentiment is not None]
    mentions = sum(answer.is_valid and answer.mentioned for answer in readings)
    enough = len(scores) >= FEWEST_SCORED
    middle = median(scores) if enough else None
    label, mixed = (None, False) if middle is None else _choose_label(scores, middle)
    return SentimentSummary(
        score=middle,
        label=label,
        low_data=not enough,
        mixed=mixed,
        scored=len(scores),
        unscored=mentions - len(scores),
        labels=_count_labels(scores),
    )


def balance_labels(positive: int, negative: int, scored: int) -> float | None:
    """Net sentiment of one prompt, from -100 to 100."""
    return 100 * (positive - negative) / scored if scored else None


def measure_net_sentiment(readings: Sequence[Observation]) -> Measure:
    """Each prompt counts once, whatever its number of answers; null below three prompts with a scored answer."""
    panel = select_all(readings)
    scored = [answer for answer in panel.answers if is_scored(answer)]
    labels = _count_labels([answer.sentiment for answer in scored if answer.sentiment is not None])
    nets = [_net_of_prompt(answers) for answers in split_by(scored, lambda answer: answer.prompt_id).values()]
    enough = len(nets) >= FEWEST_PROMPTS
    found = market_interval([net / 100 for net in nets], floor=-1.0)
    return describe(
        panel,
        value=fmean(nets) if enough else None,
        numerator=labels["positive"] - labels["negative"],
        denominator=len(scored),
        n=len(scored),
        market=found.scaled(100) if found else None,
    )


def _net_of_prompt(answers: Sequence[Observation]) -> float:
    return fmean(100 * _PLACE[label_score(answer.sentiment)] for answer in answers if answer.sentiment is not None)


def _count_labels(scores: Sequence[float]) -> dict[Label, int]:
    counts = Counter(map(label_score, scores))
    return {label: counts[label] for label in _PLACE}


def _choose_label(scores: Sequence[float], middle: float) -> tuple[Label, bool]:
    """The mode; of tied labels the one nearest the median's; still tied, neutral and mixed."""
    counts = _count_labels(scores)
    most = max(counts.values())
    home = _PLACE[label_score(middle)]
    tied = [label for label in _PLACE if counts[label] == most]
    nearest = min(abs(_PLACE[label] - home) for label in tied)
    chosen = [label for label in tied if abs(_PLACE[label] - home) == nearest]
    return (chosen[0], False) if len(chosen) == 1 else ("neutral", True)
