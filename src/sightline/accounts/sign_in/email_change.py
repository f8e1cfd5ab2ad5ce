"""Changing the e-mail address of an account, with a link to the old address and one to the new.

Both have to be opened within a day, in any order. As for passwords, the worker makes the links when it sends them, and
only their hashes are stored. Whether the new address has an account already is told to nobody but its owner.
"""

import secrets
import uuid
from datetime import datetime, timedelta
from typing import Literal

import asyncpg
import msgspec
import structlog

from sightline.accounts.models import User
from sightline.accounts.queries import find_user_by_email
from sightline.accounts.security_emails import enqueue_email_changed
from sightline.accounts.sign_in import queries, waits
from sightline.accounts.sign_in.models import EmailChange, SignedIn
from sightline.accounts.sign_in.sessions import digest_token
from sightline.accounts.users import clean_email
from sightline.audit.record import record_audit_of_person
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.jobs.queue import NewJob, enqueue
from sightline.mail.emails import EmailText, Recipient, build_emails, join_paragraphs
from sightline.mail.send import send_email
from sightline.presentation.language import gettext
from sightline.settings import Settings

JOB = "email_change.send"
LIFETIME = timedelta(days=1)
Side = Literal["old", "new"]
_SIDES: tuple[Side, Side] = ("old", "new")
_PREFIX = "ec_"

log = structlog.get_logger()


class ChangeLink(msgspec.Struct, frozen=True):
    """A link that has to be sent, unless the person has asked for another change in the meantime."""

    user_id: uuid.UUID
    side: Side
    requested_at: datetime


async def request_change(db: Database, user: User, email: str, *, now: datetime) -> None:
    """Let the worker send a link to both addresses. An earlier request of the person ends.

    Refused: text that is no address, the present address (422), and too many requests (429).
    """
    address = clean_email(email)
    if address == user.email:
        raise invalid_field("email", "is already the address of this account", "same")
    await waits.count_email_change(db, user.id, now=now)
    async with db.transaction() as tx:
        await queries.upsert_email_change(tx, user.id, address, now=now, expires_at=now + LIFETIME)
        await record_audit_of_person(tx, user.id, "email_change_requested")
        for side in _SIDES:
            await enqueue(tx, NewJob(kind=JOB, payload=ChangeLink(user.id, side, now)))


async def send_change_link(db: Database, settings: Settings, link: ChangeLink, *, now: datetime) -> None:
    """Make a link and send it; this is the worker's handler of `JOB`.

    Raises when the mail server rejects the e-mail, so that the job is tried again with a new link.
    """
    found = await queries.find_email_change(db, link.user_id, requested_at=link.requested_at, now=now)
    if found is None:
        return
    user, email = found
    if settings.smtp_url is None:
        log.warning("email_change_not_sent", user_id=str(user.id), reason="no mail server")
        return
    recipient = Recipient(user.email if link.side == "old" else email, user.language)
    if link.side == "new" and await find_user_by_email(db, email) is not None:
        for each in build_emails([recipient], _write_taken):
            await send_email(settings, each, now=now)
        return
    token = _PREFIX + secrets.token_urlsafe(32)
    await queries.set_email_change_digest(db, user.id, link.side, digest_token(token), requested_at=link.requested_at)
    address = f"{settings.public_url}/confirm-email?token={token}"
    write = (lambda: _write_old(email, address)) if link.side == "old" else (lambda: _write_new(address))
    for each in build_emails([recipient], write):
        await send_email(settings, each, now=now)


async def read_change(db: Reader, token: str, *, now: datetime) -> EmailChange:
    """Return what the link confirms. Refused: a link that does not work (404)."""
    found = await queries.find_email_change_by_link(db, digest_token(token), now=now)
    if found is None:
        raise Problem("email_change_invalid")
    return found


async def confirm_change(
    tx: Transaction, settings: Settings, token: str, *, signed_in: SignedIn | None, now: datetime
) -> bool:
    """Confirm the change at one address. Return whether it was confirmed at both, and the address has changed.

    All sessions end but that of the browser that opened the link. Refused: a link that does not work, and an address
    that has an account by now (404).
    """
    digest = digest_token(token)
    await queries.lock_email_change(tx, digest)
    change = await read_change(tx, token, now=now)
    await queries.confirm_email_change(tx, change.user_id, digest)
    if not (await read_change(tx, token, now=now)).is_confirmed:
        return False
    await queries.delete_email_change_of_user(tx, change.user_id)
    await store_address(tx, settings, change.user_id, change.email, signed_in=signed_in, now=now)
    return True


async def store_address(
    tx: Transaction,
    settings: Settings,
    user_id: uuid.UUID,
    email: str,
    *,
    signed_in: SignedIn | None = None,
    now: datetime,
) -> None:
    """Change the address, end the links and sessions of the account, and tell the old address.

    Refused: an address that has an account (404).
    """
    await queries.lock_password_hash(tx, user_id)
    before = await queries.find_user(tx, user_id)
    try:
        await queries.set_email(tx, user_id, email)
    except asyncpg.UniqueViolationError as error:
        raise Problem("email_change_invalid") from error
    await queries.delete_reset_of_user(tx, user_id)
    keep = signed_in.session_digest if signed_in is not None and signed_in.user.id == user_id else None
    ended = await queries.delete_sessions_of_user(tx, user_id, keep=keep)
    await record_audit_of_person(tx, user_id, "email_changed", sessions=ended)
    if before is not None:
        await enqueue_email_changed(tx, settings, before, now=now)


def _write_old(email: str, link: str) -> EmailText:
    text = join_paragraphs(
        gettext("Hello,"),
        gettext("You want to change the e-mail address of your Sightline account to %(email)s.", email=email),
        gettext("Confirm it here. The address changes once you have also opened the link that we sent there:"),
        f"  {link}",
        gettext("The link expires after a day. If this was not you, change your password: somebody else knows it."),
    )
    return EmailText(gettext("Confirm your new e-mail address"), text)


def _write_new(link: str) -> EmailText:
    text = join_paragraphs(
        gettext("Hello,"),
        gettext("Someone wants to use this address for their Sightline account. If this was you, confirm it here:"),
        f"  {link}",
        gettext(
            "The address changes once you have also opened the link that we sent to your old address. The link expires "
            "after a day."
        ),
        gettext("If this was not you, ignore this e-mail."),
    )
    return EmailText(gettext("Confirm your new e-mail address"), text)


def _write_taken() -> EmailText:
    text = join_paragraphs(
        gettext("Hello,"),
        gettext(
            "Someone wants to use this address for their Sightline account, but it already has an account. Nothing was "
            "changed."
        ),
        gettext("If this was you, sign in with this address instead. If this was not you, ignore this e-mail."),
    )
    return EmailText(gettext("This address already has an account"), text)
