"""Reading the findings of a domain: those of the latest Full Check, the alerts and the effects of actions."""

import uuid
from collections.abc import Sequence
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.insights.alerts.queries import list_alerts_since
from sightline.insights.findings.find import is_told, list_findings
from sightline.insights.findings.schemas import Finding, LatestChanges, LatestFindings
from sightline.insights.findings.sentences import describe_finding, describe_headline
from sightline.insights.recommendations.done_actions import DoneAction, list_watched_actions
from sightline.insights.recommendations.queries import list_marked_domains
from sightline.scans.queries import find_scan
from sightline.scans.stored import ScanRow, decode_prompts
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.queries import find_board
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
            prompts={} if scan.prompts is None else {each.id: each.text for each in decode_prompts(scan.prompts)},
        )
        stories[scan.domain_id] = tell_story(changes.get(scan.id), findings, brand)
    return stories


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
