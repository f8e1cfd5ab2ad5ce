"""Setting a domain up: four steps on one page, each with a sensible default already filled in.

Nothing but the domain itself is kept before the last step. What was typed travels in the one form of the page, so it
works without a script, and a refusal loses nothing.
"""

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.competitors.review import list_confirmed_competitors
from sightline.domains.models import TrackedDomain
from sightline.domains.track import TrackInput, track_domain
from sightline.domains.tracked import count_tracked_domains, read_tracked_domain
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.onboarding.demo.load import may_load_demo
from sightline.onboarding.setup import complete_setup
from sightline.onboarding.setup_suggestions import suggest_competitors_at_setup, suggest_prompts_at_setup
from sightline.onboarding.weekly_answers import count_weekly_answers
from sightline.platforms.pauses import read_enabled
from sightline.prompts.read import count_active_prompts
from sightline.reports.words import platform_name
from sightline.scans.scheduling.models import check_rules, plan_platforms
from sightline.web.forms import describe_problem
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.domain_setup_form import Typed, first_form, read_setup, read_typed, to_brands
from sightline.web.routing import form_action, page, redirect

_LARGEST = 512 * 1024  # five hundred prompts of the greatest length


@page("/w/{workspace:str}/new")
async def set_up(request: PageRequest, workspace: FromPath[str], domain: FromQuery[str] = "") -> Response[str]:
    ctx = await open_workspace(request, workspace)
    require_role(ctx.actor, Role.EDITOR)
    if not domain:
        return await _ask_domain(ctx)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    if found.status != "setup":
        return redirect(ctx._replace(domain=found).path())
    rivals = suggest_competitors_at_setup(ctx.app_context.settings, found)
    return await _ask_rest(ctx, found, first_form(found, rivals))


@form_action("/w/{workspace:str}/new")
async def begin(request: PageRequest, workspace: FromPath[str]) -> Response[str]:
    """The first step. A domain whose set-up was left earlier is gone on with."""
    ctx = await _enter_to_act(request, workspace)
    given = str((await request.form()).get("domain", "")).strip()
    app_context = ctx.app_context
    try:
        async with app_context.db.transaction() as tx:
            made = await track_domain(
                tx, ctx.actor.workspace_id, TrackInput(given), plans=app_context.plans, now=ctx.now
            )
            domain_id = str(made.id)
    except Problem as problem:
        if problem.code != "domain_exists":
            return await _ask_domain(ctx, given=given, problem=problem)
        domain_id = problem.members["domain_id"]
    return redirect(ctx.path("new") + f"?domain={domain_id}")


@page("/w/{workspace:str}/new/{domain:str}")
async def come_back(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """The address of the form, looked at: after signing in again, or from a bookmark."""
    ctx = await open_workspace(request, workspace)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    return redirect(ctx.path("new") + f"?domain={found.id}")


@form_action("/w/{workspace:str}/new/{domain:str}", max_bytes=_LARGEST)
async def go_on(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """`go` says how far: `prompts` suggests them, `summary` counts the answers, `start` completes the set-up."""
    ctx = await _enter_to_act(request, workspace)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    if found.status != "setup":
        return redirect(ctx._replace(domain=found).path())
    form = await request.form()
    typed, go = read_typed(form), str(form.get("go", ""))
    try:
        if go == "start":
            return await _start(ctx, found, typed)
        if go == "prompts" or not typed.prompts:
            typed = await _suggest(ctx, found, typed)
    except Problem as problem:
        return await _ask_rest(ctx, found, typed, problem=problem)
    return await _ask_rest(ctx, found, typed)


async def _enter_to_act(request: PageRequest, workspace: str) -> PageContext:
    require_same_origin(request)
    ctx = await open_workspace(request, workspace)
    require_role(ctx.actor, Role.EDITOR)
    return ctx


async def _suggest(ctx: PageContext, domain: TrackedDomain, typed: Typed) -> Typed:
    """A connected platform is asked, so no transaction is open. What was typed as prompts stays."""
    given = read_setup(typed)
    found = await suggest_prompts_at_setup(
        ctx.app_context.settings,
        typed.apply_to(domain),
        to_brands(given.competitors),
        language=given.language_code,
        country=given.countries[0] if given.countries else None,
        day=ctx.now.date(),
    )
    return typed.with_suggestions(found.prompts, found.note)


async def _start(ctx: PageContext, domain: TrackedDomain, typed: Typed) -> Response[str]:
    app_context = ctx.app_context
    rules = check_rules(app_context.settings)
    async with app_context.db.transaction() as tx:
        made = await complete_setup(tx, ctx.actor.workspace_id, domain.id, read_setup(typed), rules=rules, now=ctx.now)
    at = ctx._replace(domain=made.domain)
    return redirect(at.path() if made.first_check is None else at.path("checks", str(made.first_check.id)))


async def _ask_domain(ctx: PageContext, *, given: str = "", problem: Problem | None = None) -> Response[str]:
    app_context = ctx.app_context
    return render_page(
        ctx,
        "app/domain_setup_start.html",
        status=problem.kind.status if problem else 200,
        section="set-up",
        title="Add a domain",
        unfinished=[each for each in ctx.domains if each.status == "setup"],
        used=await count_tracked_domains(app_context.db, ctx.actor.workspace_id),
        limit=app_context.plans[ctx.membership.plan].tracked_domains,
        given=given,
        may_load_demo=await may_load_demo(app_context.db, app_context.settings, ctx.actor),
        faults=describe_problem(problem),
    )


async def _ask_rest(
    ctx: PageContext, domain: TrackedDomain, typed: Typed, *, problem: Problem | None = None
) -> Response[str]:
    app_context, workspace_id = ctx.app_context, ctx.actor.workspace_id
    plan = ctx.membership.plan
    grants = app_context.plans[plan]
    enabled = await read_enabled(app_context.db, app_context.platforms[True])
    platforms = [key for key in plan_platforms(grants) if key in enabled]
    return render_page(
        ctx,
        "app/domain_setup.html",
        status=problem.kind.status if problem else 200,
        section="set-up",
        title=f"Set up {domain.domain}",
        tracked=domain,
        typed=typed,
        confirmed=await list_confirmed_competitors(app_context.db, workspace_id, domain.id),
        week=count_weekly_answers(
            plan, grants, texts=len(typed.prompts), markets=len(typed.country_codes), platforms=len(platforms)
        ),
        platforms=[platform_name(key) for key in platforms],
        grants=grants,
        used=await count_active_prompts(app_context.db, workspace_id),
        faults=describe_problem(problem),
    )


PAGES = (set_up, begin, come_back, go_on)
