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
    loop = asyncio.get_running_loop()
    fits = await loop.run_in_executor(_two_at_once, _verify, stored or _hash_of_nobody(), password)
    return fits and stored is not None


def needs_rehash(stored: str) -> bool:
    return _hasher.check_needs_rehash(stored)


def _verify(stored: str, password: str) -> bool:
    try:
        return _hasher.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False
