"""The table of prompts: its rows, filters and sort orders. The URL's query holds the selection."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import msgspec

from sightline.metrics.figure import round_value
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, translatable
from sightline.presentation.lists import join_names
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import count_answers, country_name, language_name
from sightline.prompts.measures_nothing import measures_nothing
from sightline.prompts.metrics_period import MetricsPeriod, read_metrics_period
from sightline.prompts.models import PromptRow, VolumeState
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scoreboard.history.prompt_changes import PromptChange, PromptChanges
from sightline.scoreboard.schemas import BoardCell, BoardPrompt
from sightline.scoreboard.subsets.filter import ALL_ANSWERS, MeasurementFilter
from sightline.web.pages.dashboard.heat_strips import Square
from sightline.web.pages.dashboard.prompt_map import build_squares

PAGE_SIZE = 30
_MAX_SEARCH_LENGTH = 200
_NEVER = datetime.min.replace(tzinfo=UTC)
_DEMAND_TEXTS: Mapping[VolumeState, str] = {
    "estimated": translatable("unknown"),
    "no_estimate": translatable("no estimate"),
    "pending": translatable("not looked up yet"),
    "failed": translatable("currently not available"),
    "unsupported": translatable("market not covered"),
    "legacy_unknown": translatable("unknown"),
}
_SENTIMENT_TEXTS = {
    "positive": translatable("Positive"),
    "neutral": translatable("Neutral"),
    "negative": translatable("Negative"),
    "mixed": translatable("Mixed"),
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
    best: BoardCell | None
    change: PromptChange | None
    branded: bool
    in_headline: bool
    score: float | None

    @property
    def balance(self) -> int | None:
        """Return on how many more platforms the brand is named than in the Full Check before."""
        return None if self.change is None else len(self.change.gained) - len(self.change.lost)

    @property
    def best_position(self) -> int | None:
        return None if self.best is None else self.best.position

    @property
    def uncited(self) -> int:
        return self.prompt.consecutive_uncited

    @property
    def measures_nothing(self) -> bool:
        return measures_nothing(self.prompt)


FILTERS: Mapping[str, tuple[str, Callable[[PromptTableRow], bool]]] = {
    "all": (translatable("All"), lambda _: True),
    "pinned": (translatable("Pinned"), lambda row: row.prompt.pinned_at is not None),
    "named": (translatable("Named"), lambda row: row.named > 0),
    "absent": (translatable("Not named"), lambda row: row.answered > 0 and row.named == 0),
    "uncited": (translatable("Not cited"), lambda row: row.uncited > 0),
    "branded": (translatable("Prompt names %(brand)s"), lambda row: row.branded),
    "nothing": (translatable("Answers name no brand"), lambda row: row.measures_nothing),
    "unchecked": (translatable("Not checked yet"), lambda row: row.prompt.last_scanned_at is None),
}
# Title, sort key, and whether the order is descending.
SORTS: Mapping[str, tuple[str, Callable[[PromptTableRow], Any], bool]] = {
    "recent": (
        translatable("Pinned, then newest"),
        lambda row: (row.prompt.pinned_at is not None, row.prompt.created_at),
        True,
    ),
    "prompt": (translatable("Prompt"), lambda row: row.prompt.prompt.casefold(), False),
    "named": (
        translatable("Named most often"),
        lambda row: (row.named / row.answered if row.answered else -1.0, row.named),
        True,
    ),
    "change": (
        translatable("Platforms gained and lost"),
        lambda row: -99 if row.balance is None else row.balance,
        True,
    ),
    "position": (translatable("Best position"), lambda row: row.best_position or 999, False),
    "sentiment": (translatable("Sentiment"), lambda row: -1.0 if row.score is None else row.score, True),
    "demand": (
        translatable("Demand"),
        lambda row: -1 if row.prompt.ai_search_volume is None else row.prompt.ai_search_volume,
        True,
    ),
    "uncited": (translatable("Most checks without a citation"), lambda row: row.uncited, True),
    "checked": (translatable("Last check"), lambda row: row.prompt.last_scanned_at or _NEVER, True),
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
    changes: PromptChanges | None,
    now: datetime,
) -> list[PromptTableRow]:
    by_prompt = changes.by_prompt if changes else {}
    return [_build_row(prompt, board.get(prompt.id), platforms, by_prompt.get(prompt.id), now) for prompt in prompts]


def _build_row(
    prompt: PromptRow,
    measured: BoardPrompt | None,
    platforms: Sequence[str],
    change: PromptChange | None,
    now: datetime,
) -> PromptTableRow:
    cells = {cell.platform: cell for cell in measured.cells} if measured else {}
    period = read_metrics_period(prompt, now)
    places = [cell for cell in cells.values() if cell.state == "named" and cell.position is not None]
    best = min(places, key=lambda cell: cell.position or 0, default=None)
    return PromptTableRow(
        prompt=prompt,
        squares=tuple(build_squares(prompt.id, measured, change, platforms)),
        market=describe_market(prompt),
        sentiment=describe_sentiment(period),
        sentiment_basis=_describe_sentiment_basis(period) if period.is_current else "",
        demand=describe_demand(prompt),
        named=sum(cell.state == "named" for cell in cells.values()),
        answered=sum(cell.state in {"named", "cited_only", "absent"} for cell in cells.values()),
        best=best,
        change=change,
        branded=measured is not None and measured.branded,
        in_headline=measured is not None and measured.in_headline,
        score=period.score,
    )


def describe_change(change: PromptChange, changes: PromptChanges) -> str:
    """Return a change of one prompt in sentences, with the two checks that it compares."""
    sentences = []
    if change.gained:
        sentences.append(gettext("Newly named on %(platforms)s.", platforms=_name_platforms(change.gained)))
    if change.lost:
        sentences.append(gettext("No longer named on %(platforms)s.", platforms=_name_platforms(change.lost)))
    same = gettext("Named on the same platforms as before.")
    return " ".join([*(sentences or [same]), describe_compared(changes)])


def describe_compared(changes: PromptChanges) -> str:
    """Return which two checks are compared."""
    return gettext(
        "%(check)s of %(now)s compared with %(before)s.",
        check=gettext(SCOPE_LABELS[changes.scope]),
        now=format_short_date(changes.now),
        before=format_short_date(changes.before),
    )


def _name_platforms(keys: Sequence[str]) -> str:
    return join_names([platform_name(key) for key in keys])


def describe_market(prompt: PromptRow) -> str:
    language = gettext("language unknown") if prompt.language_code is None else language_name(prompt.language_code)
    return f"{country_name(prompt.country_iso_2)} · {language}"


def describe_sentiment(period: MetricsPeriod) -> str:
    """Return the sentiment of the last thirty days as a phrase; fewer than three scored answers are too few."""
    if period.state == "measured" and period.label is not None:
        key = "mixed" if period.mixed else period.label
        return f"{gettext(_SENTIMENT_TEXTS[key])} {format_number(round_value(period.score))}"
    if period.state == "insufficient_data":
        return gettext("too few scored answers")
    return gettext("out of date") if period.state == "expired" else gettext("not measured")


def _describe_sentiment_basis(period: MetricsPeriod) -> str:
    return gettext("%(answers)s in 30 days", answers=count_answers(period.responses_analyzed))


def describe_demand(prompt: PromptRow) -> str:
    if prompt.ai_search_volume is not None:
        return gettext("%(number)s per month", number=format_number(prompt.ai_search_volume))
    return gettext(_DEMAND_TEXTS[prompt.ai_search_volume_state])
