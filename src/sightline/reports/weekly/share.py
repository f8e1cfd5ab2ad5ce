"""Links to one report for people without an account: each expires, can be taken back, and opens nothing else.

The link is shown once. Only the digest of its token is kept, so a copy of the database opens no report.
"""

import secrets
import uuid
from datetime import datetime, timedelta

import msgspec

from sightline.accounts.models import Actor
from sightline.accounts.sessions import digest_token
from sightline.db.engine import Reader, Transaction
from sightline.errors import Problem, invalid_field
from sightline.kit.ids import new_id
from sightline.reports.weekly import queries, share_queries
from sightline.reports.weekly.models import ReportRow, ShareRow

DAYS = (1, 7, 30)
MOST_OPEN = 20
_LONGEST_TOKEN = 100


class NewShare(msgspec.Struct, frozen=True):
    token: str
    share: ShareRow


async def share_report(
    tx: Transaction, actor: Actor, domain_id: uuid.UUID, report_id: uuid.UUID | None, days: int, *, now: datetime
) -> NewShare:
    """The only time that the token is known. Refused: another span of time, and more than 20 open links."""
    if days not in DAYS:
        raise invalid_field("days", f"a link is open for {', '.join(map(str, DAYS[:-1]))} or {DAYS[-1]} days")
    report = report_id and await share_queries.lock_report(tx, actor.workspace_id, domain_id, report_id)
    if not report:
        raise Problem("not_found")
    if len(await share_queries.list_open(tx, actor.workspace_id, report, now=now)) >= MOST_OPEN:
        raise invalid_field("days", f"a report has {MOST_OPEN} open links at most; take one back first", "too_many")
    token = secrets.token_urlsafe(32)
    share = await share_queries.insert_share(
        tx,
        actor.workspace_id,
        new_id(),
        report,
        digest_token(token),
        actor.user_id,
        expires_at=now + timedelta(days=days),
        now=now,
    )
    return NewShare(token, share)


async def list_shares(db: Reader, report: ReportRow, *, now: datetime) -> list[ShareRow]:
    """Those that open the report now, the newest first."""
    return await share_queries.list_open(db, report.workspace_id, report.id, now=now)


async def revoke_share(
    tx: Transaction,
    actor: Actor,
    domain_id: uuid.UUID,
    report_id: uuid.UUID | None,
    share_id: uuid.UUID | None,
    *,
    now: datetime,
) -> None:
    """From now on it opens nothing. Twice changes nothing."""
    report = report_id and await queries.find_report(tx, actor.workspace_id, domain_id, report_id)
    if not report or share_id is None:
        raise Problem("not_found")
    if not await share_queries.revoke_share(tx, actor.workspace_id, report.id, share_id, now=now):
        raise Problem("not_found")


async def open_shared(db: Reader, token: str, *, now: datetime) -> ReportRow:
    """Expired, taken back, unknown, or of a domain that is tracked no more: all the same to whoever asks."""
    found = None
    if len(token) <= _LONGEST_TOKEN and token.isascii():
        found = await share_queries.find_shared_any_workspace(db, digest_token(token), now=now)
    if found is None:
        raise Problem("not_found")
    return found
