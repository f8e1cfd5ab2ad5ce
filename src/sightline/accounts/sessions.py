"""Signed-in sessions: a random token in a cookie, its hash in the database, gone at sign-out."""

import hashlib
import hmac
import secrets
import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts import passwords, queries
from sightline.accounts.models import Membership, OpenSession, User
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import Problem, invalid_field

_AGENT = 200
_SEEN_EVERY = timedelta(minutes=5)


class SignedIn(msgspec.Struct, frozen=True):
    user: User
    workspaces: list[Membership]
    expires_at: datetime
    seen_at: datetime | None


def digest_token(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def build_csrf_token(session_digest: bytes, signing_key: bytes) -> str:
    """Bound to the session and to this installation; a page of another site can learn neither."""
    return hmac.digest(signing_key, b"csrf\0" + session_digest, "sha256").hex()


async def sign_in(
    db: Database,
    email: str,
    password: str,
    *,
    old_token: str | None,
    lifetime: int,
    now: datetime,
    agent: str | None = None,
) -> tuple[str, SignedIn]:
    """A fresh token (never one that the browser brought) and who it stands for.

    The password is checked outside any transaction: hashing takes longer than a transaction should. One that was
    changed in the meantime is no longer the password.
    """
    found = await queries.find_credentials(db, email)
    stored = found[1] if found else None
    if not await passwords.verify_password(stored, password) or found is None:
        raise Problem("sign_in_failed")
    user_id, stored_hash = found
    rehashed = await passwords.hash_password(password) if passwords.needs_rehash(stored_hash) else None
    async with db.transaction() as tx:
        if await queries.lock_password_hash(tx, user_id) != stored_hash:
            raise Problem("sign_in_failed")
        if rehashed is not None:
            await queries.set_password_hash(tx, user_id, rehashed)
        token = await open_session(tx, user_id, old_token=old_token, agent=agent, lifetime=lifetime, now=now)
    return token, await read_session(db, digest_token(token), now=now)


async def open_session(
    tx: Transaction, user_id: uuid.UUID, *, old_token: str | None, agent: str | None, lifetime: int, now: datetime
) -> str:
    """The token of a new session. The one that the browser had before ends."""
    token = secrets.token_urlsafe(32)
    if old_token is not None:
        await queries.delete_session(tx, digest_token(old_token))
    expires_at = now + timedelta(seconds=lifetime)
    await queries.insert_session(tx, digest_token(token), user_id, _shorten(agent), now=now, expires_at=expires_at)
    return token


def _shorten(agent: str | None) -> str | None:
    """What a browser calls itself is anybody's text: one line of it is kept."""
    return "".join(each for each in agent or "" if each.isprintable())[:_AGENT].strip() or None


async def read_session(db: Reader, digest: bytes, *, now: datetime) -> SignedIn:
    found = await queries.find_session_user(db, digest, now=now)
    if found is None:
        raise Problem("session_expired")
    user, expires_at, seen_at = found
    return SignedIn(user, await queries.list_memberships(db, user.id), expires_at, seen_at)


async def note_seen(db: Database, digest: bytes, seen_at: datetime | None, *, now: datetime) -> None:
    """Every few minutes: looking at a page is otherwise no write."""
    if seen_at is None or seen_at < now - _SEEN_EVERY:
        await queries.note_seen(db, digest, now=now, unless_since=now - _SEEN_EVERY)


async def sign_out(tx: Transaction, digest: bytes) -> None:
    await queries.delete_session(tx, digest)


async def end_session(tx: Transaction, user_id: uuid.UUID, session_id: uuid.UUID | None) -> bytes:
    """One of the person's own, wherever it is. Its digest, for whoever keeps copies of what it saw."""
    digest = session_id and await queries.delete_session_of_user(tx, user_id, session_id)
    if not digest:
        raise Problem("not_found", "This session has ended already.")
    return digest


async def change_own_password(
    db: Database, user: User, current: str, new: str, *, agent: str | None, lifetime: int, now: datetime
) -> tuple[str, list[bytes]]:
    """The token of a fresh session, and the digests of all those that have ended: every one of the person's.

    Refused: a wrong current password, and a weak new one (422). The caller counts the attempts.
    """
    passwords.require_strong(new, "new_password")
    found = await queries.find_credentials(db, user.email)
    if found is None or not await passwords.verify_password(found[1], current):
        raise invalid_field("current_password", "is wrong; nothing was changed", "wrong")
    hashed = await passwords.hash_password(new)
    async with db.transaction() as tx:
        if await queries.lock_password_hash(tx, user.id) != found[1]:
            raise invalid_field("current_password", "was changed a moment ago, in another place", "wrong")
        ended = await change_password(tx, user.id, hashed)
        token = await open_session(tx, user.id, old_token=None, agent=agent, lifetime=lifetime, now=now)
    return token, ended


async def change_password(tx: Transaction, user_id: uuid.UUID, password_hash: str) -> list[bytes]:
    """Ends every session of the user: whoever knew the old password is out. The digests of those sessions."""
    await queries.set_password_hash(tx, user_id, password_hash)
    return await queries.delete_sessions_of_user(tx, user_id)


async def delete_ended_sessions_any_workspace(tx: Transaction, *, now: datetime) -> None:
    await queries.delete_ended_sessions_any_workspace(tx, now=now)


async def list_sessions(db: Reader, user_id: uuid.UUID, current: bytes, *, now: datetime) -> list[OpenSession]:
    """Return the user's live sessions, with the one of digest `current` marked."""
    return await queries.list_sessions(db, user_id, current, now=now)


async def end_other_sessions(tx: Transaction, user_id: uuid.UUID, current: bytes) -> list[bytes]:
    """End all sessions of the user but the one of digest `current`, and return the digests of those ended."""
    return await queries.delete_other_sessions(tx, user_id, current)
