"""The pages around a payment: where a customer returns to, and where test money is paid. They work without a script.

Their URLs are secrets that only the buyer knows, so none asks to sign in. Opening the return page adds no credits.
"""

from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

import structlog
from starlette.responses import Response

from sightline.api.app_context import AppContext
from sightline.api.edge.browsers import is_same_origin
from sightline.api.site_routes import Handler, SiteRoute, bind_parameters
from sightline.credits.checkout.attempts import is_reference
from sightline.credits.checkout.cancel import cancel_checkout
from sightline.credits.checkout.queries import find_attempt_any_workspace
from sightline.credits.checkout.settle import settle_attempt
from sightline.credits.checkout.states import AttemptRow, AttemptStatus
from sightline.credits.ledger import build_credit_rules
from sightline.credits.providers.local import CHOICES
from sightline.credits.providers.models import ProviderUnavailable
from sightline.db.engine import DatabaseUnavailable
from sightline.presentation.language import gettext, translatable
from sightline.web.form_parsing import PageRequest
from sightline.web.page_requests import open_exchange
from sightline.web.pages.console.phrases import ATTEMPTS
from sightline.web.pages.not_found import not_found_response
from sightline.web.reader import prepare_for_reader
from sightline.web.render import html_response, render, render_message
from sightline.web.routing import FAILURES, RouteDecorator, redirect, show_failures

log = structlog.get_logger()

_PROVIDER_CHECKS_PER_MINUTE = 30


class StatusText(NamedTuple):
    """What the status of a checkout means to the person who paid."""

    title: str
    text: str
    may_change: bool = False
    """Whether reloading the page later may show another status."""


_STATUS_TEXTS = {
    AttemptStatus.UNPAID: StatusText(
        translatable("No payment received"),
        translatable(
            "Nothing was charged for this checkout. If you have just paid, check again in a moment: the payment may "
            "not have arrived yet."
        ),
        may_change=True,
    ),
    AttemptStatus.PENDING: StatusText(
        translatable("The payment is being processed"),
        translatable("The credits are added as soon as the money arrives. You can close this page."),
        may_change=True,
    ),
    AttemptStatus.CREDITED: StatusText(
        translatable("Thank you"), translatable("The payment is confirmed, and the credits have been added.")
    ),
    AttemptStatus.RECONCILIATION: StatusText(
        translatable("This payment needs a review"),
        translatable(
            "You have paid, but the payment differs from the order, so no credits were added. Contact the operator and "
            "give the reference number below."
        ),
    ),
    AttemptStatus.REFUND_REQUIRED: StatusText(
        translatable("This payment was not credited"),
        translatable(
            "A payment arrived too late or a second time, so no credits were added for it. The operator will refund it "
            "or add the credits. If you have questions, give the reference number below."
        ),
    ),
    AttemptStatus.EXPIRED: StatusText(
        translatable("This checkout has ended"),
        translatable("It was not paid, and nothing was charged. Start a new checkout to buy credits."),
    ),
    AttemptStatus.REFUNDED: StatusText(
        translatable("The payment was refunded"),
        translatable("The full amount was returned, and the credits were removed."),
    ),
}
_PROVIDER_UNAVAILABLE = StatusText(
    translatable("The payment cannot be confirmed yet"),
    translatable(
        "The payment provider is not responding. If you have paid, nothing is lost: the credits are added as soon as "
        "the payment is confirmed."
    ),
    may_change=True,
)


def _show_unavailable(_: PageRequest, __: Exception) -> Response:
    text = gettext(
        "The status of your payment cannot be read right now. If you have paid, nothing is lost. Reload this page in a "
        "minute."
    )
    return html_response(render_message(gettext("Temporarily unavailable"), text), status=503, cache="no-store")


def _checkout_page(path: str) -> RouteDecorator:
    """Route a page that any visitor with its address may open."""

    def declare(handler: Handler) -> SiteRoute:
        serve = show_failures(bind_parameters(handler), {DatabaseUnavailable: _show_unavailable}, prepare_for_reader)
        return SiteRoute((path,), ("GET", "HEAD"), serve, request_class=PageRequest)

    return declare


@_checkout_page("/checkout/{reference}/return")
async def checkout_return(request: PageRequest, reference: str) -> Response:
    """Show what the payment provider says about a checkout; the visit itself proves nothing."""
    return await _render_status(request.app.state.app_context, reference, cancel=False)


@_checkout_page("/checkout/{reference}/cancel")
async def checkout_cancel(request: PageRequest, reference: str) -> Response:
    """Close the payment page that the customer has left without paying, and show the checkout's status.

    A payment provider sends the customer here by a link, so this is a GET although it has an effect.
    """
    return await _render_status(request.app.state.app_context, reference, cancel=True)


async def _render_status(app_context: AppContext, reference: str, *, cancel: bool) -> Response:
    path = f"/checkout/{reference}/return"
    if not is_reference(reference):
        return not_found_response(path)
    attempt, text = await _refresh_attempt(app_context, reference, cancel=cancel, now=app_context.clock())
    if attempt is None:
        return not_found_response(path)
    html = render("checkout.html", attempt=attempt, text=text, status=ATTEMPTS[attempt.status], path=path)
    return html_response(html, cache="no-store")


async def _refresh_attempt(
    app_context: AppContext, reference: str, *, cancel: bool = False, now: datetime
) -> tuple[AttemptRow | None, StatusText]:
    """Ask the provider about a checkout that is not final, at a limited rate, and return its status.

    `cancel`: close the payment page of an unpaid one first.
    """
    attempt = await find_attempt_any_workspace(app_context.db, reference)
    if attempt is None or not (attempt.is_open or attempt.status is AttemptStatus.EXPIRED):
        return attempt, _STATUS_TEXTS[attempt.status] if attempt else _PROVIDER_UNAVAILABLE
    _, allowed = app_context.windows.count(f"checkout:{reference}", _PROVIDER_CHECKS_PER_MINUTE, now=now)
    if allowed:
        db, payments, rules = app_context.db, app_context.payments, build_credit_rules(app_context.settings)
        try:
            if cancel:
                attempt = await cancel_checkout(db, payments, attempt, rules=rules, now=now) or attempt
            else:
                attempt = await settle_attempt(db, payments, reference, rules=rules, now=now) or attempt
        except ProviderUnavailable:
            return attempt, _PROVIDER_UNAVAILABLE
    return attempt, _STATUS_TEXTS[attempt.status]


@_checkout_page("/checkout/local/{session}")
async def local_checkout(request: PageRequest, session: str) -> Response:
    """Show the payment page of the local provider, which takes test money."""
    app_context: AppContext = request.app.state.app_context
    order = await app_context.payments.local.read_order(session, now=app_context.clock())
    if order is None:
        return not_found_response(f"/checkout/local/{session}")
    open_for_payment = order.status in {"open", "declined"} and order.expires_at > app_context.clock()
    html = render(
        "checkout.html",
        order=order,
        can_choose=open_for_payment,
        can_finish=order.status == "processing",
        return_path=urlsplit(order.return_url).path,
    )
    response = html_response(html, cache="no-store")
    # Without any referrer a browser also hides the origin of a form, and the same-origin check would refuse it.
    response.headers["Referrer-Policy"] = "same-origin"
    return response


async def _pay_locally(request: PageRequest, session: str) -> Response:
    """Apply the chosen button and redirect the customer back. A choice that comes too late changes nothing."""
    app_context: AppContext = request.app.state.app_context
    local = app_context.payments.local
    order = await local.read_order(session, now=app_context.clock())
    if order is None:
        return not_found_response(request.url.path)
    if is_same_origin(open_exchange(request)) is False:  # without the headers that tell, it is no browser
        text = gettext("Nothing was charged. Open the payment link that you received, and pay on that page.")
        html = render_message(gettext("This request came from another site"), text)
        return html_response(html, status=403, cache="no-store")
    choice = (await request.form()).get("action")
    if choice in CHOICES:
        await local.choose(session, choice, now=app_context.clock())
        return redirect(urlsplit(order.cancel_url if choice == "decline" else order.return_url).path)
    return redirect(f"/checkout/local/{session}")


pay_locally = SiteRoute(
    ("/checkout/local/{session}",),
    ("POST",),
    show_failures(
        bind_parameters(_pay_locally), {**FAILURES, DatabaseUnavailable: _show_unavailable}, prepare_for_reader
    ),
    max_body_bytes=4_096,
    request_class=PageRequest,
)
