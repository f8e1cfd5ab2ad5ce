"""Passwords: hashed with argon2id in threads, at most two at a time, because each hash takes 64 MiB.

The queue is short enough to empty within seconds. Further callers are refused, so that a flood of passwords cannot fill
the memory or block the queue for long.
"""

import asyncio
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from sightline.accounts.guessing import is_easy_to_guess
from sightline.errors import invalid_field, retry_later

MIN_LENGTH = 10
MAX_LENGTH = 1_000

NO_PASSWORD = "!"  # noqa: S105 - no hash, and no password
"""What is stored in place of a hash for people without a password. No password matches it."""

_PRODUCT = "sightline"

Result = TypeVar("Result")

_MAX_RUNNING = 2
_MAX_WAITING = 32
_RETRY_SECONDS = 5  # a full queue takes about two seconds

hasher = PasswordHasher()


class _HashQueue:
    """The threads that hash passwords, and the number of callers that use or await them."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=_MAX_RUNNING, thread_name_prefix="argon2")
        self._callers = 0

    async def run(self, hashing: Callable[..., Result], *arguments: object) -> Result:
        """Return the function's result once a thread has run it. Refused: too many callers are waiting (429)."""
        if self._callers >= _MAX_RUNNING + _MAX_WAITING:
            detail = "The server is checking too many passwords at the moment. Try again in a few seconds."
            raise retry_later("rate_limited", _RETRY_SECONDS, detail)
        self._callers += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, hashing, *arguments)
        finally:
            self._callers -= 1


_queue = _HashQueue()


@cache
def _build_dummy_hash() -> str:
    return hasher.hash(secrets.token_urlsafe(16))


async def require_strong(password: str, field: str = "password", *, email: str) -> None:
    """Refuse a weak new password (422). Checking is slow, so it waits in the queue. Refused: a full queue (429)."""
    await _queue.run(partial(require_strong_now, password, field, email=email))


def require_strong_now(password: str, field: str = "password", *, email: str) -> None:
    """Refuse a new password that is too short, contains the account's address, or is easy to guess (422)."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise invalid_field(field, f"must have {MIN_LENGTH} to {MAX_LENGTH} characters", "length")
    name, _, host = email.casefold().partition("@")
    if email.casefold() in password.casefold() or _PRODUCT in password.casefold():
        raise invalid_field(field, "must not contain your e-mail address or the name Sightline", "common")
    if is_easy_to_guess(password, (name, host, host.partition(".")[0], _PRODUCT)):
        advice = "use several unrelated words, or let a password manager create one"
        raise invalid_field(field, f"is too easy to guess: {advice}", "common")


def hash_now(password: str) -> str:
    """Hash a password on the calling thread, for the command line, which has no event loop to keep free."""
    return hasher.hash(password)


async def hash_password(password: str) -> str:
    """Hash a password in the queue. Never call it in an open transaction. Refused: a full queue (429)."""
    return await _queue.run(hasher.hash, password)


async def verify_password(stored: str | None, password: str) -> bool:
    """Return whether the password matches. An unknown account takes the same time, so that timing reveals nothing.

    Refused: a full queue (429).
    """
    return await _queue.run(_verify, stored, password)


def needs_rehash(stored: str) -> bool:
    return hasher.check_needs_rehash(stored)


def _verify(stored: str | None, password: str) -> bool:
    dummy = _build_dummy_hash()  # built for known accounts, too, so that the first sign-in takes the same time
    if stored == NO_PASSWORD:
        stored = None
    try:
        hasher.verify(stored or dummy, password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None
