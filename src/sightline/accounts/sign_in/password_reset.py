"""Resetting a forgotten password by a link that is sent to the account's address.

The link works once, for 30 minutes. The worker makes it when it sends the e-mail, and only its hash is stored: no row,
job or log holds the link.
"""

import hashlib
import secrets
from datetime import datetime, timedelta

import msgspec
import structlog

from sightline.accounts import passwords
from sightline.accounts.models import User
from sightline.accounts.queries import find_user_by_email
from sightline.accounts.security_emails import enqueue_password_changed
from sightline.accounts.sign_in import queries
from sightline.accounts.sign_in.models import Browser, NewSession
from sightline.accounts.sign_in.sessions import change_password, digest_token, require_complete, start_session
from sightline.audit.record import record_audit_of_person
from sightline.db.engine import Database, Reader
from sightline.errors import Problem
from sightline.jobs.queue import Connection, NewJob, enqueue
from sightline.kit.email_addresses import is_email_address
from sightline.mail.emails import EmailText, Recipient, build_emails, join_paragraphs
from sightline.mail.send import send_email
from sightline.presentation.language import gettext
from sightline.settings import Settings

JOB = "password_reset.send"
LIFETIME = timedelta(minutes=30)
_PREFIX = "pr_"

log = structlog.get_logger()


class ResetRequest(msgspec.Struct, frozen=True):
    """A request for a link. Until the worker runs it, an address without an account is handled the same."""

    email: str
    requested_at: datetime


async def request_reset(tx: Connection, email: str, *, now: datetime) -> None:
    """Let the worker send a link to the address, if it has an account. Requests that still wait count as one."""
    key = f"password-reset:{hashlib.sha256(email.encode()).hexdigest()}"
    await enqueue(tx, NewJob(kind=JOB, payload=ResetRequest(email, now), key=key))


async def send_reset_link(db: Database, settings: Settings, request: ResetRequest, *, now: datetime) -> None:
    """Make a link and send it; this is the worker's handler of `JOB`. The account's earlier link ends.

    Raises when the mail server rejects the e-mail, so that the job is tried again with a new link. Nothing is sent to
    an address without an account, or once the request is as old as a link may become.
    """
    user = await find_user_by_email(db, request.email)
    if user is None or now - request.requested_at > LIFETIME:
        return
    if settings.smtp_url is None or not is_email_address(user.email):
        log.warning("password_reset_not_sent", user_id=str(user.id), reason="no mail server or unusable address")
        return
    token = _PREFIX + secrets.token_urlsafe(32)
    await queries.upsert_reset(db, user.id, digest_token(token), now=now, expires_at=now + LIFETIME)
    link = f"{settings.public_url}/reset-password?token={token}"
    for email in build_emails([Recipient(user.email, user.language)], lambda: _write_reset(link)):
        await send_email(settings, email, now=now)
    async with db.transaction() as tx:
        await record_audit_of_person(tx, user.id, "password_reset_sent", by_themselves=False)


def _write_reset(link: str) -> EmailText:
    minutes = int(LIFETIME.total_seconds() // 60)
    text = join_paragraphs(
        gettext("Hello,"),
        gettext("You asked for a new password for your Sightline account. Choose it here:"),
        f"  {link}",
        gettext(
            "You can use the link once. It expires after %(minutes)s minutes. Saving the new password signs you "
            "out everywhere else.",
            minutes=minutes,
        ),
        gettext("If you did not ask for this, ignore this e-mail. Your password stays the same."),
    )
    return EmailText(gettext("Choose a new password"), text)


async def read_reset_link(db: Reader, token: str, *, now: datetime) -> User:
    """Return whose password the link resets. Refused: a link that does not work (404)."""
    user = await queries.find_reset_user(db, digest_token(token), now=now)
    if user is None:
        raise Problem("reset_link_invalid")
    return user


async def reset_password(
    db: Database, settings: Settings, token: str, new: str, *, browser: Browser, now: datetime
) -> NewSession:
    """Change the password, end all sessions, and return a new one.

    Refused: a link that does not work (404), before anything is hashed, and a weak password (422). The link replaces
    the password alone: with a second factor, the password is changed and the factor is asked for (401).
    """
    user = await read_reset_link(db, token, now=now)
    await passwords.require_strong(new, "new_password", email=user.email)
    hashed = await passwords.hash_password(new)
    async with db.transaction() as tx:
        await queries.lock_password_hash(tx, user.id)
        if not await queries.delete_reset(tx, digest_token(token), now=now):
            raise Problem("reset_link_invalid")
        await record_audit_of_person(tx, user.id, "password_reset_used")
        await change_password(tx, user.id, hashed)
        await enqueue_password_changed(tx, settings, user, now=now)
        started = await start_session(tx, settings, user.id, browser=browser, now=now)
    return require_complete(started)
