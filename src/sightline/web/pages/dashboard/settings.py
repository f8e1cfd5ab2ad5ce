"""Settings of a tracked domain: its names, what the plan covers, the user's e-mails, and removal."""

from collections import Counter
from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from sightline.accounts.email_preferences import read_email_preferences, set_email_preferences
from sightline.accounts.models import EmailPreferences, Role
from sightline.accounts.workspaces import read_profile
from sightline.api.edge.cursors import Paging
from sightline.domains.names import InvalidDomainName, clean_domain
from sightline.domains.recomputations.queries import read_recomputation
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.errors import Problem
from sightline.insights.cost_forecast import read_domain_costs
from sightline.insights.editor.read import read_edition
from sightline.plans.table import has_themes, runs_scheduled_checks
from sightline.platforms.access import is_sandbox
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.pauses import read_enabled
from sightline.presentation.language import choose_text, gettext, translatable
from sightline.prompts.queries import count_active_prompts, list_tracked_prompts
from sightline.prompts.remove import remove_tracked_domain
from sightline.scans.corrections.read import list_signed_corrections
from sightline.scans.scheduling.models import build_check_rules, plan_platforms
from sightline.scans.scheduling.platform_choice import choose_platforms, select_platforms
from sightline.scoreboard.recompute.preview import BrandPreview, preview_brand
from sightline.web.fault_texts import refuse_input
from sightline.web.forms import split_lines
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_domain
from sightline.web.page_requests import PageRequest
from sightline.web.pages.dashboard.skipped_checks import find_unavailable
from sightline.web.paging import read_list_paging
from sightline.web.routing import form_action, page, redirect

_DONE_TEXTS = {
    "changed": translatable("Names and domains saved."),
    "rereading": translatable("Names and domains saved. Past results are being updated with the new names."),
    "platforms": translatable("Platforms saved. The next check uses these platforms."),
    "undone": translatable("Correction undone. Past results are being updated."),
    "emails": translatable("E-mail notifications saved."),
    "market": translatable("Market saved. The next Full Check uses it."),
    "editor": translatable("Saved. The next Full Check uses this choice."),
}
_CORRECTIONS_SHOWN = 10
FormValues = Mapping[str, str]


@page("/w/{workspace}/d/{domain}/settings")
async def settings_page(request: PageRequest, workspace: str, domain: str, done: str = "") -> Response:
    ctx = await open_domain(request, workspace, domain)
    return await render_settings(ctx, done=done, paging=read_list_paging(request, ctx, "corrections"))


@form_action("/w/{workspace}/d/{domain}/settings")
async def change_names(request: PageRequest, workspace: str, domain: str) -> Response:
    """Save the names, replacing the old lists. Stored answers are analyzed again where it matters."""
    ctx, form_values = await _receive_form(request, workspace, domain, Role.EDITOR)
    assert ctx.domain is not None
    db, workspace_id = ctx.db, ctx.actor.workspace_id
    try:
        async with db.transaction() as tx:
            await change_tracked_domain(tx, workspace_id, ctx.domain.id, _read_changes(form_values), now=ctx.now)
    except Problem as problem:
        return await render_settings(ctx, problem=problem, form_values=form_values)
    pending = await read_recomputation(db, workspace_id, ctx.domain.id)
    return redirect(ctx.path("settings") + f"?done={'rereading' if pending else 'changed'}")


@form_action("/w/{workspace}/d/{domain}/settings/preview")
async def preview_names(request: PageRequest, workspace: str, domain: str) -> Response:
    """Show what the typed names would have found in the latest Full Check, without saving them."""
    ctx, form_values = await _receive_form(request, workspace, domain, Role.EDITOR)
    assert ctx.domain is not None
    db, workspace_id = ctx.db, ctx.actor.workspace_id
    try:
        seen = await preview_brand(db, workspace_id, ctx.domain, _read_changes(form_values))
    except Problem as problem:
        return await render_settings(ctx, problem=problem, form_values=form_values)
    return await render_settings(ctx, form_values=form_values, previewed=True, preview=seen)


@form_action("/w/{workspace}/d/{domain}/settings/emails")
async def choose_emails(request: PageRequest, workspace: str, domain: str) -> Response:
    """Store which e-mails of the workspace the signed-in user wants."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR, members_only=True)
    form_values = await request.form()
    wanted = EmailPreferences(alert_emails="alert_emails" in form_values, report_emails="report_emails" in form_values)
    async with ctx.db.transaction() as tx:
        await set_email_preferences(tx, ctx.actor, wanted)
    return redirect(ctx.path("settings") + "?done=emails")


@form_action("/w/{workspace}/d/{domain}/settings/platforms")
async def change_platforms(request: PageRequest, workspace: str, domain: str) -> Response:
    """Store which platforms of the plan the next checks ask."""
    ctx = await open_domain(request, workspace, domain, needs=Role.EDITOR)
    assert ctx.domain is not None
    chosen = [str(key) for key in (await request.form()).getlist("platform")]
    rules = build_check_rules(ctx.app_context.settings)
    try:
        async with ctx.db.transaction() as tx:
            await choose_platforms(tx, ctx.actor.workspace_id, ctx.domain.id, chosen, rules=rules)
    except Problem as problem:
        return await render_settings(ctx, problem=problem)
    return redirect(ctx.path("settings") + "?done=platforms")


@form_action("/w/{workspace}/d/{domain}/settings/remove")
async def remove_domain(request: PageRequest, workspace: str, domain: str) -> Response:
    """Remove the domain, once its name was typed as a confirmation."""
    ctx, form_values = await _receive_form(request, workspace, domain, Role.ADMIN)
    assert ctx.domain is not None
    if not _is_confirmed(form_values.get("confirmation", ""), ctx.domain.domain):
        problem = refuse_input(
            "confirmation",
            gettext("Nothing was removed. Type %(domain)s to confirm.", domain=ctx.domain.domain),
        )
        return await render_settings(ctx, problem=problem)
    async with ctx.db.transaction() as tx:
        await remove_tracked_domain(tx, ctx.actor.workspace_id, ctx.domain.id, now=ctx.now)
    return redirect(ctx._replace(domain=None).path())


async def _receive_form(
    request: PageRequest, workspace: str, domain: str, needed: Role
) -> tuple[PageContext, FormValues]:
    ctx = await open_domain(request, workspace, domain, needs=needed)
    form = await request.form()
    return ctx, {key: str(value) for key, value in form.items()}


def _read_changes(form_values: FormValues) -> BrandChanges:
    values = {
        "brand_name": form_values.get("brand_name", ""),
        "aliases": split_lines(form_values.get("aliases", "")),
        "owned_domains": split_lines(form_values.get("owned_domains", "")),
    }
    try:
        return msgspec.convert(values, BrandChanges)
    except msgspec.ValidationError as error:
        sentence = gettext("Enter names of 1 to 200 characters, and at most 50 entries in a list.")
        raise refuse_input("brand_name", sentence) from error


def _is_confirmed(form_values: str, domain: str) -> bool:
    """Return whether the typed name is the domain, also if it is written in its own script."""
    try:
        return clean_domain(form_values, livemode=True) == domain
    except InvalidDomainName:
        return False


async def render_settings(
    ctx: PageContext,
    *,
    done: str = "",
    problem: Problem | None = None,
    form_values: FormValues | None = None,
    previewed: bool = False,
    preview: BrandPreview | None = None,
    paging: Paging | None = None,
) -> Response:
    assert ctx.domain is not None
    app_context, workspace_id, domain = ctx.app_context, ctx.actor.workspace_id, ctx.domain
    after = paging.after_time_and_id if paging else None
    corrections = await list_signed_corrections(
        app_context.db, workspace_id, domain.id, after=after, page_size=_CORRECTIONS_SHOWN
    )
    prompts = await list_tracked_prompts(app_context.db, workspace_id, domain.id)
    grants = app_context.plans[ctx.membership.plan]
    known = {
        "brand_name": domain.brand_name,
        "aliases": "\n".join(domain.aliases),
        "owned_domains": "\n".join(domain.owned_domains),
    }
    return render_page(
        ctx,
        "app/settings.html",
        section="settings",
        title=gettext("Settings"),
        form_values=known | dict(form_values or {}),
        may_remove=ctx.membership.role.covers(Role.ADMIN),
        platforms=PLATFORMS,
        allowed=plan_platforms(grants),
        chosen=select_platforms(grants, domain.chosen_platforms),
        may_choose=ctx.may_edit and runs_scheduled_checks(ctx.membership.plan),
        unavailable=await find_unavailable(ctx),
        enabled=await read_enabled(app_context.db, app_context.platforms[True]),
        markets=Counter((each.country_iso_2, each.language_code) for each in prompts).most_common(),
        grants=grants,
        prompts_used=await count_active_prompts(app_context.db, workspace_id),
        emails=None if ctx.is_guest else await read_email_preferences(app_context.db, ctx.actor),
        edition=await read_edition(app_context.db, workspace_id, domain.id),
        declined=(await read_profile(app_context.db, ctx.actor)).editor_declined,
        previewed=previewed,
        preview=preview,
        themed=has_themes(ctx.membership.plan),
        corrections=corrections.rows,
        next_cursor=paging.next_cursor(corrections) if paging else None,
        is_first=paging is None or paging.is_first,
        recompute=await read_recomputation(app_context.db, workspace_id, domain.id),
        costs=await read_domain_costs(ctx.db, app_context.settings, domain, workspace_id, now=ctx.now)
        if ctx.may_manage and not is_sandbox(app_context.settings)
        else None,
        done=choose_text(_DONE_TEXTS, done),
        problem=problem,
    )
