"""E-mail by a mail server, never in clear text: smtp:// requires STARTTLS, smtps:// begins with TLS."""

import smtplib
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from urllib.parse import unquote, urlsplit

import msgspec

from sightline.settings import SettingsError

_TIMEOUT_S = 30.0
_PORTS = {"smtp": 587, "smtps": 465}


class MailServer(msgspec.Struct, frozen=True):
    host: str
    port: int
    tls_first: bool
    user: str | None = None
    password: str | None = None


def parse_smtp_url(text: str) -> MailServer:
    """Parse `smtp://user:password@host:587` or `smtps://…`. An error message never repeats any part of the URL."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise SettingsError("SIGHTLINE_SMTP_URL cannot be parsed.") from error
    if parts.scheme not in _PORTS or not parts.hostname:
        raise SettingsError("SIGHTLINE_SMTP_URL must be smtp://user:password@host:port or smtps://…")
    return MailServer(
        parts.hostname,
        port or _PORTS[parts.scheme],
        tls_first=parts.scheme == "smtps",
        user=unquote(parts.username) if parts.username else None,
        password=unquote(parts.password) if parts.password else None,
    )


def send_by_smtp(server: MailServer, message: EmailMessage, tls: ssl.SSLContext) -> None:
    """Block until the server has accepted the message.

    Raises `OSError` (`smtplib.SMTPException` is a subclass) when the server does not accept it.
    """
    with _sign_in(server, tls, timeout=_TIMEOUT_S) as connection:
        connection.send_message(message)


def verify_mail_server(server: MailServer, tls: ssl.SSLContext, *, timeout: float = 5.0) -> None:
    """Sign in to the server and send nothing. Raises `OSError` when that fails."""
    with _sign_in(server, tls, timeout=timeout):
        pass


@contextmanager
def _sign_in(server: MailServer, tls: ssl.SSLContext, *, timeout: float) -> Iterator[smtplib.SMTP]:
    with _connect(server, tls, timeout) as connection:
        if not server.tls_first:
            connection.starttls(context=tls)
        if server.user is not None:
            connection.login(server.user, server.password or "")
        yield connection


def _connect(server: MailServer, tls: ssl.SSLContext, timeout: float) -> smtplib.SMTP:
    # A fixed name is passed because finding this machine's own may wait for a resolver.
    if server.tls_first:
        return smtplib.SMTP_SSL(server.host, server.port, local_hostname="localhost", timeout=timeout, context=tls)
    return smtplib.SMTP(server.host, server.port, local_hostname="localhost", timeout=timeout)
