"""Recommended actions with the answers behind them, open and done."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from typing import NamedTuple

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.accounts.page_paths import answer_path
from sightline.answers.plain_text import strip_markdown
from sightline.db.keyset import cut_page
from sightline.errors import Problem
from sightline.insights.recommendations.actions import Effort
from sightline.insights.recommendations.dismissals import dismiss_action, list_dismissed_actions, restore_action
from sightline.insights.recommendations.done_actions import DoneAction, list_done_actions
from sightline.insights.recommendations.effects import count_missing_checks, count_missing_prompts
from sightline.insights.recommendations.schemas import (
    LONGEST_REASON,
    DismissedRecommendation,
    DoneRecommendation,
    Recommendation,
    to_dismissed_recommendation,
    to_done_recommendation,
    to_recommendation,
)
from sightline.insights.recommendations.tasks import MAX_SHOWN, RecommendationTask, mark_done, mark_open, read_tasks
from sightline.metrics.effect import EffectStatus
from sightline.presentation.charts.small_charts import draw_slope
from sightline.presentation.effects import format_expected
from sightline.presentation.language import gettext, translatable
from sightline.presentation.palette import LIGHT
from sightline.web.fault_texts import refuse_input
from sightline.web.forms import read_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.evidence_links import EvidenceLinks, link_evidence
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect

_PAGE_SIZE = 25
_MAX_DONE = 100
_DONE_TEXTS = {
    "done": translatable("Marked as done. Its result appears in the list of done actions."),
    "dated": translatable("Date saved. The effect is measured from this day on."),
    "undo": translatable("The action is open again."),
    "dismiss": translatable("Dismissed. No later Full Check recommends it until you restore it."),
    "restore": translatable("Restored. The action is recommended again if the latest Full Check found it."),
}
_EFFECT_LABELS: dict[EffectStatus, str] = {
    "up": translatable("Worked"),
    "down": translatable("Went down"),
    "no_clear_effect": translatable("No clear effect"),
    "too_early": translatable("Too early"),
    "not_enough_history": translatable("Not enough history"),
}
_SLOPES = {"up": LIGHT.own, "down": LIGHT.alert}
_EFFORTS: dict[Effort, str] = {
    "low": translatable("Effort: low"),
    "medium": translatable("Effort: medium"),
    "high": translatable("Effort: high"),
}


class ActionRow(NamedTuple):
    task: RecommendationTask
    row: Recommendation
    evidence: EvidenceLinks
    quotes: Sequence[tuple[str, str]]
    missing_prompts: int
    """How many more prompts must be tracked before the effect of the action can be measured."""


class DoneRow(NamedTuple):
    row: DoneRecommendation
    label: str
    checks: tuple[list[tuple[str, datetime]], list[tuple[str, datetime]]]
    """The Full Checks that are compared, before and after: the path and the time of each."""


@page("/w/{workspace}/d/{domain}/recommendations")
async def recommendations_page(
    request: PageRequest,
    workspace: str,
    domain: str,
    done: str = "",
    show: str = "",
) -> Response:
    """List the open actions: the first twelve, or with `show=all` all of them page by page. Below are the done ones."""
    ctx = await open_domain(request, workspace, domain)
    return await _render_recommendations(request, ctx, done=done, show_all=show == "all")


async def _render_recommendations(
    request: PageRequest, ctx: PageContext, *, done: str = "", show_all: bool = False, problem: Problem | None = None
) -> Response:
    assert ctx.domain is not None
    paging = read_list_paging(request, ctx, "recommendations", show="all" if show_all else "")
    found = await read_tasks(ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    passed = 0 if paging.after is None else int(paging.after[0])
    left = [task for task in found.open if task.rank > passed]
    size = _PAGE_SIZE if show_all else MAX_SHOWN
    shown = cut_page(left[: size + 1], size, lambda task: (str(task.rank),))
    is_last = not show_all or shown.next_key is None
    finished = await _describe_done(ctx) if is_last else []
    return render_page(
        ctx,
        "app/recommendations.html",
        section="recommendations",
        title=gettext("Recommendations"),
        rows=await _describe(ctx, shown.rows),
        done_rows=finished[:_MAX_DONE],
        has_more_done=len(finished) > _MAX_DONE,
        dismissed=await _list_dismissed(ctx) if is_last else [],
        today=ctx.now.astimezone(UTC).date().isoformat(),
        total=len(found.open),
        first=len(found.open) - len(left) + 1,
        most=max((task.found.expected.high for task in found.rows if task.found.expected), default=0),
        is_checked=found.is_generated,
        missing_checks=await count_missing_checks(ctx.db, ctx.actor.workspace_id, ctx.domain.id),
        efforts=_EFFORTS,
        format_effect=format_expected,
        draw_slope=lambda before, now, status: draw_slope(before, now, _SLOPES.get(status, LIGHT.other)),
        show_all=show_all,
        next_cursor=paging.next_cursor(shown) if show_all else None,
        is_first=paging.is_first,
        done=gettext(_DONE_TEXTS[done]) if done in _DONE_TEXTS else None,
        problem=problem,
    )


@form_action("/w/{workspace}/d/{domain}/recommendations/{task}/{step}")
async def mark_task(request: PageRequest, workspace: str, domain: str, task: str, step: str) -> Response:
    """Mark a task as done or as open again, dismiss it with a reason, or restore it. Twice is the same as once."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    done_at, form = None, await read_form(request)
    if step == "done" and (day := form.text("done_on")):
        done_at = _read_day(day, ctx.now)
        if done_at is None:
            problem = refuse_input("done_on", gettext("Enter a date up to today, such as 2026-11-16."))
            return await _render_recommendations(request, ctx, problem=problem)
    reason = form.text("reason")
    if step == "dismiss" and not 0 < len(reason) <= LONGEST_REASON:
        problem = refuse_input("reason", gettext("Say why in 1 to 500 characters."))
        return await _render_recommendations(request, ctx, problem=problem)
    async with ctx.db.transaction() as tx:
        at = (tx, ctx.actor, ctx.domain.id, task)
        if step == "done":
            await mark_done(*at, now=ctx.now, done_at=done_at)
        elif step == "undo":
            await mark_open(*at)
        elif step == "dismiss":
            await dismiss_action(*at, reason, now=ctx.now)
        elif step == "restore":
            await restore_action(*at)
        else:
            raise Problem("not_found")
    done = "dated" if step == "done" and form.text("dated") else step
    return redirect(f"{ctx.path('recommendations')}?done={done}")


async def _describe(ctx: PageContext, tasks: Sequence[RecommendationTask]) -> list[ActionRow]:
    assert ctx.domain is not None
    rows = [to_recommendation(task, ctx.domain.brand_name) for task in tasks]
    evidence = await link_evidence(
        ctx,
        [[(answer.scan_id, answer.answer_id) for answer in row.answers] for row in rows],
        [f"recommendation:{task.key}" for task in tasks],
    )
    quotes = [_link_quotes(ctx, task) for task in tasks]
    concerned = [[prompt.id for prompt in row.prompts] for row in rows]
    missing = await count_missing_prompts(ctx.db, ctx.actor.workspace_id, ctx.domain.id, concerned)
    return [ActionRow(*each) for each in zip(tasks, rows, evidence, quotes, missing, strict=True)]


def _link_quotes(ctx: PageContext, task: RecommendationTask) -> list[tuple[str, str]]:
    """Return the sentences that criticize the brand, each with the path of its answer."""
    assert ctx.domain is not None
    place = (ctx.actor.workspace_id, ctx.domain.id)
    paths = {str(proof.answer_id): answer_path(*place, proof.scan_id, proof.answer_id) for proof in task.found.proofs}
    return [
        (strip_markdown(quote.text), paths[quote.answer_id]) for quote in task.found.quotes if quote.answer_id in paths
    ]


async def _describe_done(ctx: PageContext) -> list[DoneRow]:
    assert ctx.domain is not None
    found = await list_done_actions(ctx.db, ctx.actor.workspace_id, ctx.domain.id, page_size=_MAX_DONE + 1)
    return [_build_done_row(ctx, ctx.domain.brand_name, each) for each in found.rows]


async def _list_dismissed(ctx: PageContext) -> list[DismissedRecommendation]:
    assert ctx.domain is not None
    at = (ctx.db, ctx.actor.workspace_id, ctx.domain.id)
    found = await list_dismissed_actions(*at, after=None, page_size=_MAX_DONE)
    return [to_dismissed_recommendation(row, ctx.domain.brand_name) for row in found.rows]


def _build_done_row(ctx: PageContext, brand: str, done: DoneAction) -> DoneRow:
    row = to_done_recommendation(done, brand)
    watched = done.effect.checks
    before, after = (
        [(ctx.path("checks", str(check)), done.effect.completed_at[check]) for check in checks]
        for checks in (watched.baseline, watched.looked_at or watched.later)
    )
    return DoneRow(row, gettext(_EFFECT_LABELS[row.effect.status]), (before, after))


def _read_day(text: str, now: datetime) -> datetime | None:
    """Return the beginning of a day in UTC, or `now` for today; None if the text is not a day up to today."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    today = now.astimezone(UTC).date()
    if day > today:
        return None
    return now if day == today else datetime.combine(day, time(), UTC)
