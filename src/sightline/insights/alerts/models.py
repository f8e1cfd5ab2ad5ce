"""Alerts as rows, and the evidence that each of them stands on."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

from sightline.insights.alerts.states import AlertState
from sightline.insights.models import Proof
from sightline.metrics.alert_steps import Hush
from sightline.metrics.compare import Verdict

AlertType = Literal["coverage_drop", "cell_lost"]
"""Fewer answers of a part name the brand; or a single cell that used to name it no longer does."""
Rule = Literal["previous_daily", "last_dailies", "cell"]
"""Rule A, rule B and the cell alert of metrics 3.5."""


class Share(msgspec.Struct, frozen=True):
    """How many of the answers name the brand."""

    named: int
    answers: int

    @property
    def value(self) -> float:
        return self.named / self.answers if self.answers else 0.0


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What `alerts.evidence` holds: the figures of the day that moved the alert last, against its baseline."""

    against_scan_id: uuid.UUID
    """The Daily Check before the watch began: the next one confirms against this one, too."""
    rules: tuple[Rule, ...]
    before: Share
    low: float
    high: float
    """The repeat interval of `before`, as shares."""
    now: Share
    matched_cells: int
    lost: int
    gained: int
    delta: float
    """In percentage points over the matched cells."""
    p: float
    verdict: Verdict
    proofs: tuple[Proof, ...]
    """The answers of the lost cells, now and before."""


class AlertRow(msgspec.Struct, frozen=True):
    """One row of `alerts`, in the order of `columns(AlertRow)`."""

    id: uuid.UUID
    domain_id: uuid.UUID
    type: AlertType
    scope: str
    state: AlertState
    hushed: Hush | None
    evidence: bytes
    scan_id: uuid.UUID
    watched_at: datetime
    confirmed_at: datetime | None
    resolved_at: datetime | None
    notified_at: datetime | None
    updated_at: datetime


class MuteRow(msgspec.Struct, frozen=True):
    """A type and scope of which nobody is told; `alert_id` is the newest alert of them."""

    type: AlertType
    scope: str
    muted_at: datetime
    muted_by: str
    alert_id: uuid.UUID
    prompt: str | None
    """Of a single cell: what is asked there."""


_evidence = msgspec.json.Decoder(Evidence)


def decode_evidence(evidence: bytes) -> Evidence:
    return _evidence.decode(evidence)
