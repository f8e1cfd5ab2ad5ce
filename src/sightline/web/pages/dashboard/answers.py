"""The answers of a domain, filtered and searched; every count leads here. A cell of the map has its own page."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

from starlette.responses import Response

from sightline.competitors.display_order import assign_display_order
from sightline.errors import Problem
from sightline.insights.answer_evidence import read_evidence
from sightline.kit.ids import parse_id
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.prompts.queries import list_tracked_prompts
from sightline.prompts.read import read_prompt
from sightline.scans.brands import MeasuredBrands
from sightline.scans.stored import Scope
from sightline.scans.tracked_brands import read_tracked_brands
from sightline.scans.tracked_scans import read_tracked_scan
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.read import count_answers, list_answers, list_expired_checks, select_answers
from sightline.scoreboard.answer_list.schemas import ListedAnswer
from sightline.scoreboard.subsets.compared_check import find_answer_days
from sightline.scoreboard.subsets.filter import MeasurementFilter
from sightline.web.filter_bar import open_filter_bar
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.answer_facets import STANCES, DetailPages, list_facets
from sightline.web.pages.dashboard.answer_phrases import describe_row_change, describe_selection
from sightline.web.pages.dashboard.answer_text import brand_css_class
from sightline.web.pages.dashboard.evidence_links import link_competitors
from sightline.web.pages.dashboard.heat_strips import build_listed_square
from sightline.web.paging import read_list_paging
from sightline.web.routing import page

_PAGE_SIZE = 36
_OWN_FIELDS = [name for name in AnswerFilter.__struct_fields__ if name not in MeasurementFilter.__struct_fields__]


@page("/w/{workspace}/d/{domain}/answers")
async def answers_page(request: PageRequest, workspace: str, domain: str) -> Response:
    """List the answers that the filter in the address selects, those of the newest check first."""
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    db, sealed, workspace_id = ctx.db, ctx.app_context.sealed, ctx.actor.workspace_id
    bar = await open_filter_bar(
        request, ctx, "answers", keep=_OWN_FIELDS, no_period=gettext("Latest"), is_historic=True
    )
    days = await find_answer_days(db, workspace_id, ctx.domain.id, bar.filter, ctx.now)
    wanted = AnswerFilter.from_query({**request.query_params, **days})
    bar = bar.with_notes(*_describe_limits(wanted, days))
    paging = read_list_paging(request, ctx, "answers", **wanted.values)
    evidence = await read_evidence(db, workspace_id, ctx.domain.id, wanted.evidence)
    selection = await select_answers(db, workspace_id, ctx.domain, wanted, evidence)
    bar = bar.with_notes(*_describe_expired(wanted, await list_expired_checks(db, selection)))
    rows = await list_answers(db, sealed, selection, after=paging.after, page_size=_PAGE_SIZE)
    counts = await count_answers(db, sealed, selection)
    measured = await read_tracked_brands(db, workspace_id, ctx.domain)
    prompt_texts = {str(each.prompt_id): each.prompt for each in rows.rows}
    if wanted.prompt and wanted.prompt not in prompt_texts:
        tracked = await list_tracked_prompts(db, workspace_id, ctx.domain.id)
        prompt_texts = {str(each.id): each.prompt for each in tracked}
    return render_page(
        ctx,
        "app/answers.html",
        section="answers",
        title=gettext("Answers"),
        bar=bar,
        filter=wanted,
        rows=rows.rows,
        counts=counts,
        sentence=describe_selection(
            wanted,
            counts,
            brand=ctx.domain.brand_name,
            base=ctx.base_check,
            prompt=prompt_texts.get(wanted.prompt, ""),
            checks={each: await _find_completion(ctx, each) for each in (wanted.check, wanted.against) if each},
        ),
        facets=list_facets(wanted, counts, ctx.domain.brand_name, await _find_detail_pages(ctx, measured)),
        stances=STANCES,
        build_square=build_listed_square,
        describe_change=describe_row_change,
        sandbox_ended=ctx.app_context.settings.sandbox_ended,
        css_classes=await find_brand_classes(ctx),
        next_cursor=paging.next_cursor(rows),
        is_first=paging.is_first,
    )


def _describe_limits(wanted: AnswerFilter, days: Mapping[str, str]) -> list[str]:
    """Say where the filter bar does not apply."""
    notes = []
    if (wanted.check or wanted.evidence) and (wanted.since or wanted.until):
        notes.append(
            gettext("This list shows one check, so the period does not apply.")
            if wanted.check
            else gettext("This list shows the evidence of one finding, so the period does not apply.")
        )
    if days.get("against") == "":
        notes.append(gettext("The previous period has no Full Check to compare with."))
    return notes


def _describe_expired(wanted: AnswerFilter, ended: Sequence[datetime]) -> list[str]:
    """Say which answers are missing because they are no longer stored; `ended` is when their checks ended."""
    if not ended:
        return []
    if wanted.check:
        return [gettext("The answers of this check are no longer stored. Its figures remain.")]
    if wanted.evidence:
        return [gettext("Some answers behind this finding are no longer stored.")]
    return [
        ngettext(
            "The answers of %(number)s check until %(day)s are no longer stored. Its figures remain.",
            "The answers of %(number)s checks until %(day)s are no longer stored. Their figures remain.",
            len(ended),
            number=format_number(len(ended)),
            day=format_short_date(ended[-1]),
        )
    ]


async def _find_completion(ctx: PageContext, scan_id: str) -> tuple[Scope, str]:
    """Return the scope of a check of the domain, and when it was completed."""
    scan = await read_tracked_scan(ctx.db, ctx.actor, uuid.UUID(scan_id))
    return scan.measurement_scope, (scan.completed_at or scan.created_at).isoformat()


async def _find_detail_pages(ctx: PageContext, measured: MeasuredBrands) -> DetailPages:
    paths = await link_competitors(ctx, measured.competitors)
    return {
        "competitor": lambda name: paths.get(name, ""),
        "site": lambda site: ctx.path("sources", site),
    }


async def find_brand_classes(ctx: PageContext) -> Mapping[str, str]:
    """Return the CSS class of each brand in the text of an answer, by its name."""
    assert ctx.domain is not None
    measured = await read_tracked_brands(ctx.db, ctx.actor.workspace_id, ctx.domain)
    places = await assign_display_order(ctx.db, ctx.actor.workspace_id, ctx.domain.id, measured.competitors)
    return {name: brand_css_class(number) for name, number in {**places, measured.brand.name: 0}.items()}


_MAX_READ = 30


@page("/w/{workspace}/d/{domain}/cells/{prompt}/{platform}")
async def cell_page(request: PageRequest, workspace: str, domain: str, prompt: str, platform: str) -> Response:
    ctx = await open_domain(request, workspace, domain)
    assert ctx.domain is not None
    if platform not in {each.key for each in PLATFORMS}:
        raise Problem("not_found", "There is no such platform.")
    row = await read_prompt(ctx.db, ctx.actor.workspace_id, ctx.domain.id, parse_id(prompt))
    answers = await _list_answers(ctx, row.id, platform)
    return render_page(
        ctx,
        "app/cell.html",
        section="prompts",
        title=row.prompt,
        prompt=row,
        platform=platform,
        platform_title=platform_name(platform),
        shown=choose_two(answers),
        css_classes=await find_brand_classes(ctx),
    )


async def _list_answers(ctx: PageContext, prompt_id: uuid.UUID, platform: str) -> Sequence[ListedAnswer]:
    assert ctx.domain is not None
    wanted = AnswerFilter(checks="all", prompt=str(prompt_id), platform=platform)
    selection = await select_answers(ctx.db, ctx.actor.workspace_id, ctx.domain, wanted, None)
    return (await list_answers(ctx.db, ctx.app_context.sealed, selection, after=None, page_size=_MAX_READ)).rows


def choose_two(answers: Sequence[ListedAnswer]) -> list[ListedAnswer]:
    """Return the newest answer, and the newest one before it that says otherwise, or else the one before it."""
    if len(answers) < 2:
        return list(answers)
    now, *earlier = answers
    other = (each for each in earlier if each.mentioned != now.mentioned)
    return [now, next(other, earlier[0])]
