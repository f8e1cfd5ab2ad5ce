"""Updating the alerts of a domain after each Daily Check.

Tests run outside transactions. Their outcomes are stored in one transaction under the domain lock, once for each scan.
If another scan has changed the alerts meanwhile, they are read and tested again.
"""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.accounts.queries import list_recipients
from sightline.db.engine import Database, Transaction
from sightline.domains.tracking.queries import lock_tracked_domain
from sightline.events import record_event
from sightline.insights.alerts import queries
from sightline.insights.alerts.daily_checks import DailyCheck, group_by_daily_check
from sightline.insights.alerts.detect_changes import CELL_HISTORY, detect_changes
from sightline.insights.alerts.emails import build_alert_emails
from sightline.insights.alerts.models import AlertRow, decode_evidence
from sightline.insights.alerts.outcomes import ScopeOutcome, confirm_evidence, decide_outcome
from sightline.insights.alerts.platform_wide import find_platform_wide_changes, is_explained_by_platforms
from sightline.insights.alerts.schemas import to_alert, to_alert_raised
from sightline.insights.alerts.states import AlertState
from sightline.insights.queries import claim_part
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.mail.emails import enqueue_emails
from sightline.metrics.alert_lifecycle import COOL_DOWN, Decision
from sightline.metrics.alerts import Direction
from sightline.scans.models import ScanPlan
from sightline.scans.queries import find_scan
from sightline.scans.running.running_scans import build_plan
from sightline.scans.stored import ScanRow, decode_measured
from sightline.scoreboard.completed_scans import read_completed_scan
from sightline.scoreboard.history.competitor_mentions import read_named_competitors
from sightline.scoreboard.models import UncitedPlatforms
from sightline.scoreboard.queries import list_prompt_scans_between

_MAX_ATTEMPTS = 5


async def update_alerts(
    db: Database, scan: ScanRow, *, uncited: UncitedPlatforms, clock: Clock, base_url: str, quiet: bool = False
) -> None:
    """Test the Daily Check and move the alerts; notify people of the raised ones, unless `quiet`."""
    assert scan.completed_at is not None
    for _ in range(_MAX_ATTEMPTS):
        alerts = await queries.list_open_alerts(db, scan.workspace_id, scan.domain_id)
        resolved = await queries.list_resolved_alerts(
            db, scan.workspace_id, scan.domain_id, since=scan.completed_at - CELL_HISTORY
        )
        today, earlier = await _read_daily_checks(db, scan, alerts)
        plan = build_plan(scan, uncited[scan.answers_source])
        named = await read_named_competitors(
            db, scan.workspace_id, scan.domain_id, [each.scan_id for each in (today, *earlier)]
        )
        outcomes = await asyncio.to_thread(detect_changes, today, earlier, plan, alerts, resolved=resolved, named=named)
        platform_wide = await _find_platform_wide_changes(db, scan, outcomes, uncited)
        async with db.transaction() as tx:
            if not await lock_tracked_domain(tx, scan.workspace_id, scan.domain_id):
                return
            if await queries.list_open_alerts(tx, scan.workspace_id, scan.domain_id) != alerts:
                continue
            raised = await _apply_outcomes(tx, scan, outcomes, platform_wide, now=clock())
            if raised and not quiet:
                await _enqueue_emails(tx, scan, plan, raised, base_url=base_url)
            crash_point("before_alerts_commit")
        return
    raise RuntimeError("the alerts of this domain keep changing while they are tested")  # the job is retried


async def _read_daily_checks(
    db: Database, scan: ScanRow, alerts: Sequence[AlertRow]
) -> tuple[DailyCheck, list[DailyCheck]]:
    """Return this Daily Check, and those before it: a month of them, and the baseline of each open alert."""
    assert scan.completed_at is not None
    source = scan.answers_source
    recent = await list_prompt_scans_between(
        db, scan, since=scan.completed_at - CELL_HISTORY, until=scan.completed_at, scope="daily_check"
    )
    known = {each.scan_id for each in recent}
    old = {decode_evidence(alert.evidence).against_scan_id for alert in alerts} - known
    rows = [*await queries.list_daily_prompt_scans(db, scan.workspace_id, source, sorted(old)), *recent]
    daily_checks = await asyncio.to_thread(group_by_daily_check, rows)
    empty = DailyCheck(scan.id, scan.completed_at, {})
    today = next((daily_check for daily_check in daily_checks if daily_check.scan_id == scan.id), empty)
    position = (today.completed_at, today.scan_id)
    return today, [
        daily_check for daily_check in daily_checks if (daily_check.completed_at, daily_check.scan_id) < position
    ]


async def _find_platform_wide_changes(
    db: Database, scan: ScanRow, outcomes: Sequence[ScopeOutcome], uncited: UncitedPlatforms
) -> frozenset[tuple[str, str]]:
    """Find the changes that are explained by platforms that changed for everybody, by type and scope.

    This reads the answers of both Daily Checks, because only they say how competitors did.
    """
    confirming = [outcome for outcome in outcomes if outcome.confirms_watch]
    if not confirming:
        return frozenset()
    current = await read_completed_scan(db, scan, uncited=uncited)
    platforms: dict[tuple[uuid.UUID, Direction], frozenset[str]] = {}
    for against in {outcome.test.against_scan_id for outcome in confirming if outcome.test}:
        before = await find_scan(db, scan.workspace_id, against)
        if before is not None and before.answers_expired_at is None:
            previous = await read_completed_scan(db, before, uncited=uncited)
            for direction in {outcome.direction for outcome in confirming}:
                platforms[against, direction] = await asyncio.to_thread(
                    find_platform_wide_changes, previous, current, direction
                )
    return frozenset(
        (outcome.type, outcome.scope)
        for outcome in confirming
        if outcome.test
        and is_explained_by_platforms(
            outcome, platforms.get((outcome.test.against_scan_id, outcome.direction), frozenset())
        )
    )


async def _apply_outcomes(
    tx: Transaction,
    scan: ScanRow,
    outcomes: Sequence[ScopeOutcome],
    platform_wide: frozenset[tuple[str, str]],
    *,
    now: datetime,
) -> list[AlertRow]:
    """Store all outcomes, record an event for each raised alert, and return the raised alerts."""
    assert scan.completed_at is not None
    domain_key = (scan.workspace_id, scan.domain_id)
    if not await claim_part(tx, *domain_key, "alerts", scan_id=scan.id, completed_at=scan.completed_at):
        return []
    last_notified = await queries.find_last_notified(tx, *domain_key, since=now - COOL_DOWN)
    muted = await queries.list_muted_scopes(tx, *domain_key)
    raised = []
    brand = decode_measured(scan.brand).brand.name
    for outcome in outcomes:
        key = (outcome.type, outcome.scope)
        decision = decide_outcome(
            outcome, last_notified.get(key), now, platform_wide=key in platform_wide, muted=key in muted
        )
        alert_row = await _apply_decision(tx, scan, outcome, decision, now=now)
        if alert_row is not None:
            raised.append(alert_row)
            data = to_alert_raised(to_alert(alert_row, brand), scan.workspace_id, livemode=scan.livemode)
            await record_event(tx, "alert.raised", data, cause=str(alert_row.id), now=now)
    return raised


async def _apply_decision(
    tx: Transaction, scan: ScanRow, outcome: ScopeOutcome, decision: Decision, *, now: datetime
) -> AlertRow | None:
    """Store the decision; return the alert if people are to be notified of it."""
    assert scan.completed_at is not None
    alert = outcome.alert
    if alert is None:
        if decision.step == "watch" and outcome.test is not None:
            evidence = outcome.test.to_evidence(outcome.rules)
            await queries.insert_watch(tx, scan, outcome.type, outcome.scope, evidence, now=now)
        return None
    if decision.step == alert.state.value:  # too few answers today, or nothing new
        return None
    changed = await queries.change_state(
        tx,
        scan.workspace_id,
        alert.id,
        from_=alert.state,
        to=AlertState(decision.step),
        scan_id=scan.id,
        at=scan.completed_at,
        now=now,
        evidence=confirm_evidence(alert, outcome) if decision.step == "confirmed" else None,
        hushed=decision.suppressed_by,
        notified=decision.notify,
    )
    return changed if decision.notify else None


async def _enqueue_emails(
    tx: Transaction, scan: ScanRow, plan: ScanPlan, alerts: Sequence[AlertRow], *, base_url: str
) -> None:
    people = await list_recipients(tx, scan.workspace_id, "alert")
    prompts = {prompt.id: prompt.text for prompt in plan.prompts}
    emails = build_alert_emails(people, scan, alerts, brand=plan.brand.name, prompts=prompts, base_url=base_url)
    await enqueue_emails(tx, *emails)
