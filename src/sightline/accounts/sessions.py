"""Signed-in sessions: a random token in a cookie, its hash in the database, gone at sign-out."""

import hashlib
import hmac
import secrets
import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts import passwords, queries
from sightline.accounts.models import Membership, User
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import Problem


class SignedIn(msgspec.Struct, frozen=True):
    user: User
    workspaces: list[Membership]
    expires_at: datetime


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def csrf_token_of(session_digest: bytes, signing_key: bytes) -> str:
    """Bound to the session and to this installation; a page of another site can learn neither."""
    return hmac.digest(signing_key, b"csrf\0" + session_digest, "sha256").hex()


async def sign_in(
    db: Database, email: str, password: str, *, old_token: str | None, lifetime: int, now: datetime
) -> tuple[str, SignedIn]:
    """A fresh token (never one that the browser brought) and who it stands for.

    The password is checked outside any transaction: hashing takes longer than a transaction should.
    """
    found = await queries.find_credentials(db, email)
    stored = found[1] if found else None
    if not await passwords.verify_password(stored, password) or found is None:
        raise Problem("sign_in_failed")
    user_id, stored_hash = found
    rehashed = await passwords.hash_password(password) if passwords.needs_rehash(stored_hash) else None
    token = secrets.token_urlsafe(32)
    async with db.transaction() as tx:
        if rehashed is not None:
            await queries.set_password_hash(tx, user_id, rehashed)
        if old_token is not None:
            await queries.delete_session(tx, digest_of(old_token))
        expires_at = now + timedelta(seconds=lifetime)
        await queries.insert_session(tx, digest_of(token), user_id, now=now, expires_at=expires_at)
    return token, await read_session(db, digest_of(token), now=now)


async def read_session(db: Reader, digest: bytes, *, now: datetime) -> SignedIn:
    found = await queries.find_session_user(db, digest, now=now)
    if found is None:
        raise Problem("session_expired")
    user, expires_at = found
    return SignedIn(user, await queries.list_memberships(db, user.id), expires_at)


async def sign_out(tx: Transaction, digest: bytes) -> None:
    await queries.delete_session(tx, digest)


async def change_password(tx: Transaction, user_id: uuid.UUID, password_hash: str) -> None:
    """Ends every session of the user: whoever knew the old password is out."""
    await queries.set_password_hash(tx, user_id, password_hash)
    await queries.delete_sessions_of_user(tx, user_id)
