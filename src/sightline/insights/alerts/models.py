"""Rows of alerts and of mutes, and the evidence of an alert."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Literal

import msgspec

from sightline.insights.alerts.states import AlertState
from sightline.insights.models import ProvingAnswer
from sightline.metrics.alert_lifecycle import SuppressionReason
from sightline.metrics.alerts import Direction
from sightline.metrics.compare import Verdict

AlertType = Literal["coverage_drop", "cell_lost", "coverage_gain", "cell_gained", "competitor_rise"]
"""Fewer or more answers of a segment name the brand, a single cell no longer names it or has begun to, or more answers
of a segment name a competitor."""
DIRECTIONS: Mapping[AlertType, Direction] = {
    "coverage_drop": "down",
    "cell_lost": "down",
    "coverage_gain": "up",
    "cell_gained": "up",
    "competitor_rise": "up",
}
Rule = Literal["previous_daily", "last_dailies", "cell"]
"""Rule A, rule B and the cell alert of metrics 3.5."""


CountedPart = Literal["before", "now", "lost", "gained"]
"""A figure of the evidence. A single cell stores `before` and `now`, a segment `lost` and `gained`."""


class Share(msgspec.Struct, frozen=True):
    """The number of answers, and of those that name the brand, or the competitor of the alert."""

    named: int
    answers: int

    @property
    def value(self) -> float:
        return self.named / self.answers if self.answers else 0.0


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The earlier Daily Checks that a test compares a day with, where these are more than the previous one."""

    daily_checks: int
    before: Share
    """The answers of these Daily Checks to the cells that have a valid answer in `now`."""
    now: Share


class Confirmation(msgspec.Struct, frozen=True, kw_only=True):
    """The Daily Check that confirmed the change of a segment, compared with the Daily Check before the change."""

    scan_id: uuid.UUID
    rules: tuple[Rule, ...]
    before: Share
    now: Share
    lost: int
    gained: int
    delta: float
    p: float


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON in `alerts.evidence`.

    Of a segment, it has the Daily Check that first showed the change and the previous one. Of a cell, it has the
    earlier answers that the tests compare its latest answers with.
    """

    against_scan_id: uuid.UUID
    """The Daily Check before the change, which confirmation is tested against, too."""
    scan_id: uuid.UUID | None = None
    """The next Daily Check, the first with the change. None in alerts of earlier releases."""
    rules: tuple[Rule, ...]
    before: Share
    low: float
    high: float
    """The upper end of the repeat interval of `before`; `low` is its lower end. Both are shares."""
    now: Share
    matched_cells: int
    lost: int
    gained: int
    delta: float
    """In percentage points over the matched cells."""
    p: float
    verdict: Verdict
    proofs: tuple[ProvingAnswer, ...]
    """The answers of the cells that changed, of today and of the baseline."""
    counted: Mapping[CountedPart, tuple[ProvingAnswer, ...]] = {}
    """The answers that a figure counts, where no filter of a list finds them. Empty in alerts of earlier releases."""
    history: History | None = None
    """Of a segment, if rule B found the change."""
    confirmation: Confirmation | None = None
    """Of a segment. None until confirmed. In confirmed alerts of earlier releases, `now` is the confirming check."""


class AlertRow(msgspec.Struct, frozen=True):
    """One row of `alerts`, with fields in the order of its columns."""

    id: uuid.UUID
    domain_id: uuid.UUID
    type: AlertType
    scope: str
    state: AlertState
    hushed: SuppressionReason | None
    evidence: bytes
    scan_id: uuid.UUID
    watched_at: datetime
    confirmed_at: datetime | None
    resolved_at: datetime | None
    notified_at: datetime | None
    updated_at: datetime


class MuteRow(msgspec.Struct, frozen=True):
    """A muted type and scope; `alert_id` is their newest alert."""

    type: AlertType
    scope: str
    muted_at: datetime
    muted_by: str
    alert_id: uuid.UUID
    prompt: str | None
    """The text of the prompt, for a single cell."""


_evidence = msgspec.json.Decoder(Evidence)


def decode_evidence(evidence: bytes) -> Evidence:
    return _evidence.decode(evidence)
