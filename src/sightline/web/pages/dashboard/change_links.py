"""Links to the answers of what changed between two Full Checks."""

import uuid
from collections.abc import Collection, Mapping
from typing import NamedTuple

from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import count_answers
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.check_changes.schemas import (
    CheckChanges,
    CountChange,
    FigureChange,
    LeadingBrand,
    PlatformSourceChange,
    SiteChange,
    WinnerChange,
)
from sightline.web.page_context import PageContext

_NO_FIELDS: Mapping[str, str] = {}


class CountLink(NamedTuple):
    """A number of answers with the list of exactly these. A check, or a list that is not counted, has no number."""

    number: int | None
    words: str
    path: str


class ChangeLinks:
    """Links to the answers of what changed between two Full Checks."""

    def __init__(self, ctx: PageContext, changes: CheckChanges, competitors: Collection[str]) -> None:
        self.ctx, self._changes, self._competitors = ctx, changes, competitors
        self._named = next((each.comparison for each in changes.figures if each.metric == "brand_coverage_pct"), None)

    def link_check(self, scan_id: uuid.UUID, words: str) -> CountLink:
        return CountLink(None, words, self.ctx.path("checks", str(scan_id)))

    def link_count(self, change: CountChange) -> list[CountLink]:
        """Link the answers that were gained and lost; for leads, which are prompts, all answers of both checks."""
        if change.kind == "lead":
            return self._link_matched()
        fields = _select_subject(change)
        if change.gained is None or change.lost is None:  # stored before these two were counted
            fields = {name: value for name, value in fields.items() if name != "change_of"}
            named = {} if change.kind in ("competitor", "source") else {"brand": "named"}
            return [self._link(change.now, count_answers(change.now), fields | named)]
        return [
            self._link(number, _count_flips(number, word), {"change": word, **fields})
            for number, word in ((change.gained, "gained"), (change.lost, "lost"))
            if number
        ]

    def link_figure(self, change: FigureChange) -> list[CountLink]:
        """Link the answers that both checks have, and those that gained and lost the brand or its site."""
        if change.metric != "citation_count":
            return self._link_matched()
        matched = change.comparison.matched_cells
        words = ngettext(
            "%(number)s compared answer", "all %(number)s compared answers", matched, number=format_number(matched)
        )
        everything = self._link(matched, words, {"counted": ""})  # branded prompts count, too
        return [*(self._link_own_site(is_gain=is_gain) for is_gain in (True, False)), everything]

    def _link_own_site(self, *, is_gain: bool) -> CountLink:
        """Link the answers that began or stopped citing the domain, without a number: citations count pages."""
        assert self.ctx.domain is not None
        site = self.ctx.domain.domain
        words, flip = (
            (gettext("answers that now cite %(site)s", site=site), "gained")
            if is_gain
            else (gettext("answers that no longer cite %(site)s", site=site), "lost")
        )
        return self._link(None, words, {"site": site, "change_of": "site", "change": flip, "counted": ""})

    def _link_matched(self) -> list[CountLink]:
        if self._named is None:
            return []
        numbers = ((self._named.gained, "gained"), (self._named.lost, "lost"))
        flips = [self._link(number, _count_flips(number, word), {"change": word}) for number, word in numbers if number]
        return flips or [self._link(self._named.matched_cells, count_answers(self._named.matched_cells))]

    def link_source(self, change: PlatformSourceChange) -> CountLink:
        fields = {"platform": change.platform, "site": change.site}
        return self._link(change.answers, format_number(change.answers), fields, is_now=change.change == "new")

    def link_sources(self, kind: SiteChange, number: int) -> CountLink:
        return self._link(number, count_answers(number), {"sites": kind}, is_now=kind == "new")

    def link_prompt(self, change: WinnerChange) -> CountLink:
        return self._link(change.answers, format_number(change.answers), {"prompt": str(change.prompt_id)})

    def link_winner(self, change: WinnerChange, leader: LeadingBrand, brand: str, *, is_now: bool) -> CountLink | None:
        """Link the answers that name the winner of a prompt; None for a brand that is not tracked."""
        if leader.name != brand and leader.name not in self._competitors:
            return None
        named = {"brand": "named"} if leader.name == brand else {"competitor": leader.name}
        fields = {"prompt": str(change.prompt_id), **named}
        return self._link(leader.named, format_number(leader.named), fields, is_now=is_now)

    def _link(
        self, number: int | None, words: str, fields: Mapping[str, str] = _NO_FIELDS, *, is_now: bool = True
    ) -> CountLink:
        now, before = str(self._changes.scan_id), str(self._changes.against_scan_id)
        check, against = (now, before) if is_now else (before, now)
        wanted = AnswerFilter(**{"check": check, "against": against, "counted": "headline", **fields})
        return CountLink(number, words, self.ctx.path("answers") + wanted.to_query())


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
    if change.kind == "source":
        return {"site": subject, "change_of": "site"}
    return {"prompt": str(change.prompt_id)} if change.kind == "prompt" else {}
