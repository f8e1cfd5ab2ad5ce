"""Credits: the balance, the ledger, packs to buy, and the status of each purchase."""

from urllib.parse import urlsplit

from starlette.responses import StreamingResponse

from sightline.accounts.models import Role
from sightline.api.edge.authorization import require_payer
from sightline.audit.record import record_export
from sightline.credits import export, ledger, packs
from sightline.credits.checkout import attempts, recover, start
from sightline.credits.ledger import build_credit_rules
from sightline.credits.models import REASONS
from sightline.errors import Problem
from sightline.presentation.language import gettext
from sightline.web.form_idempotency import claim_form, make_form_token
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console import phrases
from sightline.web.pages.console.console_page import (
    PageResponse,
    console_form_action,
    console_page,
    console_stream,
    open_console,
    receive_console_form,
    render_console_page,
)
from sightline.web.pages.console.overview import read_account
from sightline.web.paging import read_list_paging
from sightline.web.render import HEADERS
from sightline.web.routing import redirect

_MAX_RECENT_PURCHASES = 10


@console_page("/credits")
async def credits_page(request: PageRequest, workspace: str, reason: str = "") -> PageResponse:
    return await _render_credits(await open_console(request, workspace), request, reason)


async def _render_credits(
    ctx: PageContext, request: PageRequest, reason: str = "", problem: Problem | None = None
) -> PageResponse:
    app_context, actor, chosen = ctx.app_context, ctx.actor, reason if reason in REASONS else ""
    filters = {"reason": chosen} if chosen else {}
    paging = read_list_paging(request, ctx, "ledger", **filters)
    balance, spent = await read_account(ctx)
    entries = await ledger.list_entries(
        app_context.db,
        ledger.CreditAccount(actor.workspace_id, actor.livemode, build_credit_rules(app_context.settings)),
        reason=chosen or None,
        after=paging.after_time_and_id,
        page_size=paging.size,
        now=ctx.now,
    )
    latest = await attempts.list_attempts(app_context.db, actor, after=None, page_size=_MAX_RECENT_PURCHASES)
    return render_console_page(
        ctx,
        request,
        "credits.html",
        section="credits",
        title=gettext("Credits"),
        problem=problem,
        balance=balance,
        spent=spent,
        entries=entries.rows,
        next_cursor=paging.next_cursor(entries),
        is_first=paging.is_first,
        filters=filters,
        chosen=chosen,
        offers=await packs.list_offers(
            app_context.db, actor, default_cap=app_context.settings.spend_cap_cents, now=ctx.now
        ),
        attempts=latest.rows,
        more_attempts=latest.next_key is not None,
        no_purchase_reason=_explain_no_purchase(ctx),
        token=make_form_token(),
        price=app_context.settings.credits_per_platform,
        phrases=phrases,
    )


@console_page("/credits/checkouts")
async def checkouts_page(request: PageRequest, workspace: str) -> PageResponse:
    ctx = await open_console(request, workspace)
    paging = read_list_paging(request, ctx, "checkouts")
    found = await attempts.list_attempts(ctx.db, ctx.actor, after=paging.after_time_and_id, page_size=paging.size)
    return render_console_page(
        ctx,
        request,
        "checkouts.html",
        section="credits",
        title=gettext("Purchases"),
        attempts=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        no_purchase_reason=_explain_no_purchase(ctx),
        phrases=phrases,
    )


@console_stream("/credits/ledger.csv")
async def download_ledger(request: PageRequest, workspace: str) -> StreamingResponse:
    """Stream the ledger as CSV, as the API exports it."""
    ctx = await open_console(request, workspace)
    app_context, actor, now = ctx.app_context, ctx.actor, ctx.now
    # Before the response begins, a failure can still be shown as a page.
    await ledger.open_account(
        app_context.db,
        ledger.CreditAccount(actor.workspace_id, actor.livemode, build_credit_rules(app_context.settings)),
        now=now,
    )
    await record_export(app_context.db, actor.workspace_id, "ledger_exported", livemode=actor.livemode)
    name = f"sightline-ledger-{now:%Y-%m-%d}{'' if actor.livemode else '-test'}.csv"
    return StreamingResponse(
        export.ledger_csv(app_context.db, actor.workspace_id, livemode=actor.livemode),
        status_code=200,
        media_type="text/csv",
        headers={
            **HEADERS,
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )


@console_form_action("/credits/checkout")
async def buy_credits(request: PageRequest, workspace: str) -> PageResponse:
    """Start a checkout and lead to its payment page. Sent again, the form leads to the same page."""
    ctx, form = await receive_console_form(request, workspace, needs=Role.VIEWER)
    app_context = ctx.app_context
    await require_payer(app_context.db, ctx.actor)
    pricing_id = form.text("pricing_id")
    rules = start.build_checkout_rules(app_context.settings)
    try:
        async with claim_form(ctx, form) as claim:
            if claim.previous_path:
                return _open_payment(ctx, request, claim.previous_path)
            started = await start.start_checkout(
                app_context.db,
                ctx.actor,
                int(pricing_id) if pricing_id.isascii() and pricing_id.isdigit() and len(pricing_id) < 10 else 0,
                app_context.payments,
                rules,
                now=ctx.now,
            )
            async with app_context.db.transaction() as tx:
                await start.finish_checkout(tx, started)
                await claim.settle(tx, started.order.url)
    except Problem as problem:
        return await _render_credits(ctx, request, problem=problem)
    return _open_payment(ctx, request, started.order.url)


def _open_payment(ctx: PageContext, request: PageRequest, url: str) -> PageResponse:
    """Redirect to our own payment page, or show a link to that of a provider.

    The content policy of our pages lets no form lead to another site, not even by a redirect.
    """
    parts, own = urlsplit(url), urlsplit(ctx.app_context.settings.public_url)
    if (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
        return redirect(parts.path)
    return render_console_page(
        ctx,
        request,
        "payment_link.html",
        section="credits",
        title=gettext("One more step"),
        url=url,
        host=parts.hostname,
    )


@console_form_action("/credits/checkouts/{reference}/recover")
async def check_payment(request: PageRequest, workspace: str, reference: str) -> PageResponse:
    """Ask the provider about a payment; what was paid is credited once, however often the form is sent."""
    ctx = await open_console(request, workspace, needs=Role.VIEWER)
    app_context = ctx.app_context
    await require_payer(app_context.db, ctx.actor)
    try:
        attempt = await recover.recover_attempt(
            app_context.db,
            ctx.actor,
            app_context.payments,
            reference,
            rules=build_credit_rules(app_context.settings),
            now=ctx.now,
        )
    except Problem as problem:
        if problem.code == "not_found":
            raise
        return await _render_credits(ctx, request, problem=problem)
    return redirect(f"{ctx.console('credits')}?done=payment_{attempt.status}#purchases")


def _explain_no_purchase(ctx: PageContext) -> str:
    """Return why this user may not buy credits; empty if they may."""
    if ctx.membership.billing and ctx.membership.is_payer:
        return ""
    if ctx.membership.is_payer:
        return gettext("You pay for this workspace, but you do not have billing permission. An owner can grant it.")
    return gettext("Only the payer of this workspace can buy credits and check payments.")
