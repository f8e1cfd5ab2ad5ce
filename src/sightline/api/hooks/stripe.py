"""Webhook messages from Stripe. They only say what changed: every fact is retrieved from Stripe before it counts."""

import structlog
from starlette.responses import Response

from sightline.api.app_context import AppContext
from sightline.api.site_routes import SiteRequest, SiteRoute
from sightline.credits.checkout.provider_events import settle_provider_event
from sightline.credits.ledger import build_credit_rules
from sightline.credits.providers.models import InvalidSignature, ProviderUnavailable
from sightline.db.engine import DatabaseUnavailable
from sightline.errors import Problem

log = structlog.get_logger()

_MAX_BODY_BYTES = 512 * 1024


async def _receive(request: SiteRequest) -> Response:
    """Handle one message from Stripe.

    Return 200 if it was processed or does not concern us, 400 if its signature is missing, invalid or too old, and 503
    if it could not be processed now, so that Stripe sends it again.
    """
    app_context: AppContext = request.app.state.app_context
    stripe = app_context.payments.stripe
    if stripe is None or not stripe.can_verify:
        return _respond(503, "Stripe is not set up here.")
    try:
        body = await request.body()
    except Problem:
        return _respond(413, "The message is too large.")
    try:
        event = stripe.parse_event(body, request.headers.get("stripe-signature"))
    except InvalidSignature as error:
        log.warning("stripe_message_refused", reason=str(error))
        return _respond(400, "The signature is not valid.")
    if event is None:
        return _respond(200, "ok")
    try:
        await settle_provider_event(
            app_context.db,
            app_context.payments,
            stripe,
            event,
            rules=build_credit_rules(app_context.settings),
            now=app_context.clock(),
        )
    except (ProviderUnavailable, DatabaseUnavailable) as error:
        log.warning("stripe_message_postponed", reason=type(error).__name__)
        return _respond(503, "Try again later.")
    except Exception:
        log.exception("stripe_message_failed")
        return _respond(500, "An internal error occurred. Send the message again later.")
    return _respond(200, "ok")


def _respond(status: int, text: str) -> Response:
    return Response(text, status_code=status, media_type="text/plain")


receive_stripe = SiteRoute(("/webhooks/stripe",), ("POST",), _receive, max_body_bytes=_MAX_BODY_BYTES)
