"""Generating insights after a completed scan: the handler of the job `insights`.

A Daily Check updates alerts. A Full Check replaces everything else and requests the report. The free audit, the only
scan of its workspace, suggests competitors. Everything is computed outside transactions and stored in one, under the
domain lock, once for each scan: after a crash, the next run starts again, with the editor's replies as they are stored.
"""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import datetime
from functools import partial

import msgspec

from sightline.accounts.workspaces import read_time_zone
from sightline.competitors.detect import DetectedCompetitor, suggest_competitors
from sightline.credits.sandbox_money import has_sandbox_ended
from sightline.db.engine import Database, Transaction
from sightline.domains.tracking.queries import lock_tracked_domain
from sightline.events import record_event
from sightline.insights import queries
from sightline.insights.alerts.update import update_alerts
from sightline.insights.editor.edition import Edition
from sightline.insights.editor.service import CheckEditor, OpenEditor
from sightline.insights.findings.read import read_story
from sightline.insights.findings.schemas import CheckCompletedData
from sightline.insights.found import FoundInsights, find_insights
from sightline.insights.inputs import InsightInputs, read_insight_inputs
from sightline.insights.models import InsightPart, ProposedAction, StoredOpportunity, ThemeTrace, ThemeTraceRow
from sightline.insights.opportunities import find_opportunities, gather_named_brands
from sightline.insights.prompt_suggestions import MAX_OPEN_SUGGESTIONS, propose_prompts
from sightline.insights.recommendations.robots import FetchRobots, check_robots
from sightline.insights.reviewed_site import refresh_site_actions
from sightline.jobs.queue import NewJob, enqueue
from sightline.jobs.retry import Retry
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.plans.table import has_themes
from sightline.platforms.gate import GateClosed
from sightline.presentation.dates import in_time_zone
from sightline.presentation.language import DEFAULT_LANGUAGE, in_language
from sightline.prompts.queries import list_tracked_prompts
from sightline.prompts.suggestions.models import NewSuggestion
from sightline.prompts.suggestions.review import store_suggestions
from sightline.scans.jobs import ScanJob
from sightline.scans.queries import find_results, find_scan
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow, decode_measured, decode_prompts
from sightline.scoreboard.models import UncitedPlatforms
from sightline.site_review.request import request_weekly_review

REPORT_JOB = "report"
_decode_results = msgspec.json.Decoder(ScanMeasurements).decode
_PARTS: Sequence[InsightPart] = ("competitors", "themes", "recommendations", "opportunities", "suggestions")


async def generate_insights(
    db: Database,
    job: ScanJob,
    *,
    uncited: UncitedPlatforms,
    clock: Clock,
    base_url: str,
    fetch_robots: FetchRobots | None = None,
    open_editor: OpenEditor | None = None,
    quiet: bool = False,
) -> None:
    """Generate the insights of a scan. A second run, or an older scan, changes nothing.

    `fetch_robots` reads robots.txt of the brand's own site, at most once for each Full Check with live answers; None
    contacts nobody. Without `open_editor`, rules alone are used. While the editor is down, the job is tried again
    later. With `quiet`, for a replayed history, no e-mail is sent and no report is requested.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.status is not ScanStatus.COMPLETED:
        return
    if scan.answers_source == "sandbox" and await has_sandbox_ended(db):
        return  # the sandbox has ended, so its made-up answers no longer count
    if scan.measurement_scope == "daily_check":
        await update_alerts(db, scan, uncited=uncited, clock=clock, base_url=base_url, quiet=quiet)
    elif scan.measurement_scope == "full_check":
        check = _FullCheck(db, scan, uncited, clock)
        if set(_PARTS) - await check.list_generated_parts():
            await check.generate(open_editor, fetch_robots if scan.answers_source == "live" else None)
        if not quiet:
            await _announce(db, scan, now=clock())
    elif scan.measurement_scope == "free_audit":
        async with db.transaction() as tx:
            if await _claim_part(tx, scan, "competitors"):
                await _suggest_found_competitors(tx, scan, clock=clock)


async def _announce(db: Database, scan: ScanRow, *, now: datetime) -> None:
    """Record the event of the check with its findings, and enqueue the report: both once for each check."""
    with in_time_zone(await read_time_zone(db, scan.workspace_id)), in_language(DEFAULT_LANGUAGE):
        brand = decode_measured(scan.brand).brand.name
        story = await read_story(db, scan, brand)
    event = CheckCompletedData(
        domain_id=scan.domain_id,
        headline=story.headline,
        scan_id=scan.id,
        against_scan_id=None if story.changes is None else story.changes.against_scan_id,
        findings=story.findings,
        workspace_id=scan.workspace_id,
        livemode=scan.livemode,
        domain=scan.domain,
        brand_name=brand,
        answers_source=scan.answers_source,
    )
    async with db.transaction() as tx:
        if await lock_tracked_domain(tx, scan.workspace_id, scan.domain_id):
            await record_event(tx, "check.completed", event, cause=str(scan.id), now=now)
            job = ScanJob(scan.workspace_id, scan.id)
            await enqueue(tx, NewJob(kind=REPORT_JOB, payload=job, key=f"report:{scan.id}", priority=scan.priority))
            await request_weekly_review(tx, scan, now=now)


class _NewInsights(msgspec.Struct, frozen=True, kw_only=True):
    """What a Full Check shows, before it is stored."""

    found: FoundInsights
    opportunities: Sequence[StoredOpportunity]
    suggestions: Sequence[NewSuggestion]
    trace: ThemeTrace


class _FullCheck:
    """A Full Check whose insights are generated."""

    def __init__(self, db: Database, scan: ScanRow, uncited: UncitedPlatforms, clock: Clock) -> None:
        self._db, self._scan, self._uncited, self._clock = db, scan, uncited, clock
        self._domain_key = (scan.workspace_id, scan.domain_id)

    async def list_generated_parts(self) -> set[str]:
        assert self._scan.completed_at is not None
        return await queries.list_generated_parts(
            self._db, *self._domain_key, scan_id=self._scan.id, completed_at=self._scan.completed_at
        )

    async def generate(self, open_editor: OpenEditor | None, fetch_robots: FetchRobots | None) -> None:
        inputs = await read_insight_inputs(self._db, self._scan, uncited=self._uncited)
        editor = await CheckEditor.open(self._db, self._scan, open_editor, inputs.answers, clock=self._clock)
        try:
            found = await self._find(inputs, editor, fetch_robots)
        except GateClosed:
            raise Retry from None  # this worker stops; another one asks for what is missing
        editor.require_replies()
        new = _NewInsights(
            found=found,
            opportunities=await self._find_opportunities(found.inputs),
            suggestions=await self._propose_prompts(found),
            trace=editor.sign(found.counts.to_trace(), found.edition),
        )
        async with self._db.transaction() as tx:
            await self._store(tx, new, editor)
            crash_point("before_insights_commit")
        crash_point("after_insights_commit")

    async def _find(
        self, inputs: InsightInputs, editor: CheckEditor, fetch_robots: FetchRobots | None
    ) -> FoundInsights:
        previous = await queries.find_theme_trace(self._db, *self._domain_key)
        plan = await queries.find_plan(self._db, self._scan.workspace_id)

        async def find_previous(edition: Edition | None) -> ThemeTrace | None:
            if previous is None or previous.scan_id == self._scan.id:
                return None
            return await editor.find_previous(edition, previous.trace, partial(self._read_before, previous))

        return await find_insights(
            inputs,
            self._scan.id,
            editor.caller,
            editor.memory,
            with_themes=has_themes(plan),
            category=editor.category,
            find_previous=find_previous,
            complete=None if fetch_robots is None else partial(_check_robots, fetch_robots, clock=self._clock),
        )

    async def _read_before(self, previous: ThemeTraceRow) -> InsightInputs | None:
        """Return what the themes before were found in; None if those answers have been removed."""
        scan = await find_scan(self._db, self._scan.workspace_id, previous.scan_id)
        inputs = None if scan is None else await read_insight_inputs(self._db, scan, uncited=self._uncited)
        return inputs if inputs and inputs.answers else None

    async def _find_opportunities(self, inputs: InsightInputs) -> list[StoredOpportunity]:
        tracked = await list_tracked_prompts(self._db, *self._domain_key)
        repeats = await _read_repeats(self._db, self._scan.workspace_id, inputs)
        volumes = {str(prompt.id): prompt.ai_search_volume for prompt in tracked}
        return await asyncio.to_thread(find_opportunities, inputs, volumes, repeats)

    async def _propose_prompts(self, found: FoundInsights) -> list[NewSuggestion]:
        known = await queries.list_known_prompts(self._db, *self._domain_key)
        return await asyncio.to_thread(propose_prompts, found.inputs, found.candidates, known, self._scan.id)

    async def _store(self, tx: Transaction, new: _NewInsights, editor: CheckEditor) -> None:
        """Replace the insights of the domain, unless those of this scan or a later one are stored."""
        claimed = [part for part in _PARTS if await _claim_part(tx, self._scan, part)]
        if not claimed:
            return
        at, now, scan_id = (tx, *self._domain_key), self._clock(), self._scan.id
        if "competitors" in claimed:
            await self._suggest_competitors(tx, new.found.edition)
        if "themes" in claimed:
            # A plan without Brand Themes has no themes.
            shown = new.found.themes if has_themes(await queries.find_plan(tx, self._scan.workspace_id)) else ()
            await queries.replace_ranked(*at, "theme", scan_id, shown)
            await queries.replace_theme_trace(*at, scan_id, new.trace)
            await editor.store(tx, new.found.edition)
        if "recommendations" in claimed:
            await queries.replace_ranked(*at, "recommendation", scan_id, new.found.recommendations)
            await refresh_site_actions(*at)
        if "opportunities" in claimed:
            found = [
                (each.prompt_id, each.score, each.low_evidence, msgspec.json.encode(each)) for each in new.opportunities
            ]
            await queries.replace_opportunities(*at, scan_id, found, now=now)
        if "suggestions" in claimed:
            free = max(0, MAX_OPEN_SUGGESTIONS - await queries.count_open_suggestions(*at))
            await store_suggestions(*at, new.suggestions[:free], now=now)

    async def _suggest_competitors(self, tx: Transaction, edition: Edition | None) -> None:
        """Suggest the competitors that the editor knows as such, else those that answers name next to the brand."""
        if edition is None:
            await _suggest_found_competitors(tx, self._scan, clock=self._clock)
            return
        found = [DetectedCompetitor(each.candidate.name, each.candidate.domain, each.score) for each in edition.rivals]
        await suggest_competitors(tx, *self._domain_key, found, now=self._clock())


async def _suggest_found_competitors(tx: Transaction, scan: ScanRow, *, clock: Clock) -> None:
    """Suggest the competitors that answers name next to the brand. They are tracked only once confirmed."""
    stored = await find_results(tx, scan.workspace_id, scan.id)
    assert stored is not None  # written by the transaction that completed the scan
    candidates = _decode_results(stored.results).candidates
    found = [DetectedCompetitor(each.name, each.domain, float(each.score)) for each in candidates]
    await suggest_competitors(tx, scan.workspace_id, scan.domain_id, found, now=clock())


async def _check_robots(
    fetch_robots: FetchRobots, found: Sequence[ProposedAction], *, clock: Clock
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


async def _claim_part(tx: Transaction, scan: ScanRow, part: InsightPart) -> bool:
    """Claim a part for the scan, under the domain lock.

    Returns False if it was already generated from this scan or a later one, or if the domain was removed.
    """
    assert scan.completed_at is not None
    domain_key = (scan.workspace_id, scan.domain_id)
    return bool(await lock_tracked_domain(tx, *domain_key)) and await queries.claim_part(
        tx, *domain_key, part, scan_id=scan.id, completed_at=scan.completed_at
    )
