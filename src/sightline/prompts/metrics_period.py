"""The metrics period of a prompt: what its recorded period says at a given moment. Pure.

A period is the 30 days before the prompt's answers were last gathered. It is current for another 30 days; after that
its numbers are history and are not shown as current.
"""

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from sightline.metrics.sentiment import MIN_SCORED, Label
from sightline.prompts.models import PromptRow, StoredSentiment

PERIOD = timedelta(days=30)
LIFETIME = timedelta(days=30)
MAX_CO_MENTIONED = 5

MeasurementState = Literal["measured", "insufficient_data", "expired", "not_measured"]
_read_sentiment = msgspec.json.Decoder(StoredSentiment).decode
_NOTHING_SCORED = StoredSentiment(score=None, label=None, responses_analyzed=0, low_data=True, mixed=False)


class MetricsPeriod(msgspec.Struct, frozen=True, kw_only=True):
    """What the recorded period says. `start` and `end` are null when there is no valid period."""

    state: MeasurementState
    start: datetime | None
    end: datetime | None
    is_current: bool
    score: float | None
    label: Label | None
    responses_analyzed: int
    low_data: bool
    mixed: bool
    co_mentioned_brands: list[str]
    named_share: float | None


def read_metrics_period(row: PromptRow, now: datetime) -> MetricsPeriod:
    """Return what the period of the row says at `now`.

    A period that is missing, invalid or in the future is not measured. An expired one has only its dates. One with
    fewer than three scored answers has no score and no label.
    """
    stored = _read_stored(row, now)
    if stored is None or row.period_end is None:
        return _build_period(None, "not_measured", _NOTHING_SCORED, None)
    if now >= row.period_end + LIFETIME:
        return _build_period(
            row.period_end, "expired", msgspec.structs.replace(stored, score=None, label=None, mixed=False), None
        )
    if stored.responses_analyzed < MIN_SCORED or stored.score is None or stored.label is None:
        unscored = msgspec.structs.replace(stored, score=None, label=None, mixed=False, low_data=True)
        return _build_period(row.period_end, "insufficient_data", unscored, row)
    return _build_period(row.period_end, "measured", stored, row)


def _read_stored(row: PromptRow, now: datetime) -> StoredSentiment | None:
    if row.period_end is None or row.period_end > now:
        return None
    if row.sentiment is None:
        return _NOTHING_SCORED
    try:
        return _read_sentiment(row.sentiment)
    except msgspec.MsgspecError:
        return None


def _build_period(
    end: datetime | None, state: MeasurementState, sentiment: StoredSentiment, current: PromptRow | None
) -> MetricsPeriod:
    return MetricsPeriod(
        state=state,
        start=None if end is None else end - PERIOD,
        end=end,
        is_current=current is not None,
        score=sentiment.score,
        label=sentiment.label,
        responses_analyzed=sentiment.responses_analyzed,
        low_data=sentiment.low_data,
        mixed=sentiment.mixed,
        co_mentioned_brands=[] if current is None else current.co_mentioned_brands[:MAX_CO_MENTIONED],
        named_share=None if current is None else current.named_share,
    )
