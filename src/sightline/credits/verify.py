"""Verifying the ledger: balances against entries, and entries against scans and purchases."""

import uuid
from collections.abc import Iterator
from typing import NamedTuple

from sightline.credits import queries
from sightline.credits.models import LedgerDiscrepancy
from sightline.db.engine import Database

_BATCH_SIZE = 500  # workspaces per statement, so that each stays far below the statement timeout


class _Check(NamedTuple):
    kind: str
    statement: str
    recorded: str
    expected: str


_CHECKS = (
    _Check("balance", queries.WRONG_BALANCES, "the balance is {}", "its entries add up to {}"),
    _Check("scan_charge", queries.WRONG_CHARGES, "the entries took {}", "the scan was charged {}"),
    _Check("scan_refund", queries.WRONG_SCAN_REFUNDS, "the entries gave back {}", "the scan is owed {}, once"),
    _Check("purchase", queries.WRONG_PURCHASES, "the entries credited {}", "the checkout credited {}, once"),
)


async def verify_ledgers_any_workspace(db: Database) -> list[LedgerDiscrepancy]:
    """Return everything that does not add up, in one snapshot of all ledgers.

    - A balance is the sum of its entries.
    - The entries of a scan are what it was charged: no entry without its scan, no charged scan without its entry.
    - A charged scan that failed, or was cancelled before it started, was refunded once. A completed one was refunded
      its `credits_refunded`, one entry for each platform without a valid answer; no other scan was.
    - A credited checkout has one purchase entry with its credits; no entry has a payment without its checkout.
    """
    discrepancies: list[LedgerDiscrepancy] = []
    async with db.transaction() as tx:
        await queries.begin_snapshot(tx)
        for workspace_ids in _batches(await queries.list_workspace_ids_any_workspace(tx)):
            for check in _CHECKS:
                rows = await queries.list_discrepancies_any_workspace(tx, check.statement, workspace_ids)
                discrepancies += [_to_discrepancy(check, *row) for row in rows]
    return discrepancies


def _batches(workspace_ids: list[uuid.UUID]) -> Iterator[list[uuid.UUID]]:
    for start in range(0, len(workspace_ids), _BATCH_SIZE):
        yield workspace_ids[start : start + _BATCH_SIZE]


def _to_discrepancy(
    check: _Check,
    workspace_id: uuid.UUID,
    livemode: bool,
    subject: str | None,
    recorded: int | None,
    expected: int | None,
) -> LedgerDiscrepancy:
    sentences = [
        text.format("nothing" if value is None else value)
        for text, value in ((check.recorded, recorded), (check.expected, expected))
    ]
    return LedgerDiscrepancy(workspace_id, livemode, check.kind, subject or "unnamed", ", but ".join(sentences))
