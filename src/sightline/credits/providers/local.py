"""The local provider: test money, paid on a page of our own, with its orders in our database.

It sells test credits everywhere, and live credits only in a sandbox, so that buying can be tried. Nobody is ever
charged.
"""

import secrets
import string
from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec

from sightline.credits.providers import queries
from sightline.credits.providers.models import NewOrder, Order, Stage, StartedOrder
from sightline.credits.providers.queries import LocalOrder
from sightline.db.engine import Database

PROCESSING_TIME = timedelta(minutes=1)
"""How long a delayed payment takes to arrive."""

CHOICES: dict[str, tuple[str, tuple[str, ...]]] = {
    "pay": ("paid", ("open", "declined", "processing")),
    "pay_later": ("processing", ("open", "declined")),
    "decline": ("declined", ("open",)),  # the customer is sent to the cancel page, which closes the order
}
_ALPHABET = string.ascii_letters + string.digits
_TOKEN_LENGTH = 32
_STAGES: dict[str, Stage] = {
    "open": "open",
    "declined": "open",
    "processing": "processing",
    "paid": "paid",
    "closed": "closed",
}


class LocalPayments:
    name = "local"

    def __init__(self, db: Database, *, public_url: str, is_sandbox: Callable[[], bool]) -> None:
        self._db = db
        self._is_sandbox = is_sandbox
        self._public_url = public_url

    @property
    def sells_live(self) -> bool:
        """Return whether test money buys live credits now."""
        return self._is_sandbox()

    def expiry_for(self, now: datetime, lifetime: int) -> datetime:
        return now + timedelta(seconds=lifetime)

    async def start_order(self, new: NewOrder, *, now: datetime) -> StartedOrder:
        order = await queries.insert_order_any_workspace(self._db, _make_token("ls"), new, now=now)
        return StartedOrder(order.session, f"{self._public_url}/checkout/local/{order.session}")

    async def find_order(self, session: str, *, now: datetime) -> Order | None:
        order = await self._find(session, now=now)
        if order is None:
            return None
        found = _to_order(order)
        return msgspec.structs.replace(found, stage="closed") if order.livemode and not self.sells_live else found

    async def close_order(self, session: str, *, now: datetime) -> None:
        await queries.change_order_any_workspace(self._db, session, "closed", was=("open", "declined"), now=now)

    # For the hosted page

    async def read_order(self, session: str, *, now: datetime) -> LocalOrder | None:
        """Return the order. Outside a sandbox an order for live credits no longer has a page."""
        order = await self._find(session, now=now)
        return None if order is None or (order.livemode and not self.sells_live) else order

    async def _find(self, session: str, *, now: datetime) -> LocalOrder | None:
        if not is_token("ls", session):
            return None
        await queries.mark_arrived_any_workspace(self._db, session, started_before=now - PROCESSING_TIME, now=now)
        return await queries.find_order_any_workspace(self._db, session)

    async def choose(self, session: str, choice: str, *, now: datetime) -> bool:
        """Apply the customer's choice on the page. Return False when the order is paid or has ended."""
        becomes, was = CHOICES[choice]
        return await queries.change_order_any_workspace(
            self._db, session, becomes, was=was, order_id=_make_token("lo"), now=now
        )


def is_token(prefix: str, text: str) -> bool:
    start, _, rest = text.partition("_")
    return start == prefix and len(rest) == _TOKEN_LENGTH and rest.isascii() and rest.isalnum()


def _make_token(prefix: str) -> str:
    return f"{prefix}_{''.join(secrets.choice(_ALPHABET) for _ in range(_TOKEN_LENGTH))}"


def _to_order(order: LocalOrder) -> Order:
    return Order(
        session=order.session,
        reference=order.reference,
        workspace_id=str(order.workspace_id),
        livemode=order.livemode,
        stage=_STAGES[order.status],
        amount_cents=order.amount_cents,
        tax_cents=0,
        total_cents=order.amount_cents,
        currency=order.currency,
        order_id=order.order_id if order.status in {"processing", "paid"} else None,
        paid_at=order.paid_at,
    )
