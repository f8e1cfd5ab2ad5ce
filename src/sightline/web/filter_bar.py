"""The filter bar of measuring pages: the filter in the address, what it can be set to, and the board it asks for.

`docs/contribute/where-things-are.md` shows how a page uses it; `app/components.html` renders it.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple
from urllib.parse import urlencode

import msgspec

from sightline.metrics.spot_check import MIN_REPEATS
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date, format_short_date
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.phrases import country_name, language_name
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scoreboard.completed_scans import uncited_platforms
from sightline.scoreboard.subsets.choices import FilterChoices, read_choices
from sightline.scoreboard.subsets.filter import DEFAULT_PERIOD, PERIODS, PREVIOUS_PERIOD, DatedFilter, MeasurementFilter
from sightline.scoreboard.subsets.read import FilteredBoard, read_filtered_board
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest

MIN_ANSWERS = MIN_REPEATS
"""With fewer answers the range is at least 49 points wide, whatever they say (metrics 7)."""


class Choice(NamedTuple):
    """A field of the bar: its parameter, its label, the words for no choice, and the values with their words."""

    name: str
    label: str
    all: str
    values: Sequence[tuple[str, str]]
    covers_all: bool = True
    """Every prompt has one of the values, so that a single value leaves nothing to choose."""

    @property
    def is_offered(self) -> bool:
        return len(self.values) > (1 if self.covers_all else 0)

    def name_value(self, value: str) -> str:
        """Return the words for a value, or for no choice."""
        return dict(self.values).get(value, value) if value else self.all


class FilterBar(msgspec.Struct, frozen=True, kw_only=True):
    """The filter of one page, and everything that its template writes about it."""

    path: str
    filter: MeasurementFilter
    choices: Sequence[Choice]
    kept: Mapping[str, str]
    """Parameters of the page itself, such as its sort order, which a change of the filter keeps."""
    faults: Sequence[str] = ()
    """Sentences about values in the address that could not be applied."""
    no_period: str = ""
    """What the page shows without a period, in words, where that is not the default one."""
    notes: Sequence[str] = ()
    """Sentences about what the filter means here, such as that a part is too small."""

    @property
    def periods(self) -> list[tuple[str, str, bool]]:
        """Return the address and the label of each preset period, and whether it is chosen."""
        default = "" if self.no_period else DEFAULT_PERIOD
        chosen = None if self.filter.since or self.filter.until else self.filter.period or default
        presets = {"": self.no_period, **PERIODS} if self.no_period else PERIODS
        return [
            (self.query(period="" if key == default else key, since="", until=""), gettext(words), key == chosen)
            for key, words in presets.items()
        ]

    @property
    def has_period(self) -> bool:
        return bool(self.filter.since or self.filter.until or self.filter.period)

    @property
    def period_words(self) -> str:
        """Return the period in words: its days, or the name of a preset one."""
        days = [format_short_date(date.fromisoformat(day)) for day in (self.filter.since, self.filter.until) if day]
        if self.filter.since and self.filter.until:
            return "\u2013".join(days)
        if self.filter.since:
            return gettext("From %(day)s", day=days[0])
        if self.filter.until:
            return gettext("Until %(day)s", day=days[0])
        if not self.filter.period and self.no_period:
            return self.no_period
        return gettext(PERIODS[self.filter.period or DEFAULT_PERIOD])

    def without(self, *names: str) -> dict[str, str]:
        """Return the parameters of this page without those that a form sets."""
        return {name: value for name, value in {**self.kept, **self.filter.values}.items() if name not in names}

    @property
    def count(self) -> int:
        """Return how many fields are set."""
        return len(self.filter.values)

    @property
    def carried(self) -> str:
        """Return the query string that takes the filter to another measuring page."""
        return self.filter.to_query()

    @property
    def cleared(self) -> str:
        """Return the query string of this page without the filter."""
        return f"?{urlencode(self.kept)}" if self.kept else ""

    def query(self, **changes: str) -> str:
        """Return the query string of this page, with some changes to the filter or to its own parameters."""
        values = {**self.kept, **self.filter.values, **changes}
        return f"?{urlencode({name: value for name, value in values.items() if value})}"

    def ignoring(self, *names: str, why: str) -> "FilterBar":
        """Return the bar with a sentence that says which of the set fields do not apply here, and why."""
        labels = {each.name: each.label for each in self.choices}
        ignored = list(
            dict.fromkeys(labels.get(name, gettext("Period")) for name in names if name in self.filter.values)
        )
        if not ignored:
            return self
        fields = ", ".join(ignored)
        return self.with_notes(gettext("Does not apply here: %(fields)s.", fields=fields) + f" {why}")

    def with_notes(self, *notes: str) -> "FilterBar":
        """Return the bar with more sentences below it."""
        return msgspec.structs.replace(self, notes=(*self.notes, *notes))


async def open_filter_bar(
    request: PageRequest,
    ctx: PageContext,
    *segments: str,
    keep: Sequence[str] = (),
    no_period: str = "",
    is_historic: bool = False,
) -> FilterBar:
    """Read the filter of a page's address. What the domain does not have is left out, and the bar says so.

    `segments` are the page's path below the domain, `keep` its own parameters, which the bar carries along. A page
    that `is_historic` may ask for what only earlier checks had.
    """
    return await build_filter_bar(
        ctx, request.query_params, *segments, keep=keep, no_period=no_period, is_historic=is_historic
    )


async def build_filter_bar(
    ctx: PageContext,
    params: Mapping[str, str],
    *segments: str,
    keep: Sequence[str] = (),
    no_period: str = "",
    is_historic: bool = False,
) -> FilterBar:
    """Build the bar from the parameters of a page; see `open_filter_bar`."""
    assert ctx.domain is not None
    parsed, malformed = MeasurementFilter.parse(params)
    choices = await read_choices(ctx.db, ctx.actor.workspace_id, ctx.domain, parsed)
    wanted, unknown = (parsed, ()) if is_historic else choices.refuse_unknown(parsed)
    return FilterBar(
        path=ctx.path(*segments),
        filter=wanted,
        choices=_list_choices(choices),
        kept={name: params[name] for name in keep if params.get(name)},
        no_period=no_period,
        faults=(*malformed, *unknown),
    )


def _list_choices(choices: FilterChoices) -> list[Choice]:
    checks = [
        (str(check.id), f"{gettext(SCOPE_LABELS[check.scope])}, {format_date(check.completed_at)}")
        for check in choices.checks
    ]
    countries = [(code, country_name(None if code == "global" else code)) for code in choices.countries]
    return [
        Choice(
            "against",
            gettext("Compared with"),
            gettext("vs previous check"),
            [(PREVIOUS_PERIOD, gettext("vs previous period")), *checks],
        ),
        Choice(
            "platform",
            gettext("Platform"),
            gettext("All platforms"),
            [(key, platform_name(key)) for key in choices.platforms],
        ),
        Choice("country", gettext("Country"), gettext("All countries"), countries),
        Choice(
            "language",
            gettext("Language"),
            gettext("All languages"),
            [(code, language_name(code)) for code in choices.languages],
        ),
        Choice("tag", gettext("Tag"), gettext("All tags"), [(tag, tag) for tag in choices.tags], covers_all=False),
    ]


async def read_bar_board(
    ctx: PageContext, bar: FilterBar, *, without_later: bool = False
) -> tuple[FilteredBoard, FilterBar]:
    """Return the board that the bar asks for, and the bar with notes about that board."""
    assert ctx.domain is not None
    found = await read_filtered_board(
        ctx.db,
        ctx.actor.workspace_id,
        ctx.domain,
        DatedFilter(bar.filter, bar.filter.find_period(ctx.now), without_later),
        uncited=uncited_platforms(ctx.app_context.settings),
    )
    return found, bar.with_notes(*found.faults, *describe_board(found))


def explain_period(bar: FilterBar, shown: FilteredBoard) -> FilterBar:
    """Return the bar of a page without a trend. A note says so if the reader chose a period that changes nothing."""
    if not bar.filter.period or shown.scan is None or shown.is_past or bar.filter.against == PREVIOUS_PERIOD:
        return bar
    return bar.with_notes(
        gettext("This page shows the latest results. To see an earlier Full Check, set “To” in the filter to its date.")
    )


def describe_part(wanted: MeasurementFilter) -> str:
    """Describe the part of the answers in words, such as "on ChatGPT, Germany"; empty for all answers."""
    parts = []
    if wanted.platform:
        parts.append(gettext("on %(platform)s", platform=platform_name(wanted.platform)))
    if wanted.country:
        parts.append(country_name(None if wanted.country == "global" else wanted.country))
    if wanted.language:
        parts.append(gettext("in %(language)s", language=language_name(wanted.language)))
    if wanted.tag:
        parts.append(gettext("prompts tagged “%(tag)s”", tag=wanted.tag))
    return ", ".join(parts)


def describe_board(found: FilteredBoard) -> list[str]:
    """Say which check an earlier period shows, and that a part is too small to say anything."""
    notes = []
    if found.filter.until and found.is_past and found.scan is not None and found.scan.completed_at is not None:
        day = format_date(found.scan.completed_at)
        notes.append(gettext("Shows the Full Check of %(day)s only, without later checks.", day=day))
    if found.is_expired and not found.filter.part:
        notes.append(
            gettext(
                "The answers of this Full Check are no longer stored. Its figures remain, but you cannot open "
                "their answers."
            )
        )
    n = found.board.headline.brand_coverage_pct.n
    if found.filter.part and found.scan is not None and n < MIN_ANSWERS:
        notes.append(_describe_few(n))
    return notes


def _describe_few(n: int) -> str:
    if n == 0:
        return gettext("No answers match this filter.")
    return ngettext(
        "Only %(num)s answer matches this filter. At least %(needed)s are needed for a reliable figure.",
        "Only %(num)s answers match this filter. At least %(needed)s are needed for a reliable figure.",
        n,
        needed=MIN_ANSWERS,
    )
