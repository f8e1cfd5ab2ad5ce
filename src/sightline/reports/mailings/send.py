"""Sending the reports of a client to its recipients: at the times of its schedule, and as a test to a member.

An e-mail is a row, and a job that sends it. Both are written in one transaction, and a recipient has one row for each
time of a schedule: a worker that dies leaves e-mails to be sent, and none to be sent again. If it dies between the mail
server's acceptance and the note of it, the e-mail is sent again with the same Message-ID, as every e-mail is.
"""

import asyncio
import secrets
import smtplib
import uuid
from datetime import datetime, timedelta

import msgspec
import structlog

from sightline.accounts.models import Actor, User
from sightline.accounts.sign_in.sessions import digest_token
from sightline.accounts.workspaces import read_time_zone
from sightline.clients.manage import read_look
from sightline.clients.queries import find_client
from sightline.clients.schemas import ClientRow
from sightline.db.engine import Database, Reader, Transaction
from sightline.errors import invalid_field
from sightline.jobs.queue import NewJob, enqueue
from sightline.jobs.retry import DEFAULT_RETRY
from sightline.kit.clock import Clock
from sightline.kit.crash import crash_point
from sightline.kit.ids import new_id
from sightline.mail.send import send_email
from sightline.plans.entitlements import require_clients
from sightline.presentation.language import DEFAULT_LANGUAGE
from sightline.reports.mailings import queries
from sightline.reports.mailings.emails import MailedReport, Mailing, PreparedMailing, prepare_mailing, write_email
from sightline.reports.mailings.models import EMAIL_JOB, EmailRow, MailingJob, Outcome, ReportEmailJob
from sightline.reports.weekly.models import ReportDocument
from sightline.reports.weekly.queries import read_documents
from sightline.reports.weekly.render import has_facts
from sightline.settings import Settings

log = structlog.get_logger()

MAX_TESTS_A_DAY = 20
_LONGEST_FAILURE = 200


async def send_due_reports(db: Database, settings: Settings, job: MailingJob, *, clock: Clock) -> None:
    """Write the e-mails of one time of a schedule. A report that recipients have had is not sent again."""
    client = await find_client(db, job.workspace_id, job.client_id)
    if client is None or await queries.find_schedule(db, job.workspace_id, job.client_id) is None:
        return
    unsubscribed = await queries.list_unsubscribed(db, job.workspace_id, client.id)
    recipients = [each for each in client.recipients if each not in unsubscribed]
    latest = await _list_reports(db, settings, job.workspace_id, client)
    mailed = await queries.list_mailed_reports(db, job.workspace_id, client.id, before=job.due_at)
    fresh = [each for each in latest if each.row.id not in mailed]
    outcome: Outcome = "sent"
    if not recipients:
        outcome = "no_recipients"
    elif not fresh:
        outcome = "nothing_new" if latest else "no_report"
    prepared = None
    if outcome == "sent":
        prepared = await _prepare(db, settings, job.workspace_id, client, fresh)
    async with db.transaction() as tx:
        if prepared is not None:
            for address in recipients:
                await _store_email(tx, prepared, job.workspace_id, client, address, due_at=job.due_at, now=clock())
        await queries.set_outcome(tx, job.workspace_id, client.id, job.due_at, outcome)
        crash_point("before_mailing_commit")
    crash_point("after_mailing_commit")
    log.info("mailing_done", client_id=str(client.id), outcome=outcome, recipients=len(recipients))


async def prepare_test(db: Reader, settings: Settings, actor: Actor, client: ClientRow) -> PreparedMailing:
    """Prepare what recipients would get now. Refused: a plan without clients (403), and a client without a report."""
    require_clients(actor.plan)
    reports = await _list_reports(db, settings, actor.workspace_id, client)
    if not reports:
        raise invalid_field("client_id", "has no report yet: reports come with each Full Check", "no_report")
    return await _prepare(db, settings, actor.workspace_id, client, reports)


async def send_test(
    tx: Transaction, actor: Actor, user: User, client: ClientRow, prepared: PreparedMailing, *, now: datetime
) -> EmailRow:
    """Send a prepared mailing to a member alone, on the same way as the real one. Refused: too many a day."""
    sent = await queries.count_tests(tx, actor.workspace_id, client.id, since=now - timedelta(days=1))
    if sent >= MAX_TESTS_A_DAY:
        raise invalid_field("client_id", f"has had {MAX_TESTS_A_DAY} tests within a day; try again tomorrow", "limit")
    return await _store_email(tx, prepared, actor.workspace_id, client, user.email, due_at=None, now=now)


async def _store_email(
    tx: Transaction,
    prepared: PreparedMailing,
    workspace_id: uuid.UUID,
    client: ClientRow,
    address: str,
    *,
    due_at: datetime | None,
    now: datetime,
) -> EmailRow:
    token = secrets.token_urlsafe(32)
    report_ids = [each.row.id for each in prepared.mailing.reports]
    row = EmailRow(workspace_id, new_id(), client.id, due_at, address, report_ids, now)
    if await queries.insert_email(tx, row, digest_token(token)):
        job = ReportEmailJob(workspace_id, write_email(prepared, row, token))
        await enqueue(tx, NewJob(kind=EMAIL_JOB, payload=job, key=f"{EMAIL_JOB}:{row.id}"))
    return row


async def _list_reports(
    db: Reader, settings: Settings, workspace_id: uuid.UUID, client: ClientRow
) -> list[MailedReport]:
    """Return the latest report of each domain; none of made-up answers once the sandbox has ended."""
    rows = await queries.list_latest_reports(db, workspace_id, client.id, live_only=settings.sandbox_ended)
    documents = await read_documents(db, workspace_id, [row.id for row in rows])
    return [
        MailedReport(row, msgspec.json.decode(documents[row.id], type=ReportDocument))
        for row in rows
        if has_facts(documents[row.id])
    ]


async def _prepare(
    db: Reader, settings: Settings, workspace_id: uuid.UUID, client: ClientRow, reports: list[MailedReport]
) -> PreparedMailing:
    zone = client.timezone or await read_time_zone(db, workspace_id)
    look, language = await read_look(db, workspace_id, client.id), client.language or DEFAULT_LANGUAGE
    mailing = Mailing(client.name, reports, look, language, zone, settings.public_url.rstrip("/"))
    return await asyncio.to_thread(prepare_mailing, mailing)


async def send_report_email(
    db: Database, settings: Settings, job: ReportEmailJob, attempts: int, *, clock: Clock
) -> None:
    """Send one e-mail, and note when it was sent or why not. Raises to be tried again, unless it is final."""
    row = await queries.find_email(db, job.workspace_id, job.email.id)
    if row is None or row.sent_at is not None:
        return
    if row.due_at is not None and not await queries.is_recipient(db, row):
        await _mark(db, row, failed_at=clock(), failure="no longer a recipient")
        return
    try:
        await send_email(settings, job.email, now=clock())
    except OSError as error:
        final = is_final(error) or DEFAULT_RETRY.is_exhausted(attempts + 1)
        await _mark(db, row, failed_at=clock() if final else None, failure=describe_refusal(error))
        if is_final(error):
            return
        raise
    crash_point("after_report_email_sent")
    await _mark(db, row, sent_at=clock())


async def _mark(db: Database, row: EmailRow, **how: datetime | str | None) -> None:
    async with db.transaction() as tx:
        await queries.mark_email(tx, row.workspace_id, row.id, **how)  # type: ignore[arg-type] # its own names


def is_final(error: OSError) -> bool:
    """Return whether the mail server refused the recipient or the message for good."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, smtplib.SMTPDataError) and error.smtp_code >= 500


def describe_refusal(error: OSError) -> str:
    """Return what the mail server said, or what kept us from reaching it."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        code, said = next(iter(error.recipients.values()))
        return _write_reply(code, said)
    if isinstance(error, smtplib.SMTPResponseException):
        return _write_reply(error.smtp_code, error.smtp_error)
    return f"The mail server cannot be reached: {type(error).__name__}"


def _write_reply(code: int, said: bytes | str) -> str:
    words = said.decode(errors="replace") if isinstance(said, bytes) else said
    printable = "".join(each if each.isprintable() else " " for each in words)
    return f"{code} {' '.join(printable.split())}"[:_LONGEST_FAILURE]
