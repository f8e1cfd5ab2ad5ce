"""One prompt over time: what every platform said in every check, and how steady that is."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from litestar import Response
from litestar.params import FromPath

from sightline.kit.counting import count
from sightline.kit.ids import parse_id
from sightline.metrics.citations import measure_citation_rate
from sightline.metrics.coverage import measure_coverage
from sightline.metrics.figure import Figure, show_measure
from sightline.metrics.measure import Measure
from sightline.metrics.stability import measure_stability
from sightline.metrics.visibility import measure_visibility
from sightline.platforms.catalog import PLATFORMS
from sightline.prompts.metrics_period import PERIOD, read_metrics_period
from sightline.prompts.models import PromptRow
from sightline.prompts.read import read_prompt
from sightline.reports.words import platform_name
from sightline.scans.schemas.scan import LABELS
from sightline.scoreboard.history.prompt_history import read_prompt_history
from sightline.scoreboard.models import CellFacts, PromptScanRow, decode_facts
from sightline.web.layout import render_page
from sightline.web.page_context import open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.prompt_list import say_demand, say_market, say_sentiment
from sightline.web.pages.dashboard.prompts import DONE
from sightline.web.pages.dashboard.strips import LEGEND, Square, draw_facts, draw_nothing
from sightline.web.pages.dashboard.words import say_time
from sightline.web.routing import page

# As many checks as thirty days can hold, and as many columns as a page can carry.
_MOST_CHECKS = 64
_MOST_COLUMNS = 32


class Column(NamedTuple):
    """One check of the strip."""

    check: PromptScanRow
    cells: dict[str, CellFacts]


class Card(NamedTuple):
    name: str
    figure: Figure
    unit: str
    basis: str
    chips: list[str]


@page("/w/{workspace:str}/d/{domain:str}/prompts/{prompt_id:str}")
async def prompt(
    request: PageRequest, workspace: FromPath[str], domain: FromPath[str], prompt_id: FromPath[str]
) -> Response[str]:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, workspace_id, now = ctx.db, ctx.actor.workspace_id, ctx.now
    row = await read_prompt(db, workspace_id, ctx.domain.id, parse_id(prompt_id))
    known = _decode(await read_prompt_history(db, workspace_id, ctx.domain.id, row.id, limit=_MOST_CHECKS))
    columns, full = known[-_MOST_COLUMNS:], request.query_params.get("checks") == "full"
    if full:
        checks = await read_prompt_history(
            db, workspace_id, ctx.domain.id, row.id, limit=_MOST_COLUMNS, scope="full_check"
        )
        columns = _decode(checks)
    asked = {key for column in (*known, *columns) for key in column.cells}
    platforms = [each.key for each in PLATFORMS if each.key in asked]
    return render_page(
        ctx,
        "app/prompt.html",
        section="prompts",
        title=row.prompt,
        row=row,
        market=say_market(row),
        sentiment=say_sentiment(read_metrics_period(row, now)),
        period=read_metrics_period(row, now),
        demand=say_demand(row),
        cards=_measure(row, known, now),
        full=full,
        readable=any(column.check.valid for column in known),
        columns=columns,
        strips=[(platform_name(key), [_square(column, key) for column in columns]) for key in platforms],
        latest=[_latest(known, key) for key in platforms if any(key in column.cells for column in known)],
        legend=LEGEND,
        say_time=say_time,
        labels=LABELS,
        done=DONE.get(request.query_params.get("done", "")),
    )


def _decode(checks: Sequence[PromptScanRow]) -> list[Column]:
    return [Column(each, {facts.platform: facts for facts in decode_facts(each.cells)}) for each in checks]


def _square(column: Column, platform: str) -> Square:
    facts = column.cells.get(platform)
    return draw_nothing(platform) if facts is None else draw_facts(facts, column.check.scan_id)


def _latest(columns: Sequence[Column], platform: str) -> tuple[str, Square, PromptScanRow]:
    """The newest answer that can be read; where there is none, the newest try."""
    asked = [column for column in reversed(columns) if platform in column.cells]
    column = next((each for each in asked if each.cells[platform].status == "ok"), asked[0])
    return platform_name(platform), draw_facts(column.cells[platform], column.check.scan_id), column.check


def _measure(row: PromptRow, columns: Sequence[Column], now: datetime) -> list[Card]:
    """Over the checks of the last thirty days. One prompt is always fewer than ten, so no card says Early reading but
    the one whose own rule says so."""
    recent = [column for column in columns if column.check.completed_at > now - PERIOD]
    readings = [
        facts.to_observation(str(row.id), row.country_iso_2) for column in recent for facts in column.cells.values()
    ]
    named, cited = measure_coverage(readings), measure_citation_rate(readings)
    steady = measure_stability(readings)
    return [
        _card("Brand Coverage", named, " %", f"{named.numerator:g} of {count(named.n, 'answer')} name the brand"),
        _card("Visibility Score", seen := measure_visibility(readings), "", f"of 100, over {count(seen.n, 'answer')}"),
        _card(
            "Citation rate",
            cited,
            " %",
            f"{cited.numerator:g} of {count(cited.n, 'answer')} with sources cite the brand",
        ),
        _card(
            "Stability",
            steady,
            " %",
            f"{steady.numerator:g} of {steady.denominator:g} repeats say the same" if steady.n else "needs two checks",
            ["Early reading"] if steady.early_reading else [],
        ),
    ]


def _card(name: str, measure: Measure, unit: str, basis: str, chips: list[str] | None = None) -> Card:
    incomplete = ["Incomplete"] if measure.incomplete and measure.value is not None else []
    return Card(name, show_measure(measure), unit, basis, (chips or []) + incomplete)


PAGES = (prompt,)
