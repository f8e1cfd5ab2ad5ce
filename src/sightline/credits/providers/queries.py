"""All SQL of the local provider. Its orders know no workspaces: a session is a secret, as with any provider."""

from datetime import datetime

import msgspec

from sightline.credits.providers.models import NewOrder
from sightline.db.engine import Reader, columns, to_row, to_row_or_none


class LocalOrder(msgspec.Struct, frozen=True):
    session: str
    reference: str
    workspace_id: object
    livemode: bool
    amount_cents: int
    currency: str
    description: str
    return_url: str
    cancel_url: str
    status: str
    order_id: str | None
    paid_at: datetime | None
    expires_at: datetime


_ORDER = columns(LocalOrder)


async def insert_order_any_workspace(db: Reader, session: str, new: NewOrder, *, now: datetime) -> LocalOrder:
    """Return the order of this reference. The first call creates it, a repeated one finds it."""
    row = await db.fetchrow(
        f"""INSERT INTO local_orders (session, reference, workspace_id, livemode, amount_cents, currency, description,
                                      return_url, cancel_url, status, expires_at, created_at, updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', $10, $11, $11)
            ON CONFLICT (reference) DO UPDATE SET reference = EXCLUDED.reference RETURNING {_ORDER}""",
        session,
        new.reference,
        new.workspace_id,
        new.livemode,
        new.amount_cents,
        new.currency,
        new.description,
        new.return_url,
        new.cancel_url,
        new.expires_at,
        now,
    )
    return to_row(LocalOrder, row)


async def find_order_any_workspace(db: Reader, session: str) -> LocalOrder | None:
    row = await db.fetchrow(f"SELECT {_ORDER} FROM local_orders WHERE session = $1", session)
    return to_row_or_none(LocalOrder, row)


async def change_order_any_workspace(
    db: Reader, session: str, status: str, *, was: tuple[str, ...], order_id: str | None = None, now: datetime
) -> bool:
    """Change the status in one guarded UPDATE. Return False when the order is in another state or has ended."""
    changed = await db.fetchval(
        """UPDATE local_orders
           SET status = $2, updated_at = $5, order_id = coalesce(order_id, $4),
               paid_at = CASE WHEN $2 = 'paid' THEN $5 ELSE paid_at END
           WHERE session = $1 AND status = ANY($3) AND ($2 NOT IN ('paid', 'processing') OR status = 'processing'
                                                        OR expires_at > $5)
           RETURNING true""",
        session,
        status,
        list(was),
        order_id,
        now,
    )
    return changed is not None


async def mark_arrived_any_workspace(db: Reader, session: str, *, started_before: datetime, now: datetime) -> None:
    """Mark a processing order as paid once its money has arrived."""
    await db.fetchval(
        """UPDATE local_orders SET status = 'paid', paid_at = $3, updated_at = $3
           WHERE session = $1 AND status = 'processing' AND updated_at <= $2 RETURNING true""",
        session,
        started_before,
        now,
    )
