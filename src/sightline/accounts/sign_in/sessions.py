"""Sessions: a random token in a cookie, and its hash in the database until sign-out."""

import hashlib
import hmac
import secrets
import uuid
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec

from sightline.accounts import passwords
from sightline.accounts.models import Membership, OpenSession, User
from sightline.accounts.security_emails import enqueue_password_changed
from sightline.accounts.sign_in import queries
from sightline.db.engine import Database, Reader, Transaction
from sightline.db.failures import WritesRefused
from sightline.errors import Problem, invalid_field
from sightline.kit.security_log import record_security_event
from sightline.settings import Settings

_MAX_AGENT_LENGTH = 200
_TOUCH_INTERVAL = timedelta(minutes=5)


class Browser(msgspec.Struct, frozen=True):
    """What a request says of the browser that sent it: its address, its `User-Agent` and its cookies."""

    address: str
    agent: str | None = None
    session_token: str | None = None
    device_token: str | None = None


class SignedIn(msgspec.Struct, frozen=True):
    """A live session: its user, their workspaces, and its times."""

    user: User
    workspaces: list[Membership]
    expires_at: datetime
    seen_at: datetime | None
    is_operator: bool
    """The user operates the installation."""
    operator_email: str | None
    """Whom to ask about the installation: its first operator."""
    sandbox_ended_at: datetime | None
    """When the first platform was connected."""


def digest_token(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def build_csrf_token(session_digest: bytes, signing_key: bytes) -> str:
    """Build a token from the session and the installation's key, so that another site cannot know it."""
    return hmac.digest(signing_key, b"csrf\0" + session_digest, "sha256").hex()


async def sign_in(
    db: Database, settings: Settings, email: str, password: str, *, browser: Browser, now: datetime
) -> tuple[str, SignedIn]:
    """Return a new session's token, never one that the browser sent, and its user. Refused: wrong credentials (401).

    The password is checked outside any transaction, because hashing takes longer than a transaction should. A password
    that was changed in the meantime is refused. The caller counts the attempts.
    """
    found = await queries.find_credentials(db, email)
    stored = found[1] if found else None
    if not await passwords.verify_password(stored, password) or found is None:
        record_security_event("sign_in_failed", user_id=found and found[0])
        raise Problem("sign_in_failed")
    user_id, stored_hash = found
    rehashed = await passwords.hash_password(password) if passwords.needs_rehash(stored_hash) else None
    async with db.transaction() as tx:
        if await queries.lock_password_hash(tx, user_id) != stored_hash:
            raise Problem("sign_in_failed")
        if rehashed is not None:
            await queries.set_password_hash(tx, user_id, rehashed)
        token = await open_session(tx, settings, user_id, browser=browser, now=now)
    return token, await read_session(db, digest_token(token), now=now)


async def open_session(
    tx: Transaction, settings: Settings, user_id: uuid.UUID, *, browser: Browser, now: datetime
) -> str:
    """Open a session, end the one that the browser had before, and return the new token."""
    token = secrets.token_urlsafe(32)
    if browser.session_token is not None:
        await queries.delete_session(tx, digest_token(browser.session_token))
    expires_at = now + timedelta(seconds=min(settings.session_lifetime, settings.session_idle_lifetime))
    agent = _clean_agent(browser.agent)
    await queries.insert_session(tx, digest_token(token), user_id, agent, now=now, expires_at=expires_at)
    record_security_event("session_started", user_id=user_id)
    return token


def _clean_agent(agent: str | None) -> str | None:
    """Return one line of the browser's `User-Agent`, which may be any text."""
    return (
        "".join(character for character in agent or "" if character.isprintable())[:_MAX_AGENT_LENGTH].strip() or None
    )


async def read_session(db: Reader, digest: bytes, *, now: datetime) -> SignedIn:
    found = await queries.find_session_user(db, digest, now=now)
    if found is None:
        raise Problem("session_expired")
    return SignedIn(*found)


async def touch_session(
    db: Database, settings: Settings, digest: bytes, seen_at: datetime | None, *, now: datetime
) -> None:
    """Record that the session is in use, at most every few minutes, because reading a page must not cost a write.

    The session then ends only after `session_idle_lifetime` without use, and not beyond its whole lifetime.
    """
    since = now - _TOUCH_INTERVAL
    if seen_at is None or seen_at < since:
        lifetime, idle = settings.session_lifetime, settings.session_idle_lifetime
        with suppress(WritesRefused):  # on a full disk, pages can still be read
            await queries.touch_session(
                db, digest, timedelta(seconds=lifetime), timedelta(seconds=idle), now=now, unless_seen_since=since
            )


async def sign_out(tx: Transaction, digest: bytes) -> None:
    record_security_event("signed_out", user_id=await queries.delete_session(tx, digest))


async def end_session(tx: Transaction, user_id: uuid.UUID, session_id: uuid.UUID | None) -> bytes:
    """End one of the user's own sessions and return its digest, so that saved copies can be closed to it."""
    digest = session_id and await queries.delete_session_of_user(tx, user_id, session_id)
    if not digest:
        raise Problem("not_found", "This session has already ended.")
    record_security_event("sessions_ended", user_id=user_id, sessions=1)
    return digest


async def change_own_password(
    db: Database, settings: Settings, user: User, current: str, new: str, *, browser: Browser, now: datetime
) -> tuple[str, list[bytes]]:
    """Change the password, end all sessions, and return a new session's token and the digests of those that ended.

    The person is notified by e-mail. Refused: a wrong current password, and a weak new one (422). The caller counts the
    attempts.
    """
    await passwords.require_strong(new, "new_password", email=user.email)
    found = await queries.find_credentials(db, user.email)
    if found is None or not await passwords.verify_password(found[1], current):
        record_security_event("password_change_failed", user_id=user.id)
        raise invalid_field("current_password", "is wrong; nothing was changed", "wrong")
    hashed = await passwords.hash_password(new)
    async with db.transaction() as tx:
        if await queries.lock_password_hash(tx, user.id) != found[1]:
            raise invalid_field("current_password", "was changed a moment ago, in another place", "wrong")
        ended = await change_password(tx, user.id, hashed)
        await enqueue_password_changed(tx, settings, user, now=now)
        token = await open_session(tx, settings, user.id, browser=browser, now=now)
    return token, ended


async def change_password(tx: Transaction, user_id: uuid.UUID, password_hash: str) -> list[bytes]:
    """Store the new hash, end every session and reset link of the user, and return the digests of those sessions."""
    await queries.set_password_hash(tx, user_id, password_hash)
    await queries.delete_reset_of_user(tx, user_id)
    ended = await queries.delete_sessions_of_user(tx, user_id)
    record_security_event("password_changed", user_id=user_id, sessions=len(ended))
    return ended


async def delete_ended_sessions_any_workspace(tx: Transaction, *, now: datetime) -> None:
    """Delete sessions that have ended, and links to reset a password that have expired."""
    await queries.delete_ended_sessions_any_workspace(tx, now=now)
    await queries.delete_expired_resets_any_workspace(tx, now=now)


async def list_sessions(db: Reader, user_id: uuid.UUID, current: bytes, *, now: datetime) -> list[OpenSession]:
    """Return the user's live sessions, with the one of digest `current` marked."""
    return await queries.list_sessions(db, user_id, current, now=now)


async def end_other_sessions(tx: Transaction, user_id: uuid.UUID, current: bytes) -> list[bytes]:
    """End all sessions of the user but the one of digest `current`, and return the digests of those ended."""
    ended = await queries.delete_other_sessions(tx, user_id, current)
    record_security_event("sessions_ended", user_id=user_id, sessions=len(ended))
    return ended


async def end_all_sessions(tx: Transaction, user_id: uuid.UUID) -> list[bytes]:
    """Sign the user out everywhere, and return the digests of the sessions ended."""
    ended = await queries.delete_sessions_of_user(tx, user_id)
    record_security_event("sessions_ended", user_id=user_id, sessions=len(ended))
    return ended
