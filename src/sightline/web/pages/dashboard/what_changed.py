"""What changed between the latest two Full Checks, for the Overview: each change with its figures and its answers."""

from collections.abc import Sequence
from typing import NamedTuple

from sightline.domains.models import TrackedDomainRow
from sightline.platforms.names import platform_name
from sightline.presentation.changes import format_delta, format_percentage_points, format_places, is_established
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_number, format_signed_count
from sightline.presentation.phrases import METRIC_NAMES
from sightline.scoreboard.check_changes.read import read_check_changes
from sightline.scoreboard.check_changes.schemas import (
    CheckChanges,
    CountChange,
    FigureChange,
    LeadingBrand,
    PlatformSourceChange,
    WinnerChange,
)
from sightline.scoreboard.check_changes.sentences import (
    ChangeStatement,
    describe_headline,
    describe_no_change,
    format_figure_value,
    list_statements,
)
from sightline.scoreboard.schemas import Board
from sightline.scoreboard.subsets.read import FilteredBoard
from sightline.web.page_context import PageContext
from sightline.web.pages.dashboard.change_links import ChangeLinks, CountLink

_MAX_SHOWN = 6
_MAX_NAMED = 3
# Brand Coverage and AI Mentions are one test; the number of answers says it best.
_FIGURES = ("visibility_score", "market_position", "share_of_voice_pct", "citation_count")


class ChangeRow(NamedTuple):
    """One change. `direction` is set for an established change only; `tone` colors those of the brand itself."""

    words: str
    before: str
    now: str
    difference: str
    links: Sequence[CountLink]
    direction: str = ""
    tone: str = ""
    prompt_path: str = ""


class WinnerRow(NamedTuple):
    """A prompt that another brand wins now; each of the two brands with the answers that name it."""

    change: WinnerChange
    path: str
    before: tuple[LeadingBrand, CountLink | None]
    now: tuple[LeadingBrand, CountLink | None]
    answers: CountLink


class SourceRow(NamedTuple):
    """A site that is new or lost on a platform."""

    change: PlatformSourceChange
    platform: str
    answers: CountLink


class WhatChanged(NamedTuple):
    """What the section shows, in its order: what is established, what may be chance, and what did not change."""

    headline: str
    since: CountLink
    until: CountLink
    established: Sequence[ChangeRow]
    more: Sequence[ChangeRow]
    no_change: str
    unclear: Sequence[ChangeRow]
    unclear_words: str
    unchanged: str
    winners: Sequence[WinnerRow]
    sources: Sequence[SourceRow]
    new_sources: CountLink | None
    lost_sources: CountLink | None
    is_exact: bool


async def read_what_changed(ctx: PageContext, domain: TrackedDomainRow, shown: FilteredBoard) -> WhatChanged | None:
    """Return what changed in the Full Check that is shown since the one before it; None until there are two."""
    scan, board = shown.scan, shown.board
    changes = None if scan is None else await read_check_changes(ctx.db, ctx.actor.workspace_id, scan.id)
    if changes is None:
        return None
    competitors = [row.name for row in board.competitors if not row.is_own]
    brand, links = domain.brand_name, ChangeLinks(ctx, changes, competitors)
    rows = [_build_statement(each, links, brand) for each in list_statements(changes, brand)]
    unclear = _list_unclear(changes, links, brand)
    totals = changes.source_answers
    return WhatChanged(
        headline=" ".join(describe_headline(changes, brand)),
        since=links.link_check(changes.against_scan_id, format_short_date(changes.since)),
        until=links.link_check(changes.scan_id, format_short_date(changes.until)),
        established=rows[:_MAX_SHOWN],
        more=rows[_MAX_SHOWN:],
        no_change="" if rows else describe_no_change(changes),
        unclear=unclear,
        unclear_words=_name_some([row.words for row in unclear]),
        unchanged="" if shown.filter.part else "; ".join(_list_unchanged(changes, board, brand)),
        winners=[_build_winner(ctx, each, links, brand) for each in changes.winners],
        sources=[SourceRow(each, platform_name(each.platform), links.link_source(each)) for each in changes.sources],
        new_sources=links.link_sources("new", totals.new) if totals and totals.new else None,
        lost_sources=links.link_sources("lost", totals.lost) if totals and totals.lost else None,
        is_exact=not changes.reasons,
    )


def _build_statement(statement: ChangeStatement, links: ChangeLinks, brand: str) -> ChangeRow:
    row = _build_row(statement.change, links, brand)
    verdict = _find_verdict(statement.change)
    # Whether more mentions of a competitor or citations of a site are good news is not ours to say.
    tone = "" if statement.kind in ("competitor", "source") else verdict
    return row._replace(words=statement.sentence, direction=verdict, tone=tone)


def _find_verdict(change: CountChange | FigureChange) -> str:
    return change.verdict if isinstance(change, CountChange) else change.comparison.verdict


def _build_row(change: CountChange | FigureChange, links: ChangeLinks, brand: str) -> ChangeRow:
    if isinstance(change, FigureChange):
        before, now = (format_figure_value(change.metric, value) for value in (change.before, change.now))
        return ChangeRow(
            gettext(METRIC_NAMES[change.metric]), before, now, _format_difference(change), links.link_figure(change)
        )
    points = format_percentage_points(change.delta, change.low, change.high)
    path = links.ctx.path("prompts", str(change.prompt_id)) if change.prompt_id else ""
    before, now = (
        gettext("%(part)s of %(whole)s", part=format_number(number), whole=format_number(change.total))
        for number in (change.before, change.now)
    )
    return ChangeRow(_name_change(change, brand), before, now, points, links.link_count(change), prompt_path=path)


def _format_difference(change: FigureChange) -> str:
    comparison = change.comparison
    if change.metric == "market_position":
        return format_places(comparison)
    if change.metric == "citation_count":
        delta, low, high = (round(each) for each in (comparison.delta, comparison.low, comparison.high))
        return ngettext(
            "%(delta)s citation (%(low)s to %(high)s)",
            "%(delta)s citations (%(low)s to %(high)s)",
            abs(delta),
            delta=format_signed_count(delta),
            low=format_signed_count(low),
            high=format_signed_count(high),
        )
    return format_delta(change.metric, comparison)


def _name_change(change: CountChange, brand: str) -> str:
    if change.kind == "platform":
        return gettext("%(brand)s on %(platform)s", brand=brand, platform=platform_name(change.subject or ""))
    if change.kind == "lead":
        return gettext("Prompts for which %(brand)s is the brand named most", brand=brand)
    if change.kind == "prompt":
        return gettext("“%(prompt)s”", prompt=change.subject)
    if change.kind == "source":
        return gettext("Answers that cite %(site)s (of those with sources)", site=change.subject)
    return gettext("Answers that name %(brand)s", brand=change.subject or brand)


def _list_unclear(changes: CheckChanges, links: ChangeLinks, brand: str) -> list[ChangeRow]:
    """Return what moved without being established: own figures first, then the largest differences."""
    names = _FIGURES if not changes.reasons else (*_FIGURES, "brand_coverage_pct")
    figures = [
        each
        for each in changes.figures
        if each.metric in names and has_moved(each) and not is_established(each.comparison)
    ]
    moved: list[CountChange | FigureChange] = [*figures, *changes.unclear]
    return [_build_row(each, links, brand) for each in moved]


def has_moved(change: FigureChange) -> bool:
    """Return whether any answer changed the figure. Answers can change without moving a brand in the ranking."""
    found = change.comparison
    if change.metric == "market_position":
        return bool(found.delta) or change.before != change.now
    return bool(found.delta or found.gained or found.lost)


def _list_unchanged(changes: CheckChanges, board: Board, brand: str) -> list[str]:
    """Return what did not move at all: metrics, the brand on platforms, and competitors.

    Platforms and competitors are known only where both checks compare exactly.
    """
    figures = [gettext(METRIC_NAMES[each.metric]) for each in changes.figures if not has_moved(each)]
    found = [join_names(figures)] if figures else []
    if changes.reasons or not changes.figures:
        return found
    moved = {(each.kind, each.subject) for each in (*changes.established, *changes.unclear)}
    platforms = [platform_name(row.platform) for row in board.platforms if ("platform", row.platform) not in moved]
    if platforms:
        found.append(gettext("%(brand)s on %(platform)s", brand=brand, platform=join_names(platforms)))
    names = [row.name for row in board.competitors if not row.is_own and ("competitor", row.name) not in moved]
    if names:
        found.append(gettext("mentions of %(names)s", names=join_names(names)))
    return found


def _name_some(names: Sequence[str]) -> str:
    shown = list(names[:_MAX_NAMED])
    rest = len(names) - len(shown)
    return join_names([*shown, gettext("%(number)s more", number=rest)] if rest else shown)


def _build_winner(ctx: PageContext, change: WinnerChange, links: ChangeLinks, brand: str) -> WinnerRow:
    return WinnerRow(
        change,
        ctx.path("prompts", str(change.prompt_id)),
        (change.before, links.link_winner(change, change.before, brand, is_now=False)),
        (change.now, links.link_winner(change, change.now, brand, is_now=True)),
        links.link_prompt(change),
    )
