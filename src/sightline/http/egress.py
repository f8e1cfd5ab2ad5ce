"""The guard for addresses that other people provide, which may point at our own network or at cloud metadata.

A name is resolved once, all of its addresses are checked, and the connection goes to a checked address, so the name
cannot change in between. Host names and TLS stay as given; redirects are never followed.
"""

import re
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any

import msgspec
from aiohttp import ClientError, ClientSession, ClientTimeout, TCPConnector, ThreadedResolver
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from sightline.http.session import CONNECT_SECONDS, open_session

_MAX_URL_LENGTH = 8_000
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*")
# Some resolvers accept these as an address: 2130706433, 0x7f.1, 0177.0.0.1. No name ends in a number.
_ENDS_IN_A_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")

# `is_global` accepts some of these on Python 3.11 and changes between versions, so they are listed here.
_DENIED_V4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
    )
)  # fmt: skip
# Only addresses of this block are assigned. Outside are loopback, private, link-local, site-local (fec0::/10) and
# multicast addresses, and those that embed an IPv4 address: mapped, compatible, NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
_PUBLIC_V6 = IPv6Network("2000::/3")
_DENIED_V6 = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments, including Teredo, which embeds an IPv4 address
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which embeds an IPv4 address
        "3fff::/20",  # documentation
    )
)


class EgressRefused(Exception):
    """The address may not be contacted. The message contains neither path nor query, which may hold secrets."""


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether the address belongs to the public internet and not to our own network."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        return (
            address in _PUBLIC_V6
            and address.scope_id is None
            and address.is_global
            and not any(address in network for network in _DENIED_V6)
        )
    return address.is_global and not any(address in network for network in _DENIED_V4)


class EgressGuard(msgspec.Struct, frozen=True):
    """The rule of what may be contacted: public addresses on these ports.

    `allow_loopback` also allows loopback on any port. With `https_only`, plain http is allowed only there.
    `allow_private` allows every address and port, for what the operator has chosen.
    """

    ports: frozenset[int] = frozenset({443})
    allow_loopback: bool = False
    https_only: bool = False
    allow_private: bool = False

    def require_address(self, text: str) -> None:
        try:
            address = ip_address(text)
        except ValueError as error:
            raise EgressRefused("a name resolved to something that is no address") from error
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        if self.allow_private or (self.allow_loopback and (mapped or address).is_loopback):
            return
        if not is_public(address):
            raise EgressRefused("the address is not a public one")

    def require_url(self, text: str) -> URL:
        """Return the address as it is sent, or refuse it, without using the network.

        The addresses of a name are checked when the connection is made.
        """
        if len(text) > _MAX_URL_LENGTH or not text.isprintable():
            raise EgressRefused("the address is too long, or holds characters that no address has")
        try:
            url = URL(text)
            host, port = url.raw_host, url.port
        except ValueError as error:
            raise EgressRefused("the address cannot be read") from error
        if url.scheme not in {"http", "https"} or not host:
            raise EgressRefused("only http and https addresses with a host are contacted")
        if url.raw_user is not None or url.raw_password is not None:
            raise EgressRefused("the address holds a user name or a password")
        is_literal = _is_literal(host)
        if not is_literal and (not _NAME.fullmatch(host) or _ENDS_IN_A_NUMBER.fullmatch(host)):
            raise EgressRefused("the host is neither a name nor an address in its usual spelling")
        is_local = (self.allow_loopback or self.allow_private) and is_loopback_host(host)
        if self.https_only and url.scheme != "https" and not is_local:
            raise EgressRefused("only https addresses are contacted")
        if port not in self.ports and not is_local and not self.allow_private:
            raise EgressRefused(f"port {port} is not allowed")
        if is_literal:
            self.require_address(host)
        return url


def _is_literal(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback_host(host: str) -> bool:
    """Return whether the host, a name or an address, means this machine without being resolved."""
    if _is_literal(host):
        address = ip_address(host)
        mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
        return (mapped or address).is_loopback
    return host == "localhost" or host.endswith(".localhost")


class GuardedResolver(AbstractResolver):
    """A resolver that refuses a name when any of its addresses is not allowed."""

    def __init__(self, guard: EgressGuard, inner: AbstractResolver) -> None:
        self._guard = guard
        self._inner = inner

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        for one in found:
            self._guard.require_address(one["host"])
            # Plain http and any port are allowed for this machine only: a resolver must not lead them elsewhere.
            if is_loopback_host(host) and not is_loopback_host(one["host"]):
                raise EgressRefused("a name of this machine resolved to another one")
        return found

    async def close(self) -> None:
        await self._inner.close()


@asynccontextmanager
async def open_guarded_session(
    guard: EgressGuard, *, resolver: AbstractResolver | None = None, connections: int = 64
) -> AsyncIterator[ClientSession]:
    """Open a session that cannot connect to an address which the guard does not allow.

    `connections=0` means no limit. Waiting for a free connection counts against the timeout of the request.
    """

    def make_socket(info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        guard.require_address(address[0])  # the connector does not resolve numeric addresses
        return socket.socket(family, kind, protocol)

    checked = GuardedResolver(guard, resolver or ThreadedResolver())
    connector = TCPConnector(resolver=checked, socket_factory=make_socket, limit=connections)
    try:
        async with open_session(connector=connector) as session:
            yield session
    finally:
        await checked.close()


class GuardedResponse(msgspec.Struct, frozen=True):
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes  # the first `max_bytes` of it


async def send_guarded(
    session: ClientSession,
    guard: EgressGuard,
    method: str,
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
    timeout: float = 10.0,
    max_bytes: int = 65_536,
) -> GuardedResponse:
    """Send one request and return its response, without following redirects.

    At most `max_bytes` are read, all within `timeout` seconds. Raises `EgressRefused`, `TimeoutError` or
    `aiohttp.ClientError`. The session comes from `open_guarded_session`. Compressed bodies are not requested and
    never decompressed: a few bytes could fill the memory.
    """
    limits = ClientTimeout(total=timeout, sock_connect=min(timeout, CONNECT_SECONDS), ceil_threshold=timeout + 1)
    async with session.request(
        method,
        guard.require_url(url),
        headers={"Accept-Encoding": "identity", **(headers or {})},
        data=body,
        allow_redirects=False,
        auto_decompress=False,
        timeout=limits,
    ) as response:
        read = bytearray()
        while len(read) < max_bytes and (chunk := await response.content.readany()):
            read += chunk
        if not response.content.at_eof():
            response.close()  # reading the rest costs more than a new connection
        names = {name.lower() for name in response.headers}
        response_headers = {name: _join_lines(name, response.headers.getall(name)) for name in names}
        return GuardedResponse(response.status, response_headers, bytes(read[:max_bytes]))


def _join_lines(name: str, lines: Sequence[str]) -> str:
    """Return a header as one line. An address is no list: its last line counts."""
    return lines[-1] if name in {"location", "content-type"} else ", ".join(lines)


async def resolve_redirect(session: ClientSession, guard: EgressGuard, url: str, *, timeout: float = 5.0) -> str | None:
    """Return the target of a redirect, which is not followed, or None when it cannot be found out."""
    try:
        reply = await send_guarded(session, guard, "GET", url, timeout=timeout, max_bytes=0)
        location = reply.headers.get("location")
        if reply.status not in _REDIRECTS or not location:
            return None
        target = URL(url).join(URL(location))
    except (EgressRefused, ClientError, OSError, ValueError):  # a timeout is an OSError
        return None
    return str(target) if target.scheme in {"http", "https"} and target.raw_host else None
