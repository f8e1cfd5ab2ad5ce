"""Reading the findings of a domain: those of the latest Full Check, the alerts and the effects of actions."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.insights.alerts.queries import list_open_alerts, list_resolved_alerts
from sightline.insights.findings.find import is_told, list_findings
from sightline.insights.findings.schemas import Finding, LatestChanges, LatestFindings
from sightline.insights.findings.sentences import describe_finding, describe_headline
from sightline.insights.recommendations.done_actions import list_watched_actions
from sightline.scans.queries import find_scan
from sightline.scans.stored import ScanRow, decode_prompts
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.queries import find_board
from sightline.scoreboard.read import read_check_changes

_MAX_ACTIONS = 100
_MAX_SUMMARY = 3


class Story(msgspec.Struct, frozen=True):
    """What is worth saying after a Full Check: the headline, the findings, and the changes behind them."""

    headline: str
    findings: list[Finding]
    changes: CheckChanges | None


async def read_story(db: Reader, scan: ScanRow, brand: str) -> Story:
    """Return the story of a Full Check, in the language of the reader."""
    known = (scan.workspace_id, scan.domain_id)
    changes = await read_check_changes(db, scan.workspace_id, scan.id)
    since = None if changes is None else changes.since
    alerts = await list_open_alerts(db, *known)
    if since is not None:
        alerts += await list_resolved_alerts(db, *known, since=datetime.fromisoformat(since))
    actions = (
        []
        if scan.completed_at is None
        else await list_watched_actions(db, *known, scan_id=scan.id, until=scan.completed_at, limit=_MAX_ACTIONS)
    )
    prompts = {} if scan.prompts is None else {each.id: each.text for each in decode_prompts(scan.prompts)}
    return tell_story(
        changes,
        list_findings(
            changes,
            brand=brand,
            alerts=[alert for alert in alerts if is_told(alert, since)],
            actions=actions,
            prompts=prompts,
        ),
        brand,
    )


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
