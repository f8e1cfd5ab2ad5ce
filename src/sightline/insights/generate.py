"""Generating insights after a completed scan: the handler of the job `insights`.

A Daily Check updates alerts. A Full Check replaces everything else and requests the report. The free audit, the only
scan of its workspace, suggests competitors. Each part is computed outside transactions and stored in one, under the
domain lock, once for each scan: the next run does what a crash has left undone, and leaves the rest alone.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec

from sightline.answers.judge import Judge
from sightline.competitors.detect import DetectedCompetitor, suggest_competitors
from sightline.credits.sandbox_money import has_sandbox_ended
from sightline.db.engine import Database, Transaction
from sightline.insights import queries
from sightline.insights.alerts.update import update_alerts
from sightline.insights.aspect_counts import AspectCounts, count_aspects
from sightline.insights.inputs import InsightInputs, read_insight_inputs
from sightline.insights.judged_aspects import judge_aspects
from sightline.insights.models import InsightPart, ProposedAction, StoredTheme
from sightline.insights.opportunities import find_opportunities, gather_named_brands
from sightline.insights.prompt_candidates import find_candidates
from sightline.insights.prompt_suggestions import MAX_OPEN_SUGGESTIONS, propose_prompts
from sightline.insights.recommendations.find import find_recommendations, to_stored
from sightline.insights.recommendations.robots import FetchRobots, check_robots
from sightline.insights.themes import find_claims, find_praise_of_rivals, find_themes
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import Clock
from sightline.plans.table import has_themes
from sightline.prompts.queries import list_tracked_prompts
from sightline.prompts.suggestions.review import store_suggestions
from sightline.scans.jobs import ScanJob
from sightline.scans.queries import find_results, find_scan
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow, decode_prompts
from sightline.scoreboard.models import UncitedPlatforms
from sightline.scoreboard.queries import lock_domain

REPORT_JOB = "report"
_decode_results = msgspec.json.Decoder(ScanMeasurements).decode
_PARTS_FROM_ANSWERS: frozenset[InsightPart] = frozenset({"themes", "recommendations", "opportunities", "suggestions"})


async def generate_insights(
    db: Database,
    job: ScanJob,
    *,
    uncited: UncitedPlatforms,
    clock: Clock,
    base_url: str,
    fetch_robots: FetchRobots | None = None,
    judge: Judge | None = None,
    quiet: bool = False,
) -> None:
    """Generate the insights of a scan. A second run, or an older scan, changes nothing.

    `fetch_robots` reads robots.txt of the brand's own site, at most once for each Full Check with live answers; None
    contacts nobody. `judge` is asked about themes in languages without word lists. With `quiet`, for a replayed
    history, no e-mail is sent and no report is requested.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.status is not ScanStatus.COMPLETED:
        return
    if scan.answers_source == "sandbox" and await has_sandbox_ended(db):
        return  # the sandbox has ended, so its made-up answers no longer count
    if scan.measurement_scope == "daily_check":
        await update_alerts(db, scan, uncited=uncited, clock=clock, base_url=base_url, quiet=quiet)
    elif scan.measurement_scope == "full_check":
        await _generate_from_full_check(db, scan, uncited=uncited, clock=clock, fetch_robots=fetch_robots, judge=judge)
        if not quiet:
            await _enqueue_report(db, scan)
    elif scan.measurement_scope == "free_audit":
        await _generate_competitors(db, scan, clock=clock)


async def _generate_from_full_check(
    db: Database,
    scan: ScanRow,
    *,
    uncited: UncitedPlatforms,
    clock: Clock,
    fetch_robots: FetchRobots | None,
    judge: Judge | None,
) -> None:
    await _generate_competitors(db, scan, clock=clock)
    missing = _PARTS_FROM_ANSWERS - await _list_generated_parts(db, scan)
    if missing:
        inputs = await read_insight_inputs(db, scan, uncited=uncited)
        may_ask = scan.answers_source == "live" and "themes" in missing
        judged = await judge_aspects(db, scan, inputs, judge if may_ask and await _has_themes(db, scan) else None)
        counts = await asyncio.to_thread(count_aspects, inputs, judged)
        found = await queries.find_theme_trace(db, scan.workspace_id, scan.domain_id)
        previous = found.trace if found and found.scan_id != scan.id else None
        themes = await asyncio.to_thread(find_themes, counts, previous)
        await _generate_themes(db, scan, themes, counts)
        if "recommendations" in missing:
            await _generate_recommendations(db, scan, inputs, counts, clock=clock, fetch_robots=fetch_robots)
        await _generate_opportunities(db, scan, inputs, clock=clock)
        await _generate_suggestions(db, scan, inputs, clock=clock)


async def _has_themes(db: Database, scan: ScanRow) -> bool:
    return has_themes(await queries.find_plan(db, scan.workspace_id))


async def _enqueue_report(db: Database, scan: ScanRow) -> None:
    async with db.transaction() as tx:
        if await lock_domain(tx, scan.workspace_id, scan.domain_id):
            job = ScanJob(scan.workspace_id, scan.id)
            await enqueue(tx, NewJob(kind=REPORT_JOB, payload=job, key=f"report:{scan.id}", priority=scan.priority))


async def _generate_competitors(db: Database, scan: ScanRow, *, clock: Clock) -> None:
    """Suggest the competitors that answers name next to the brand. They are tracked only once confirmed."""
    stored = await find_results(db, scan.workspace_id, scan.id)
    assert stored is not None  # written by the transaction that completed the scan
    candidates = _decode_results(stored.results).candidates
    found = [DetectedCompetitor(each.name, each.domain, float(each.score)) for each in candidates]
    async with _claimed_part(db, scan, "competitors") as tx:
        if tx is not None:
            await suggest_competitors(tx, scan.workspace_id, scan.domain_id, found, now=clock())


async def _generate_themes(db: Database, scan: ScanRow, themes: Sequence[StoredTheme], counts: AspectCounts) -> None:
    """Replace the themes, and what the next check compares with; a plan without Brand Themes has no themes."""
    async with _claimed_part(db, scan, "themes") as tx:
        if tx is None:
            return
        shown = themes if has_themes(await queries.find_plan(tx, scan.workspace_id)) else ()
        await queries.replace_ranked(tx, scan.workspace_id, scan.domain_id, "theme", scan.id, shown)
        await queries.replace_theme_trace(tx, scan.workspace_id, scan.domain_id, scan.id, counts.to_trace())


async def _generate_recommendations(
    db: Database,
    scan: ScanRow,
    inputs: InsightInputs,
    counts: AspectCounts,
    *,
    clock: Clock,
    fetch_robots: FetchRobots | None,
) -> None:
    found = await asyncio.to_thread(
        lambda: find_recommendations(inputs, find_claims(counts, inputs), find_praise_of_rivals(counts, inputs))
    )
    if fetch_robots is not None and scan.answers_source == "live":
        found = await _check_robots(found, fetch_robots, clock=clock)
    async with _claimed_part(db, scan, "recommendations") as tx:
        if tx is not None:
            stored = to_stored(found, inputs, scan.id)
            await queries.replace_ranked(tx, scan.workspace_id, scan.domain_id, "recommendation", scan.id, stored)


async def _check_robots(
    found: Sequence[ProposedAction], fetch_robots: FetchRobots, *, clock: Clock
) -> list[ProposedAction]:
    """Add what robots.txt of the own site says to rows about platforms. It is read once, if there is such a row."""
    site = next((row.site for row in found if row.kind == "open_door" and row.site), None)
    if site is None:
        return list(found)
    file, now = await fetch_robots(site), clock()
    return [
        msgspec.structs.replace(row, robots=check_robots(file, row.subject or "", now=now))
        if row.kind == "open_door"
        else row
        for row in found
    ]


async def _generate_opportunities(db: Database, scan: ScanRow, inputs: InsightInputs, *, clock: Clock) -> None:
    tracked = await list_tracked_prompts(db, scan.workspace_id, scan.domain_id)
    repeats = await _read_repeats(db, scan.workspace_id, inputs)
    volumes = {str(prompt.id): prompt.ai_search_volume for prompt in tracked}
    found = await asyncio.to_thread(find_opportunities, inputs, volumes, repeats)
    async with _claimed_part(db, scan, "opportunities") as tx:
        if tx is not None:
            rows = [(each.prompt_id, each.score, each.low_evidence, msgspec.json.encode(each)) for each in found]
            await queries.replace_opportunities(tx, scan.workspace_id, scan.domain_id, scan.id, rows, now=clock())


async def _read_repeats(
    db: Database, workspace_id: uuid.UUID, inputs: InsightInputs
) -> dict[str, list[frozenset[str]]]:
    """Read which brands each scan named, one scan at a time so that a month of answers is never in memory."""
    repeats: dict[str, list[frozenset[str]]] = {}
    for scan_id in dict.fromkeys(each.scan_id for each in inputs.prompt_scans):
        scan = await find_scan(db, workspace_id, scan_id)
        if scan is None or scan.prompts is None:
            continue
        records = await queries.read_answer_records(db, workspace_id, scan_id)
        found = await asyncio.to_thread(gather_named_brands, decode_prompts(scan.prompts), records)
        for prompt_id, named in found.items():
            repeats.setdefault(prompt_id, []).append(named)
    return repeats


async def _generate_suggestions(db: Database, scan: ScanRow, inputs: InsightInputs, *, clock: Clock) -> None:
    """Suggest prompts, so that at most twenty suggestions are open."""
    domain_key = (scan.workspace_id, scan.domain_id)
    known = await queries.list_known_prompts(db, *domain_key)
    found = await asyncio.to_thread(lambda: propose_prompts(inputs, find_candidates(inputs), known, scan.id))
    async with _claimed_part(db, scan, "suggestions") as tx:
        if tx is not None:
            free = max(0, MAX_OPEN_SUGGESTIONS - await queries.count_open_suggestions(tx, *domain_key))
            await store_suggestions(tx, *domain_key, found[:free], now=clock())


@asynccontextmanager
async def _claimed_part(db: Database, scan: ScanRow, part: InsightPart) -> AsyncIterator[Transaction | None]:
    """Open a transaction that claims a part for the scan.

    Yields None if the part was already generated from this scan or a later one, or if the domain was removed.
    """
    assert scan.completed_at is not None
    domain_key = (scan.workspace_id, scan.domain_id)
    async with db.transaction() as tx:
        claimed = await lock_domain(tx, *domain_key) and await queries.claim_part(
            tx, *domain_key, part, scan_id=scan.id, completed_at=scan.completed_at
        )
        yield tx if claimed else None


async def _list_generated_parts(db: Database, scan: ScanRow) -> set[str]:
    assert scan.completed_at is not None
    return await queries.list_generated_parts(
        db, scan.workspace_id, scan.domain_id, scan_id=scan.id, completed_at=scan.completed_at
    )
