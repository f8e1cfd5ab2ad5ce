"""Waits after failed attempts to sign in. All processes share the counts.

Waits grow for one account from one network, so strangers cannot lock a user out. Two wider rules slow down one network
that tries many accounts, and many networks that try one account. A browser that signed in to the account before is
exempt from all three: it only waits for its own failures. Unknown accounts wait like known ones.

A subject may fail a few times without a wait. From then on each failure doubles the wait for the next attempt, up to
the longest wait of its rule. One failure is forgotten after each period of that length.
"""

import math
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

from sightline.accounts.sign_in import queries
from sightline.accounts.sign_in.models import FailureCount
from sightline.db.engine import Database, Transaction
from sightline.errors import Problem, retry_later
from sightline.kit.addresses import address_group

_SCOPE = uuid.uuid5(uuid.NAMESPACE_URL, "sign-in")
_FORGOTTEN_AFTER = timedelta(days=14)  # longer than any rule takes to forget all failures


class WaitRule(NamedTuple):
    """The number of failures that brings the first wait, and the longest wait in seconds."""

    first_wait_at: int
    longest: int


_ONE_ACCOUNT_FROM_ONE_NETWORK = WaitRule(first_wait_at=5, longest=3_600)
_ONE_NETWORK = WaitRule(first_wait_at=20, longest=300)
_ONE_ACCOUNT = WaitRule(first_wait_at=100, longest=300)
_FACTORS_OF_ONE_ACCOUNT = WaitRule(first_wait_at=10, longest=3_600)  # a code has six digits
_RESETS_FROM_ONE_NETWORK = WaitRule(first_wait_at=10, longest=600)
_RESETS_OF_ONE_ACCOUNT = WaitRule(first_wait_at=3, longest=600)
_EMAIL_CHANGES_OF_ONE_ACCOUNT = WaitRule(first_wait_at=3, longest=3_600)  # each sends an e-mail to any address
_NEW_BROWSERS_OF_ONE_ACCOUNT = WaitRule(first_wait_at=3, longest=86_400)


def attempt_sign_in(
    db: Database, address: str, email: str, *, device: str | None = None, now: datetime
) -> AbstractAsyncContextManager[None]:
    """Run a block that checks a password of an account. Refused: an attempt during a wait (429).

    `device` is the token of a browser that is known to the account.
    """
    if device is not None:
        return _attempt(db, {f"device {device} {email}": _ONE_ACCOUNT_FROM_ONE_NETWORK}, now=now)
    network = address_group(address)
    rules = {
        f"network {network} account {email}": _ONE_ACCOUNT_FROM_ONE_NETWORK,
        f"network {network}": _ONE_NETWORK,
        f"account {email}": _ONE_ACCOUNT,
    }
    return _attempt(db, rules, now=now)


def attempt_token(db: Database, address: str, *, now: datetime) -> AbstractAsyncContextManager[None]:
    """Run a block that checks a one-time token, counted against the network alone; see `attempt_sign_in`.

    The account is left out: a token that is wrong says nothing about the account that it names.
    """
    return _attempt(db, {f"network {address_group(address)}": _ONE_NETWORK}, now=now)


def attempt_factor(db: Database, user_id: uuid.UUID, *, now: datetime) -> AbstractAsyncContextManager[None]:
    """Run a block that checks a second factor; see `attempt_sign_in`.

    Failures from all networks count together: only those who know the password can cause them.
    """
    return _attempt(db, {f"factor of {user_id}": _FACTORS_OF_ONE_ACCOUNT}, now=now)


async def count_reset_request(db: Database, address: str, email: str, *, now: datetime) -> None:
    """Count a request for a link that resets a password. Refused: too many from a network or for an account (429)."""
    rules = {
        f"resets from {address_group(address)}": _RESETS_FROM_ONE_NETWORK,
        f"resets of {email}": _RESETS_OF_ONE_ACCOUNT,
    }
    await _count(db, rules, now=now)


async def count_email_change(db: Database, user_id: uuid.UUID, *, now: datetime) -> None:
    """Count a request to change an e-mail address. Refused: too many for an account (429)."""
    await _count(db, {f"changes of the address of {user_id}": _EMAIL_CHANGES_OF_ONE_ACCOUNT}, now=now)


async def count_new_browser(db: Database, user_id: uuid.UUID, *, now: datetime) -> None:
    """Count an e-mail about a new browser. Refused: too many for an account, each later than the one before (429)."""
    await _count(db, {f"e-mails about new browsers {user_id}": _NEW_BROWSERS_OF_ONE_ACCOUNT}, now=now)


@asynccontextmanager
async def _attempt(db: Database, rules: Mapping[str, WaitRule], *, now: datetime) -> AsyncIterator[None]:
    """Count an attempt as failed, and refund it when the block has succeeded.

    It counts before it is made, so that concurrent guesses count, too. It is also refunded when the server was too busy
    to check anything.
    """
    subjects = await _count(db, rules, now=now)
    try:
        yield
    except Problem as problem:
        if problem.code == "rate_limited":
            await queries.refund_failures(db, subjects, now=now)
        raise
    await queries.refund_failures(db, subjects, now=now)


async def _count(db: Database, rules: Mapping[str, WaitRule], *, now: datetime) -> list[uuid.UUID]:
    """Count a failure of each subject. Refused: the wait of any of them is not over (429); nothing is counted then."""
    by_subject = {uuid.uuid5(_SCOPE, name): rule for name, rule in rules.items()}
    async with db.transaction() as tx:
        known = await queries.lock_failures(tx, sorted(by_subject), now=now)
        wait = max(count.wait_until for count in known) - now
        if wait > timedelta(0):
            raise _wait(math.ceil(wait.total_seconds()))
        await queries.store_failures(tx, [add_failure(count, by_subject[count.subject], now=now) for count in known])
    return list(by_subject)


def add_failure(known: FailureCount, rule: WaitRule, *, now: datetime) -> FailureCount:
    """Return the count after one more failure, with the wait that follows from it. Pure."""
    forgotten = (now - known.counted_at).total_seconds() / rule.longest
    failures = max(0.0, known.failures - max(0.0, forgotten)) + 1
    doublings = failures - rule.first_wait_at
    wait = 0.0 if doublings < 0 else min(float(rule.longest), 2 ** (1 + min(doublings, 30)))
    return FailureCount(known.subject, failures, now, now + timedelta(seconds=wait))


async def delete_old_failures(tx: Transaction, *, now: datetime) -> None:
    await queries.delete_old_failures(tx, before=now - _FORGOTTEN_AFTER)


def _wait(seconds: int) -> Problem:
    unit = f"{seconds} seconds" if seconds < 120 else f"{math.ceil(seconds / 60)} minutes"
    return retry_later("rate_limited", seconds, f"There were too many failed attempts. Try again in {unit}.")
