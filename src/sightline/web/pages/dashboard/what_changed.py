"""The findings of the Overview: each with its tier, and links to the answers, the alert or the page behind it."""

from collections.abc import Sequence
from typing import NamedTuple

from sightline.insights.findings.chips import name_tier
from sightline.insights.findings.read import Story
from sightline.insights.findings.schemas import Finding
from sightline.insights.findings.sentences import TIER_ODDS, describe_comparability
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.web.page_context import PageContext
from sightline.web.pages.dashboard.change_links import ChangeLinks, CountLink


class FindingRow(NamedTuple):
    """One finding. `tone` colors the clear changes of the brand itself."""

    finding: Finding
    tier: str
    tone: str
    links: Sequence[CountLink]


class WhatChanged(NamedTuple):
    headline: str
    since: CountLink | None
    until: CountLink | None
    rows: Sequence[FindingRow]
    odds: str
    comparability: str


def describe_changes(ctx: PageContext, story: Story | None) -> WhatChanged | None:
    """Return the findings of the Full Check that is shown; None if there is nothing to say yet."""
    if story is None or (story.changes is None and not story.findings):
        return None
    changes = story.changes
    links = None if changes is None else ChangeLinks(ctx, changes)
    since = until = None
    if changes is not None and links is not None:
        since = links.link_check(changes.against_scan_id, format_short_date(changes.since))
        until = links.link_check(changes.scan_id, format_short_date(changes.until))
    return WhatChanged(
        headline=story.headline,
        since=since,
        until=until,
        rows=[_build_row(ctx, each, changes, links) for each in story.findings],
        odds=gettext(TIER_ODDS) if any(each.tier == "watch" for each in story.findings) else "",
        comparability="" if changes is None else describe_comparability(changes),
    )


def _build_row(
    ctx: PageContext, finding: Finding, changes: CheckChanges | None, links: ChangeLinks | None
) -> FindingRow:
    is_own = finding.tier == "clear" and finding.competitor is None
    found = list(_list_links(ctx, finding))
    if changes is not None and links is not None and finding.period == "last_check":
        found = [*links.link_finding(finding, changes), *found]
    return FindingRow(finding, name_tier(finding), finding.direction if is_own else "", found)


def _list_links(ctx: PageContext, finding: Finding) -> list[CountLink]:
    """Return links to the pages about a finding."""
    found = []
    if finding.alert_id is not None:
        found.append((gettext("alert"), ctx.path("alerts", str(finding.alert_id))))
    if finding.action is not None:
        found.append((gettext("recommendation"), ctx.path("recommendations")))
    elif finding.site is not None:
        found.append((gettext("source"), ctx.path("sources", finding.site)))
    elif finding.prompt_id is not None:
        found.append((gettext("prompt"), ctx.path("prompts", str(finding.prompt_id))))
    elif finding.platform is not None:
        found.append((gettext("platform"), ctx.path("platforms", finding.platform)))
    elif finding.competitor is not None:
        found.append((gettext("competitors"), ctx.path("competitors")))
    return [CountLink(None, words, path) for words, path in found]
