"""The table of prompts: its rows, filters and sort orders. The URL's query holds the selection."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import msgspec
from babel import Locale

from sightline.kit.counting import count
from sightline.metrics.figure import round_value
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_date
from sightline.presentation.phrases import country_name
from sightline.prompts.measures_nothing import measures_nothing
from sightline.prompts.metrics_period import MetricsPeriod, read_metrics_period
from sightline.prompts.models import PromptRow, VolumeState
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scoreboard.history.prompt_changes import PromptChange, PromptChanges
from sightline.scoreboard.schemas import BoardPrompt
from sightline.scoreboard.subsets.filter import ALL_ANSWERS, MeasurementFilter
from sightline.web.pages.dashboard.heat_strips import Square, build_cell_square, build_empty_square

PAGE_SIZE = 40
_MAX_SEARCH_LENGTH = 200
_NEVER = datetime.min.replace(tzinfo=UTC)
_DEMAND_TEXTS: Mapping[VolumeState, str] = {
    "estimated": "",
    "no_estimate": "no estimate",
    "pending": "not looked up yet",
    "failed": "not available now",
    "unsupported": "market not covered",
    "legacy_unknown": "not known",
}


class PromptTableRow(msgspec.Struct, frozen=True, kw_only=True):
    prompt: PromptRow
    squares: tuple[Square, ...]
    market: str
    sentiment: str
    sentiment_basis: str
    demand: str
    named: int
    answered: int
    best: Square | None
    best_position: int | None
    change: PromptChange | None
    branded: bool
    in_headline: bool
    score: float | None
    better_prompt: str | None

    @property
    def balance(self) -> int | None:
        """Return on how many more platforms the brand is named than in the Full Check before."""
        return None if self.change is None else len(self.change.gained) - len(self.change.lost)

    @property
    def uncited(self) -> int:
        return self.prompt.consecutive_uncited

    @property
    def measures_nothing(self) -> bool:
        return measures_nothing(self.prompt)


FILTERS: Mapping[str, tuple[str, Callable[[PromptTableRow], bool]]] = {
    "all": ("All", lambda _: True),
    "pinned": ("Pinned", lambda row: row.prompt.pinned_at is not None),
    "named": ("Named somewhere", lambda row: row.named > 0),
    "absent": ("Not mentioned", lambda row: row.answered > 0 and row.named == 0),
    "uncited": ("Not cited lately", lambda row: row.uncited > 0),
    "branded": ("Branded", lambda row: row.branded),
    "nothing": ("Measures nothing", lambda row: row.measures_nothing),
    "unchecked": ("Not checked yet", lambda row: row.prompt.last_scanned_at is None),
}
# Title, sort key, and whether the order is descending.
SORTS: Mapping[str, tuple[str, Callable[[PromptTableRow], Any], bool]] = {
    "recent": ("Pinned, then newest", lambda row: (row.prompt.pinned_at is not None, row.prompt.created_at), True),
    "prompt": ("Prompt", lambda row: row.prompt.prompt.casefold(), False),
    "named": ("Named most", lambda row: (row.named / row.answered if row.answered else -1.0, row.named), True),
    "change": ("Change", lambda row: -99 if row.balance is None else row.balance, True),
    "position": ("Best position", lambda row: row.best_position or 999, False),
    "sentiment": ("Sentiment", lambda row: -1.0 if row.score is None else row.score, True),
    "demand": ("Demand", lambda row: -1 if row.prompt.ai_search_volume is None else row.prompt.ai_search_volume, True),
    "uncited": ("Longest uncited", lambda row: row.uncited, True),
    "checked": ("Last check", lambda row: row.prompt.last_scanned_at or _NEVER, True),
}


class PromptListQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Search, selection, sort order and page of the prompt table, and the filter of all measuring pages.

    Unknown values fall back to the defaults.
    """

    q: str = ""
    show: str = "all"
    sort: str = "recent"
    page: int = 1
    filter: MeasurementFilter = ALL_ANSWERS

    @property
    def values(self) -> dict[str, str]:
        """Return everything that is not the default, as the parameters of an address."""
        own = {
            name: str(getattr(self, name)) for name in _OWN_PARAMETERS if getattr(self, name) != getattr(_DEFAULT, name)
        }
        return {**own, **self.filter.values}

    def to_url(self, *, tag: str | None = None, **changes: object) -> str:
        """Return `?…` with everything that is not the default; a change starts on the first page."""
        wanted = self.filter if tag is None else msgspec.structs.replace(self.filter, tag=tag)
        values = msgspec.structs.replace(self, **{"page": 1, **changes, "filter": wanted}).values
        return f"?{urlencode(values)}" if values else ""

    def includes(self, prompt: PromptRow) -> bool:
        """Return whether the prompt is of the chosen country, language and tag."""
        return (
            self.filter.country in ("", prompt.country_iso_2 or "global")
            and self.filter.language in ("", prompt.language_code)
            and (not self.filter.tag or self.filter.tag in prompt.tags)
        )


_OWN_PARAMETERS = ("q", "show", "sort", "page")
_DEFAULT = PromptListQuery()


def read_query(params: Mapping[str, Any]) -> PromptListQuery:
    number = str(params.get("page", "1"))
    show, sort = str(params.get("show", "all")), str(params.get("sort", "recent"))
    return PromptListQuery(
        q=str(params.get("q", "")).strip()[:_MAX_SEARCH_LENGTH],
        show=show if show in FILTERS else "all",
        sort=sort if sort in SORTS else "recent",
        page=int(number) if number.isascii() and number.isdigit() and 0 < len(number) < 5 and int(number) else 1,
        filter=MeasurementFilter.parse(params)[0],
    )


def select_rows(rows: Sequence[PromptTableRow], query: PromptListQuery) -> list[PromptTableRow]:
    """Return the rows that match the search and the filter, sorted."""
    search = query.q.casefold()
    _, matches = FILTERS[query.show]
    _, key, descending = SORTS[query.sort]
    found = [
        row for row in rows if matches(row) and search in row.prompt.prompt.casefold() and query.includes(row.prompt)
    ]
    return sorted(found, key=key, reverse=descending)


def build_rows(
    prompts: Sequence[PromptRow],
    board: Mapping[uuid.UUID, BoardPrompt],
    platforms: Sequence[str],
    better_prompts: Mapping[uuid.UUID, str],
    changes: PromptChanges | None,
    now: datetime,
) -> list[PromptTableRow]:
    by_prompt = changes.by_prompt if changes else {}
    return [
        _build_row(
            prompt, board.get(prompt.id), platforms, better_prompts.get(prompt.id), by_prompt.get(prompt.id), now
        )
        for prompt in prompts
    ]


def _build_row(
    prompt: PromptRow,
    measured: BoardPrompt | None,
    platforms: Sequence[str],
    better_prompt: str | None,
    change: PromptChange | None,
    now: datetime,
) -> PromptTableRow:
    cells = {cell.platform: cell for cell in measured.cells} if measured else {}
    period = read_metrics_period(prompt, now)
    places = [cell for cell in cells.values() if cell.state == "named" and cell.position is not None]
    best = min(places, key=lambda cell: cell.position or 0, default=None)
    return PromptTableRow(
        prompt=prompt,
        squares=tuple(build_cell_square(cells[key]) if key in cells else build_empty_square(key) for key in platforms),
        market=describe_market(prompt),
        sentiment=describe_sentiment(period),
        sentiment_basis=count(period.responses_analyzed, "answer") if period.is_current else "",
        demand=describe_demand(prompt),
        named=sum(cell.state == "named" for cell in cells.values()),
        answered=sum(cell.state in {"named", "cited_only", "absent"} for cell in cells.values()),
        best=None if best is None else build_cell_square(best),
        best_position=None if best is None else best.position,
        change=change,
        branded=measured is not None and measured.branded,
        in_headline=measured is not None and measured.in_headline,
        score=period.score,
        better_prompt=better_prompt,
    )


def describe_change(change: PromptChange, changes: PromptChanges) -> str:
    """Return a change of one prompt as a sentence, with the two checks that it compares."""
    parts = [
        f"{verb} on {', '.join(map(platform_name, platforms))}"
        for verb, platforms in (("Gained", change.gained), ("Lost", change.lost))
        if platforms
    ]
    days = f"{format_short_date(changes.now)} against {format_short_date(changes.before)}"
    return f"{'; '.join(parts) or 'The same platforms name the brand'}. {SCOPE_LABELS[changes.scope]} of {days}"


def describe_market(prompt: PromptRow) -> str:
    language = "language not recorded"
    if prompt.language_code is not None:
        language = str(Locale("en").languages.get(prompt.language_code, prompt.language_code))
    return f"{country_name(prompt.country_iso_2)} · {language}"


def describe_sentiment(period: MetricsPeriod) -> str:
    """Return the sentiment of the last thirty days as a phrase; fewer than three scored answers are too few."""
    if period.state == "measured" and period.label is not None:
        label = "mixed" if period.mixed else period.label
        return f"{label.capitalize()} {round_value(period.score)}"
    return {"insufficient_data": "too few scored answers", "expired": "out of date"}.get(period.state, "not measured")


def describe_demand(prompt: PromptRow) -> str:
    if prompt.ai_search_volume is not None:
        return f"{prompt.ai_search_volume:,} a month"
    return _DEMAND_TEXTS[prompt.ai_search_volume_state] or "not known"
