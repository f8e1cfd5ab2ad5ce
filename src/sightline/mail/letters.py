"""A letter, the job that carries it, and its form as a message."""

import re
import uuid
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr

import msgspec

from sightline.jobs.queue import Connection, NewJob, enqueue_many
from sightline.kit.ids import new_id

JOB = "mail.send"
_ADDRESS = re.compile(r"[^@\s,;:<>()\[\]\"\\]+@[^@\s,;:<>()\[\]\"\\]+")


class Letter(msgspec.Struct, frozen=True):
    """One letter to one person; also the payload of its job. A letter whose address or subject could smuggle in
    another recipient or header cannot be made."""

    to: str
    subject: str
    text: str
    id: uuid.UUID = msgspec.field(default_factory=new_id)

    def __post_init__(self) -> None:
        if not self.to.isprintable() or not _ADDRESS.fullmatch(self.to):
            raise ValueError("a letter goes to one e-mail address")
        if not self.subject.isprintable():
            raise ValueError("a letter's subject is one line")


async def post_letters(tx: Connection, *letters: Letter) -> None:
    """Sent by the worker, if and only if the transaction commits."""
    await enqueue_many(tx, [NewJob(kind=JOB, payload=letter, key=f"mail:{letter.id}") for letter in letters])


def to_message(letter: Letter, sender: str, *, now: datetime) -> EmailMessage:
    """The id of the message is that of the letter: one that is sent twice, after a crash, can be told from two. Its
    headers are ASCII, unless the address itself is not: only then must the mail server know more."""
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = letter.to
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(now)
    message["Message-ID"] = f"<{letter.id}@{parseaddr(sender)[1].rpartition('@')[2] or 'localhost'}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.text)
    return message
