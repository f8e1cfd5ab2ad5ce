"""The table of prompts: what is shown of each, which of them, and in which order. The choice is all in the address."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from babel import Locale

from sightline.kit.counting import count
from sightline.metrics.figure import show_number
from sightline.prompts.metrics_period import MetricsPeriod, read_metrics_period
from sightline.prompts.models import PromptRow, VolumeState
from sightline.reports.weekly.sayings import say_country
from sightline.scoreboard.schemas import BoardPrompt
from sightline.web.pages.dashboard.strips import Square, draw_cell, draw_nothing

PAGE = 50
_LONGEST_SEARCH = 200
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_DEMAND: Mapping[VolumeState, str] = {
    "estimated": "",
    "no_estimate": "no estimate",
    "pending": "being looked up",
    "failed": "not available now",
    "unsupported": "market not covered",
    "legacy_unknown": "not known",
}


class PromptLine(msgspec.Struct, frozen=True, kw_only=True):
    row: PromptRow
    squares: tuple[Square, ...]
    market: str
    sentiment: str
    sentiment_basis: str
    demand: str
    named: int
    answered: int
    in_headline: bool
    score: float | None

    @property
    def uncited(self) -> int:
        return self.row.consecutive_uncited


FILTERS: Mapping[str, tuple[str, Callable[[PromptLine], bool]]] = {
    "all": ("All", lambda _: True),
    "pinned": ("Pinned", lambda line: line.row.pinned_at is not None),
    "named": ("Named somewhere", lambda line: line.named > 0),
    "absent": ("Named nowhere", lambda line: line.answered > 0 and line.named == 0),
    "uncited": ("Not cited lately", lambda line: line.uncited > 0),
    "unchecked": ("Not checked yet", lambda line: line.row.last_scanned_at is None),
}
# Each with the way in which it is looked at first: what matters most stands on top.
SORTS: Mapping[str, tuple[str, Callable[[PromptLine], Any], bool]] = {
    "recent": ("Pinned, then newest", lambda line: (line.row.pinned_at is not None, line.row.created_at), True),
    "prompt": ("Prompt", lambda line: line.row.prompt.casefold(), False),
    "named": ("Named most", lambda line: (line.named / line.answered if line.answered else -1.0, line.named), True),
    "sentiment": ("Sentiment", lambda line: -1.0 if line.score is None else line.score, True),
    "demand": ("Demand", lambda line: -1 if line.row.ai_search_volume is None else line.row.ai_search_volume, True),
    "uncited": ("Longest uncited", lambda line: line.uncited, True),
    "checked": ("Last check", lambda line: line.row.last_scanned_at or _LONG_AGO, True),
}


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What the address asks for. What it does not know it takes for the default."""

    q: str = ""
    show: str = "all"
    sort: str = "recent"
    page: int = 1

    def query(self, **changes: object) -> str:
        """`?…` with all that is not the default; another choice begins on the first page."""
        changed = msgspec.structs.replace(self, **{"page": 1, **changes})
        said = {
            name: value for name, value in msgspec.structs.asdict(changed).items() if value != getattr(_DEFAULT, name)
        }
        return f"?{urlencode(said)}" if said else ""


_DEFAULT = View()


def read_view(params: Mapping[str, Any]) -> View:
    page = str(params.get("page", "1"))
    show, sort = str(params.get("show", "all")), str(params.get("sort", "recent"))
    return View(
        q=str(params.get("q", "")).strip()[:_LONGEST_SEARCH],
        show=show if show in FILTERS else "all",
        sort=sort if sort in SORTS else "recent",
        page=int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 5 and int(page) else 1,
    )


def choose_lines(lines: Sequence[PromptLine], view: View) -> list[PromptLine]:
    """Those that the search and the filter leave, in the order asked for."""
    wanted = view.q.casefold()
    _, fits = FILTERS[view.show]
    _, key, descending = SORTS[view.sort]
    found = [line for line in lines if fits(line) and wanted in line.row.prompt.casefold()]
    return sorted(found, key=key, reverse=descending)


def make_lines(
    rows: Sequence[PromptRow], board: Mapping[uuid.UUID, BoardPrompt], platforms: Sequence[str], now: datetime
) -> list[PromptLine]:
    return [_line(row, board.get(row.id), platforms, now) for row in rows]


def _line(row: PromptRow, shown: BoardPrompt | None, platforms: Sequence[str], now: datetime) -> PromptLine:
    cells = {cell.platform: cell for cell in shown.cells} if shown else {}
    period = read_metrics_period(row, now)
    return PromptLine(
        row=row,
        squares=tuple(draw_cell(cells[key]) if key in cells else draw_nothing(key) for key in platforms),
        market=say_market(row),
        sentiment=say_sentiment(period),
        sentiment_basis=count(period.responses_analyzed, "answer") if period.is_current else "",
        demand=say_demand(row),
        named=sum(cell.state == "named" for cell in cells.values()),
        answered=sum(cell.state in {"named", "cited_only", "absent"} for cell in cells.values()),
        in_headline=shown is not None and shown.in_headline,
        score=period.score,
    )


def say_market(row: PromptRow) -> str:
    language = "language not recorded"
    if row.language_code is not None:
        language = str(Locale("en").languages.get(row.language_code, row.language_code))
    return f"{say_country(row.country_iso_2)} · {language}"


def say_sentiment(period: MetricsPeriod) -> str:
    """What the last thirty days say; fewer than three scored answers say nothing."""
    if period.state == "measured" and period.label is not None:
        said = "mixed" if period.mixed else period.label
        return f"{said.capitalize()} {show_number(period.score)}"
    return {"insufficient_data": "too few answers", "expired": "out of date"}.get(period.state, "not measured")


def say_demand(row: PromptRow) -> str:
    if row.ai_search_volume is not None:
        return f"{row.ai_search_volume:,} a month"
    return _DEMAND[row.ai_search_volume_state] or "not known"
