"""Credits: the balance, the ledger, packs to buy, and what became of each purchase."""

from urllib.parse import urlsplit

from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from sightline.accounts.models import Role
from sightline.api.edge.access import require_payer
from sightline.credits import attempts, checkout, export, ledger, packs, recover
from sightline.credits.ledger import rules_of
from sightline.credits.models import REASONS
from sightline.errors import Problem
from sightline.web.frame import Place, go_to
from sightline.web.pages.console import words
from sightline.web.pages.console.once import act_once, make_token
from sightline.web.pages.console.overview import read_account
from sightline.web.pages.console.places import (
    Shown,
    enter,
    enter_by_form,
    looking,
    open_form,
    sending,
    show_page,
    streaming,
)
from sightline.web.paging import page_through
from sightline.web.render import HEADERS
from sightline.web.visits import Asked

_LATEST = 10


@looking("/credits")
async def console_credits(request: Asked, workspace: FromPath[str], reason: FromQuery[str] = "") -> Shown:
    return await _show(await enter(request, workspace), request, reason)


async def _show(place: Place, request: Asked, reason: str = "", problem: Problem | None = None) -> Shown:
    app_context, actor, chosen = place.visit.app_context, place.actor, reason if reason in REASONS else ""
    filters = {"reason": chosen} if chosen else {}
    paging = page_through(request, place, "ledger", **filters)
    balance, spent = await read_account(place)
    entries = await ledger.list_entries(
        app_context.db,
        actor,
        reason=chosen or None,
        after=paging.after_time_and_id,
        page_size=paging.size,
        rules=rules_of(app_context.settings),
        now=place.visit.now,
    )
    latest = await attempts.list_attempts(app_context.db, actor, after=None, page_size=_LATEST)
    return show_page(
        place,
        request,
        "credits.html",
        here="credits",
        title="Credits",
        problem=problem,
        balance=balance,
        spent=spent,
        entries=entries.rows,
        next_cursor=paging.next_cursor(entries),
        is_first=paging.is_first,
        filters=filters,
        chosen=chosen,
        packs=await packs.list_packs(app_context.db),
        attempts=latest.rows,
        more_attempts=latest.next_key is not None,
        why_not=_say_why_not(place),
        token=make_token(),
        price=app_context.settings.credits_per_platform,
        words=words,
    )


@looking("/credits/checkouts")
async def checkouts(request: Asked, workspace: FromPath[str]) -> Shown:
    place = await enter(request, workspace)
    paging = page_through(request, place, "checkouts")
    found = await attempts.list_attempts(
        place.visit.app_context.db, place.actor, after=paging.after_time_and_id, page_size=paging.size
    )
    return show_page(
        place,
        request,
        "checkouts.html",
        here="credits",
        title="Purchases",
        attempts=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        why_not=_say_why_not(place),
        words=words,
    )


@streaming("/credits/ledger.csv")
async def ledger_csv(request: Asked, workspace: FromPath[str]) -> Stream:
    """The API's export, for who is signed in."""
    place = await enter(request, workspace)
    app_context, actor, now = place.visit.app_context, place.actor, place.visit.now
    # Before the answer begins: what fails here is still said on a page.
    await ledger.open_account(
        app_context.db, actor.workspace_id, livemode=actor.livemode, rules=rules_of(app_context.settings), now=now
    )
    name = f"sightline-ledger-{now:%Y-%m-%d}{'' if actor.livemode else '-test'}.csv"
    return Stream(
        export.ledger_csv(app_context.db, actor.workspace_id, livemode=actor.livemode),
        status_code=200,
        media_type="text/csv",
        headers={
            **HEADERS,
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="{name}"',
        },
    )


@sending("/credits/checkout")
async def buy(request: Asked, workspace: FromPath[str]) -> Shown:
    """Sent twice, the second leads to the payment page of the first."""
    place, form = await open_form(request, workspace, needs=Role.VIEWER)
    app_context = place.visit.app_context
    await require_payer(app_context.db, place.actor)
    wanted = form.text("pricing_id")
    rules = checkout.checkout_rules_of(app_context.settings)
    try:
        async with act_once(place, form) as once:
            if once.led_to:
                return _lead_to_payment(place, request, once.led_to)
            started = await checkout.start_checkout(
                app_context.db,
                place.actor,
                int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 else 0,
                app_context.payments,
                rules,
                now=place.visit.now,
            )
            async with app_context.db.transaction() as tx:
                await checkout.finish_checkout(tx, started)
                await once.settle(tx, started.order.url)
    except Problem as problem:
        return await _show(place, request, problem=problem)
    return _lead_to_payment(place, request, started.order.url)


def _lead_to_payment(place: Place, request: Asked, url: str) -> Shown:
    """Our own payment page is gone to at once, on the host that the person came by. One of a provider is a link: the
    policy of our pages lets no form lead to another site, not even by way of us."""
    parts, own = urlsplit(url), urlsplit(place.visit.app_context.settings.public_url)
    if (parts.scheme, parts.netloc) == (own.scheme, own.netloc):
        return go_to(parts.path)
    return show_page(place, request, "pay.html", here="credits", title="To the payment", url=url, host=parts.hostname)


@sending("/credits/checkouts/{reference:str}/recover")
async def check_payment(request: Asked, workspace: FromPath[str], reference: FromPath[str]) -> Shown:
    """What was paid is credited once, however often this is asked."""
    place = await enter_by_form(request, workspace, needs=Role.VIEWER)
    app_context = place.visit.app_context
    await require_payer(app_context.db, place.actor)
    try:
        await recover.recover_attempt(
            app_context.db,
            place.actor,
            app_context.payments,
            reference,
            rules=rules_of(app_context.settings),
            now=place.visit.now,
        )
    except Problem as problem:
        if problem.code == "not_found":
            raise
        return await _show(place, request, problem=problem)
    return go_to(f"{place.console('credits')}?done=payment_checked#purchases")


def _say_why_not(place: Place) -> str:
    """Why this person may not buy; empty when they may."""
    if place.membership.billing and place.membership.is_payer:
        return ""
    if place.membership.is_payer:
        return "You pay for this workspace, but an owner has not given you billing permission."
    return "Only the member who pays for this workspace and has billing permission may buy credits and check payments."


PAGES = (console_credits, checkouts, ledger_csv, buy, check_payment)
