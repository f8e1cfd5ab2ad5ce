"""A checkout attempt, the states it can be in, and which state may follow which. Nothing else knows the order."""

import enum
import uuid
from collections.abc import Mapping
from datetime import datetime

import msgspec


class AttemptStatus(enum.StrEnum):
    UNPAID = "unpaid"
    """No payment is known."""
    PENDING = "pending"
    """The customer has done their part; the money is on its way."""
    CREDITED = "credited"
    """Paid, verified, and the credits are on the account."""
    RECONCILIATION = "reconciliation"
    """Paid, but amount, currency or workspace differ from what was ordered. Nothing was credited."""
    REFUND_REQUIRED = "refund_required"
    """Paid twice, or paid when it should not have been any more. The surplus payment was not credited."""
    EXPIRED = "expired"
    """Ended without a payment."""
    REFUNDED = "refunded"
    """All of the money went back to the customer."""


_S = AttemptStatus
OPEN = frozenset({_S.UNPAID, _S.PENDING})
TRANSITIONS: Mapping[AttemptStatus, frozenset[AttemptStatus]] = {
    _S.UNPAID: frozenset({_S.PENDING, _S.CREDITED, _S.RECONCILIATION, _S.REFUND_REQUIRED, _S.EXPIRED}),
    _S.PENDING: frozenset({_S.CREDITED, _S.RECONCILIATION, _S.REFUND_REQUIRED, _S.EXPIRED}),
    # Money can come to light after the end: a message was late, or the provider was away.
    _S.EXPIRED: frozenset({_S.CREDITED, _S.RECONCILIATION, _S.REFUND_REQUIRED}),
    _S.CREDITED: frozenset({_S.REFUNDED, _S.REFUND_REQUIRED}),
    _S.RECONCILIATION: frozenset({_S.REFUNDED}),
    # Back to credited: the second payment of a credited attempt was returned.
    _S.REFUND_REQUIRED: frozenset({_S.REFUNDED, _S.CREDITED}),
    # A refund that fails at the bank, or a dispute that is won, brings the money back.
    _S.REFUNDED: frozenset({_S.CREDITED, _S.REFUND_REQUIRED}),
}


class AttemptRow(msgspec.Struct, frozen=True):
    """One try to buy a pack. What was ordered never changes; only the state and what is known of the payment do."""

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
    expires_at: datetime
    created_at: datetime
    updated_at: datetime

    @property
    def is_open(self) -> bool:
        return self.status in OPEN
