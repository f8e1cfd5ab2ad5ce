"""Report schedules: when the reports of a client are sent, and the e-mails that were."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Envelope, Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Resource
from sightline.api.schemas import Removed
from sightline.clients.manage import read_client
from sightline.kit.ids import parse_id
from sightline.reports.mailings import schedule
from sightline.reports.mailings.models import ReportEmail, Schedule, ScheduleInput, to_report_email, to_schedule

RESOURCE = Resource(
    "data",
    "Report schedules",
    "Send the latest reports of a client to its recipients, weekly or monthly. The client has the recipients, the "
    "language and the time zone. A report is sent once. Writes need the Agency plan and the role admin.",
    {"schedules": "When the reports of a client are sent"},
)
_PATH = "/clients/{client_id}/schedule"


@RESOURCE.operation(
    "GET", _PATH, summary="Read a schedule", sdk="schedules.retrieve", data_api="insights", problems=("not_found",)
)
async def read_schedule(exchange: Exchange, client_id: str) -> Envelope[Schedule]:
    """Return when the reports of a client are sent next, and what happened the last time."""
    return Envelope(to_schedule(await schedule.read_schedule(exchange.db, exchange.actor, parse_id(client_id))))


@RESOURCE.operation(
    "POST",
    _PATH,
    summary="Set a schedule",
    sdk="schedules.set",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    body=ScheduleInput,
    idempotency="required",
    problems=("not_found", "plan_required"),
)
async def set_schedule(exchange: Exchange, client_id: str) -> Envelope[Schedule]:
    """Send the reports of a client on a schedule, in place of the one before.

    Nothing is sent before the first Full Check of a domain, or if no report is new.
    """
    wanted = exchange.decode_body(ScheduleInput)
    row = await schedule.set_schedule(exchange.tx, exchange.actor, parse_id(client_id), wanted, now=exchange.now)
    return Envelope(to_schedule(row))


@RESOURCE.operation(
    "DELETE",
    _PATH,
    summary="Remove a schedule",
    sdk="schedules.remove",
    scope="write",
    role=Role.ADMIN,
    data_api="write",
    idempotency="required",
    problems=("not_found",),
)
async def remove_schedule(exchange: Exchange, client_id: str) -> Envelope[Removed]:
    """Send no more reports of the client. E-mails that are written already are still sent."""
    removed = await schedule.remove_schedule(exchange.tx, exchange.actor, parse_id(client_id))
    return Envelope(Removed(removed, deleted=True))


@RESOURCE.operation(
    "GET",
    "/clients/{client_id}/report-emails",
    summary="List e-mails with reports",
    sdk="schedules.emails",
    paged=True,
    data_api="insights",
    problems=("not_found",),
)
async def list_report_emails(exchange: Exchange, client_id: str) -> Page[ReportEmail]:
    """List the e-mails to the recipients of a client, the latest first, 50 per page. They are kept for 400 days."""
    client = await read_client(exchange.db, exchange.actor, parse_id(client_id))
    paging = exchange.paging(f"data.report_emails:{client.id}")
    rows = await schedule.list_emails(
        exchange.db, exchange.actor, client, after=paging.after_time_and_id, page_size=paging.size
    )
    return paging.page(rows.map(to_report_email))
