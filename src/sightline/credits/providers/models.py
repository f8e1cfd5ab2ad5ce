"""What a payment provider takes and tells, in our own words."""

from datetime import datetime
from typing import Literal, Protocol

import msgspec

Stage = Literal["open", "processing", "paid", "failed", "closed"]


class ProviderUnavailable(Exception):
    """The provider cannot be asked now, or does not let us. Nothing is known of the payment; ask again later."""


class InvalidSignature(Exception):
    """A message that does not carry the provider's signature, or carries an old one."""


class NewOrder(msgspec.Struct, frozen=True):
    """What the provider is asked to collect. `reference` is also the key under which a repeated call is one call."""

    reference: str
    workspace_id: str
    amount_cents: int
    currency: str
    description: str
    return_url: str
    expires_at: datetime


class StartedOrder(msgspec.Struct, frozen=True):
    """The provider's own name of the order, and the address of the page on which it is paid."""

    session: str
    url: str


class Reversal(msgspec.Struct, frozen=True):
    """Money that went back: a refund, or what a dispute has withdrawn. `undone`: it came back to us after all."""

    id: str
    kind: Literal["refund", "dispute"]
    cents: int
    undone: bool


class Order(msgspec.Struct, frozen=True):
    """An order as the provider has it in its books at this moment."""

    session: str
    reference: str | None
    workspace_id: str | None
    stage: Stage
    amount_cents: int
    """Without tax."""
    tax_cents: int
    total_cents: int
    """What the customer was charged."""
    currency: str
    order_id: str | None
    paid_at: datetime | None
    reversals: tuple[Reversal, ...] = ()

    @property
    def is_returned(self) -> bool:
        """All of the money went back."""
        returned = sum(reversal.cents for reversal in self.reversals if not reversal.undone)
        return returned >= self.total_cents


class ProviderEvent(msgspec.Struct, frozen=True):
    """What a provider's message is about; nothing else in it is believed. Either a session or a payment is named."""

    session: str | None = None
    reference: str | None = None
    payment: str | None = None


class Provider(Protocol):
    """A payment service. None of these may be called inside of a transaction: each may be a call over the network."""

    @property
    def name(self) -> str: ...

    def expiry_for(self, now: datetime, lifetime: int) -> datetime:
        """When an order that is started now ends, as close to the wish as the provider allows."""
        ...

    async def start_order(self, new: NewOrder, *, now: datetime) -> StartedOrder: ...

    async def find_order(self, session: str, *, now: datetime) -> Order | None: ...

    async def close_order(self, session: str, *, now: datetime) -> None:
        """After this an unpaid order cannot be paid. One that is paid or on its way stays as it is."""
        ...
