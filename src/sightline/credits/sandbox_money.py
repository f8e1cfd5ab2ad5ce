"""Test money: live credits that were bought without paying. They end when the first platform is connected.

Test money is what the local provider takes, and what Stripe takes in its test mode, which older versions accepted.
Credits bought with test money are spent first: in a sandbox they paid for made-up answers, so nobody loses a credit
that was paid for or granted.
"""

import uuid
from collections.abc import Iterable

import msgspec

from sightline.credits import queries
from sightline.db.engine import Reader
from sightline.db.installation import read_fact


class CreditMove(msgspec.Struct, frozen=True):
    """An entry of the live ledger, as far as test money is concerned."""

    delta: int
    scan_id: uuid.UUID | None
    is_test_money: bool
    """A purchase with test money, or a reversal of one."""


def count_unspent(moves: Iterable[CreditMove]) -> int:
    """Return how many credits bought with test money are left. The moves come in the order of the ledger.

    A refund of a scan returns at most the test money that the scan was charged.
    """
    unspent = 0
    charged: dict[uuid.UUID, int] = {}
    for move in moves:
        if move.is_test_money:
            unspent = max(unspent + move.delta, 0)
        elif move.delta < 0:
            taken = min(unspent, -move.delta)
            unspent -= taken
            if move.scan_id is not None:
                charged[move.scan_id] = charged.get(move.scan_id, 0) + taken
        elif move.scan_id is not None:
            returned = min(move.delta, charged.get(move.scan_id, 0))
            unspent += returned
            charged[move.scan_id] = charged.get(move.scan_id, 0) - returned
    return unspent


async def read_live_credits(db: Reader, workspace_id: uuid.UUID) -> int:
    """Return the live credits of a workspace, including those that pending sandbox scans would return."""
    balance = await queries.find_balance(db, workspace_id, livemode=True) or 0
    return max(balance + await queries.sum_pending_sandbox_charges(db, workspace_id), 0)


async def read_unspent(db: Reader, workspace_id: uuid.UUID) -> int:
    """Return how many of these credits were bought with test money."""
    moves = await queries.list_test_money_moves(db, workspace_id)
    unspent = count_unspent(CreditMove(delta, scan_id, is_test) for delta, scan_id, is_test in moves)
    return min(unspent, await read_live_credits(db, workspace_id))


async def has_sandbox_ended(db: Reader, *, lock: bool = False) -> bool:
    """Return whether a platform was ever connected, so that test money no longer buys live credits.

    With `lock`, the result cannot change until the transaction ends.
    """
    return await read_fact(db, "sandbox_ended_at", lock="FOR SHARE" if lock else "") is not None
