"""What an alert reports: a Daily Check compared with the previous one, in the same cells. Pure.

The tests may decide by a longer history whether there is an alert; an alert names it apart from this comparison.
"""

import uuid

import msgspec

from sightline.insights.alerts.models import DIRECTIONS, AlertRow, Evidence, History, Share
from sightline.insights.alerts.scopes import parse_scope
from sightline.metrics.compare import Verdict


class ReportedChange(msgspec.Struct, frozen=True, kw_only=True):
    """The first Daily Check with the change, compared with the previous one."""

    scan_id: uuid.UUID
    before: Share
    now: Share
    lost: int
    gained: int
    delta: float
    verdict: Verdict


def read_reported_change(row: AlertRow, evidence: Evidence) -> ReportedChange:
    """Return the comparison. Confirmed alerts of earlier releases have that of the confirming check instead."""
    if parse_scope(row.scope).kind == "cell":
        return _read_cell_change(row, evidence)
    return ReportedChange(
        scan_id=evidence.scan_id or (evidence.proofs[0].scan_id if evidence.proofs else row.scan_id),
        before=evidence.before,
        now=evidence.now,
        lost=evidence.lost,
        gained=evidence.gained,
        delta=evidence.delta,
        verdict=evidence.verdict,
    )


def _read_cell_change(row: AlertRow, evidence: Evidence) -> ReportedChange:
    """Return the change of one answer. One answer alone establishes nothing, whatever its history says."""
    lost = int(DIRECTIONS[row.type] == "down")
    gained = 1 - lost
    return ReportedChange(
        scan_id=evidence.scan_id or _find_first_changed(row, evidence),
        before=Share(lost, 1),
        now=Share(gained, 1),
        lost=lost,
        gained=gained,
        delta=100.0 * (gained - lost),
        verdict="no_clear_change",
    )


def _find_first_changed(row: AlertRow, evidence: Evidence) -> uuid.UUID:
    """Return the check after the last usual answer: the proofs have the answers from the newest to that one."""
    scan_ids = [proof.scan_id for proof in evidence.proofs]
    place = scan_ids.index(evidence.against_scan_id) if evidence.against_scan_id in scan_ids else 0
    return scan_ids[place - 1] if place else row.scan_id


def read_history(row: AlertRow, evidence: Evidence) -> History | None:
    """Return the longer history that decided; None if only the previous Daily Check did."""
    if parse_scope(row.scope).kind == "cell":
        return History(daily_checks=evidence.before.answers, before=evidence.before, now=evidence.now)
    return evidence.history
