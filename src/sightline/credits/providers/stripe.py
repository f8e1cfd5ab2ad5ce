"""Stripe: Checkout Sessions through the official SDK, and signed events.

An event only says where to look. The state is fetched from the API each time: the session, and the refunds and disputes
of its payment.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import stripe
import structlog
from aiohttp import ClientError, ClientTimeout

from sightline.credits.providers.models import (
    InvalidSignature,
    NewOrder,
    Order,
    ProviderEvent,
    ProviderUnavailable,
    Reversal,
    Stage,
    StartedOrder,
)

log = structlog.get_logger()

TIMEOUT = ClientTimeout(total=15, sock_connect=5)
_RETRIES = 1  # events, customers and the reconciler all try again
_TOLERANCE_SECONDS = 300
# Stripe expires a session after 30 minutes to 24 hours; clocks may differ a little.
_MIN_LIFETIME = timedelta(minutes=31)
_MAX_LIFETIME = timedelta(hours=24)
_MARGIN = timedelta(minutes=1)
_MAX_LISTED = 100
# Raised by the SDK for a body that is not an event, or a header that is not ASCII.
_MALFORMED = (ValueError, TypeError, AttributeError, KeyError, RecursionError)
_TEST_KEYS = ("sk_test_", "rk_test_")

_SESSION_EVENTS = {
    "checkout.session.completed",
    "checkout.session.async_payment_succeeded",
    "checkout.session.async_payment_failed",
    "checkout.session.expired",
}
_PAYMENT_EVENTS = {
    "charge.refunded",
    "charge.refund.updated",
    "refund.created",
    "refund.updated",
    "refund.failed",
    "charge.dispute.created",
    "charge.dispute.closed",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.funds_reinstated",
}


class _HttpClient(stripe.AIOHTTPClient):
    """The SDK's client, without redirects: the API sends none, and following one would disclose the key."""

    def _get_request_args_kwargs(self, *args: Any, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        positional, named = super()._get_request_args_kwargs(*args, **kwargs)
        return positional, {**named, "allow_redirects": False}


class StripePayments:
    name = "stripe"

    def __init__(self, api_key: str, *, webhook_secret: str | None, base_url: str, automatic_tax: bool = True) -> None:
        stripe.enable_telemetry = False  # sends latencies to Stripe
        self.livemode = not api_key.startswith(_TEST_KEYS)
        self._http = _HttpClient(timeout=TIMEOUT)
        self._client = stripe.StripeClient(
            api_key,
            base_addresses={"api": base_url.rstrip("/")},
            http_client=self._http,
            max_network_retries=_RETRIES,
        )
        self._webhook_secret = webhook_secret
        self._automatic_tax = automatic_tax
        self._opened = False

    @property
    def can_verify(self) -> bool:
        return self._webhook_secret is not None

    async def close(self) -> None:
        if self._opened:
            await self._http.close_async()  # type: ignore[no-untyped-call]

    def expiry_for(self, now: datetime, lifetime: int) -> datetime:
        return now + min(max(timedelta(seconds=lifetime), _MIN_LIFETIME), _MAX_LIFETIME)

    async def start_order(self, new: NewOrder, *, now: datetime) -> StartedOrder:
        metadata = {"checkout_reference": new.reference, "workspace_id": new.workspace_id}
        async with self._calling("start_order"):
            session = await self._client.v1.checkout.sessions.create_async(
                params={
                    "mode": "payment",
                    "line_items": [
                        {
                            "quantity": 1,
                            "price_data": {
                                "currency": new.currency,
                                "unit_amount": new.amount_cents,
                                "tax_behavior": "exclusive",
                                "product_data": {"name": new.description},
                            },
                        }
                    ],
                    "automatic_tax": {"enabled": self._automatic_tax},
                    "client_reference_id": new.reference,
                    "metadata": metadata,
                    "payment_intent_data": {"metadata": metadata},
                    "expires_at": int(min(new.expires_at, now + _MAX_LIFETIME - _MARGIN).timestamp()),
                    "success_url": new.return_url,
                    "cancel_url": new.cancel_url,
                },
                options={"idempotency_key": new.reference},
            )
        if session.livemode is not new.livemode:
            log.warning("stripe_mode_differs", session_livemode=session.livemode, order_livemode=new.livemode)
            raise ProviderUnavailable("the session is of another mode than the order")
        if not session.url:
            raise ProviderUnavailable("the session has no page to pay on")
        return StartedOrder(session.id, session.url)

    async def find_order(self, session: str, *, now: datetime) -> Order | None:  # noqa: ARG002 - Stripe has a clock
        async with self._calling("find_order"):
            try:
                found = await self._client.v1.checkout.sessions.retrieve_async(
                    session, params={"expand": ["payment_intent.latest_charge"]}
                )
            except stripe.InvalidRequestError as error:
                if error.http_status == 404:
                    return None
                raise
            payment = found.payment_intent
            if found.payment_status != "paid" or payment is None or isinstance(payment, str):
                return _to_order(found, ())
            return _to_order(found, await self._find_reversals(payment.id))

    async def close_order(self, session: str, *, now: datetime) -> None:  # noqa: ARG002 - Stripe has a clock
        async with self._calling("close_order"):
            try:
                await self._client.v1.checkout.sessions.expire_async(session)
            except stripe.InvalidRequestError:
                return  # no longer open: the next lookup shows its state

    async def find_session(self, payment: str) -> ProviderEvent | None:
        """Return the session of a payment, or None for a payment that was not made through one."""
        async with self._calling("find_session"):
            sessions = await self._client.v1.checkout.sessions.list_async(
                params={"payment_intent": payment, "limit": 1}
            )
        for session in sessions.data:
            return ProviderEvent(session=session.id, reference=session.client_reference_id)
        return None

    def parse_event(self, body: bytes, signature: str | None) -> ProviderEvent | None:
        """Return what the event names, or None when it does not concern us or is of another mode than the key.

        Raises `InvalidSignature` for a body that Stripe did not sign recently.
        """
        try:
            event = self._client.construct_event(body, signature, self._webhook_secret, _TOLERANCE_SECONDS)
            subject: Any = event.data.object
            kind, livemode = event.type, event.livemode
        except (stripe.SignatureVerificationError, *_MALFORMED) as error:
            raise InvalidSignature(type(error).__name__) from error
        if livemode is not self.livemode:
            log.warning("stripe_mode_differs", event_livemode=livemode, key_livemode=self.livemode)
            return None
        if kind in _SESSION_EVENTS:
            return ProviderEvent(session=_text(subject, "id"), reference=_text(subject, "client_reference_id"))
        if kind in _PAYMENT_EVENTS and (payment := _text(subject, "payment_intent")):
            return ProviderEvent(payment=payment)
        return None

    async def _find_reversals(self, payment: str) -> tuple[Reversal, ...]:
        refunds = await self._client.v1.refunds.list_async(params={"payment_intent": payment, "limit": _MAX_LISTED})
        disputes = await self._client.v1.disputes.list_async(params={"payment_intent": payment, "limit": _MAX_LISTED})
        returned = [
            Reversal(refund.id, "refund", refund.amount, undone=refund.status in {"failed", "canceled"})
            for refund in refunds.data
        ]
        withdrawn = [
            Reversal(dispute.id, "dispute", dispute.amount, undone=any(moved > 0 for moved in movements))
            for dispute in disputes.data
            if (movements := [movement.amount for movement in dispute.balance_transactions])
        ]
        # Oldest first: each takes its share of what the earlier ones left.
        return tuple(reversed(returned)) + tuple(reversed(withdrawn))

    @asynccontextmanager
    async def _calling(self, operation: str) -> AsyncIterator[None]:
        """Convert errors of the SDK and of the network to `ProviderUnavailable`.

        The SDK wraps errors before the response; errors while the response is read are not wrapped.
        """
        self._opened = True
        try:
            yield
        except stripe.StripeError as error:
            # Not the message, which may quote the request.
            log.warning(
                "stripe_refused" if error.http_status else "stripe_unreachable",
                call=operation,
                kind=type(error).__name__,
                status=error.http_status,
                code=error.code,
                stripe_request_id=error.request_id,
            )
            raise ProviderUnavailable(type(error).__name__) from error
        except (ClientError, OSError, TimeoutError) as error:
            log.warning("stripe_unreachable", call=operation, kind=type(error).__name__)
            raise ProviderUnavailable(type(error).__name__) from error


def _to_order(session: stripe.checkout.Session, reversals: tuple[Reversal, ...]) -> Order:
    payment = session.payment_intent
    charge = payment.latest_charge if isinstance(payment, stripe.PaymentIntent) else None
    metadata: Mapping[str, str] = session.metadata.to_dict() if session.metadata else {}
    details = session.total_details
    return Order(
        session=session.id,
        reference=session.client_reference_id,
        workspace_id=metadata.get("workspace_id"),
        livemode=session.livemode,
        stage=_find_stage(session, payment),
        amount_cents=session.amount_subtotal or 0,
        tax_cents=details.amount_tax if details else 0,
        total_cents=session.amount_total or 0,
        currency=session.currency or "",
        order_id=payment.id if isinstance(payment, stripe.PaymentIntent) else payment,
        paid_at=datetime.fromtimestamp(charge.created, UTC) if isinstance(charge, stripe.Charge) else None,
        reversals=reversals,
    )


def _find_stage(session: stripe.checkout.Session, payment: stripe.PaymentIntent | str | None) -> Stage:
    if session.status == "open":
        return "open"
    if session.status == "expired":
        return "closed"
    if session.payment_status != "unpaid":
        return "paid"
    status = payment.status if isinstance(payment, stripe.PaymentIntent) else "processing"
    return "failed" if status in {"requires_payment_method", "canceled"} else "processing"


def _text(subject: Any, name: str) -> str | None:
    value = subject.get(name) if isinstance(subject, dict) else getattr(subject, name, None)
    return value if isinstance(value, str) else None
