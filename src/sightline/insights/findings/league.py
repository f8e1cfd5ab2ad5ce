"""The league: the brands by a figure, each with its place, its range, and what the findings say about it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from markupsafe import Markup

from sightline.insights.findings.chips import FindingChip, build_chip, find_about
from sightline.insights.findings.schemas import Finding
from sightline.metrics.figure import Figure, Number
from sightline.presentation.charts.small_charts import draw_range
from sightline.presentation.language import gettext
from sightline.presentation.numbers import NOT_MEASURED, add_unit
from sightline.presentation.palette import LIGHT
from sightline.presentation.ranges import format_range
from sightline.scans.schemas.results import CompetitorResult
from sightline.scoreboard.breakdowns.read import to_share_figure

MAX_ROWS = 6


class LeagueRow(NamedTuple):
    """One brand. `tone` is `own`, `move` for a competitor with a clear change, or empty."""

    name: str
    place: str
    value: str
    range: str
    drawing: Markup
    tone: str
    chip: FindingChip | None
    verdict: str
    answers: int | None
    """The number of answers that name it; None without a valid answer."""


class League(NamedTuple):
    rows: Sequence[LeagueRow]
    total: int
    ranges: str
    """What the ranges mean, in words; empty where there are none."""
    top: str
    """The upper end of the scale."""


class _Value(NamedTuple):
    value: Number | None
    ends: tuple[Number, Number] | None


def build_league(
    competitors: Sequence[CompetitorResult],
    metric: str,
    findings: Sequence[Finding] = (),
    *,
    quiet: str = "",
    own_quiet: str = "",
    limit: int = MAX_ROWS,
) -> League:
    """Build the rows: the first of the ranking, and the brand itself at whatever place.

    `findings` are about all answers that the figures are from. A brand without one gets `quiet`, or `own_quiet`.
    """
    ranking = _rank(competitors, metric)
    has_market = all(row.score.market is not None for row in competitors)
    kept = [row for place, row in enumerate(ranking) if place < limit - 1 or row.is_own][:limit]
    values = {row.name: _find_value(row, metric, has_market=has_market) for row in kept}
    unit = "" if metric == "visibility_score" else "%"
    top = _find_top(values.values())
    rows = []
    for row in kept:
        found = find_about(findings, None if row.is_own else row.name)
        chip = None if found is None else build_chip(found, with_competitor=False)
        verdict = "" if chip else own_quiet if row.is_own else quiet
        rows.append(_build_row(row, values[row.name], chip, verdict, unit=unit, top=top))
    return League(rows, len(ranking), _describe_ranges(metric, has_market=has_market), add_unit(str(top), unit))


def _rank(competitors: Sequence[CompetitorResult], metric: str) -> list[CompetitorResult]:
    if metric == "visibility_score":
        return list(competitors)
    return sorted(competitors, key=lambda row: -(row.mentions or 0))  # keeps the ranking where mentions tie


def _find_value(row: CompetitorResult, metric: str, *, has_market: bool) -> _Value:
    if metric == "share_of_voice_pct":
        return _Value(row.share_of_voice_pct, None)
    if metric == "brand_coverage_pct":
        return _with_range(to_share_figure(row.mentions or 0, row.score.n))
    market = row.score.market if has_market else None
    return _with_range(row.score) if market is None else _Value(row.score.value, (market.low, market.high))


def _with_range(figure: Figure) -> _Value:
    ends = None if figure.low is None or figure.high is None else (figure.low, figure.high)
    return _Value(figure.value, ends)


def _find_top(values: Iterable[_Value]) -> int:
    """Return the upper end of the scale: 100, or 50 where all brands are below."""
    ends = [max(each.ends or (each.value or 0,)) for each in values]
    return 50 if max(ends, default=0) <= 50 else 100


def _build_row(
    row: CompetitorResult, value: _Value, chip: FindingChip | None, verdict: str, *, unit: str, top: int
) -> LeagueRow:
    tone = "own" if row.is_own else "move" if chip and chip.tone == "move" else ""
    color = {"own": LIGHT.own, "move": LIGHT.move}.get(tone, LIGHT.other)
    return LeagueRow(
        name=row.name,
        place=NOT_MEASURED if row.position is None else format_range(row.position_low, row.position_high),
        value=NOT_MEASURED if value.value is None else add_unit(str(round(value.value)), unit),
        range=add_unit(format_range(*value.ends), unit) if value.ends else "",
        drawing=Markup("") if value.value is None else draw_range(value.value, value.ends, color, top=top),
        tone=tone,
        chip=chip,
        verdict=verdict,
        answers=row.mentions,
    )


def _describe_ranges(metric: str, *, has_market: bool) -> str:
    if metric == "share_of_voice_pct":
        return ""
    if metric == "visibility_score" and has_market:
        return gettext("range for questions like these")
    return gettext("range for these prompts")
