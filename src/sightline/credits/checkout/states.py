"""Checkout attempts, their states and the allowed transitions. No other module knows them."""

import enum
import uuid
from collections.abc import Mapping
from datetime import datetime

import msgspec


class AttemptStatus(enum.StrEnum):
    UNPAID = "unpaid"
    """No payment is known."""
    PENDING = "pending"
    """The customer has paid; the money has not arrived yet."""
    CREDITED = "credited"
    """Paid and verified; the credits are on the account."""
    RECONCILIATION = "reconciliation"
    """Paid, but amount, currency or workspace differ from the order. Nothing was credited."""
    REFUND_REQUIRED = "refund_required"
    """Paid twice, or paid too late. The surplus payment was not credited."""
    EXPIRED = "expired"
    """Ended without a payment."""
    REFUNDED = "refunded"
    """All of the money was returned to the customer."""


_S = AttemptStatus
OPEN = frozenset({_S.UNPAID, _S.PENDING})
IN_REVIEW = frozenset({_S.RECONCILIATION, _S.REFUND_REQUIRED})
"""A person has to look at the payment."""
TRANSITIONS: Mapping[AttemptStatus, frozenset[AttemptStatus]] = {
    _S.UNPAID: frozenset({_S.PENDING, _S.CREDITED, _S.RECONCILIATION, _S.REFUND_REQUIRED, _S.EXPIRED}),
    _S.PENDING: frozenset({_S.CREDITED, _S.RECONCILIATION, _S.REFUND_REQUIRED, _S.EXPIRED}),
    # A payment can become known late: an event was delayed, or the provider was unavailable.
    _S.EXPIRED: frozenset({_S.CREDITED, _S.RECONCILIATION, _S.REFUND_REQUIRED}),
    _S.CREDITED: frozenset({_S.REFUNDED, _S.REFUND_REQUIRED}),
    # Credited: the operator accepts a payment that differs.
    _S.RECONCILIATION: frozenset({_S.REFUNDED, _S.CREDITED}),
    # Credited: the operator accepts a late payment, or the second payment of a credited attempt was refunded.
    _S.REFUND_REQUIRED: frozenset({_S.REFUNDED, _S.CREDITED}),
    # A refund that fails, or a dispute that is won, brings the money back.
    _S.REFUNDED: frozenset({_S.CREDITED, _S.REFUND_REQUIRED}),
}


class AttemptRow(msgspec.Struct, frozen=True):
    """A row of `checkout_attempts`. What was ordered never changes; the state and the payment do."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    reference: str
    livemode: bool
    pricing_id: int
    credits: int
    amount_cents: int
    currency: str
    provider: str
    provider_session: str | None
    status: AttemptStatus
    reason: str | None
    payment_reference: str | None
    refunded_cents: int
    refunded_credits: int
    credited_at: datetime | None
    cancelled_at: datetime | None
    """When the buyer left the payment page or started another checkout: the page is to be closed."""
    expires_at: datetime
    created_at: datetime
    updated_at: datetime

    @property
    def is_open(self) -> bool:
        return self.status in OPEN

    @property
    def is_test_money(self) -> bool:
        """Return whether it is paid with test money: at the local provider, or in Stripe's test mode."""
        return self.provider == "local" or (self.provider_session or "").startswith("cs_test_")
