"""Which two checks a filtered page compares: the check shown, and the one that the filter chooses."""

import uuid
from datetime import datetime
from typing import NamedTuple

from sightline.db.engine import Reader
from sightline.presentation.language import gettext
from sightline.scans.queries import find_scan
from sightline.scans.stored import ScanRow
from sightline.scoreboard.cells import TRACKED_SCOPES
from sightline.scoreboard.queries import find_latest_scan, find_latest_source, find_previous_scan
from sightline.scoreboard.subsets import queries
from sightline.scoreboard.subsets.filter import PREVIOUS_PERIOD, DatedFilter, MeasurementFilter


class ComparedChecks(NamedTuple):
    """Two checks; `before` is None where there is none to compare with, and `fault` says why if it was asked for."""

    now: ScanRow
    before: ScanRow | None
    fault: str = ""


async def find_compared(db: Reader, dated: DatedFilter, base: ScanRow, latest: ScanRow) -> ComparedChecks:
    """Find the checks to compare; none if the answers of the earlier one are gone."""
    found = await _find_checks(db, dated, base, latest)
    if found.before is None or found.before.answers_expired_at is None:
        return found
    return ComparedChecks(found.now, None, gettext("The answers of the check to compare with are no longer stored."))


async def _find_checks(db: Reader, dated: DatedFilter, base: ScanRow, latest: ScanRow) -> ComparedChecks:
    """Find the checks to compare. `base` is the Full Check shown, `latest` the latest check that the board shows.

    Without a choice the latest check is compared with the one before, of the same scope if there is one. A check that
    was chosen is compared with the latest of its scope, or else with the latest of any scope, which allows a trend.
    """
    wanted, period = dated.filter, dated.period
    if wanted.against == PREVIOUS_PERIOD:
        found = await queries.find_last_full_check(
            db,
            base.workspace_id,
            base.domain_id,
            base.answers_source,
            since=period.previous_start,
            until=period.start,
        )
        if found is None or not _is_before(found, base):
            return ComparedChecks(base, None, gettext("The previous period has no Full Check to compare with."))
        return ComparedChecks(base, found)
    if wanted.against:
        return await _find_chosen(db, uuid.UUID(wanted.against), base, latest)
    for scopes in ((latest.measurement_scope,), TRACKED_SCOPES):
        if before := await find_previous_scan(db, latest, scopes=scopes):
            return ComparedChecks(latest, before)
    return ComparedChecks(latest, None)


async def _find_chosen(db: Reader, scan_id: uuid.UUID, base: ScanRow, latest: ScanRow) -> ComparedChecks:
    chosen = await find_scan(db, base.workspace_id, scan_id)
    if chosen is None or chosen.domain_id != base.domain_id:
        return ComparedChecks(latest, None, gettext("The check to compare with is not a check of this domain."))
    same = await find_latest_scan(
        db, base.workspace_id, base.domain_id, base.answers_source, scopes=(chosen.measurement_scope,)
    )
    shown = [base] if latest.id == base.id else [same, latest]
    now = next((each for each in shown if each is not None and _is_before(chosen, each)), None)
    if now is None:
        return ComparedChecks(latest, None, gettext("To compare, choose a check before the one shown."))
    return ComparedChecks(now, chosen)


def _is_before(first: ScanRow, second: ScanRow) -> bool:
    assert first.completed_at is not None and second.completed_at is not None
    return (first.completed_at, first.id) < (second.completed_at, second.id)


async def find_answer_days(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, wanted: MeasurementFilter, now: datetime
) -> dict[str, str]:
    """Return the fields of `AnswerFilter` that a preset period and the previous period stand for."""
    period, found = wanted.find_period(now), {}
    if wanted.period:
        found["since"] = period.start.date().isoformat()
    if wanted.against == PREVIOUS_PERIOD:
        source = await find_latest_source(db, workspace_id, domain_id) or "live"
        check = await queries.find_last_full_check(
            db, workspace_id, domain_id, source, since=period.previous_start, until=period.start
        )
        found["against"] = "" if check is None else str(check.id)
    return found
