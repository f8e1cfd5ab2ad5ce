"""The findings of the latest Full Check on the Overview, with links to the answers behind them."""

import uuid
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sightline.insights.findings.chips import name_tier
from sightline.insights.findings.read import Story
from sightline.insights.findings.schemas import Finding
from sightline.insights.findings.sentences import TIER_ODDS, describe_comparability
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import count_answers
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.check_changes.schemas import CheckChanges, CountChange
from sightline.web.page_context import PageContext


class CountLink(NamedTuple):
    """A number of answers with the list of exactly these. A page, or a list that is not counted, has no number."""

    number: int | None
    words: str
    path: str


class ChangeLinks:
    """Links to the answers of what changed between two Full Checks."""

    def __init__(self, ctx: PageContext, changes: CheckChanges) -> None:
        self.ctx, self._changes = ctx, changes

    def link_check(self, scan_id: uuid.UUID, words: str) -> CountLink:
        return CountLink(None, words, self.ctx.path("checks", str(scan_id)))

    def link_finding(self, finding: Finding, changes: CheckChanges) -> list[CountLink]:
        """Link the answers that were gained and lost; for a source, those that cite it."""
        if finding.site is not None and finding.platform is not None:
            number = finding.now if finding.direction == "up" else finding.before
            fields = {"platform": finding.platform, "site": finding.site}
            return [self._link(number, count_answers(number or 0), fields, is_now=finding.direction == "up")]
        change = next((each for each in (*changes.established, *changes.unclear) if _is_about(each, finding)), None)
        if change is None:
            return []
        return [
            self._link(number, _count_flips(number, word), {"change": word, **_select_subject(change)})
            for number, word in ((change.gained, "gained"), (change.lost, "lost"))
            if number
        ]

    def _link(self, number: int | None, words: str, fields: Mapping[str, str], *, is_now: bool = True) -> CountLink:
        now, before = str(self._changes.scan_id), str(self._changes.against_scan_id)
        check, against = (now, before) if is_now else (before, now)
        wanted = AnswerFilter(**{"check": check, "against": against, "counted": "headline", **fields})
        return CountLink(number, words, self.ctx.path("answers") + wanted.to_query())


def _is_about(change: CountChange, finding: Finding) -> bool:
    subjects = {
        "brand": ("coverage", None),
        "competitor": ("competitor", finding.competitor),
        "platform": ("platform", finding.platform),
    }
    if finding.kind == "prompt":
        return change.prompt_id == finding.prompt_id
    return (change.kind, change.subject) == subjects.get(finding.kind)


def _count_flips(number: int, word: str) -> str:
    shown = format_number(number)
    if word == "gained":
        return ngettext("%(number)s answer gained", "%(number)s answers gained", number, number=shown)
    return ngettext("%(number)s answer lost", "%(number)s answers lost", number, number=shown)


def _select_subject(change: CountChange) -> dict[str, str]:
    subject = change.subject or ""
    if change.kind == "platform":
        return {"platform": subject}
    if change.kind == "competitor":
        return {"competitor": subject, "change_of": "competitor"}
    return {"prompt": str(change.prompt_id)} if change.kind == "prompt" else {}


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
