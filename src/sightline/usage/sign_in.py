"""Signing in with a password: who has to wait after failures, and who does not.

Waits grow for one account from one network, so strangers cannot lock a user out. Two wider rules slow down one network
that tries many accounts, and many networks that try one account. A browser that signed in to the account before is
exempt from all three: it only waits for its own failures. Unknown accounts wait like known ones.
"""

import uuid
from datetime import datetime

import msgspec

from sightline.accounts.models import User
from sightline.accounts.security_emails import enqueue_new_browser
from sightline.accounts.sign_in import devices, sessions
from sightline.accounts.sign_in.sessions import Browser, SignedIn
from sightline.db.engine import Database
from sightline.errors import Problem
from sightline.kit.addresses import address_group
from sightline.kit.security_log import record_security_event
from sightline.settings import Settings
from sightline.usage.failed_attempts import WaitRule, count_attempt, refund_attempt

_ONE_ACCOUNT_FROM_ONE_NETWORK = WaitRule(first_wait_at=5, longest=3_600)
_ONE_NETWORK = WaitRule(first_wait_at=20, longest=300)
_ONE_ACCOUNT = WaitRule(first_wait_at=100, longest=300)
_RESETS_FROM_ONE_NETWORK = WaitRule(first_wait_at=10, longest=600)
_RESETS_OF_ONE_ACCOUNT = WaitRule(first_wait_at=3, longest=600)
_NEW_BROWSERS_OF_ONE_ACCOUNT = WaitRule(first_wait_at=3, longest=86_400)


class NewSession(msgspec.Struct, frozen=True):
    """A session that has just begun: its token, the token by which its browser is known later, and its user."""

    token: str
    device: str
    signed_in: SignedIn
    is_known_browser: bool
    """Whether the last sign-in from this browser was to the same account."""


async def sign_in(
    db: Database, settings: Settings, email: str, password: str, *, browser: Browser, now: datetime
) -> NewSession:
    """Check the password and open a session. Refused: wrong credentials (401), and an attempt during a wait (429)."""
    known = await devices.is_known_device(db, email, browser.device_token, settings.signing_key, now=now)
    try:
        known_as = browser.device_token if known else None
        attempt = await count_sign_in(db, browser.address, email, device=known_as, now=now)
    except Problem:
        record_security_event("sign_in_delayed", known_browser=known)
        raise
    try:
        token, signed_in = await sessions.sign_in(db, settings, email, password, browser=browser, now=now)
    except Problem as problem:
        if problem.code != "sign_in_failed":  # the password was not even checked
            await refund_sign_in(db, attempt, now=now)
        raise
    await refund_sign_in(db, attempt, now=now)
    if not known:
        await _tell_about_new_browser(db, settings, signed_in.user, now=now)
    device = await devices.make_device_token(db, signed_in.user.id, settings.signing_key, now=now)
    return NewSession(token, device, signed_in, known)


async def _tell_about_new_browser(db: Database, settings: Settings, user: User, *, now: datetime) -> None:
    """Send the e-mail about a new browser. A program that signs in again and again causes fewer and fewer of them."""
    if settings.smtp_url is None:
        return
    try:
        await count_attempt(db, {f"e-mails about new browsers {user.id}": _NEW_BROWSERS_OF_ONE_ACCOUNT}, now=now)
    except Problem:
        return
    async with db.transaction() as tx:
        await enqueue_new_browser(tx, settings, user, now=now)


async def count_sign_in(
    db: Database, address: str, email: str, *, device: str | None = None, now: datetime
) -> list[uuid.UUID]:
    """Count an attempt at an account, to be refunded if it succeeds. Refused: one during a wait (429).

    `device` is the token of a browser that is known to the account.
    """
    if device is not None:
        return await count_attempt(db, {f"device {device} {email}": _ONE_ACCOUNT_FROM_ONE_NETWORK}, now=now)
    network = address_group(address)
    rules = {
        f"network {network} account {email}": _ONE_ACCOUNT_FROM_ONE_NETWORK,
        f"network {network}": _ONE_NETWORK,
        f"account {email}": _ONE_ACCOUNT,
    }
    return await count_attempt(db, rules, now=now)


async def count_token_attempt(db: Database, address: str, *, now: datetime) -> list[uuid.UUID]:
    """Count an attempt with a one-time token against the network alone; see `count_sign_in`.

    The account is left out: a token that is wrong says nothing about the account that it names.
    """
    return await count_attempt(db, {f"network {address_group(address)}": _ONE_NETWORK}, now=now)


async def count_reset_request(db: Database, address: str, email: str, *, now: datetime) -> None:
    """Count a request for a link that resets a password. Refused: too many from a network or for an account (429)."""
    rules = {
        f"resets from {address_group(address)}": _RESETS_FROM_ONE_NETWORK,
        f"resets of {email}": _RESETS_OF_ONE_ACCOUNT,
    }
    await count_attempt(db, rules, now=now)


async def refund_sign_in(db: Database, attempt: list[uuid.UUID], *, now: datetime) -> None:
    await refund_attempt(db, attempt, now=now)
