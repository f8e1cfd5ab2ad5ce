"""Proves the books: balances against entries, entries against scans and purchases, both ways."""

import uuid
from collections.abc import Iterator
from typing import NamedTuple

from sightline.credits import queries
from sightline.credits.models import LedgerDiscrepancy
from sightline.db.engine import Database

_BATCH_SIZE = 500  # workspaces per statement: each stays far from the statement timeout, however many there are


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
    """Everything that does not add up, in the books of one moment.

    - A balance is the sum of its entries.
    - A scan's entries took what it was charged: no entry without its scan, no charged scan without its entry.
    - A charged scan that failed, or was cancelled before it started, was given its credits back once; no other was.
    - A credited checkout has one purchase entry of its credits; no entry has a payment without its checkout.
    """
    faults: list[LedgerDiscrepancy] = []
    async with db.transaction() as tx:
        await queries.begin_snapshot(tx)
        for some in _split(await queries.list_workspace_ids_any_workspace(tx)):
            for check in _CHECKS:
                rows = await queries.list_discrepancies_any_workspace(tx, check.statement, some)
                faults += [_to_fault(check, *row) for row in rows]
    return faults


def _split(workspace_ids: list[uuid.UUID]) -> Iterator[list[uuid.UUID]]:
    for start in range(0, len(workspace_ids), _BATCH_SIZE):
        yield workspace_ids[start : start + _BATCH_SIZE]


def _to_fault(
    check: _Check,
    workspace_id: uuid.UUID,
    livemode: bool,
    subject: str | None,
    recorded: int | None,
    expected: int | None,
) -> LedgerDiscrepancy:
    said = [
        words.format("nothing" if value is None else value)
        for words, value in ((check.recorded, recorded), (check.expected, expected))
    ]
    return LedgerDiscrepancy(workspace_id, livemode, check.kind, subject or "unnamed", ", but ".join(said))
