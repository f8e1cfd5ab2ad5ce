"""The interface of a payment provider."""

from datetime import datetime
from typing import Literal, Protocol

import msgspec

Stage = Literal["open", "processing", "paid", "failed", "closed"]


class ProviderUnavailable(Exception):
    """The provider cannot be asked now or refuses to answer. The state of the payment is unknown; ask again later."""


class InvalidSignature(Exception):
    """An event without a valid, recent signature of the provider."""


class NewOrder(msgspec.Struct, frozen=True):
    """An order for the provider to collect. `reference` is also the idempotency key."""

    reference: str
    workspace_id: str
    livemode: bool
    amount_cents: int
    currency: str
    description: str
    return_url: str
    cancel_url: str
    expires_at: datetime


class StartedOrder(msgspec.Struct, frozen=True):
    """The provider's id of the order, and the address of the page where it is paid."""

    session: str
    url: str


class Reversal(msgspec.Struct, frozen=True):
    """Money that was returned: a refund or a withdrawn dispute. `undone`: it came back to us."""

    id: str
    kind: Literal["refund", "dispute"]
    cents: int
    undone: bool


class Order(msgspec.Struct, frozen=True):
    """An order as the provider reports it at this moment."""

    session: str
    reference: str | None
    workspace_id: str | None
    livemode: bool
    """False: it was paid with the provider's test money."""
    stage: Stage
    amount_cents: int
    """The price without tax."""
    tax_cents: int
    total_cents: int
    """The amount that the customer was charged."""
    currency: str
    order_id: str | None
    paid_at: datetime | None
    reversals: tuple[Reversal, ...] = ()

    @property
    def is_returned(self) -> bool:
        """Return whether all of the money was returned."""
        returned = sum(reversal.cents for reversal in self.reversals if not reversal.undone)
        return returned >= self.total_cents


class ProviderEvent(msgspec.Struct, frozen=True):
    """What a provider's event names: a session or a payment. Nothing else in it is trusted."""

    session: str | None = None
    reference: str | None = None
    payment: str | None = None


class Provider(Protocol):
    """A payment service. Never call it inside a transaction: each call may use the network."""

    @property
    def name(self) -> str: ...

    def expiry_for(self, now: datetime, lifetime: int) -> datetime:
        """Return when an order that starts now expires, as close to `lifetime` as the provider allows."""
        ...

    async def start_order(self, new: NewOrder, *, now: datetime) -> StartedOrder: ...

    async def find_order(self, session: str, *, now: datetime) -> Order | None: ...

    async def close_order(self, session: str, *, now: datetime) -> None:
        """Make sure that an unpaid order cannot be paid. A paid or processing one stays as it is."""
        ...
