"""Sending a letter: by the mail server that the operator has set, else into a file."""

import asyncio
import ssl
from datetime import datetime

import structlog

from sightline.mail.files import write_to_file
from sightline.mail.letters import Letter, to_message
from sightline.mail.smtp import read_smtp_url, send_by_smtp
from sightline.settings import Settings

log = structlog.get_logger()


async def send_letter(settings: Settings, letter: Letter, *, now: datetime, tls: ssl.SSLContext | None = None) -> None:
    """Also the worker's handler of `letters.JOB`. Raises when the letter was not taken, so that it is tried again; it
    may then arrive twice, with the same Message-ID."""
    message = to_message(letter, settings.mail_from, now=now)
    if settings.smtp_url is None:
        path = await asyncio.to_thread(write_to_file, settings.data_dir / "mail", letter.id, message)
        log.info("letter_written", letter_id=str(letter.id), path=str(path))
        return
    server = read_smtp_url(settings.smtp_url.get_secret_value())
    await asyncio.to_thread(send_by_smtp, server, message, tls or ssl.create_default_context())
    log.info("letter_sent", letter_id=str(letter.id))
