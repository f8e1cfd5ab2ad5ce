"""After each Full Check: competitors, themes, recommendations, opportunities and prompt suggestions are drawn anew.

Each part is computed outside of transactions and written in one, under the domain's lock, once for each check: what a
crash has left undone is done by the next run, and what is done is not touched again.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec

from sightline.competitors.detect import Found, suggest_competitors
from sightline.db.engine import Database, Transaction
from sightline.insights import queries
from sightline.insights.alerts.update import watch_daily
from sightline.insights.inputs import Material, read_material
from sightline.insights.models import Part, StoredTheme
from sightline.insights.opportunities import find_opportunities, gather_repeats
from sightline.insights.prompt_candidates import find_candidates
from sightline.insights.prompt_suggestions import MOST_OPEN, propose_prompts
from sightline.insights.recommendations import find_recommendations
from sightline.insights.themes import Described, describe_check, find_claims, find_themes
from sightline.jobs.queue import NewJob, enqueue
from sightline.kit.clock import Clock
from sightline.plans.table import has_themes
from sightline.prompts.queries import list_tracked_prompts
from sightline.prompts.suggest import suggest_prompts
from sightline.scans.queries import find_results, find_scan
from sightline.scans.schemas.results import ScanMeasurements
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanJob, ScanRow, decode_prompts
from sightline.scoreboard.models import Uncited
from sightline.scoreboard.queries import lock_domain

REPORT_JOB = "report"
_read_results = msgspec.json.Decoder(ScanMeasurements).decode
_FROM_ANSWERS: frozenset[Part] = frozenset({"themes", "recommendations", "opportunities", "suggestions"})


async def draw_insights(
    db: Database, job: ScanJob, *, uncited: Uncited, clock: Clock, base_url: str, quiet: bool = False
) -> None:
    """Running it twice changes nothing, and neither does a check that is older than what was drawn from.

    Quietly, for a past that is made up: nobody gets a letter, and no report is ordered.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.status is not ScanStatus.COMPLETED:
        return
    if scan.measurement_scope == "daily_check":
        await watch_daily(db, scan, uncited=uncited, clock=clock, base_url=base_url, quiet=quiet)
    elif scan.measurement_scope == "full_check":
        await conclude_full(db, scan, uncited=uncited, clock=clock)
        if not quiet:
            await order_report(db, scan)
    elif scan.measurement_scope == "free_audit":
        await draw_competitors(db, scan, clock=clock)


async def conclude_full(db: Database, scan: ScanRow, *, uncited: Uncited, clock: Clock) -> None:
    await draw_competitors(db, scan, clock=clock)
    if _FROM_ANSWERS - await _list_drawn(db, scan):
        material = await read_material(db, scan, uncited=uncited)
        described = await asyncio.to_thread(describe_check, material)
        themes = await asyncio.to_thread(find_themes, described)
        await _draw_themes(db, scan, themes)
        await _draw_recommendations(db, material, described)
        await _draw_opportunities(db, material, clock=clock)
        await _draw_suggestions(db, material, themes, clock=clock)


async def order_report(db: Database, scan: ScanRow) -> None:
    async with db.transaction() as tx:
        if await lock_domain(tx, scan.workspace_id, scan.domain_id):
            job = ScanJob(scan.workspace_id, scan.id)
            await enqueue(tx, NewJob(kind=REPORT_JOB, payload=job, key=f"report:{scan.id}", priority=scan.priority))


async def draw_competitors(db: Database, scan: ScanRow, *, clock: Clock) -> None:
    """Suggests whom the answers name beside the brand. Nobody is tracked by that."""
    stored = await find_results(db, scan.workspace_id, scan.id)
    assert stored is not None  # written by the transaction that completed the scan
    rivals = _read_results(stored.results).candidates
    found = [Found(each.name, each.domain, float(each.score)) for each in rivals]
    async with _writing(db, scan, "competitors") as tx:
        if tx is not None:
            await suggest_competitors(tx, scan.workspace_id, scan.domain_id, found, now=clock())


async def _draw_themes(db: Database, scan: ScanRow, themes: Sequence[StoredTheme]) -> None:
    """The plan is that of now: without Brand Themes those of an earlier plan go."""
    async with _writing(db, scan, "themes") as tx:
        if tx is None:
            return
        shown = themes if has_themes(await queries.find_plan(tx, scan.workspace_id)) else ()
        found = [msgspec.json.encode(theme) for theme in shown]
        await queries.replace_placed(tx, scan.workspace_id, scan.domain_id, "theme", scan.id, found)


async def _draw_recommendations(db: Database, material: Material, described: Described) -> None:
    scan = material.scan
    found = await asyncio.to_thread(lambda: find_recommendations(material, find_claims(described, material)))
    async with _writing(db, scan, "recommendations") as tx:
        if tx is not None:
            rows = [msgspec.json.encode(each) for each in found]
            await queries.replace_placed(tx, scan.workspace_id, scan.domain_id, "recommendation", scan.id, rows)


async def _draw_opportunities(db: Database, material: Material, *, clock: Clock) -> None:
    scan = material.scan
    tracked = await list_tracked_prompts(db, scan.workspace_id, scan.domain_id)
    repeats = await _read_repeats(db, material)
    found = await asyncio.to_thread(find_opportunities, material, tracked, repeats)
    async with _writing(db, scan, "opportunities") as tx:
        if tx is not None:
            rows = [(each.prompt_id, each.score, each.low_evidence, msgspec.json.encode(each)) for each in found]
            await queries.replace_opportunities(tx, scan.workspace_id, scan.domain_id, scan.id, rows, now=clock())


async def _read_repeats(db: Database, material: Material) -> dict[str, list[frozenset[str]]]:
    """Check by check, so that a month of answers is never held at once."""
    workspace_id = material.scan.workspace_id
    repeats: dict[str, list[frozenset[str]]] = {}
    for scan_id in dict.fromkeys(check.scan_id for check in material.checks):
        scan = await find_scan(db, workspace_id, scan_id)
        if scan is None or scan.prompts is None:
            continue
        records = await queries.read_records(db, workspace_id, scan_id)
        found = await asyncio.to_thread(gather_repeats, decode_prompts(scan.prompts), records)
        for prompt_id, named in found.items():
            repeats.setdefault(prompt_id, []).append(named)
    return repeats


async def _draw_suggestions(db: Database, material: Material, themes: Sequence[StoredTheme], *, clock: Clock) -> None:
    """Never more than twenty are open: what is not decided yet leaves no room."""
    scan = material.scan
    place = (scan.workspace_id, scan.domain_id)
    known = await queries.list_known_prompts(db, *place)
    found = await asyncio.to_thread(lambda: propose_prompts(material, find_candidates(material, themes), known))
    async with _writing(db, scan, "suggestions") as tx:
        if tx is not None:
            room = max(0, MOST_OPEN - await queries.count_open_suggestions(tx, *place))
            await suggest_prompts(tx, *place, found[:room], now=clock())


@asynccontextmanager
async def _writing(db: Database, scan: ScanRow, part: Part) -> AsyncIterator[Transaction | None]:
    """The transaction in which a part is written; None when it was drawn from this check or a later one already, or
    when the domain is gone."""
    assert scan.completed_at is not None
    place = (scan.workspace_id, scan.domain_id)
    async with db.transaction() as tx:
        held = await lock_domain(tx, *place) and await queries.claim_part(
            tx, *place, part, scan_id=scan.id, completed_at=scan.completed_at
        )
        yield tx if held else None


async def _list_drawn(db: Database, scan: ScanRow) -> set[str]:
    assert scan.completed_at is not None
    return await queries.list_drawn(
        db, scan.workspace_id, scan.domain_id, scan_id=scan.id, completed_at=scan.completed_at
    )
