"""What is true of the brand, and what answers get wrong about it: since when, where, and where to correct it."""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.accounts.page_paths import answer_path
from sightline.errors import Problem
from sightline.facts import queries, record
from sightline.facts.contradictions import read_accuracy
from sightline.facts.models import FormerValue
from sightline.facts.phrases import KIND_NAMES, UNIT_NAMES, describe_stated, describe_subject
from sightline.facts.schemas import ClaimAnswer, FactChanges, FactInput, WrongStatement
from sightline.insights.editor.read import read_edition
from sightline.kit.ids import parse_id
from sightline.onboarding.site_facts import fetch_nothing, propose_facts
from sightline.onboarding.site_pages import SITES
from sightline.plans.table import PLANS_WITH_THEMES, has_themes
from sightline.platforms.access import is_sandbox
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.presentation.lists import join_names
from sightline.web.forms import Form, decode_form
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain, receive_form
from sightline.web.page_requests import PageRequest
from sightline.web.routing import form_action, page, redirect

_DONE = {
    "entered": translatable("Saved. The next Full Check compares the answers with it."),
    "changed": translatable("Fact saved."),
    "removed": translatable("Fact removed."),
    "answered": translatable("Saved. It counts for all answers that state the same, now and later."),
    "proposed": translatable("Your site was read. Confirm what is right below."),
    "nothing": translatable("Your home page declares no facts that are not listed here already."),
}


@page("/w/{workspace}/d/{domain}/facts")
async def facts_page(request: PageRequest, workspace: str, domain: str, done: str = "") -> Response:
    return await _render_facts(await open_domain(request, workspace, domain), done=done)


async def _render_facts(ctx: PageContext, *, done: str = "", problem: Problem | None = None) -> Response:
    assert ctx.domain is not None
    at = (ctx.actor.workspace_id, ctx.domain.id)
    themed = has_themes(ctx.actor.plan)
    found = await read_accuracy(ctx.db, *at)
    rows = await queries.list_facts(ctx.db, *at) if themed else []
    edition = await read_edition(ctx.db, *at)
    return render_page(
        ctx,
        "app/facts.html",
        section="facts",
        title=gettext("Facts"),
        themed=themed,
        themed_plans=join_names([plan.capitalize() for plan in ctx.app_context.plans if plan in PLANS_WITH_THEMES]),
        found=found,
        stated=found.right + found.wrong,
        most=max((each.stated for each in found.platforms), default=1),
        proposals=[row for row in rows if row.status == "proposed"],
        facts=[row for row in rows if row.status == "confirmed"],
        edition=edition,
        kinds=KIND_NAMES,
        units=UNIT_NAMES,
        countries={row.id: row.country for row in rows},
        describe_stated=describe_stated,
        describe_subject=describe_subject,
        write_truth=record.write_truth,
        mark_words=mark_words,
        link_answer=lambda quote: answer_path(*at, quote.scan_id, quote.answer_id),
        find_site=_find_site,
        today=ctx.now.date().isoformat(),
        done=choose_text(_DONE, done),
        problem=problem,
        status=422 if problem else 200,
    )


def mark_words(statement: WrongStatement) -> tuple[str, str, str]:
    """Return the first passage in three parts: what stands before the words that state it, these, and the rest."""
    quote = statement.quotes[0]
    text = " ".join(quote.text.replace("\\", "").replace("*", "").split())
    words = " ".join(quote.words.replace("\\", "").replace("*", "").split())
    before, found, after = text.partition(words)
    return (before, found, after) if found else (text, "", "")


def _find_site(url: str) -> str:
    return url.partition("/")[0]


@form_action("/w/{workspace}/d/{domain}/facts")
async def enter_fact(request: PageRequest, workspace: str, domain: str) -> Response:
    """Store a fact that a person enters."""
    ctx, form = await receive_form(request, workspace, domain, needs=Role.EDITOR)
    return await _store(ctx, form, "entered")


@form_action("/w/{workspace}/d/{domain}/facts/{fact}/{step}")
async def decide_fact(request: PageRequest, workspace: str, domain: str, fact: str, step: str) -> Response:
    """Change, confirm or remove a fact, or answer what seems wrong about it."""
    ctx, form = await receive_form(request, workspace, domain, needs=Role.EDITOR)
    return await _store(ctx, form, step, fact)


@form_action("/w/{workspace}/d/{domain}/fact-proposals")
async def take_over_facts(request: PageRequest, workspace: str, domain: str) -> Response:
    """Propose what the home page declares."""
    ctx, _ = await receive_form(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    _require_plan(ctx)
    fetch = fetch_nothing if is_sandbox(ctx.app_context.settings) else SITES.fetch
    try:
        found = await propose_facts(ctx.db, ctx.actor, ctx.domain, fetch, clock=lambda: ctx.now)
    except Problem as problem:
        return await _render_facts(ctx, problem=problem)
    return redirect(ctx.path("facts") + ("?done=proposed#proposals" if found.proposed else "?done=nothing"))


def _require_plan(ctx: PageContext) -> None:
    if not has_themes(ctx.actor.plan):
        raise Problem("plan_required", required_plans=sorted(PLANS_WITH_THEMES))


async def _store(ctx: PageContext, form: Form, step: str, fact: str = "") -> Response:
    assert ctx.domain is not None
    _require_plan(ctx)
    if step not in ("entered", "changed", "removed", "answered"):
        raise Problem("not_found")
    fact_id = parse_id(fact)
    try:
        async with ctx.db.transaction() as tx:
            at = (tx, ctx.actor, ctx.domain.id)
            if step == "entered":
                await record.enter_fact(*at, _read_fact(form), now=ctx.now)
            elif step == "changed":
                await record.change_fact(*at, fact_id, _read_changes(form), now=ctx.now)
            elif step == "removed":
                await record.remove_fact(*at, fact_id)
            else:
                answer = decode_form(
                    ClaimAnswer, stated=form.text("stated"), answer=form.text("answer"), on=form.text("on") or None
                )
                await record.answer_claim(*at, fact_id, answer, now=ctx.now)
    except Problem as problem:
        if problem.code != "validation_failed":
            raise
        return await _render_facts(ctx, problem=problem)
    return redirect(f"{ctx.path('facts')}?done={step}")


def _read_fact(form: Form) -> FactInput:
    is_price = form.text("kind") == "price"
    former = form.text("former")
    return decode_form(
        FactInput,
        kind=form.text("kind"),
        subject=form.text("subject"),
        value=form.text("value"),
        currency=(form.text("currency").upper() or None) if is_price else None,
        unit=(form.text("unit") or None) if is_price else None,
        country=form.text("country").upper() or None,
        valid_from=form.text("valid_from") or None,
        former=[FormerValue(former)] if former else [],
    )


def _read_changes(form: Form) -> FactChanges:
    given = {"value": form.text("value"), "valid_from": form.text("valid_from")}
    return decode_form(FactChanges, **{name: value for name, value in given.items() if value})
