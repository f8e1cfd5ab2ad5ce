"""Schedules, e-mails and links of clients, as stored; the jobs that send; and what the APIs accept and return."""

import uuid
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import Example
from sightline.kit.structs import convert_struct
from sightline.mail.emails import OutgoingEmail
from sightline.reports.mailings.due import Rhythm

MAILING_JOB = "report.mailing"
EMAIL_JOB = "report.email"

Outcome = Literal["sent", "no_report", "nothing_new", "no_recipients"]


class MailingJob(msgspec.Struct, frozen=True):
    """The payload of `MAILING_JOB`: one time of a client's schedule."""

    workspace_id: uuid.UUID
    client_id: uuid.UUID
    due_at: datetime


class ReportEmailJob(msgspec.Struct, frozen=True):
    """The payload of `EMAIL_JOB`. The id of the e-mail is that of its row."""

    workspace_id: uuid.UUID
    email: OutgoingEmail


class ScheduleRow(msgspec.Struct, frozen=True):
    """A row of `report_schedules`, in the order of `columns(ScheduleRow)`."""

    workspace_id: uuid.UUID
    client_id: uuid.UUID
    rhythm: Rhythm
    day: int
    hour: int
    timezone: str
    next_at: datetime
    last_at: datetime | None = None
    last_outcome: Outcome | None = None


class EmailRow(msgspec.Struct, frozen=True):
    """A row of `report_emails` without the digest of its token."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    client_id: uuid.UUID
    due_at: datetime | None
    """When it was due; None for a test."""
    address: str
    report_ids: list[uuid.UUID]
    created_at: datetime
    sent_at: datetime | None = None
    failed_at: datetime | None = None
    """When it was given up."""
    failure: str | None = None
    """Why the latest attempt failed."""

    @property
    def state(self) -> "EmailState":
        return "sent" if self.sent_at else "failed" if self.failed_at else "waiting"


class LinkRow(msgspec.Struct, frozen=True):
    """A row of `report_links` without the digest of its token."""

    workspace_id: uuid.UUID
    id: uuid.UUID
    client_id: uuid.UUID
    password_hash: str | None
    created_at: datetime
    expires_at: datetime | None


# What the APIs accept and return

EmailState = Literal["waiting", "sent", "failed"]
_DAY = "Day of the week, from 1 for Monday to 7, if weekly; day of the month, from 1 to 28, if monthly."
_HOUR = "Hour of the client's time zone, from 0 to 23."
_RHYTHM = "How often reports are sent."


class ScheduleInput(msgspec.Struct, frozen=True):
    """When to send the reports of a client."""

    rhythm: Annotated[Rhythm, Meta(description=_RHYTHM)]
    day: Annotated[int, Meta(ge=1, le=28, description=_DAY)]
    hour: Annotated[int, Meta(ge=0, le=23, description=_HOUR)]


class Schedule(msgspec.Struct, frozen=True):
    """When the reports of a client are sent to its recipients."""

    client_id: Annotated[uuid.UUID, Meta(description="Client whose reports are sent.")]
    rhythm: Annotated[Rhythm, Meta(description=_RHYTHM)]
    day: Annotated[int, Meta(description=_DAY)]
    hour: Annotated[int, Meta(description=_HOUR)]
    timezone: Annotated[str, Meta(description="Time zone of the hour: the client's, or else the workspace's.")]
    next_at: Annotated[Timestamp, Meta(description="When reports are sent next.")]
    last_at: Annotated[Timestamp | None, Meta(description="The latest time that was due. Null before the first.")]
    last_outcome: Annotated[
        Outcome | None,
        Meta(
            description="What happened then: `sent`; `no_report`, before the first Full Check of any domain; "
            "`nothing_new`, without a Full Check since the e-mail before; `no_recipients`."
        ),
    ]


class ReportEmail(msgspec.Struct, frozen=True):
    """An e-mail with reports to one recipient."""

    id: Annotated[uuid.UUID, Meta(description="Id of the e-mail.")]
    recipient: Annotated[str, Meta(description="Address that it goes to.")]
    due_at: Annotated[Timestamp | None, Meta(description="Time of the schedule that it belongs to. Null for a test.")]
    report_ids: Annotated[list[uuid.UUID], Meta(description="Reports that it is about.")]
    state: Annotated[EmailState, Meta(description="`waiting` is tried again; `failed` was given up.")]
    failure: Annotated[str | None, Meta(description="Why the latest attempt failed, as the mail server said it.")]
    created_at: Annotated[Timestamp, Meta(description="When it was written.")]
    sent_at: Annotated[Timestamp | None, Meta(description="When the mail server accepted it.")]


def to_schedule(row: ScheduleRow) -> Schedule:
    return convert_struct(
        Schedule, row, next_at=to_iso(row.next_at), last_at=None if row.last_at is None else to_iso(row.last_at)
    )


def to_report_email(row: EmailRow) -> ReportEmail:
    return convert_struct(
        ReportEmail,
        row,
        recipient=row.address,
        due_at=None if row.due_at is None else to_iso(row.due_at),
        created_at=to_iso(row.created_at),
        sent_at=None if row.sent_at is None else to_iso(row.sent_at),
    )


_SCHEDULE = Schedule(
    client_id=uuid.UUID("0197a7a1-52fd-7c11-8b1e-0d3c6f1c2a90"),
    rhythm="weekly",
    day=1,
    hour=8,
    timezone="Europe/Berlin",
    next_at="2026-11-16T07:00:00.000000+00:00",
    last_at="2026-11-09T07:00:00.000000+00:00",
    last_outcome="sent",
)
_EMAIL = ReportEmail(
    id=uuid.UUID("019a6770-0dc4-7d60-a2cb-5a9f1e7c4b21"),
    recipient="marketing@acme.com",
    due_at="2026-11-09T07:00:00.000000+00:00",
    report_ids=[uuid.UUID("01990f8b-47a2-7c19-9e60-2d8f5b13a7c4")],
    state="sent",
    failure=None,
    created_at="2026-11-09T07:00:03.482113+00:00",
    sent_at="2026-11-09T07:00:04.118240+00:00",
)

EXAMPLES = {
    "read_schedule": Example(_SCHEDULE),
    "set_schedule": Example(_SCHEDULE, {"rhythm": "weekly", "day": 1, "hour": 8}),
    "list_report_emails": Example([_EMAIL]),
}
