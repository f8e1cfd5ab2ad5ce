"""Sends questions over the network. The sandbox has its own transport inside the process."""

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
    """Sends requests over one session. Follows no redirect, which would send the key to another host.

    Messages of faults contain neither address nor header: both may hold the key.
    """

    def __init__(self, session: ClientSession, *, max_bytes: int = MAX_BYTES) -> None:
        self._session = session
        self._max_bytes = max_bytes
        self._limits = ClientTimeout()

    async def send(self, request: HttpRequest, *, timeout: float, attempt: int) -> HttpReply:  # noqa: ARG002 - used by the sandbox
        """Send the request. The timeout covers the whole reply to its last byte, so that a slow trickle ends, too."""
        if timeout <= 0:  # the library treats 0 as no limit
            raise PlatformFault("timeout", "no time was left to ask")
        limits = self._limits
        if limits.total != timeout:  # nearly always the same, so it is built once
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
            raise PlatformFault("timeout", f"no complete answer within {timeout:.3g} seconds") from None
        except (ClientError, OSError, ValueError) as error:
            raise _to_fault(error) from None  # a logged cause would show the address

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
    """Describe the error in our own words: those of the library contain the address."""
    if isinstance(error, ClientConnectorDNSError):
        return PlatformFault("unavailable", "the host name cannot be resolved")
    if isinstance(error, ClientConnectorCertificateError | ClientSSLError):
        return PlatformFault("unavailable", "no secure connection: the certificate or the TLS handshake failed")
    if isinstance(error, ClientConnectorError):
        reason = os.strerror(error.errno) if error.errno else type(error.os_error).__name__
        return PlatformFault("unavailable", f"no connection: {reason}")
    if isinstance(error, ClientPayloadError):
        return PlatformFault("unavailable", "the connection closed in the middle of the answer")
    if isinstance(error, ClientConnectionError | OSError):
        return PlatformFault("unavailable", "the connection closed before an answer arrived")
    if isinstance(error, NonHttpUrlClientError | ValueError):
        return PlatformFault("rejected", "the request cannot be sent: its address or a header is not valid")
    return PlatformFault("unavailable", f"the answer is not valid HTTP ({type(error).__name__})")
