"""Passwords: hashed with argon2id, at most two at a time, because each hash takes 64 MiB."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from sightline.errors import invalid_field

MIN_LENGTH = 10
MAX_LENGTH = 1_000

_hasher = PasswordHasher()
_hashing_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="argon2")


@cache
def _build_dummy_hash() -> str:
    return _hasher.hash(secrets.token_urlsafe(16))


def require_strong(password: str, field: str = "password") -> None:
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise invalid_field(field, f"must have {MIN_LENGTH} to {MAX_LENGTH} characters", "length")


def hash_now(password: str) -> str:
    """Hash a password on the calling thread, for the command line, which has no event loop to keep free."""
    return _hasher.hash(password)


async def hash_password(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_hashing_threads, _hasher.hash, password)


async def verify_password(stored: str | None, password: str) -> bool:
    """Return whether the password matches. An unknown account takes the same time, so that timing reveals nothing."""
    return await asyncio.get_running_loop().run_in_executor(_hashing_threads, _verify, stored, password)


def needs_rehash(stored: str) -> bool:
    return _hasher.check_needs_rehash(stored)


def _verify(stored: str | None, password: str) -> bool:
    dummy = _build_dummy_hash()  # built for known accounts, too, so that the first sign-in takes the same time
    try:
        _hasher.verify(stored or dummy, password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None
