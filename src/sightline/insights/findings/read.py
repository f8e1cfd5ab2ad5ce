"""Reading the findings of a domain: those of the latest Full Check, the alerts and the effects of actions."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.facts.models import WRONG
from sightline.facts.phrases import describe_subject
from sightline.facts.queries import list_checked_domains, list_checks, list_claims, list_facts
from sightline.insights.alerts.queries import list_alerts_since
from sightline.insights.findings.find import FactChange, is_told, list_findings
from sightline.insights.findings.schemas import Finding, LatestChanges, LatestFindings
from sightline.insights.findings.sentences import describe_finding, describe_headline
from sightline.insights.recommendations.done_actions import DoneAction, list_watched_actions
from sightline.insights.recommendations.queries import list_marked_domains
from sightline.kit.clock import to_iso
from sightline.scans.queries import find_scan
from sightline.scans.stored import ScanRow, decode_prompts
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.models import decode_facts
from sightline.scoreboard.queries import find_board, list_prompt_scans_of
from sightline.scoreboard.read import list_check_changes

_MAX_ACTIONS = 100
_MAX_SUMMARY = 3


class Story(msgspec.Struct, frozen=True):
    """What is worth saying after a Full Check: the headline, the findings, and the changes behind them."""

    headline: str
    findings: list[Finding]
    changes: CheckChanges | None


async def read_story(db: Reader, scan: ScanRow, brand: str) -> Story:
    """Return the story of a Full Check, in the language of the reader."""
    (story,) = (await read_stories(db, scan.workspace_id, [(scan, brand)])).values()
    return story


async def read_stories(
    db: Reader, workspace_id: uuid.UUID, scans: Sequence[tuple[ScanRow, str]]
) -> dict[uuid.UUID, Story]:
    """Return by domain the stories of Full Checks, one of each domain, with the name of its brand.

    The number of queries does not grow with the number of domains, except for those with actions marked as done.
    """
    changes = await list_check_changes(db, workspace_id, [scan.id for scan, _ in scans])
    since = {scan.domain_id: changes[scan.id].since if scan.id in changes else None for scan, _ in scans}
    alerts = await list_alerts_since(
        db, workspace_id, {key: None if at is None else datetime.fromisoformat(at) for key, at in since.items()}
    )
    marked = await list_marked_domains(db, workspace_id)
    with_facts = await list_checked_domains(db, workspace_id)
    stories = {}
    for scan, brand in scans:
        known, until = (workspace_id, scan.domain_id), scan.completed_at
        actions: Sequence[DoneAction] = ()
        if scan.domain_id in marked and until is not None:
            actions = await list_watched_actions(db, *known, scan_id=scan.id, until=until, limit=_MAX_ACTIONS)
        findings = list_findings(
            changes.get(scan.id),
            brand=brand,
            alerts=[
                each for each in alerts if each.domain_id == scan.domain_id and is_told(each, since[scan.domain_id])
            ],
            actions=actions,
            facts=await _read_fact_changes(db, scan) if scan.domain_id in with_facts else (),
            prompts={} if scan.prompts is None else {each.id: each.text for each in decode_prompts(scan.prompts)},
        )
        stories[scan.domain_id] = tell_story(changes.get(scan.id), findings, brand)
    return stories


async def _read_fact_changes(db: Reader, scan: ScanRow) -> list[FactChange]:
    """Return how each fact is stated in the cells that this check and the one before answered.

    A fact that changed since the check before is another one: it is left out.
    """
    key = (scan.workspace_id, scan.domain_id)
    checks = (await list_checks(db, *key, until=scan.completed_at))[:2]
    if len(checks) < 2 or checks[0][0] != scan.id:
        return []
    now, before = [await _list_cells(db, *key, scan_id) for scan_id, _ in checks]
    said = {each.scan_id: each.claims for each in await list_claims(db, *key, [scan_id for scan_id, _ in checks])}
    matched, since = now & before, checks[1][1]
    found = []
    for fact in await list_facts(db, *key):
        if fact.updated_at > since:
            continue
        later, earlier = (
            {
                (each.prompt_id, each.platform)
                for each in said[scan_id]
                if each.fact_id == fact.id and each.verdict in WRONG
            }
            & matched
            for scan_id, _ in checks
        )
        if later or earlier:
            found.append(
                FactChange(
                    fact=describe_subject(fact.kind, fact.subject, fact.country),
                    before=len(earlier),
                    now=len(later),
                    gained=len(later - earlier),
                    lost=len(earlier - later),
                    cells=len(matched),
                    since=to_iso(since),
                )
            )
    return found


async def _list_cells(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, scan_id: uuid.UUID
) -> set[tuple[uuid.UUID, str]]:
    """Return the cells of a check that have a valid answer."""
    rows = await list_prompt_scans_of(db, workspace_id, domain_id, scan_id)
    return {(row.prompt_id, cell.platform) for row in rows for cell in decode_facts(row.cells) if cell.status == "ok"}


def tell_story(changes: CheckChanges | None, findings: list[Finding], brand: str) -> Story:
    """Write the texts of the findings."""
    told = [msgspec.structs.replace(each, text=describe_finding(each, brand)) for each in findings]
    return Story(describe_headline(told, changes, brand), told, changes)


def summarize_story(story: Story) -> list[str]:
    """Return the headline, and what else is clear."""
    clear = [each.text for each in story.findings if each.tier == "clear"]
    return [story.headline, *clear[1:_MAX_SUMMARY]]


async def read_latest_findings(db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow) -> LatestFindings:
    """Return what is worth saying about a domain now."""
    story = await _read_latest(db, workspace_id, domain)
    changes = story.changes
    return LatestFindings(
        domain_id=domain.id,
        headline=story.headline,
        scan_id=None if changes is None else changes.scan_id,
        against_scan_id=None if changes is None else changes.against_scan_id,
        findings=story.findings,
    )


async def read_latest_changes(db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow) -> LatestChanges:
    """Return the changes of the latest Full Check, with the sentences that people read."""
    story = await _read_latest(db, workspace_id, domain)
    return LatestChanges(domain_id=domain.id, summary=summarize_story(story), changes=story.changes)


async def _read_latest(db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow) -> Story:
    board = await find_board(db, workspace_id, domain.id)
    scan_id = None if board is None else board.base_scan_id
    scan = None if scan_id is None else await find_scan(db, workspace_id, scan_id)
    return tell_story(None, [], domain.brand_name) if scan is None else await read_story(db, scan, domain.brand_name)
