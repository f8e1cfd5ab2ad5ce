"""One prompt over time: what every platform answered in each check, and how stable the answers are."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.kit.clock import start_of_day
from sightline.kit.ids import parse_id
from sightline.metrics.citations import measure_citation_rate
from sightline.metrics.coverage import measure_coverage
from sightline.metrics.figure import Figure, to_figure
from sightline.metrics.measure import Measure
from sightline.metrics.registry import REGISTRY
from sightline.metrics.stability import measure_stability
from sightline.metrics.visibility import measure_visibility
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_period
from sightline.presentation.language import gettext
from sightline.presentation.phrases import describe_spot_check
from sightline.prompts.edit import edit_prompt
from sightline.prompts.measures_nothing import measures_nothing
from sightline.prompts.metrics_period import PERIOD, read_metrics_period
from sightline.prompts.models import PromptRow
from sightline.prompts.queries import find_replacement
from sightline.prompts.read import read_prompt
from sightline.prompts.tags.change import set_tags
from sightline.prompts.tags.names import split_tags
from sightline.prompts.volumes.dataforseo import has_volume_source
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scans.stored import Scope
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.history.prompt_history import read_prompt_history
from sightline.scoreboard.history.source_changes import read_source_changes
from sightline.scoreboard.history.spot_checks import read_spot_checks
from sightline.scoreboard.models import CellFacts, LatestScans, PromptScanRow, decode_facts
from sightline.scoreboard.subsets.filter import MeasurementFilter, Period
from sightline.web.filter_bar import open_filter_bar
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.branded import find_branded_texts
from sightline.web.pages.dashboard.done_with_prompts import describe_done
from sightline.web.pages.dashboard.heat_strips import Square, build_empty_square, build_facts_square, build_legend
from sightline.web.pages.dashboard.prompt_list import describe_demand, describe_market, describe_sentiment
from sightline.web.routing import form_action, page, redirect

# The number of checks that fit into thirty days, and of columns that fit on a page.
_MAX_CHECKS = 64
_MAX_COLUMNS = 26
_MAX_CHECKS_OF_PERIOD = 400  # more than the schedule can start in a year


class CheckColumn(NamedTuple):
    """One check of a heat strip, with its answers by platform."""

    check: PromptScanRow
    cells: dict[str, CellFacts]


class MetricCard(NamedTuple):
    key: str
    name: str
    figure: Figure
    chips: list[str]
    named: str = ""
    """The query of the answers in the numerator."""
    counted: str = ""
    """The query of the answers in the denominator. Empty where answers are not what is counted."""


@page("/w/{workspace}/d/{domain}/prompts/{prompt_id}")
async def prompt_page(request: PageRequest, workspace: str, domain: str, prompt_id: str) -> Response:
    return await render_prompt(request, await open_domain(request, workspace, domain), prompt_id)


async def render_prompt(
    request: PageRequest,
    ctx: PageContext,
    prompt_id: str,
    *,
    problem: Problem | None = None,
) -> Response:
    """Render the page of a prompt; after a refused edit with the problem and what was typed."""
    assert ctx.domain is not None
    db, workspace_id, now = ctx.db, ctx.actor.workspace_id, ctx.now
    row = await read_prompt(db, workspace_id, ctx.domain.id, parse_id(prompt_id))
    bar = await open_filter_bar(request, ctx, "prompts", str(row.id), keep=("checks",), no_period=gettext("30 days"))
    period, chosen = _find_period(bar.filter, now), bar.filter.platform
    limit = _MAX_CHECKS if period is None else _MAX_CHECKS_OF_PERIOD
    known = await _read_columns(ctx, row, bar.filter, limit=limit)
    columns, full = known[-_MAX_COLUMNS:], request.query_params.get("checks") == "full"
    if full:
        columns = await _read_columns(ctx, row, bar.filter, limit=_MAX_COLUMNS, scope="full_check")
    asked_platforms = {key for column in (*known, *columns) for key in column.cells}
    platforms = [each.key for each in PLATFORMS if each.key in asked_platforms]
    return render_page(
        ctx,
        "app/prompt.html",
        section="prompts",
        title=row.prompt,
        bar=bar.ignoring(
            *("against", "country", "language", "tag"), why=gettext("This page shows one prompt, check by check.")
        ),
        dates=period and format_period(period.start, period.end - timedelta(seconds=1)),
        row=row,
        nothing=row.status == "active" and measures_nothing(row),
        market=describe_market(row),
        sentiment=describe_sentiment(read_metrics_period(row, now)),
        period=read_metrics_period(row, now),
        demand=describe_demand(row) if has_volume_source(ctx.app_context.settings) else None,
        branded=bool(find_branded_texts(ctx.domain, [row.prompt])),
        replaced=None if row.replaces is None else await read_prompt(db, workspace_id, ctx.domain.id, row.replaces),
        replacement=await find_replacement(db, workspace_id, ctx.domain.id, row.id),
        problem=problem,
        cards=_build_cards(row, known, period or Period(now - PERIOD, now), bar.filter),
        chances={
            each.platform: each
            for each in await read_spot_checks(db, workspace_id, ctx.domain.id, row.id, now=now)
            if chosen in ("", each.platform)
        },
        describe_spot_check=describe_spot_check,
        source_changes=[
            (platform_name(each.platform), each)
            for each in await read_source_changes(db, workspace_id, ctx.domain.id, row.id, now=now)
            if chosen in ("", each.platform)
        ],
        full=full,
        readable=any(column.check.valid for column in known),
        columns=columns,
        strips=[(key, platform_name(key), [_build_square(column, key) for column in columns]) for key in platforms],
        has_answers=any(key in column.cells for column in known for key in platforms),
        legend=build_legend(),
        labels=SCOPE_LABELS,
        done=describe_done(request.query_params),
    )


def _find_period(wanted: MeasurementFilter, now: datetime) -> Period | None:
    """Return the chosen period; None for the latest checks, whose figures are of the last thirty days."""
    return wanted.find_period(now) if wanted.period or wanted.since or wanted.until else None


async def _read_columns(
    ctx: PageContext, row: PromptRow, wanted: MeasurementFilter, *, limit: int, scope: Scope | None = None
) -> list[CheckColumn]:
    """Return a column for each of the latest checks of the period, with the answers of one platform or of all."""
    assert ctx.domain is not None
    period = _find_period(wanted, ctx.now)
    checks = await read_prompt_history(
        *(ctx.db, ctx.actor.workspace_id, ctx.domain.id, row.id),
        LatestScans(
            limit,
            scope,
            since=None if period is None else start_of_day(period.start),  # lists of answers begin with a day
            until=None if period is None else period.end,
        ),
    )
    return [
        CheckColumn(
            each,
            {facts.platform: facts for facts in decode_facts(each.cells) if wanted.platform in ("", facts.platform)},
        )
        for each in checks
    ]


def _build_square(column: CheckColumn, platform: str) -> Square:
    facts = column.cells.get(platform)
    return build_empty_square(platform) if facts is None else build_facts_square(facts, column.check.scan_id)


def _build_cards(
    row: PromptRow, columns: Sequence[CheckColumn], period: Period, wanted: MeasurementFilter
) -> list[MetricCard]:
    """Return the figures over the checks of a period.

    One prompt never reaches the ten that rule out "Early reading", so only Stability, which has its own rule, shows it.
    """
    first_day = start_of_day(period.start)
    recent = [column for column in columns if column.check.completed_at >= first_day]
    readings = [
        facts.to_observation(str(row.id), row.country_iso_2) for column in recent for facts in column.cells.values()
    ]
    steady = measure_stability(readings)
    early = [gettext("Early reading")] if steady.early_reading else []
    asked = AnswerFilter(
        prompt=str(row.id), since=first_day.date().isoformat(), until=wanted.until, platform=wanted.platform
    )
    answered, sourced = asked.to_query(), asked.to_query(sources="yes")
    return [
        _build_card("brand_coverage_pct", measure_coverage(readings))._replace(
            named=asked.to_query(brand="named"), counted=answered
        ),
        _build_card("visibility_score", measure_visibility(readings))._replace(counted=answered),
        _build_card("citation_rate", measure_citation_rate(readings))._replace(
            named=asked.to_query(cited="yes", sources="yes"), counted=sourced
        ),
        _build_card("stability", steady, early),
    ]


def _build_card(key: str, measure: Measure, chips: Sequence[str] = ()) -> MetricCard:
    incomplete = [gettext("Incomplete")] if measure.incomplete and measure.value is not None else []
    return MetricCard(key, gettext(REGISTRY[key].name), to_figure(measure), [*chips, *incomplete])


@form_action("/w/{workspace}/d/{domain}/prompts/{prompt_id}/edit")
async def edit_prompt_from_form(request: PageRequest, workspace: str, domain: str, prompt_id: str) -> Response:
    """Save the text and the tags: both, or neither if one is refused."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    form = await request.form()
    text, tags = str(form.get("prompt", "")), str(form.get("tags", ""))
    at = (ctx.actor.workspace_id, ctx.domain.id)
    try:
        async with ctx.db.transaction() as tx:
            edited = await edit_prompt(tx, *at, parse_id(prompt_id), " ".join(text.split()), now=ctx.now)
            await set_tags(tx, *at, edited.id, split_tags(tags))
    except Problem as problem:
        if problem.kind.status == 404:
            raise
        return await render_prompt(request, ctx, prompt_id, problem=problem)
    done = "edited" if str(edited.id) != str(parse_id(prompt_id)) else "saved"
    return redirect(f"{ctx.path('prompts', str(edited.id))}?done={done}")
