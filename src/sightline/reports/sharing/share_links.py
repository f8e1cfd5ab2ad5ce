"""Links to one report for people without an account. Each link expires, can be revoked, and opens nothing else.

A link ends with the membership of its maker. It is shown once. Only the digest of its token is stored, so a copy of the
database opens no report.
"""

import secrets
import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.models import Actor
from sightline.accounts.sign_in.sessions import digest_token
from sightline.audit.record import record_audit
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import new_id
from sightline.reports.sharing import queries
from sightline.reports.sharing.models import NewShareLink, ShareLinkRow
from sightline.reports.weekly.models import ReportRow
from sightline.reports.weekly.read import read_report

LIFETIMES_DAYS = (1, 7, 30)
MAX_OPEN_LINKS = 20
_MAX_TOKEN_LENGTH = 100


class CreatedShareLink(msgspec.Struct, frozen=True):
    """A new link, and its token, which is not stored."""

    token: str
    link: ShareLinkRow


async def create_share_link(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, report_id: uuid.UUID | None, days: int, *, now: datetime
) -> CreatedShareLink:
    """Create a link to a report. Only now is its token known.

    Refuses any other lifetime than those of `LIFETIMES_DAYS`, and more than `MAX_OPEN_LINKS` open links to a report.
    """
    if days not in LIFETIMES_DAYS:
        *shorter, longest = map(str, LIFETIMES_DAYS)
        raise invalid_field("days", f"a link is open for {', '.join(shorter)} or {longest} days")
    report = report_id and await queries.lock_report(tx, actor.workspace_id, domain_id, report_id)
    if not report:
        raise Problem("not_found")
    if len(await queries.list_open_links(tx, actor.workspace_id, report, now=now)) >= MAX_OPEN_LINKS:
        raise invalid_field("days", f"a report has {MAX_OPEN_LINKS} open links at most; revoke one first", "too_many")
    token = secrets.token_urlsafe(32)
    new = NewShareLink(
        workspace_id=actor.workspace_id,
        id=new_id(),
        report_id=report,
        digest=digest_token(token),
        shared_by=actor.user_id,
        created_at=now,
        expires_at=now + timedelta(days=days),
    )
    link = await queries.insert_share_link(tx, new)
    await record_audit(tx, actor.workspace_id, "share_link_created", report_id=report, share_id=link.id, days=days)
    return CreatedShareLink(token, link)


async def list_share_links(db: Reader, report: ReportRow, *, now: datetime) -> list[ShareLinkRow]:
    """Return the links that open the report now, newest first."""
    return await queries.list_open_links(db, report.workspace_id, report.id, now=now)


async def revoke_share_link(
    tx: Transaction,
    actor: Actor,
    domain_id: uuid.UUID,
    report_id: uuid.UUID | None,
    share_id: uuid.UUID | None,
    *,
    now: datetime,
) -> None:
    """Revoke a link: from now on it opens nothing. Revoking it again changes nothing."""
    report = await read_report(tx, actor.workspace_id, domain_id, report_id)
    revoked_at = share_id and await queries.revoke_share_link(tx, actor.workspace_id, report.id, share_id, now=now)
    if not revoked_at:
        raise Problem("not_found")
    if revoked_at == now:
        await record_audit(tx, actor.workspace_id, "share_link_revoked", share_id=share_id)


async def open_share_link(db: Reader, token: str, *, now: datetime) -> ReportRow:
    """Return the report that a token opens.

    A link that has expired, was revoked, never existed, was made by somebody who has left, or belongs to a domain that
    is no longer tracked is refused in the same way, so that the refusal reveals nothing.
    """
    found = None
    if len(token) <= _MAX_TOKEN_LENGTH and token.isascii():
        found = await queries.find_shared_report_any_workspace(db, digest_token(token), now=now)
    if found is None:
        raise Problem("not_found")
    return found
