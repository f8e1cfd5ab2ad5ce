"""All SQL of accounts, entries, packs and spending. Workspace and mode come first: modes never mix."""

import uuid
from datetime import datetime

from sightline.credits.models import LedgerEntry, Pack
from sightline.db.engine import Reader, Transaction, columns, to_row, to_row_or_none, to_rows

_ENTRY = columns(LedgerEntry)
_PACK = columns(Pack)

SortKey = tuple[datetime, uuid.UUID]


async def insert_account(
    db: Reader, workspace_id: uuid.UUID, first: LedgerEntry, *, livemode: bool, cause: str
) -> None:
    """Insert the account and its first entry in one statement. Of concurrent callers, one inserts both."""
    await db.fetchval(
        """WITH opened AS (
               INSERT INTO credit_accounts (workspace_id, livemode, balance, created_at) VALUES ($1, $2, $4, $7)
               ON CONFLICT (workspace_id, livemode) DO NOTHING RETURNING workspace_id, livemode, balance)
           INSERT INTO credit_entries (workspace_id, id, livemode, delta, reason, description, cause, created_at)
           SELECT workspace_id, $3, livemode, balance, $8, $6, $5, $7
           FROM opened WHERE balance <> 0""",
        workspace_id,
        livemode,
        first.id,
        first.delta,
        cause,
        first.description,
        first.created_at,
        first.reason,
    )


async def find_balance(db: Reader, workspace_id: uuid.UUID, *, livemode: bool, lock: bool = False) -> int | None:
    balance: int | None = await db.fetchval(
        f"""SELECT balance FROM credit_accounts WHERE workspace_id = $1 AND livemode = $2
            {"FOR UPDATE" if lock else ""}""",
        workspace_id,
        livemode,
    )
    return balance


async def insert_entry(
    tx: Transaction,
    workspace_id: uuid.UUID,
    entry: LedgerEntry,
    *,
    livemode: bool,
    cause: str,
) -> bool:
    """Insert the entry and move the balance in one statement. Return False when the cause has an entry."""
    moved = await tx.fetchval(
        """WITH entry AS (
               INSERT INTO credit_entries (workspace_id, livemode, cause, id, delta, reason, scan_id,
                                           payment_reference, description, created_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
               ON CONFLICT (workspace_id, livemode, cause) DO NOTHING RETURNING delta)
           UPDATE credit_accounts SET balance = balance + entry.delta FROM entry
           WHERE workspace_id = $1 AND livemode = $2 RETURNING true""",
        workspace_id,
        livemode,
        cause,
        *(getattr(entry, name) for name in LedgerEntry.__struct_fields__),
    )
    return moved is not None


async def find_delta(db: Reader, workspace_id: uuid.UUID, cause: str, *, livemode: bool) -> int | None:
    delta: int | None = await db.fetchval(
        "SELECT delta FROM credit_entries WHERE workspace_id = $1 AND livemode = $2 AND cause = $3",
        workspace_id,
        livemode,
        cause,
    )
    return delta


async def list_entries(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, reason: str | None, after: SortKey | None, limit: int
) -> list[LedgerEntry]:
    """List entries, newest first. The condition is spelled out per case, so that each uses its own index."""
    values: list[object] = [workspace_id, livemode, limit]
    conditions = ""
    if reason is not None:
        values.append(reason)
        conditions += f" AND reason = ${len(values)}"
    if after is not None:
        values.extend(after)
        conditions += f" AND (created_at, id) < (${len(values) - 1}, ${len(values)})"
    rows = await db.fetch(
        f"""SELECT {_ENTRY} FROM credit_entries WHERE workspace_id = $1 AND livemode = $2{conditions}
            ORDER BY created_at DESC, id DESC LIMIT $3""",
        *values,
    )
    return to_rows(LedgerEntry, rows)


def _csv_text(column: str) -> str:
    """Return SQL for a quoted cell. A value that a spreadsheet would run as a formula gets an apostrophe.

    Those begin with = + - @, a tab or a carriage return.
    """
    formula = f"ascii({column}) IN (61, 43, 45, 64, 9, 13)"
    return f"""CASE WHEN {formula} THEN '"''' ELSE '"' END || replace({column}, '"', '""') || '"'"""


# PostgreSQL builds the lines, so a row costs Python nothing. Times look like those of `to_iso`; ids and numbers need no
# quotes. The subquery sorts, and aggregates keep the order of its rows.
_EXPORT = f"""SELECT convert_to(string_agg(
        id::text || to_char(created_at AT TIME ZONE 'UTC', ',YYYY-MM-DD"T"HH24:MI:SS.US"+00:00,"')
        || reason || ',' || delta::text || ',' || coalesce(scan_id::text, '') || ','
        || coalesce({_csv_text("payment_reference")}, '') || ','
        || {_csv_text("description")} || E'\\r\\n', ''), 'UTF8'),
        count(*), min(created_at), (array_agg(id))[count(*)]
    FROM (SELECT {_ENTRY} FROM credit_entries WHERE workspace_id = $1 AND livemode = $2{{after}}
          ORDER BY created_at DESC, id DESC LIMIT {{limit}}) page"""


async def export_entries(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, after: SortKey | None, limit: int
) -> tuple[bytes, SortKey | None]:
    """Return CSV lines, newest first, and the key to continue from (None at the end).

    The limit is part of the statement, so that no query plan reads more than one batch.
    """
    condition = "" if after is None else " AND (created_at, id) < ($3, $4)"
    statement = _EXPORT.format(after=condition, limit=limit)
    lines, count, *last = await db.fetchrow(statement, workspace_id, livemode, *(after or ()))
    return lines or b"", (last[0], last[1]) if count == limit else None


async def set_spend_cap(tx: Transaction, workspace_id: uuid.UUID, cents: int | None, *, now: datetime) -> None:
    """Set the cap, creating the live account if it is missing. It starts empty, so it needs no entry."""
    await tx.execute(
        """INSERT INTO credit_accounts (workspace_id, livemode, spend_cap_cents, created_at) VALUES ($1, true, $2, $3)
           ON CONFLICT (workspace_id, livemode) DO UPDATE SET spend_cap_cents = EXCLUDED.spend_cap_cents""",
        workspace_id,
        cents,
        now,
    )


async def find_cap_and_spend(
    db: Reader, workspace_id: uuid.UUID, *, livemode: bool, since: datetime, before: datetime
) -> tuple[int | None, int]:
    """Return the cap of the workspace and the credited purchases of a period.

    The cap is stored with the live account and applies to both modes. A refund counts in the period of its
    purchase.
    """
    cap, cents = await db.fetchrow(
        """SELECT (SELECT spend_cap_cents FROM credit_accounts WHERE workspace_id = $1 AND livemode),
                  coalesce(sum(amount_cents - refunded_cents), 0)::bigint
           FROM checkout_attempts
           WHERE workspace_id = $1 AND livemode = $2 AND credited_at >= $3 AND credited_at < $4""",
        workspace_id,
        livemode,
        since,
        before,
    )
    return cap, cents


async def sum_open_attempts(db: Reader, workspace_id: uuid.UUID, *, livemode: bool, now: datetime) -> tuple[int, int]:
    """Return the cents of payments on their way, which never expire, and of checkouts that can still be paid."""
    on_their_way, unpaid = await db.fetchrow(
        """SELECT coalesce(sum(amount_cents) FILTER (WHERE status = 'pending'), 0)::bigint,
                  coalesce(sum(amount_cents) FILTER (WHERE status = 'unpaid' AND expires_at > $3), 0)::bigint
           FROM checkout_attempts
           WHERE workspace_id = $1 AND livemode = $2 AND status IN ('unpaid', 'pending')""",
        workspace_id,
        livemode,
        now,
    )
    return on_their_way, unpaid


_PENDING_SANDBOX_SCANS = """SELECT id, credits_charged FROM scans
    WHERE workspace_id = $1 AND livemode AND measurement_scope = 'console_check' AND answers_source = 'sandbox'
      AND status = 'pending'"""


async def sum_pending_sandbox_charges(db: Reader, workspace_id: uuid.UUID) -> int:
    """Return the live credits charged for pending sandbox scans. Cancelling the scans would return them."""
    total: int = await db.fetchval(
        f"SELECT coalesce(sum(credits_charged), 0)::bigint FROM ({_PENDING_SANDBOX_SCANS}) s", workspace_id
    )
    return total


async def list_test_money_moves(db: Reader, workspace_id: uuid.UUID) -> list[tuple[int, uuid.UUID | None, bool]]:
    """Return live entries in order: change, scan, and whether it is a purchase with test money or its reversal.

    Charges of pending sandbox scans are left out, as if they were returned.
    """
    rows = await db.fetch(
        f"""SELECT e.delta, e.scan_id,
                   e.payment_reference IS NOT NULL AND EXISTS (
                       SELECT FROM checkout_attempts a
                       WHERE a.workspace_id = $1 AND a.livemode AND a.payment_reference = e.payment_reference
                         AND (a.provider = 'local' OR a.provider_session LIKE 'cs_test_%'))
            FROM credit_entries e
            WHERE e.workspace_id = $1 AND e.livemode
              AND NOT EXISTS (SELECT FROM ({_PENDING_SANDBOX_SCANS}) s WHERE s.id = e.scan_id)
            ORDER BY e.created_at, e.id""",
        workspace_id,
    )
    return [(row[0], row[1], row[2]) for row in rows]


async def list_packs_any_workspace(db: Reader, *, active_only: bool = True) -> list[Pack]:
    """List packs, which are the same for every workspace."""
    rows = await db.fetch(
        f"SELECT {_PACK} FROM credit_packs WHERE active OR NOT $1 ORDER BY price_cents, pricing_id", active_only
    )
    return to_rows(Pack, rows)


async def find_pack_any_workspace(db: Reader, pricing_id: int, *, lock: bool = False) -> Pack | None:
    row = await db.fetchrow(
        f"SELECT {_PACK} FROM credit_packs WHERE pricing_id = $1 {'FOR UPDATE' if lock else ''}", pricing_id
    )
    return to_row_or_none(Pack, row)


async def insert_pack_any_workspace(
    tx: Transaction,
    *,
    credits: int,  # noqa: A002 - the product's term
    price_cents: int,
    name: str,
    description: str,
    badge: str | None,
) -> Pack:
    row = await tx.fetchrow(
        f"""INSERT INTO credit_packs (credits, price_cents, name, description, badge)
            VALUES ($1, $2, $3, $4, $5) RETURNING {_PACK}""",
        credits,
        price_cents,
        name,
        description,
        badge,
    )
    return to_row(Pack, row)


async def update_pack_any_workspace(tx: Transaction, pack: Pack) -> None:
    await tx.execute(
        """UPDATE credit_packs SET credits = $2, price_cents = $3, name = $4, description = $5, badge = $6, active = $7
           WHERE pricing_id = $1""",
        pack.pricing_id,
        pack.credits,
        pack.price_cents,
        pack.name,
        pack.description,
        pack.badge,
        pack.active,
    )


async def begin_snapshot(tx: Transaction) -> None:
    """Make all following statements see one snapshot. Must be the first statement of a transaction."""
    await tx.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


async def list_workspace_ids_any_workspace(db: Reader) -> list[uuid.UUID]:
    return [row[0] for row in await db.fetch("SELECT id FROM workspaces ORDER BY id")]


# Discrepancies as workspace, mode, subject, recorded value and expected value. Null means that there is none.
WRONG_BALANCES = """SELECT a.workspace_id, a.livemode, 'account', a.balance, coalesce(e.total, 0)
    FROM credit_accounts a LEFT JOIN (
        SELECT workspace_id, livemode, sum(delta)::bigint AS total FROM credit_entries
        WHERE workspace_id = ANY($1) GROUP BY workspace_id, livemode) e USING (workspace_id, livemode)
    WHERE a.workspace_id = ANY($1) AND a.balance <> coalesce(e.total, 0)"""

_PER_SCAN = """SELECT workspace_id, livemode, coalesce(e.scan_id, s.id)::text, e.total, s.expected
    FROM (SELECT workspace_id, livemode, scan_id, {sign}sum(delta)::bigint AS total, count(*) AS entries
          FROM credit_entries WHERE workspace_id = ANY($1) AND {entries}
          GROUP BY workspace_id, livemode, scan_id) e
    FULL JOIN (SELECT workspace_id, livemode, id, id AS scan_id, {expected} AS expected, {parts} AS parts
               FROM scans WHERE workspace_id = ANY($1) AND {expected} > 0) s
         USING (workspace_id, livemode, scan_id)
    WHERE e.total IS DISTINCT FROM s.expected OR e.entries <> s.parts"""
WRONG_CHARGES = _PER_SCAN.format(sign="-", entries="reason = 'scan_consumption'", expected="credits_charged", parts="1")
# A completed scan has one refund entry per refunded platform; their number follows from the refunded credits.
WRONG_SCAN_REFUNDS = _PER_SCAN.format(
    sign="",
    entries="reason = 'refund' AND (scan_id IS NOT NULL OR payment_reference IS NULL)",
    expected="""CASE WHEN status = 'failed' OR status = 'cancelled' AND started_at IS NULL THEN credits_charged
                     WHEN status = 'completed' THEN credits_refunded ELSE 0 END""",
    parts="""CASE WHEN status = 'completed'
                  THEN credits_refunded * cardinality(selected_platforms) / nullif(credits_charged, 0) ELSE 1 END""",
)

WRONG_PURCHASES = """SELECT workspace_id, livemode, coalesce(c.reference, payment_reference), e.total, c.credits
    FROM (SELECT workspace_id, livemode, payment_reference, sum(delta)::bigint AS total, count(*) AS entries
          FROM credit_entries
          WHERE workspace_id = ANY($1) AND reason = 'purchase' AND payment_reference IS NOT NULL
          GROUP BY workspace_id, livemode, payment_reference) e
    FULL JOIN (SELECT workspace_id, livemode, payment_reference, reference, credits
               FROM checkout_attempts WHERE workspace_id = ANY($1) AND credited_at IS NOT NULL) c
         USING (workspace_id, livemode, payment_reference)
    WHERE e.total IS DISTINCT FROM c.credits OR e.entries <> 1"""


async def list_discrepancies_any_workspace(
    db: Reader, statement: str, workspace_ids: list[uuid.UUID]
) -> list[tuple[uuid.UUID, bool, str | None, int | None, int | None]]:
    return [tuple(row) for row in await db.fetch(statement, workspace_ids)]
