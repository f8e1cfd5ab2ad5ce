"""What people without an account can open: the reports of an e-mail, and the latest reports of a client.

A token is shown or sent once, and only its digest is stored. A link to the latest reports may need a password, may end,
can be revoked, and ends with the membership of its maker, as links to one report do.
"""

import hashlib
import hmac
import secrets
import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.models import Actor
from sightline.accounts.passwords import MAX_LENGTH, hash_password, verify_password
from sightline.accounts.sign_in.sessions import digest_token
from sightline.accounts.sign_in.waits import attempt_sign_in
from sightline.audit.record import record_audit
from sightline.clients.look import Look
from sightline.clients.manage import read_client, read_look
from sightline.clients.queries import find_client
from sightline.clients.schemas import ClientRow
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import new_id
from sightline.plans.entitlements import require_clients
from sightline.reports.mailings import queries
from sightline.reports.mailings.models import EmailRow, LinkRow
from sightline.reports.weekly.models import ReportRow

LIFETIMES_DAYS = (30, 90, 365)
MAX_OPEN_LINKS = 10
MIN_PASSWORD = 8
KEPT_FOR = timedelta(days=400)
"""How long e-mails stay on record: longer than the reports of a monthly schedule could be sent again."""
_EMAIL_LINKS = timedelta(days=90)
_TEST_LINKS = timedelta(days=1)
_MAX_TOKEN_LENGTH = 100


class CreatedLink(msgspec.Struct, frozen=True):
    """A new link, and its token, which is not stored."""

    token: str
    link: LinkRow


async def clean_link_password(text: str) -> str | None:
    """Return the hash of a password; None for an empty one. Refused: one that is too short or too long."""
    if not text:
        return None
    if not MIN_PASSWORD <= len(text) <= MAX_LENGTH:
        raise invalid_field("link_password", f"must have {MIN_PASSWORD} to {MAX_LENGTH} characters", "length")
    return await hash_password(text)


async def create_link(
    tx: Transaction,
    actor: Actor,
    client_id: uuid.UUID | None,
    days: int | None,
    password_hash: str | None,
    *,
    now: datetime,
) -> CreatedLink:
    """Create a link to the latest reports of a client. `days` is how long it works; None is until it is revoked."""
    require_clients(actor.plan)
    client = await read_client(tx, actor, client_id)
    if days is not None and days not in LIFETIMES_DAYS:
        raise invalid_field("days", f"must be one of {', '.join(map(str, LIFETIMES_DAYS))}, or none")
    if len(await queries.list_open_links(tx, actor.workspace_id, client.id, now=now)) >= MAX_OPEN_LINKS:
        raise invalid_field("days", f"a client has {MAX_OPEN_LINKS} open links at most; revoke one first", "too_many")
    token, ends = secrets.token_urlsafe(32), None if days is None else now + timedelta(days=days)
    link = LinkRow(actor.workspace_id, new_id(), client.id, password_hash, now, ends)
    await queries.insert_link(tx, link, digest_token(token), actor.user_id)
    await record_audit(tx, actor.workspace_id, "share_link_created", client.name, client_id=client.id, link_id=link.id)
    return CreatedLink(token, link)


async def revoke_link(
    tx: Transaction, actor: Actor, client_id: uuid.UUID | None, link_id: uuid.UUID | None, *, now: datetime
) -> None:
    """Revoke a link: from now on it opens nothing. Revoking it again changes nothing."""
    client = await read_client(tx, actor, client_id)
    if not link_id or not await queries.revoke_link(tx, actor.workspace_id, client.id, link_id, now=now):
        raise Problem("not_found")
    await record_audit(tx, actor.workspace_id, "share_link_revoked", client.name, client_id=client.id, link_id=link_id)


async def open_link(db: Reader, token: str, *, now: datetime) -> LinkRow:
    """Return the link of a token. All that do not work are refused in the same way (404)."""
    found = await queries.find_link_any_workspace(db, _digest(token), now=now)
    if found is None:
        raise Problem("not_found")
    return found


async def unlock_link(db: Database, link: LinkRow, password: str, address: str, *, now: datetime) -> str:
    """Return what a browser keeps to open the link again. Refused: a wrong password (422), too many of them (429)."""
    assert link.password_hash is not None
    async with attempt_sign_in(db, address, f"report link {link.id}", now=now):
        if not await verify_password(link.password_hash, password):
            raise invalid_field("link_password", "is wrong", "wrong")
    return make_pass(link)


def make_pass(link: LinkRow) -> str:
    """Return the proof that somebody knew the password of a link. It ends with the password and the link."""
    return hashlib.sha256(f"{link.id} {link.password_hash}".encode()).hexdigest()


def is_unlocked(link: LinkRow, shown_pass: str) -> bool:
    return link.password_hash is None or hmac.compare_digest(make_pass(link).encode(), shown_pass.encode())


async def read_place(db: Reader, place: LinkRow | EmailRow) -> tuple[ClientRow, Look]:
    """Return the client that a link or an e-mail belongs to, and its look."""
    client = await find_client(db, place.workspace_id, place.client_id)
    if client is None:
        raise Problem("not_found")
    return client, await read_look(db, place.workspace_id, place.client_id)


async def open_email(db: Reader, token: str, *, now: datetime, works_for: timedelta = KEPT_FOR) -> EmailRow:
    """Return the e-mail of a token. The link to stop e-mails works as long as they are kept; a test has one day."""
    found = await queries.find_email_by_token_any_workspace(
        db, _digest(token), since=now - works_for, tests_since=now - _TEST_LINKS
    )
    if found is None:
        raise Problem("not_found")
    return found


async def open_mailed_report(db: Reader, token: str, report_id: uuid.UUID | None, *, now: datetime) -> ReportRow:
    """Return a report of an e-mail, for 90 days and as long as its domain belongs to the same client."""
    email = await open_email(db, token, now=now, works_for=_EMAIL_LINKS)
    if report_id is None or report_id not in email.report_ids:
        raise Problem("not_found")
    found = await queries.find_report_of_client(db, email.workspace_id, email.client_id, report_id)
    if found is None:
        raise Problem("not_found")
    return found


async def choose_emails(tx: Transaction, email: EmailRow, *, wanted: bool, now: datetime) -> None:
    """Unsubscribe the recipient of an e-mail from the reports of its client, or subscribe them again.

    A test changes nothing: its reader is a member, and perhaps no recipient.
    """
    if email.due_at is None:
        return
    place = (email.workspace_id, email.client_id, email.address)
    if wanted:
        await queries.delete_unsubscription(tx, *place)
    else:
        await queries.insert_unsubscription(tx, *place, now=now)


def _digest(token: str) -> bytes:
    return digest_token(token if len(token) <= _MAX_TOKEN_LENGTH and token.isascii() else "")
