"""Questions over the network. The twin of it, inside of the process, is the sandbox."""

import os

from aiohttp import (
    ClientConnectionError,
    ClientConnectorCertificateError,
    ClientConnectorDNSError,
    ClientConnectorError,
    ClientError,
    ClientPayloadError,
    ClientResponse,
    ClientSession,
    ClientSSLError,
    ClientTimeout,
    NonHttpUrlClientError,
)

from sightline.http.session import CONNECT_SECONDS
from sightline.platforms.models import HttpReply, HttpRequest, PlatformFault

MAX_BYTES = 16 * 1024 * 1024


class NetworkTransport:
    """Sends requests over one session; follows no redirect, which would carry the key to another host.

    Messages of faults name neither address nor header: both may hold the key.
    """

    def __init__(self, session: ClientSession, *, max_bytes: int = MAX_BYTES) -> None:
        self._session = session
        self._max_bytes = max_bytes
        self._limits = ClientTimeout()

    async def send(self, request: HttpRequest, *, timeout: float, attempt: int) -> HttpReply:  # noqa: ARG002 - for the sandbox
        """The time-out is for the whole reply to its last byte, so that one which drips in ends as well."""
        if timeout <= 0:  # which the library takes for no limit at all
            raise PlatformFault("timeout", "no time was left to ask")
        limits = self._limits
        if limits.total != timeout:  # nearly always the same one: made once
            limits = self._limits = ClientTimeout(total=timeout, sock_connect=CONNECT_SECONDS)
        try:
            async with self._session.request(
                request.method,
                request.url,
                params=request.params or None,
                data=request.body,
                headers=request.headers,
                allow_redirects=False,
                timeout=limits,
            ) as response:
                content = response.content
                body = await content.readany()
                if len(body) > self._max_bytes or not content.at_eof():
                    body = await self._read_rest(response, body)
                headers = {name.lower(): value for name, value in response.headers.items()}
                return HttpReply(response.status, headers, body)
        except TimeoutError:
            raise PlatformFault("timeout", f"no whole answer within {timeout:.3g} seconds") from None
        except (ClientError, OSError, ValueError) as error:
            raise _to_fault(error) from None  # a log that shows causes would show the address with them

    async def _read_rest(self, response: ClientResponse, first: bytes) -> bytes:
        chunks, size, chunk = [], 0, first
        while chunk:
            chunks.append(chunk)
            size += len(chunk)
            if size > self._max_bytes:
                response.close()
                raise PlatformFault("malformed", f"the answer is larger than {self._max_bytes:,} bytes")
            chunk = await response.content.readany()
        return b"".join(chunks)


def _to_fault(error: Exception) -> PlatformFault:
    """Says what broke in words of our own: those of the library name the address."""
    if isinstance(error, ClientConnectorDNSError):
        return PlatformFault("unavailable", "the name of the host does not resolve")
    if isinstance(error, ClientConnectorCertificateError | ClientSSLError):
        return PlatformFault("unavailable", "no secure connection: the certificate or the TLS handshake is at fault")
    if isinstance(error, ClientConnectorError):
        reason = os.strerror(error.errno) if error.errno else type(error.os_error).__name__
        return PlatformFault("unavailable", f"no connection: {reason}")
    if isinstance(error, ClientPayloadError):
        return PlatformFault("unavailable", "the connection broke in the middle of the answer")
    if isinstance(error, ClientConnectionError | OSError):
        return PlatformFault("unavailable", "the connection broke before an answer came")
    if isinstance(error, NonHttpUrlClientError | ValueError):
        return PlatformFault("rejected", "the request cannot be sent: its address or a header is not valid")
    return PlatformFault("unavailable", f"the answer is not valid HTTP ({type(error).__name__})")
