"""The tables of the Overview: competitors with how they changed, and cited sites by their type."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sightline.presentation.changes import VERDICT_WORDS, is_established
from sightline.presentation.numbers import format_number
from sightline.scans.schemas.results import CompetitorResult, SourceResult
from sightline.scoreboard.history.trend import PastFullCheck
from sightline.scoreboard.schemas import Board
from sightline.web.pages.dashboard.sources import SOURCE_TYPES

_MOST_RIVALS = 8


class CompetitorRow(NamedTuple):
    """`tone` only where a change is established."""

    row: CompetitorResult
    verdict: str
    was: str
    tone: str


class SourceTypeRow(NamedTuple):
    key: str
    name: str
    sites: int
    pages: int
    share: float
    """Of the type with the most pages."""


def list_competitor_rows(board: Board, past: Sequence[PastFullCheck]) -> list[CompetitorRow]:
    """The first of the ranking, and the brand itself wherever it stands."""
    before = {row.name: row for row in past[-2].board.competitors} if len(past) > 1 else {}
    shown = [row for place, row in enumerate(board.competitors) if place < _MOST_RIVALS or row.is_own]
    return [_compare(row, before.get(row.name), board) for row in shown]


def _compare(row: CompetitorResult, before: CompetitorResult | None, board: Board) -> CompetitorRow:
    was = "" if before is None or before.score.value is None else f"was {format_number(before.score.value)}"
    if row.is_own:
        change = board.headline.visibility_score.comparison
        if change is None:
            return CompetitorRow(row, "", was, "")
        return CompetitorRow(row, VERDICT_WORDS[change.verdict], was, change.verdict if is_established(change) else "")
    return CompetitorRow(row, _judge(row, before), was, "")


def _judge(row: CompetitorResult, before: CompetitorResult | None) -> str:
    """Competitors have no matched test, so only intervals that lie apart are called a change."""
    if before is None or None in {row.score.low, row.score.high, before.score.low, before.score.high}:
        return ""
    if row.score.low > before.score.high:  # type: ignore[operator]
        return VERDICT_WORDS["up"]
    return VERDICT_WORDS["down" if row.score.high < before.score.low else "no_clear_change"]  # type: ignore[operator]


def list_source_types(rows: Sequence[SourceResult]) -> list[SourceTypeRow]:
    """The most cited type first."""
    sites, pages = Counter(row.type for row in rows), Counter[str]()
    for row in rows:
        pages[row.type] += row.urls
    most = max(pages.values(), default=1) or 1
    ordered = sorted(sites, key=lambda key: (-pages[key], key))
    return [SourceTypeRow(key, SOURCE_TYPES[key], sites[key], pages[key], pages[key] / most) for key in ordered]
