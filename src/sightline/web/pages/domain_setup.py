"""Setting up a domain: four steps on one page, each prefilled with a sensible default.

Only the domain itself is stored before the last step. Everything else is sent with the page's one form, so it works
without a script, and a refusal loses nothing.
"""

from starlette.responses import Response

from sightline.accounts.models import Role
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.read import read_tracked_domain
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.onboarding import site_pages
from sightline.onboarding.change_domain import change_setup_domain, is_same_domain
from sightline.onboarding.setup import complete_setup
from sightline.onboarding.setup_competitors import suggest_competitors_at_setup
from sightline.onboarding.site_profile import SiteProfile, read_site_profile
from sightline.onboarding.suggestions.request import build_request, suggest_prompts_at_setup
from sightline.platforms.access import is_sandbox
from sightline.scans.scheduling.models import build_check_rules
from sightline.scans.suggestions.templates import read_category
from sightline.web.form_parsing import FormFields
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest, require_role, require_same_origin
from sightline.web.pages.domain_setup_form import (
    SetupFields,
    initial_fields,
    read_fields,
    require_valid,
    to_brands,
    to_setup_input,
)
from sightline.web.pages.domain_setup_view import render_details, render_start
from sightline.web.routing import form_action, page, redirect

_MAX_FORM_BYTES = 512 * 1024  # five hundred prompts of the maximum length


@page("/w/{workspace}/new")
async def setup_page(request: PageRequest, workspace: str, domain: str = "") -> Response:
    ctx = await open_workspace(request, workspace)
    require_role(ctx.actor, Role.EDITOR)
    if not domain:
        return await render_start(ctx)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    if found.status != "setup":
        return redirect(ctx._replace(domain=found).path())
    rivals = suggest_competitors_at_setup(ctx.app_context.settings, found)
    return await render_details(ctx, found, initial_fields(found, rivals, await _read_site(ctx, found)))


@form_action("/w/{workspace}/new")
async def start_setup(request: PageRequest, workspace: str) -> Response:
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
            return await render_start(ctx, problem=problem)
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
    """Do what the pressed button says: suggest prompts, select them, count answers, or complete the setup.

    If another domain was typed, that comes first, whatever was pressed: nothing is started for a domain that nobody
    has seen on the page.
    """
    ctx = await _open_for_form(request, workspace)
    found = await read_tracked_domain(ctx.db, ctx.actor, parse_id(domain))
    if found.status != "setup":
        return redirect(ctx._replace(domain=found).path())
    form = await request.form()
    fields, step = _read_fields(ctx, form, found), str(form.get("go", ""))
    try:
        if not is_same_domain(fields.domain, found.domain):
            return await _change_domain(ctx, found, fields)
        if step == "start":
            return await _start(ctx, found, fields)
        if step == "prompts":
            fields = await _suggest(ctx, found, fields)
        elif step == "all":
            fields = fields.select_all_suggestions()
    except Problem as problem:
        return await render_details(ctx, found, fields, problem=problem)
    return await render_details(ctx, found, fields)


async def _open_for_form(request: PageRequest, workspace: str) -> PageContext:
    require_same_origin(request)
    ctx = await open_workspace(request, workspace)
    require_role(ctx.actor, Role.EDITOR)
    return ctx


def _read_fields(ctx: PageContext, form: FormFields, domain: TrackedDomainRow) -> SetupFields:
    """Return the fields. Samples of a sandbox that has ended meanwhile are dropped: they are not live suggestions."""
    fields = read_fields(form, domain)
    return fields.drop_samples() if "samples" in form and not is_sandbox(ctx.app_context.settings) else fields


async def _read_site(ctx: PageContext, domain: TrackedDomainRow) -> SiteProfile:
    """Read the site, outside any transaction; a sandbox contacts nobody."""
    fetch = None if is_sandbox(ctx.app_context.settings) else site_pages.SITES.fetch
    return await read_site_profile(fetch, domain.domain)


async def _change_domain(ctx: PageContext, old: TrackedDomainRow, fields: SetupFields) -> Response:
    app_context = ctx.app_context
    async with app_context.db.transaction() as tx:
        new = await change_setup_domain(
            tx, ctx.actor.workspace_id, old.id, fields.domain, plans=app_context.plans, now=ctx.now
        )
    rivals = suggest_competitors_at_setup(app_context.settings, new)
    fields = fields.move_to(old, new, await _read_site(ctx, new), rivals)
    return await render_details(ctx, new, fields, moved=True)


async def _suggest(ctx: PageContext, domain: TrackedDomainRow, fields: SetupFields) -> SetupFields:
    """Add suggested prompts, all selected. A platform may be asked, so no transaction is open."""
    setup = to_setup_input(fields)
    app_context = ctx.app_context
    job = build_request(
        ctx.actor.workspace_id,
        fields.apply_to(domain),
        to_brands(setup.competitors),
        language=setup.language_code,
        country=setup.countries[0] if setup.countries else None,
        category=read_category(fields.category),
    )
    found = await suggest_prompts_at_setup(
        app_context.db, app_context.settings, job, plans=app_context.plans, now=ctx.now
    )
    return fields.with_suggestions(found.prompts, found.note)


async def _start(ctx: PageContext, domain: TrackedDomainRow, fields: SetupFields) -> Response:
    """Complete the setup and show the overview, where the first check can be followed."""
    require_valid(fields)
    app_context = ctx.app_context
    rules = build_check_rules(app_context.settings)
    async with app_context.db.transaction() as tx:
        completed = await complete_setup(
            tx, ctx.actor.workspace_id, domain.id, to_setup_input(fields), rules=rules, now=ctx.now
        )
    return redirect(ctx._replace(domain=completed.domain).path())


PAGES = (setup_page, start_setup, return_to_setup, continue_setup)
