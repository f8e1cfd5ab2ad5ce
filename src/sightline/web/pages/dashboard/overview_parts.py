"""The tables of the Overview: competitors with how they changed, and cited sites by their type."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sightline.metrics.compare import Verdict
from sightline.presentation.changes import VERDICT_WORDS, format_verdict, is_established
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number
from sightline.presentation.source_types import name_source_type
from sightline.scans.schemas.results import CompetitorResult, SourceResult
from sightline.scoreboard.history.trend import PastFullCheck
from sightline.scoreboard.schemas import Board

_MAX_COMPETITORS = 8


class ComparedCompetitor(NamedTuple):
    """A row of the ranking and how it changed. `tone` is set for an established change only."""

    row: CompetitorResult
    verdict: str
    was: str
    tone: str


class SourceTypeRow(NamedTuple):
    """The cited sites of one type. `share` is relative to the type with the most pages."""

    key: str
    name: str
    sites: int
    pages: int
    share: float


def list_competitor_rows(board: Board, past: Sequence[PastFullCheck]) -> list[ComparedCompetitor]:
    """Return the top of the ranking, and the brand itself at whatever position."""
    before = {row.name: row for row in past[-2].board.competitors} if len(past) > 1 else {}
    shown = [row for place, row in enumerate(board.competitors) if place < _MAX_COMPETITORS or row.is_own]
    return [_compare(row, before.get(row.name), board) for row in shown]


def _compare(row: CompetitorResult, before: CompetitorResult | None, board: Board) -> ComparedCompetitor:
    was = (
        ""
        if before is None or before.score.value is None
        else gettext("was %(value)s", value=format_number(before.score.value))
    )
    if row.is_own:
        change = board.headline.visibility_score.comparison
        if change is None:
            return ComparedCompetitor(row, "", was, "")
        return ComparedCompetitor(row, format_verdict(change), was, change.verdict if is_established(change) else "")
    return ComparedCompetitor(row, _describe_competitor_change(row, before), was, "")


def _describe_competitor_change(row: CompetitorResult, before: CompetitorResult | None) -> str:
    """Return the verdict on a competitor.

    Competitors have no paired test, so only intervals that do not overlap count as a change.
    """
    if before is None or None in {row.score.low, row.score.high, before.score.low, before.score.high}:
        return ""
    verdict: Verdict = "no_clear_change"
    if row.score.low > before.score.high:  # type: ignore[operator]
        verdict = "up"
    elif row.score.high < before.score.low:  # type: ignore[operator]
        verdict = "down"
    return gettext(VERDICT_WORDS[verdict])


def list_source_types(rows: Sequence[SourceResult]) -> list[SourceTypeRow]:
    """Return the types of cited sites, the most cited first."""
    sites, pages = Counter(row.type for row in rows), Counter[str]()
    for row in rows:
        pages[row.type] += row.urls
    most = max(pages.values(), default=1) or 1
    ordered = sorted(sites, key=lambda key: (-pages[key], key))
    return [SourceTypeRow(key, name_source_type(key), sites[key], pages[key], pages[key] / most) for key in ordered]
