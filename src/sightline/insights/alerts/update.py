"""After each Daily Check: what it says of a brand's falls, and what becomes of the alerts about them.

The tests are made outside of transactions; what they lead to is written in one, under the domain's lock, once for each
check. Alerts that were changed meanwhile by another check are read again.
"""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.accounts.notification_queries import list_readers
from sightline.db.engine import Database, Transaction
from sightline.events import record_event
from sightline.insights.alerts import queries
from sightline.insights.alerts.daily_checks import DailyCheck, group_by_daily_check
from sightline.insights.alerts.detect import CELL_HISTORY, ScopeOutcome, detect_drops
from sightline.insights.alerts.emails import build_alert_emails
from sightline.insights.alerts.models import AlertRow, Evidence, decode_evidence
from sightline.insights.alerts.platform_wide import find_platform_wide_changes, is_explained_by_platforms
from sightline.insights.alerts.schemas import Alert, to_alert
from sightline.insights.alerts.states import AlertState
from sightline.insights.queries import claim_part
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.mail.emails import enqueue_emails
from sightline.metrics.alert_steps import COOL_DOWN, Day, Decision, decide_step
from sightline.scans.queries import find_scan
from sightline.scans.running.checks import plan_of
from sightline.scans.stored import ScanRow
from sightline.scoreboard.completed_scans import read_completed_scan
from sightline.scoreboard.models import UncitedPlatforms
from sightline.scoreboard.queries import list_prompt_scans_between, lock_domain

_MAX_ATTEMPTS = 5


async def update_alerts(
    db: Database, scan: ScanRow, *, uncited: UncitedPlatforms, clock: Clock, base_url: str, quiet: bool = False
) -> None:
    for _ in range(_MAX_ATTEMPTS):
        alerts = await queries.list_open(db, scan.workspace_id, scan.domain_id)
        today, earlier = await _read_daily_checks(db, scan, alerts)
        plan = plan_of(scan, uncited[scan.answers_source])
        found = await asyncio.to_thread(detect_drops, today, earlier, plan, alerts)
        wide = await _find_platform_wide_drops(db, scan, found, today, earlier, uncited)
        async with db.transaction() as tx:
            if not await lock_domain(tx, scan.workspace_id, scan.domain_id):
                return
            if await queries.list_open(tx, scan.workspace_id, scan.domain_id) != alerts:
                continue
            told = await _apply_outcomes(tx, scan, found, wide, now=clock())
            if told and not quiet:
                await _send_letters(tx, scan, told, base_url=base_url)
            crash_point("before_alerts_commit")
        return
    raise RuntimeError("the alerts of this domain change faster than they are examined")  # the job is tried again


async def _read_daily_checks(
    db: Database, scan: ScanRow, alerts: Sequence[AlertRow]
) -> tuple[DailyCheck, list[DailyCheck]]:
    """This Daily, and those before it: a month of them, and the one that each open alert began with."""
    assert scan.completed_at is not None
    source = scan.answers_source
    recent = await list_prompt_scans_between(
        db,
        scan.workspace_id,
        scan.domain_id,
        source,
        since=scan.completed_at - CELL_HISTORY,
        until=scan.completed_at,
        scope="daily_check",
    )
    known = {check.scan_id for check in recent}
    old = {decode_evidence(alert.evidence).against_scan_id for alert in alerts} - known
    rows = [*await queries.list_daily_prompt_scans(db, scan.workspace_id, source, sorted(old)), *recent]
    dailies = await asyncio.to_thread(group_by_daily_check, rows)
    empty = DailyCheck(scan.id, scan.completed_at, {})
    today = next((daily for daily in dailies if daily.scan_id == scan.id), empty)
    mark = (today.completed_at, today.scan_id)
    return today, [daily for daily in dailies if (daily.completed_at, daily.scan_id) < mark]


async def _find_platform_wide_drops(
    db: Database,
    scan: ScanRow,
    found: Sequence[ScopeOutcome],
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    uncited: UncitedPlatforms,
) -> frozenset[tuple[str, str]]:
    """The falls that only follow a platform which changed for everybody, by type and scope.

    Read from the answers of both Dailies: only they tell how the competitors did.
    """
    confirming = [each for each in found if each.may_be_told]
    if not confirming:
        return frozenset()
    now = await read_completed_scan(db, scan, uncited=uncited)
    platforms: dict[uuid.UUID, frozenset[str]] = {}
    for against in {each.tested.against_scan_id for each in confirming if each.tested}:
        before = await find_scan(db, scan.workspace_id, against)
        if before is not None:
            past = await read_completed_scan(db, before, uncited=uncited)
            platforms[against] = await asyncio.to_thread(find_platform_wide_changes, past, now)
    return frozenset(
        (each.type, each.scope)
        for each in confirming
        if each.tested
        and is_explained_by_platforms(each, today, earlier, platforms.get(each.tested.against_scan_id, frozenset()))
    )


async def _apply_outcomes(
    tx: Transaction,
    scan: ScanRow,
    found: Sequence[ScopeOutcome],
    wide: frozenset[tuple[str, str]],
    *,
    now: datetime,
) -> list[Alert]:
    """The alerts that people are to hear of, each with its event."""
    assert scan.completed_at is not None
    place = (scan.workspace_id, scan.domain_id)
    if not await claim_part(tx, *place, "alerts", scan_id=scan.id, completed_at=scan.completed_at):
        return []
    heard = await queries.find_last_notified(tx, *place, since=now - COOL_DOWN)
    muted = await queries.list_muted_scopes(tx, *place)
    told = []
    for each in found:
        key = (each.type, each.scope)
        decision = _decide(each, heard.get(key), now, platform_wide=key in wide, muted=key in muted)
        raised = await _apply_decision(tx, scan, each, decision, now=now)
        if raised is not None:
            told.append(alert := to_alert(raised))
            await record_event(
                tx, scan.workspace_id, "alert.raised", alert, livemode=scan.livemode, cause=str(alert.id), now=now
            )
    return told


def _decide(each: ScopeOutcome, heard: datetime | None, now: datetime, *, platform_wide: bool, muted: bool) -> Decision:
    tested = each.tested
    if tested is None:  # not measured any more
        return Decision("lapsed" if each.alert and each.alert.state is AlertState.WATCH else "resolved")
    day = Day(
        now=now,
        valid=tested.valid,
        planned=tested.planned,
        holds=each.holds,
        value=tested.now.value,
        baseline=tested.baseline,
        platform_wide=platform_wide,
        muted=muted,
        last_notified=heard,
    )
    if each.alert is None:
        return decide_step("quiet", day)
    return decide_step("watch" if each.alert.state is AlertState.WATCH else "confirmed", day)


async def _apply_decision(
    tx: Transaction, scan: ScanRow, each: ScopeOutcome, decision: Decision, *, now: datetime
) -> AlertRow | None:
    """Writes the decision down. The alert, if people are to hear of it."""
    assert scan.completed_at is not None
    alert = each.alert
    if alert is None:
        if decision.step == "watch" and each.tested is not None:
            evidence = each.tested.to_evidence(each.rules)
            place = (scan.workspace_id, scan.domain_id, each.type, each.scope)
            await queries.insert_watch(tx, *place, evidence, scan_id=scan.id, at=scan.completed_at, now=now)
        return None
    if decision.step == alert.state.value:  # a silent day, or nothing new
        return None
    moved = await queries.change_state(
        tx,
        scan.workspace_id,
        alert.id,
        from_=alert.state,
        to=AlertState(decision.step),
        scan_id=scan.id,
        at=scan.completed_at,
        now=now,
        evidence=_build_confirmation(alert, each) if decision.step == "confirmed" else None,
        hushed=decision.hushed,
        notified=decision.notify,
    )
    return moved if decision.notify else None


def _build_confirmation(alert: AlertRow, each: ScopeOutcome) -> Evidence | None:
    """The figures of the day that confirms; the answers of both days are the proof."""
    if each.tested is None:
        return None
    found = each.tested.to_evidence(each.rules)
    proofs = dict.fromkeys([*found.proofs, *decode_evidence(alert.evidence).proofs])
    return msgspec.structs.replace(found, proofs=tuple(proofs))


async def _send_letters(tx: Transaction, scan: ScanRow, alerts: Sequence[Alert], *, base_url: str) -> None:
    people = await list_readers(tx, scan.workspace_id, "alert_letters")
    await enqueue_emails(tx, *build_alert_emails(people, scan, alerts, base_url=base_url))
