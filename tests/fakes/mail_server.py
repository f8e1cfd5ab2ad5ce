"""A small SMTP server on the loopback interface, with TLS from the start or by STARTTLS."""

import asyncio
import contextlib
import datetime as dt
import ssl
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


def make_certificate(folder: Path) -> Path:
    """Create a self-signed certificate for 127.0.0.1, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


_LARGEST_MESSAGE = 4_000_000


class MailServer:
    """Stores every message in `messages`, and every line of a client with whether it was encrypted in `lines`."""

    def __init__(self, certificate: Path, *, tls_first: bool, offers_tls: bool = True) -> None:
        self.refused: dict[str, bytes] = {}
        """What it replies to a recipient instead of accepting them, by a part of their address."""
        self.messages: list[bytes] = []
        self.lines: list[tuple[str, bool]] = []
        self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._tls.load_cert_chain(certificate)
        self._tls_first = tls_first
        self._offers_tls = offers_tls
        self._client_tasks: list[asyncio.Task] = []
        self.port = 0

    async def __aenter__(self):
        context = self._tls if self._tls_first else None
        self._server = await asyncio.start_server(
            self._serve_client, "127.0.0.1", 0, ssl=context, limit=_LARGEST_MESSAGE
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self._server.close()
        await asyncio.gather(*self._client_tasks, return_exceptions=True)

    async def _serve_client(self, reader, writer):
        self._client_tasks.append(asyncio.current_task())
        encrypted = self._tls_first
        writer.write(b"220 ready\r\n")
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            while line := await reader.readline():
                command = line.decode().rstrip()
                self.lines.append((command, encrypted))
                verb = command.split(" ")[0].upper()
                if verb == "EHLO":
                    offers = b"250-STARTTLS\r\n" if self._offers_tls and not encrypted else b""
                    writer.write(b"250-here\r\n" + offers + b"250-SMTPUTF8\r\n250 AUTH PLAIN\r\n")
                elif verb == "STARTTLS":
                    writer.write(b"220 go on\r\n")
                    await writer.start_tls(self._tls)
                    encrypted = True
                elif verb == "AUTH":
                    writer.write(b"235 welcome\r\n")
                elif verb == "RCPT" and (replies := [self.refused[each] for each in self.refused if each in command]):
                    writer.write(replies[0] + b"\r\n")
                elif verb == "DATA":
                    writer.write(b"354 go on\r\n")
                    self.messages.append((await reader.readuntil(b"\r\n.\r\n"))[:-5])
                    writer.write(b"250 taken\r\n")
                else:
                    writer.write(b"221 bye\r\n" if verb == "QUIT" else b"250 fine\r\n")
                if verb == "QUIT":
                    break
        writer.close()
        with contextlib.suppress(ConnectionError, ssl.SSLError):
            await writer.wait_closed()
