"""The pages around paying: where a customer comes back to, and where test money is paid. Both work without a script.

Their addresses are secrets that only the buyer was told, so neither asks who is there. Returning alone adds nothing.
"""

from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import structlog
from litestar import Request, Response, post, route
from litestar.datastructures import State
from litestar.enums import HttpMethod
from litestar.params import FromPath
from litestar.types import ExceptionHandlersMap

from sightline.api.app_context import AppContext
from sightline.credits.attempts import find_attempt_any_workspace
from sightline.credits.checkout import is_reference
from sightline.credits.ledger import rules_of
from sightline.credits.providers.local import CHOICES, LocalPayments
from sightline.credits.providers.models import ProviderUnavailable
from sightline.credits.settle import settle_attempt
from sightline.credits.states import Attempt, AttemptStatus
from sightline.db.engine import DatabaseUnavailable
from sightline.web.page_requests import find_same_origin
from sightline.web.pages.not_found import not_found_response
from sightline.web.render import HEADERS, html_response, render
from sightline.web.theme import load_theme

log = structlog.get_logger()

_READ = [HttpMethod.GET, HttpMethod.HEAD]
_LOOKS_PER_MINUTE = 30
_S = AttemptStatus


class Words(NamedTuple):
    """What a state means to the person who paid. `again`: looking again may tell more."""

    title: str
    text: str
    again: bool = False


_WORDS = {
    _S.UNPAID: Words(
        "Nothing was paid",
        "No payment has reached us for this checkout, and nothing was charged. If you have just paid, look again in a "
        "moment.",
        again=True,
    ),
    _S.PENDING: Words(
        "The payment is on its way",
        "Your part is done. The credits are added as soon as the money arrives; you do not have to wait here.",
        again=True,
    ),
    _S.CREDITED: Words("Thank you", "The payment is verified, and the credits are on your account."),
    _S.RECONCILIATION: Words(
        "Somebody has to look at this payment",
        "You have paid, but the payment differs from the order, so no credits were added. Support will put it right; "
        "please name the reference below.",
    ),
    _S.REFUND_REQUIRED: Words(
        "This payment will be returned",
        "A payment came that the checkout could not take any more, so no credits were added for it. Support will "
        "return it; please name the reference below.",
    ),
    _S.EXPIRED: Words(
        "This checkout has ended", "It was not paid, and nothing was charged. Start a new one to buy credits."
    ),
    _S.REFUNDED: Words("The payment was returned", "All of the money went back, and the credits with it."),
}
_UNKNOWN = Words(
    "We cannot see the payment yet",
    "The payment provider does not answer at the moment. If you have paid, nothing is lost: the credits are added as "
    "soon as it does.",
    again=True,
)


def _say_away(_: Request[Any, Any, State], __: Exception) -> Response[str]:
    return html_response(render("checkout_unavailable.html"), status=503, cache="no-store")


_AWAY: ExceptionHandlersMap = {DatabaseUnavailable: _say_away}


@route("/checkout/{reference:str}/return", http_method=_READ, exception_handlers=_AWAY, before_request=load_theme)
async def checkout_return(state: State, reference: FromPath[str]) -> Response[str]:
    """Where the provider sends a customer back to. What it shows is what the provider says, not that somebody came."""
    app_context: AppContext = state.app_context
    path = f"/checkout/{reference}/return"
    if not is_reference(reference):
        return not_found_response(path)
    attempt, words = await _look_at(app_context, reference, now=app_context.clock())
    if attempt is None:
        return not_found_response(path)
    html = render("checkout_return.html", attempt=attempt, words=words, price=_price(attempt), path=path)
    return html_response(html, cache="no-store")


async def _look_at(app_context: AppContext, reference: str, *, now: datetime) -> tuple[Attempt | None, Words]:
    """Asks the provider while the end is open, but not more often than a person would."""
    attempt = await find_attempt_any_workspace(app_context.db, reference)
    if attempt is None or not (attempt.is_open or attempt.status is _S.EXPIRED):
        return attempt, _WORDS[attempt.status] if attempt else _UNKNOWN
    _, may_ask = app_context.windows.count(f"checkout:{reference}", _LOOKS_PER_MINUTE, now=now)
    if may_ask:
        rules = rules_of(app_context.settings)
        try:
            attempt = (
                await settle_attempt(app_context.db, app_context.payments, reference, rules=rules, now=now) or attempt
            )
        except ProviderUnavailable:
            return attempt, _UNKNOWN
    return attempt, _WORDS[attempt.status]


@route("/checkout/local/{session:str}", http_method=_READ, exception_handlers=_AWAY, before_request=load_theme)
async def local_checkout(state: State, session: FromPath[str]) -> Response[str]:
    """The local provider's page: test money, and it says so."""
    app_context: AppContext = state.app_context
    local = app_context.payments.local
    order = None if local is None else await local.read_order(session, now=app_context.clock())
    if order is None:
        return not_found_response(f"/checkout/local/{session}")
    open_for_payment = order.status in {"open", "declined"} and order.expires_at > app_context.clock()
    html = render(
        "checkout_local.html",
        order=order,
        price=f"{order.amount_cents / 100:,.2f} {order.currency.upper()}",
        can_choose=open_for_payment,
        can_finish=order.status == "processing",
        return_path=urlsplit(order.return_url).path,
    )
    shown = html_response(html, cache="no-store")
    # With no referrer at all a browser hides the origin of a form too, and then it cannot be told from a foreign one.
    shown.headers["Referrer-Policy"] = "same-origin"
    return shown


@post(
    "/checkout/local/{session:str}",
    status_code=303,
    request_max_body_size=4_096,
    exception_handlers=_AWAY,
    before_request=load_theme,
)
async def pay_locally(request: Request[Any, Any, State], state: State, session: FromPath[str]) -> Response[str]:
    """Takes one of the three buttons and sends the customer back. A choice that comes too late changes nothing."""
    app_context: AppContext = state.app_context
    local: LocalPayments | None = app_context.payments.local
    order = None if local is None else await local.read_order(session, now=app_context.clock())
    if local is None or order is None:
        return not_found_response(request.url.path)
    if find_same_origin(request) is False:  # a client that sends neither header is no browser that could be misled
        return html_response(render("checkout_cross_site.html"), status=403, cache="no-store")
    choice = (await request.form()).get("action")
    if choice in CHOICES:
        await local.choose(session, choice, now=app_context.clock())
        return _go_to(urlsplit(order.return_url).path)
    return _go_to(f"/checkout/local/{session}")


def _go_to(path: str) -> Response[str]:
    """A path, not an address: the customer stays on the host that they came by."""
    return Response("", status_code=303, headers={**HEADERS, "Cache-Control": "no-store", "Location": path})


def _price(attempt: Attempt) -> str:
    return f"{attempt.amount_cents / 100:,.2f} {attempt.currency.upper()}"
