"""Sessions: signing in, a random token in a cookie, and its hash in the database until the session ends."""

import hashlib
import secrets
import uuid
from contextlib import AsyncExitStack, suppress
from datetime import datetime, timedelta

from sightline.accounts import passwords
from sightline.accounts.models import User
from sightline.accounts.second_factor.verify import read_factors
from sightline.accounts.security_emails import enqueue_new_browser, enqueue_password_changed
from sightline.accounts.sign_in import devices, queries, waits
from sightline.accounts.sign_in.models import Browser, NewSession, PendingSignIn, SignedIn
from sightline.audit.record import record_audit_of_person
from sightline.db.engine import Database, Reader, Transaction
from sightline.db.failures import WritesRefused
from sightline.errors import Problem, invalid_field
from sightline.kit.security_log import record_security_event
from sightline.kit.signing import Signer
from sightline.settings import Settings

_CSRF = b"csrf"
_MAX_AGENT_LENGTH = 200
_TOUCH_INTERVAL = timedelta(minutes=5)
PENDING_LIFETIME = timedelta(minutes=10)


def digest_token(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


def build_csrf_token(session_digest: bytes, signing_key: bytes) -> str:
    """Build a token from the session and the installation's key, so that another site cannot know it."""
    return Signer(_CSRF, signing_key).sign(b"", session_digest)


def is_csrf_token(text: str, session_digest: bytes, *signing_keys: bytes) -> bool:
    return Signer(_CSRF, *signing_keys).open(text, session_digest) == b""


async def sign_in(
    db: Database, settings: Settings, email: str, password: str, *, browser: Browser, now: datetime
) -> tuple[NewSession, SignedIn]:
    """Check the password and open a session.

    Refused: wrong credentials, an account with a second factor, which `factor.continue_sign_in` asks for (401), and an
    attempt during a wait (429).
    """
    known = await devices.is_known_device(db, email, browser.device_token, *settings.signing_keys, now=now)
    device = browser.device_token if known else None
    attempt = waits.attempt_sign_in(db, browser.address, email, device=device, now=now)
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(attempt)
        except Problem:
            record_security_event("sign_in_delayed", known_browser=known)
            raise
        started = await _start_with_password(db, settings, email, password, browser=browser, now=now)
    opened = require_complete(started)
    signed_in = await read_session(db, digest_token(opened.token), now=now)
    if not known:
        await tell_about_new_browser(db, settings, signed_in.user, now=now)
    return opened, signed_in


def require_complete(started: NewSession | PendingSignIn) -> NewSession:
    """Return the session. Refused: a sign-in that waits for a second factor (401); its transaction has committed."""
    if isinstance(started, PendingSignIn):
        raise Problem("second_factor_required", factor_token=started.token, methods=started.methods)
    return started


async def _start_with_password(
    db: Database, settings: Settings, email: str, password: str, *, browser: Browser, now: datetime
) -> NewSession | PendingSignIn:
    """Return a new session, never with the token that the browser sent. Refused: wrong credentials (401).

    The password is checked outside any transaction, because hashing takes longer than a transaction should. A password
    that was changed in the meantime is refused.
    """
    found = await queries.find_credentials(db, email)
    stored = found[1] if found else None
    if not await passwords.verify_password(stored, password) or found is None:
        await _record_failure(db, found and found[0])
        raise Problem("sign_in_failed")
    user_id, stored_hash = found
    rehashed = await passwords.hash_password(password) if passwords.needs_rehash(stored_hash) else None
    async with db.transaction() as tx:
        if await queries.lock_password_hash(tx, user_id) != stored_hash:
            raise Problem("sign_in_failed")
        if rehashed is not None:
            await queries.set_password_hash(tx, user_id, rehashed)
        return await start_session(tx, settings, user_id, browser=browser, now=now)


async def start_session(
    tx: Transaction,
    settings: Settings,
    user_id: uuid.UUID,
    *,
    browser: Browser,
    provider_id: uuid.UUID | None = None,
    confirmed_at: datetime | None = None,
    now: datetime,
) -> NewSession | PendingSignIn:
    """Open a session, or let the sign-in wait for the second factor of a user who has one.

    `provider_id` and `confirmed_at` are as for `open_session`.
    """
    state = await read_factors(tx, user_id)
    if not state.factors:
        return await open_session(
            tx, settings, user_id, browser=browser, provider_id=provider_id, confirmed_at=confirmed_at, now=now
        )
    token, expires_at = secrets.token_urlsafe(32), now + PENDING_LIFETIME
    await queries.insert_pending(
        tx, digest_token(token), user_id, now=now, expires_at=expires_at, provider_id=provider_id
    )
    record_security_event("second_factor_asked", user_id=user_id)
    return PendingSignIn(token, state.methods)


async def _record_failure(db: Database, user_id: uuid.UUID | None) -> None:
    """Record a wrong password: in the workspaces of the account, if the address has one. Waits limit how often."""
    if user_id is None:
        record_security_event("sign_in_failed", user_id=None)
        return
    async with db.transaction() as tx:
        await record_audit_of_person(tx, user_id, "sign_in_failed", by_themselves=False)


async def tell_about_new_browser(db: Database, settings: Settings, user: User, *, now: datetime) -> None:
    """Send the e-mail about a new browser. A program that signs in again and again causes fewer and fewer of them."""
    if settings.smtp_url is None:
        return
    with suppress(Problem):
        await waits.count_new_browser(db, user.id, now=now)
        async with db.transaction() as tx:
            await enqueue_new_browser(tx, settings, user, now=now)


async def open_session(
    tx: Transaction,
    settings: Settings,
    user_id: uuid.UUID,
    *,
    browser: Browser,
    provider_id: uuid.UUID | None = None,
    confirmed_at: datetime | None = None,
    now: datetime,
) -> NewSession:
    """Open a session, and end the one that the browser had before.

    `provider_id` names the identity provider of a single sign-on, and `confirmed_at` says when the person last proved
    there who they are. Otherwise that is now.
    """
    token = secrets.token_urlsafe(32)
    if browser.session_token is not None:
        await queries.delete_session(tx, digest_token(browser.session_token))
    expires_at = now + timedelta(seconds=min(settings.session_lifetime, settings.session_idle_lifetime))
    agent = _clean_agent(browser.agent)
    await queries.insert_session(
        tx,
        digest_token(token),
        user_id,
        agent,
        now=now,
        expires_at=expires_at,
        provider_id=provider_id,
        confirmed_at=confirmed_at or now,
    )
    by = "password" if provider_id is None else "single_sign_on"
    await record_audit_of_person(tx, user_id, "session_started", by=by)
    return NewSession(token, await devices.make_device_token(tx, user_id, settings.signing_key, now=now))


def _clean_agent(agent: str | None) -> str | None:
    """Return one line of the browser's `User-Agent`, which may be any text."""
    return (
        "".join(character for character in agent or "" if character.isprintable())[:_MAX_AGENT_LENGTH].strip() or None
    )


async def read_session(db: Reader, digest: bytes, *, now: datetime) -> SignedIn:
    """Return a live session. Refused: one that has ended (401)."""
    found = await queries.find_session(db, digest, now=now)
    if found is None:
        raise Problem("session_expired")
    return found


async def touch_session(db: Database, settings: Settings, signed_in: SignedIn, *, now: datetime) -> None:
    """Record that the session is in use, at most every few minutes, because reading a page must not cost a write.

    The session then ends only after `session_idle_lifetime` without use, and not beyond its whole lifetime.
    """
    digest, seen_at, since = signed_in.session_digest, signed_in.seen_at, now - _TOUCH_INTERVAL
    if seen_at is None or seen_at < since:
        lifetime, idle = settings.session_lifetime, settings.session_idle_lifetime
        with suppress(WritesRefused):  # on a full disk, pages can still be read
            await queries.touch_session(
                db, digest, timedelta(seconds=lifetime), timedelta(seconds=idle), now=now, unless_seen_since=since
            )


async def sign_out(tx: Transaction, digest: bytes) -> None:
    user_id = await queries.delete_session(tx, digest)
    if user_id is not None:
        await record_audit_of_person(tx, user_id, "signed_out")


async def end_session(tx: Transaction, user_id: uuid.UUID, session_id: uuid.UUID | None) -> None:
    """End one of the user's own sessions."""
    if not session_id or not await queries.delete_session_of_user(tx, user_id, session_id):
        raise Problem("not_found", "This session has already ended.")
    await record_audit_of_person(tx, user_id, "sessions_ended", sessions=1)


async def change_own_password(
    db: Database, settings: Settings, user: User, current: str, new: str, *, browser: Browser, now: datetime
) -> NewSession:
    """Change the password, end all sessions, and return a new one. The person is notified by e-mail.

    Refused: a wrong current password, and a weak new one (422). Both count like a failed sign-in.
    """
    async with waits.attempt_sign_in(db, browser.address, user.email, now=now):
        await passwords.require_strong(new, "new_password", email=user.email)
        found = await queries.find_credentials(db, user.email)
        if found is None or not await passwords.verify_password(found[1], current):
            async with db.transaction() as tx:
                await record_audit_of_person(tx, user.id, "password_change_failed")
            raise invalid_field("current_password", "is wrong; nothing was changed", "wrong")
        hashed = await passwords.hash_password(new)
        async with db.transaction() as tx:
            if await queries.lock_password_hash(tx, user.id) != found[1]:
                raise invalid_field("current_password", "was changed a moment ago, in another place", "wrong")
            await change_password(tx, user.id, hashed)
            await enqueue_password_changed(tx, settings, user, now=now)
            return await open_session(tx, settings, user.id, browser=browser, now=now)


async def change_password(tx: Transaction, user_id: uuid.UUID, password_hash: str) -> None:
    """Store the new hash, and end every session, reset link and change of the address of the user."""
    await queries.set_password_hash(tx, user_id, password_hash)
    await queries.delete_email_change_of_user(tx, user_id)
    await queries.delete_reset_of_user(tx, user_id)
    ended = await queries.delete_sessions_of_user(tx, user_id)
    await record_audit_of_person(tx, user_id, "password_changed", sessions=ended)


async def delete_ended_sessions_any_workspace(tx: Transaction, *, now: datetime) -> None:
    """Delete sessions and waiting sign-ins that have ended, and links of passwords and addresses that have expired."""
    await queries.delete_expired_email_changes_any_workspace(tx, now=now)
    await queries.delete_ended_sessions_any_workspace(tx, now=now)
    await queries.delete_expired_resets_any_workspace(tx, now=now)


async def end_other_sessions(tx: Transaction, user_id: uuid.UUID, current: bytes) -> None:
    """End all sessions of the user but the one of digest `current`."""
    ended = await queries.delete_sessions_of_user(tx, user_id, keep=current)
    await record_audit_of_person(tx, user_id, "sessions_ended", sessions=ended)


async def end_all_sessions(tx: Transaction, user_id: uuid.UUID) -> None:
    """Sign the user out everywhere."""
    ended = await queries.delete_sessions_of_user(tx, user_id)
    await record_audit_of_person(tx, user_id, "sessions_ended", sessions=ended)
