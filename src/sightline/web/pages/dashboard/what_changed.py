"""The findings of the Overview: each with its tier, and links to the answers, the alert or the page behind it."""

from collections.abc import Sequence
from typing import NamedTuple

from sightline.domains.models import TrackedDomainRow
from sightline.insights.findings.read import read_story
from sightline.insights.findings.schemas import Finding
from sightline.insights.findings.sentences import TIER_NAMES, TIER_ODDS, describe_comparability
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.subsets.read import FilteredBoard
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


async def read_what_changed(ctx: PageContext, domain: TrackedDomainRow, shown: FilteredBoard) -> WhatChanged | None:
    """Return the findings of the Full Check that is shown; None if there is nothing to say yet."""
    if shown.scan is None:
        return None
    story = await read_story(ctx.db, shown.scan, domain.brand_name)
    changes = story.changes
    if changes is None and not story.findings:
        return None
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
    # A source is listed without a test, so it has no tier.
    tier = "" if finding.kind == "source" else gettext(TIER_NAMES[finding.tier])
    return FindingRow(finding, tier, finding.direction if is_own else "", found)


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
