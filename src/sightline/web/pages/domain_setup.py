"""Setting up a domain: four steps on one page, each prefilled with a sensible default.

Only the domain itself is stored before the last step. Everything fields is sent with the page's one form, so it works
without a script, and a refusal loses nothing.
"""

from collections.abc import Sequence

from litestar import Response
from litestar.params import FromPath, FromQuery

from sightline.accounts.models import Role
from sightline.competitors.review import list_confirmed_competitors
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.read import count_tracked_domains, read_tracked_domain
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.onboarding.demo.load import may_load_demo
from sightline.onboarding.setup import complete_setup
from sightline.onboarding.setup_competitors import suggest_competitors_at_setup
from sightline.onboarding.suggestions.request import suggest_prompts_at_setup
from sightline.onboarding.weekly_answers import count_weekly_answers
from sightline.platforms.names import platform_name
from sightline.platforms.pauses import read_enabled
from sightline.prompts.market_names import list_countries, list_languages
from sightline.prompts.read import count_active_prompts
from sightline.scans.scheduling.models import build_check_rules, plan_platforms
from sightline.web.forms import describe_problem
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.domain_setup_form import SetupFields, initial_fields, read_fields, to_brands, to_setup_input
from sightline.web.routing import form_action, page, redirect

_FIELDS = frozenset({"brand_name", "language_code", "countries", "prompts"})
_MAX_FORM_BYTES = 512 * 1024  # five hundred prompts of the maximum length


@page("/w/{workspace:str}/new")
async def setup_page(request: PageRequest, workspace: FromPath[str], domain: FromQuery[str] = "") -> Response[str]:
    ctx = await open_workspace(request, workspace)
    require_role(ctx.actor, Role.EDITOR)
    if not domain:
        return await _render_start(ctx)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    if found.status != "setup":
        return redirect(ctx._replace(domain=found).path())
    rivals = suggest_competitors_at_setup(ctx.app_context.settings, found)
    return await _render_details(ctx, found, initial_fields(found, rivals))


@form_action("/w/{workspace:str}/new")
async def start_setup(request: PageRequest, workspace: FromPath[str]) -> Response[str]:
    """Add the domain, or continue with one whose setup was left unfinished."""
    ctx = await _open_for_form(request, workspace)
    name = str((await request.form()).get("domain", "")).strip()
    app_context = ctx.app_context
    try:
        async with app_context.db.transaction() as tx:
            tracked = await track_domain(
                tx, ctx.actor.workspace_id, TrackInput(name), plans=app_context.plans, now=ctx.now
            )
            domain_id = str(tracked.id)
    except Problem as problem:
        if problem.code != "domain_exists":
            return await _render_start(ctx, domain_name=name, problem=problem)
        domain_id = problem.members["domain_id"]
    return redirect(ctx.path("new") + f"?domain={domain_id}")


@page("/w/{workspace:str}/new/{domain:str}")
async def return_to_setup(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """Redirect a GET of the form's URL, as after signing in again, to the page."""
    ctx = await open_workspace(request, workspace)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    return redirect(ctx.path("new") + f"?domain={found.id}")


@form_action("/w/{workspace:str}/new/{domain:str}", max_bytes=_MAX_FORM_BYTES)
async def continue_setup(request: PageRequest, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """Do what the pressed button says: `prompts` suggests, `summary` counts answers, `start` completes the setup."""
    ctx = await _open_for_form(request, workspace)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    if found.status != "setup":
        return redirect(ctx._replace(domain=found).path())
    form = await request.form()
    fields, step = read_fields(form), str(form.get("go", ""))
    try:
        if step == "start":
            return await _start(ctx, found, fields)
        if step == "prompts" or not fields.prompts:
            fields = await _suggest(ctx, found, fields)
    except Problem as problem:
        return await _render_details(ctx, found, fields, problem=problem)
    return await _render_details(ctx, found, fields)


async def _open_for_form(request: PageRequest, workspace: str) -> PageContext:
    require_same_origin(request)
    ctx = await open_workspace(request, workspace)
    require_role(ctx.actor, Role.EDITOR)
    return ctx


async def _suggest(ctx: PageContext, domain: TrackedDomainRow, fields: SetupFields) -> SetupFields:
    """Add suggested prompts to those fields. A platform may be asked, so no transaction is open."""
    setup = to_setup_input(fields)
    app_context = ctx.app_context
    found = await suggest_prompts_at_setup(
        app_context.db,
        app_context.settings,
        ctx.actor.workspace_id,
        fields.apply_to(domain),
        to_brands(setup.competitors),
        language=setup.language_code,
        country=setup.countries[0] if setup.countries else None,
        plans=app_context.plans,
        now=ctx.now,
    )
    return fields.with_suggestions(found.prompts, found.note)


async def _start(ctx: PageContext, domain: TrackedDomainRow, fields: SetupFields) -> Response[str]:
    app_context = ctx.app_context
    rules = build_check_rules(app_context.settings)
    async with app_context.db.transaction() as tx:
        completed = await complete_setup(
            tx, ctx.actor.workspace_id, domain.id, to_setup_input(fields), rules=rules, now=ctx.now
        )
    domain_ctx = ctx._replace(domain=completed.domain)
    if completed.first_check is None:
        return redirect(domain_ctx.path())
    return redirect(domain_ctx.path("checks", str(completed.first_check.id)))


async def _render_start(ctx: PageContext, *, domain_name: str = "", problem: Problem | None = None) -> Response[str]:
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
        domain_name=domain_name,
        may_load_demo=await may_load_demo(app_context.db, app_context.settings, ctx.actor),
        faults=describe_problem(problem),
    )


async def _render_details(
    ctx: PageContext, domain: TrackedDomainRow, fields: SetupFields, *, problem: Problem | None = None
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
        fields=fields,
        confirmed=await list_confirmed_competitors(app_context.db, workspace_id, domain.id),
        week=count_weekly_answers(
            plan, grants, texts=len(fields.prompts), markets=len(fields.country_codes), platforms=len(platforms)
        ),
        platforms=[platform_name(key) for key in platforms],
        grants=grants,
        used=await count_active_prompts(app_context.db, workspace_id),
        faults=_describe_other_faults(problem),
        field_faults=_find_field_faults(problem),
        countries=list_countries(),
        languages=list_languages(),
    )


def _find_field_faults(problem: Problem | None) -> dict[str, str]:
    """Return what is wrong with a field that shows it next to itself, by the name of the field."""
    errors = () if problem is None else problem.members.get("errors", ())
    found = {}
    for each in errors:
        field, message = str(each["field"]), str(each["message"])
        if field.endswith("].prompt"):
            field, message = "prompts", f"a prompt {message}"
        if field in _FIELDS:
            found[field] = f"{message[:1].upper()}{message[1:]}."
    return found


def _describe_other_faults(problem: Problem | None) -> Sequence[str]:
    """Return what is wrong elsewhere, or that the marked fields say it themselves."""
    if _find_field_faults(problem):
        return ["Nothing was started. Correct the marked fields."]
    return describe_problem(problem)


PAGES = (setup_page, start_setup, return_to_setup, continue_setup)
