"""An outgoing e-mail, the job that carries it, and its form as a MIME message."""

import uuid
from collections.abc import Callable, Iterable
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, formataddr, parseaddr
from typing import NamedTuple

import msgspec
import structlog

from sightline.jobs.queue import Connection, NewJob, enqueue
from sightline.kit.email_addresses import is_email_address
from sightline.kit.ids import new_id
from sightline.presentation.direction_controls import show_direction_controls
from sightline.presentation.language import current_language, in_language
from sightline.presentation.phrases import to_one_line

JOB = "mail.send"

log = structlog.get_logger()


class OutgoingEmail(msgspec.Struct, frozen=True, omit_defaults=True):
    """One e-mail to one person, and the payload of its job.

    An address or a subject that could smuggle in another recipient or header is refused with a `ValueError`.
    """

    to: str
    subject: str
    text: str
    id: uuid.UUID = msgspec.field(default_factory=new_id)
    html: str = ""
    """The same for programs that show HTML; empty in an e-mail that is text alone."""
    picture: bytes = b""
    """A PNG that the HTML shows as `cid:report`."""
    logo: bytes = b""
    """A PNG that the HTML shows as `cid:logo`."""
    sender_name: str = ""
    """The name before our address; empty for the one of the settings."""
    unsubscribe_url: str = ""
    """Where mail programs unsubscribe the recipient with one click, by a POST (RFC 8058)."""
    stays_here: bool = False
    """Written to a file even if there is a mail server, because it is about made-up answers."""

    def __post_init__(self) -> None:
        if not is_email_address(self.to):
            raise ValueError("an e-mail needs exactly one recipient address")
        if not (self.subject + self.sender_name + self.unsubscribe_url).isprintable():
            raise ValueError("the subject, the sender and the address to unsubscribe must each be one printable line")


class Recipient(NamedTuple):
    """Who receives an e-mail. Without a language, it is written in the language of the person who causes it."""

    address: str
    language: str | None


class EmailText(NamedTuple):
    subject: str
    text: str
    html: str = ""
    picture: bytes = b""


def build_emails(recipients: Iterable[Recipient], write: Callable[[], EmailText]) -> list[OutgoingEmail]:
    """Build an e-mail for each recipient. `write` is called once for each of their languages.

    A recipient whose address no e-mail can be sent to is left out and logged. All others still get theirs.
    """
    everyone, written, emails = list(recipients), dict[str, EmailText](), []
    for each in everyone:
        if is_email_address(each.address):
            language = each.language or current_language()
            if language not in written:
                with in_language(language):
                    written[language] = write()
            subject, text, html, picture = written[language]
            shown = show_direction_controls(text)
            emails.append(OutgoingEmail(each.address, to_one_line(subject), shown, html=html, picture=picture))
    if len(emails) < len(everyone):
        log.warning("email_recipients_left_out", count=len(everyone) - len(emails), reason="unusable address")
    return emails


def join_paragraphs(*paragraphs: str) -> str:
    """Return the text of an e-mail: paragraphs with an empty line between them."""
    return "\n\n".join(paragraphs) + "\n"


async def enqueue_emails(tx: Connection, *emails: OutgoingEmail) -> None:
    """Hand the e-mails to the worker. They are sent if and only if the transaction commits."""
    await enqueue(tx, *(NewJob(kind=JOB, payload=email, key=f"mail:{email.id}") for email in emails))


def to_message(email: OutgoingEmail, sender: str, *, now: datetime) -> EmailMessage:
    """Build the MIME message.

    Its Message-ID is the id of the e-mail, so a copy that is sent twice after a crash is recognized as one. Headers
    are ASCII unless the address is not: only then does the mail server need SMTPUTF8.
    """
    message = EmailMessage(policy=SMTP)
    message["From"] = formataddr((email.sender_name, parseaddr(sender)[1])) if email.sender_name else sender
    message["To"] = email.to
    message["Subject"] = email.subject
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{email.id}@{parseaddr(sender)[1].rpartition('@')[2] or 'localhost'}>"
    message["Auto-Submitted"] = "auto-generated"
    if email.unsubscribe_url:
        message["List-Unsubscribe"] = f"<{email.unsubscribe_url}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(email.text)
    if email.html:
        message.add_alternative(email.html, subtype="html")
        *_, page = message.iter_parts()
        for name, content in (("report", email.picture), ("logo", email.logo)):
            if content:
                page.add_related(content, "image", "png", cid=f"<{name}>", filename=f"{name}.png")
    return message
