"""Links to the answers of what changed between two Full Checks."""

import uuid
from collections.abc import Mapping
from typing import NamedTuple

from sightline.insights.findings.schemas import Finding
from sightline.presentation.language import ngettext
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
