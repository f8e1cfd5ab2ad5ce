"""Setting up a domain: one field for the website, then one page that is filled in, with its first check one click away.

Only the domain itself is stored before the first check starts. Everything else travels with the page's one form, so it
works without a script, and a refusal loses nothing.
"""

import msgspec
from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.domains.models import TrackedDomainRow
from sightline.domains.names import first_label
from sightline.domains.tracking.queries import count_tracked_domains
from sightline.domains.tracking.read import read_tracked_domain
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.errors import Problem
from sightline.insights.cost_forecast import WEEKS_OF_MONTH, forecast_costs, plan_answers
from sightline.kit.ids import parse_id
from sightline.onboarding import site_pages
from sightline.onboarding.change_domain import change_setup_domain
from sightline.onboarding.demo.load import may_load_demo
from sightline.onboarding.setup import complete_setup
from sightline.onboarding.site_profile import SiteProfile, read_site_profile
from sightline.onboarding.suggestions.models import SuggestionJob
from sightline.onboarding.suggestions.request import build_request, find_first_prompts, suggest_prompts_at_setup
from sightline.platforms.access import is_sandbox
from sightline.platforms.names import platform_name
from sightline.platforms.pauses import read_enabled
from sightline.platforms.sandbox.prompts import name_category
from sightline.presentation.language import gettext, translatable
from sightline.presentation.ranges import SAMPLES
from sightline.prompts.market_names import list_countries, list_languages
from sightline.prompts.queries import count_active_prompts
from sightline.scans.brands import build_tracked_brands
from sightline.scans.platform_clients import build_subject
from sightline.scans.scheduling.models import build_check_rules, plan_platforms
from sightline.scans.suggestions.templates import read_category
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.pages.domain_setup_form import (
    SetupFields,
    initial_fields,
    read_fields,
    require_valid,
    to_setup_input,
)
from sightline.web.routing import form_action, page, redirect

_MAX_FORM_BYTES = 512 * 1024  # five hundred prompts of the maximum length

ONE_AUDIT = translatable("Where you stand today. One audit cannot show a change.")


@page("/w/{workspace}/new")
async def setup_page(request: PageRequest, workspace: str, domain: str = "", instead_of: str = "") -> Response:
    """Ask for the website, or show the filled-in page of a domain whose setup has begun."""
    ctx = await open_workspace(request, workspace, needs=Role.EDITOR)
    if not domain:
        return await _render_start(ctx, instead_of)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    if found.status != "setup":
        return redirect(ctx._replace(domain=found).path())
    site = await _read_site(ctx, found)
    fields = initial_fields(found, site, _name_sample_category(ctx, found, site))
    app_context = ctx.app_context
    prompts = await find_first_prompts(
        app_context.db, app_context.settings, _build_job(ctx, found, fields), plans=app_context.plans, now=ctx.now
    )
    if prompts and (site.name or found.brand_name != first_label(found.domain)):
        prompts = msgspec.structs.replace(prompts, brand_name=None)  # the site declares its name, or somebody chose one
    return await _render_details(ctx, found, fields.with_suggestions(prompts), site=site)


@form_action("/w/{workspace}/new")
async def start_setup(request: PageRequest, workspace: str) -> Response:
    """Add the domain, take it instead of another one, or continue with one whose setup was left unfinished."""
    ctx = await open_workspace(request, workspace, needs=Role.EDITOR)
    form = await request.form()
    name, instead_of = (str(form.get(field, "")).strip() for field in ("domain", "instead_of"))
    known = parse_id(instead_of)
    workspace_id, plans = ctx.actor.workspace_id, ctx.app_context.plans
    try:
        async with ctx.db.transaction() as tx:
            if known is None:
                domain_id = str((await track_domain(tx, workspace_id, TrackInput(name), plans=plans, now=ctx.now)).id)
            else:
                changed = await change_setup_domain(tx, workspace_id, known, name, plans=plans, now=ctx.now)
                domain_id = str(changed.id)
    except Problem as problem:
        if problem.code != "domain_exists":
            return await _render_start(ctx, instead_of, problem=problem)
        domain_id = problem.members["domain_id"]
    return redirect(ctx.path("new") + f"?domain={domain_id}")


@page("/w/{workspace}/new/{domain}")
async def return_to_setup(request: PageRequest, workspace: str, domain: str) -> Response:
    """Redirect a GET of the form's URL, as after signing in again, to the page."""
    ctx = await open_workspace(request, workspace)
    try:
        found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    except Problem:
        return redirect(ctx.path("new"))  # another domain has taken its place
    return redirect(ctx.path("new") + f"?domain={found.id}")


@form_action("/w/{workspace}/new/{domain}", max_bytes=_MAX_FORM_BYTES)
async def continue_setup(request: PageRequest, workspace: str, domain: str) -> Response:
    """Do what the pressed button says: suggest more prompts, count answers, or start the first check."""
    ctx = await open_workspace(request, workspace, needs=Role.EDITOR)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    if found.status != "setup":
        return redirect(ctx._replace(domain=found).path())
    form = await request.form()
    fields, step = read_fields(form, is_sandbox=is_sandbox(ctx.app_context.settings)), str(form.get("go", ""))
    try:
        if step == "start":
            return await _start(ctx, found, fields)
        if step == "prompts":
            fields = await _suggest_more(ctx, found, fields)
    except Problem as problem:
        return await _render_details(ctx, found, fields, problem=problem)
    return await _render_details(ctx, found, fields)


async def _read_site(ctx: PageContext, domain: TrackedDomainRow) -> SiteProfile:
    """Read the site, outside any transaction; a sandbox contacts nobody."""
    fetch = None if is_sandbox(ctx.app_context.settings) else site_pages.SITES.fetch
    return await read_site_profile(fetch, domain.domain)


def _name_sample_category(ctx: PageContext, domain: TrackedDomainRow, site: SiteProfile) -> str:
    """Return what the domain sells in the made-up market of the sandbox; nothing is known of a real one."""
    if not is_sandbox(ctx.app_context.settings):
        return ""
    subject = build_subject(domain.domain, build_tracked_brands(domain, []).brand, ())
    return name_category(subject, site.language or "")


def _build_job(ctx: PageContext, domain: TrackedDomainRow, fields: SetupFields) -> SuggestionJob:
    setup = to_setup_input(fields)
    return build_request(
        ctx.actor.workspace_id,
        fields.apply_to(domain),
        language=setup.language_code,
        country=setup.countries[0] if setup.countries else None,
        category=read_category(fields.category),
    )


async def _suggest_more(ctx: PageContext, domain: TrackedDomainRow, fields: SetupFields) -> SetupFields:
    """Add suggested prompts, all ticked. A platform may be asked, so no transaction is open."""
    app_context = ctx.app_context
    found = await suggest_prompts_at_setup(
        app_context.db, app_context.settings, _build_job(ctx, domain, fields), plans=app_context.plans, now=ctx.now
    )
    return fields.with_suggestions(found)


async def _start(ctx: PageContext, domain: TrackedDomainRow, fields: SetupFields) -> Response:
    """Complete the setup and show the Overview, where the map fills with the answers of the first check."""
    require_valid(fields)
    app_context = ctx.app_context
    rules = build_check_rules(app_context.settings)
    async with app_context.db.transaction() as tx:
        completed = await complete_setup(
            tx, ctx.actor.workspace_id, domain.id, to_setup_input(fields), rules=rules, now=ctx.now
        )
    return redirect(ctx._replace(domain=completed.domain).path())


async def _render_start(ctx: PageContext, instead_of: str, *, problem: Problem | None = None) -> Response:
    app_context, replaced = ctx.app_context, parse_id(instead_of)
    unfinished = [each for each in ctx.domains if each.status == "setup"]
    return render_page(
        ctx,
        "app/domain_setup_start.html",
        section="set-up",
        title=gettext("Add a domain"),
        replaced=next((each for each in unfinished if each.id == replaced), None),
        unfinished=unfinished,
        used=await count_tracked_domains(app_context.db, ctx.actor.workspace_id),
        limit=app_context.plans[ctx.membership.plan].tracked_domains,
        may_load_demo=await may_load_demo(app_context.db, app_context.settings, ctx.actor),
        problem=problem,
    )


async def _render_details(
    ctx: PageContext,
    domain: TrackedDomainRow,
    fields: SetupFields,
    *,
    site: SiteProfile | None = None,
    problem: Problem | None = None,
) -> Response:
    """Render the filled-in page. `site` is what the home page says, which is told only the first time."""
    app_context, plan = ctx.app_context, ctx.membership.plan
    grants = app_context.plans[plan]
    enabled = await read_enabled(app_context.db, app_context.platforms[True])
    askable = [key for key in plan_platforms(grants) if key in enabled]
    chosen = askable if fields.platforms is None else [key for key in askable if key in fields.platforms]
    prompts = len(fields.prompts) * max(1, len(fields.country_codes))
    week = plan_answers(plan, grants, prompts=prompts, platforms=len(chosen))
    cost = await forecast_costs(ctx.db, app_context.settings, ctx.actor.workspace_id, week, askable, now=ctx.now)
    prices = {each.platform: each.price and each.price.usd for each in cost.platforms}
    return render_page(
        ctx,
        "app/domain_setup.html",
        section="set-up",
        title=domain.domain,
        tracked=domain,
        fields=fields,
        site=site,
        week=week,
        samples=((1, ONE_AUDIT),) if week.once else SAMPLES,
        cost=cost,
        unpriced=[platform_name(key) for key in cost.unpriced],
        answer_usd=sum(prices[key] or 0.0 for key in chosen),
        weeks_of_month=WEEKS_OF_MONTH,
        platforms=[(key, platform_name(key), key in chosen, prices[key]) for key in askable],
        grants=grants,
        used=await count_active_prompts(app_context.db, ctx.actor.workspace_id),
        problem=problem,
        countries=list_countries(),
        languages=list_languages(),
    )
