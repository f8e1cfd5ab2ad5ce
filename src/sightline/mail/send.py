"""Sending an e-mail: by the mail server that the operator has set, otherwise into a file."""

import asyncio
import ssl
from datetime import datetime

import structlog

from sightline.mail.emails import OutgoingEmail, to_message
from sightline.mail.files import write_to_file
from sightline.mail.smtp import parse_smtp_url, send_by_smtp
from sightline.settings import Settings

log = structlog.get_logger()


async def send_email(
    settings: Settings, email: OutgoingEmail, *, now: datetime, tls: ssl.SSLContext | None = None
) -> None:
    """Send one e-mail now; this is also the worker's handler of `emails.JOB`.

    Raises when the mail server rejects the message, so that the job is tried again. It may then arrive twice, with the
    same Message-ID.
    """
    message = to_message(email, settings.mail_from, now=now)
    if settings.smtp_url is None or email.stays_here:
        path = await asyncio.to_thread(write_to_file, settings.data_dir / "mail", email.id, message)
        log.info("email_written", email_id=str(email.id), path=str(path))
        return
    server = parse_smtp_url(settings.smtp_url.get_secret_value())
    await asyncio.to_thread(send_by_smtp, server, message, tls or ssl.create_default_context())
    log.info("email_sent", email_id=str(email.id))
