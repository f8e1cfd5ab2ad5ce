"""What the recorded period of a prompt still says at a given moment. Pure.

A period is the 30 days before the moment at which the prompt's answers were last gathered. It speaks for another 30
days; after that its numbers are history, and are not shown as if they were current.
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
    """`start` and `end` are null when there is no period that could be shown at all."""

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
    """Missing, invalid or in the future: not measured. Expired: its dates alone. Fewer than three scored answers: no
    score and no label, but all else of the period."""
    stored = _open(row, now)
    if stored is None or row.period_end is None:
        return _show(None, "not_measured", _NOTHING_SCORED, None)
    if now >= row.period_end + LIFETIME:
        return _show(
            row.period_end, "expired", msgspec.structs.replace(stored, score=None, label=None, mixed=False), None
        )
    if stored.responses_analyzed < MIN_SCORED or stored.score is None or stored.label is None:
        unscored = msgspec.structs.replace(stored, score=None, label=None, mixed=False, low_data=True)
        return _show(row.period_end, "insufficient_data", unscored, row)
    return _show(row.period_end, "measured", stored, row)


def _open(row: PromptRow, now: datetime) -> StoredSentiment | None:
    if row.period_end is None or row.period_end > now:
        return None
    if row.sentiment is None:
        return _NOTHING_SCORED
    try:
        return _read_sentiment(row.sentiment)
    except msgspec.MsgspecError:
        return None


def _show(
    end: datetime | None, state: MeasurementState, said: StoredSentiment, current: PromptRow | None
) -> MetricsPeriod:
    return MetricsPeriod(
        state=state,
        start=None if end is None else end - PERIOD,
        end=end,
        is_current=current is not None,
        score=said.score,
        label=said.label,
        responses_analyzed=said.responses_analyzed,
        low_data=said.low_data,
        mixed=said.mixed,
        co_mentioned_brands=[] if current is None else current.co_mentioned_brands[:MAX_CO_MENTIONED],
        named_share=None if current is None else current.named_share,
    )
