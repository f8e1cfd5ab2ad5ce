"""Passwords: argon2id, with a bound on how many are hashed at once (each takes 64 MiB)."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from sightline.errors import invalid_field

MINIMUM_LENGTH = 10
MAXIMUM_LENGTH = 1_000

_hasher = PasswordHasher()
_two_at_once = ThreadPoolExecutor(max_workers=2, thread_name_prefix="argon2")


@cache
def _hash_of_nobody() -> str:
    return _hasher.hash(secrets.token_urlsafe(16))


def require_strong(password: str, field: str = "password") -> None:
    if not MINIMUM_LENGTH <= len(password) <= MAXIMUM_LENGTH:
        raise invalid_field(field, f"must have {MINIMUM_LENGTH} to {MAXIMUM_LENGTH} characters", "length")


def hash_now(password: str) -> str:
    """For command-line use, where there is no event loop to keep free."""
    return _hasher.hash(password)


async def hash_password(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_two_at_once, _hasher.hash, password)


async def verify_password(stored: str | None, password: str) -> bool:
    """True when it fits. For an unknown account the same work is done, so that the time tells nothing."""
    return await asyncio.get_running_loop().run_in_executor(_two_at_once, _verify, stored, password)


def needs_rehash(stored: str) -> bool:
    return _hasher.check_needs_rehash(stored)


def _verify(stored: str | None, password: str) -> bool:
    nobody = _hash_of_nobody()  # made at the first sign-in of either kind, so that the first tells nothing either
    try:
        _hasher.verify(stored or nobody, password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None
