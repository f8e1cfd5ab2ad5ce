"""A new scan: choosing what to ask, previewing its cost, and submitting it."""

from typing import Any

from sightline.accounts.models import Role
from sightline.credits.ledger import build_credit_rules
from sightline.db.engine import Reader
from sightline.domains.models import ConsoleDomainRow
from sightline.domains.register import list_domains, read_domain
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.names import platform_name
from sightline.platforms.pauses import read_enabled
from sightline.presentation.language import gettext
from sightline.scans import preview, submit
from sightline.scans.draft import ScanDraft, draft_scan
from sightline.scans.schemas.submission import MAX_KEYWORDS, ScanInput, ScanPreview
from sightline.scans.suggest import MAX_PROMPT_LENGTH
from sightline.web.fault_texts import refuse_input
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.forms import Form, decode_form
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console.console_page import (
    PageResponse,
    console_form_action,
    console_page,
    open_console,
    receive_console_form,
    render_console_page,
)
from sightline.web.pages.console.overview import read_account
from sightline.web.pages.console.scans import MAX_DOMAIN_CHOICES
from sightline.web.routing import redirect


@console_page("/scans/new")
async def new_scan_page(request: PageRequest, workspace: str, domain: str = "") -> PageResponse:
    ctx = await open_console(request, workspace, needs=Role.EDITOR)
    return await _render_form(ctx, request, Form({"domain_id": [domain]}))


@console_form_action("/scans/preview", form_page="new")
async def preview_scan(request: PageRequest, workspace: str) -> PageResponse:
    """Show what the scan would ask and cost, without storing or charging anything."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.EDITOR)
    app_context = ctx.app_context
    try:
        domain, draft = await _draft(app_context.db, ctx, _read_input(form), lock=False)
        previewed = await preview.preview_scan(
            app_context.db, ctx.actor, domain, draft, rules=build_credit_rules(app_context.settings), now=ctx.now
        )
    except Problem as problem:
        return await _render_form(ctx, request, form, problem=problem)
    return await _render_form(ctx, request, form, preview=previewed, preview_domain=domain)


@console_form_action("/scans", form_page="scans/new")
async def submit_scan(request: PageRequest, workspace: str) -> PageResponse:
    """Submit the scan, for no more credits than the preview showed. Sent again, the form leads to the same scan."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.EDITOR)
    app_context = ctx.app_context
    try:
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return redirect(claim.previous_path)
            async with app_context.db.transaction() as tx:
                domain, draft = await _draft(tx, ctx, _read_input(form), lock=True)
                scan = await submit.submit_scan(
                    tx, ctx.actor, domain, draft, rules=build_credit_rules(app_context.settings), now=ctx.now
                )
                path = await claim.settle(tx, f"{ctx.console('scans', str(scan.id))}?done=submitted")
    except Problem as problem:
        return await _render_form(ctx, request, form, problem=problem)
    return redirect(path)


def _read_input(form: Form) -> ScanInput:
    platforms, max_credits = form.values("platforms"), form.text("max_credits")
    if not platforms:
        raise refuse_input("platforms", gettext("Choose at least one platform."))
    return decode_form(
        ScanInput,
        domain_id=form.text("domain_id"),
        keywords=form.lines("keywords") or None,
        category=form.text("category") or None,
        platforms=platforms,
        max_credits=int(max_credits)
        if max_credits.isascii() and max_credits.isdigit() and len(max_credits) < 10
        else None,
    )


async def _draft(db: Reader, ctx: PageContext, payload: ScanInput, *, lock: bool) -> tuple[ConsoleDomainRow, ScanDraft]:
    actor, app_context = ctx.actor, ctx.app_context
    domain = await read_domain(db, actor, parse_id(payload.domain_id), lock=lock)
    enabled = await read_enabled(db, app_context.platforms[actor.livemode])
    return domain, draft_scan(actor, domain, payload, settings=app_context.settings, enabled=enabled)


async def _render_form(
    ctx: PageContext,
    request: PageRequest,
    form: Form,
    *,
    problem: Problem | None = None,
    preview: ScanPreview | None = None,
    preview_domain: ConsoleDomainRow | None = None,
) -> PageResponse:
    app_context, actor = ctx.app_context, ctx.actor
    known = await list_domains(app_context.db, actor, after=None, page_size=MAX_DOMAIN_CHOICES)
    enabled = await read_enabled(app_context.db, app_context.platforms[actor.livemode])
    balance, _ = await read_account(ctx)
    chosen = form.values("platforms") if problem or preview else list(enabled)
    choices: list[dict[str, Any]] = [
        {"key": each.key, "name": platform_name(each.key), "enabled": each.key in enabled, "chosen": each.key in chosen}
        for each in PLATFORMS
    ]
    return render_console_page(
        ctx,
        request,
        "new_scan.html",
        section="scans",
        title=gettext("New scan"),
        problem=problem,
        preview=preview,
        preview_domain=preview_domain,
        registered=known.rows,
        choices=choices,
        chosen_domain=form.text("domain_id"),
        keywords="\n".join(form.lines("keywords")),
        category=form.text("category"),
        price=app_context.settings.credits_per_platform,
        balance=balance,
        token=make_form_token(),
        max_prompts=MAX_KEYWORDS,
        max_prompt_length=MAX_PROMPT_LENGTH,
    )
