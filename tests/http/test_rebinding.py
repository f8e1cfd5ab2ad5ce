"""DNS rebinding against the resolver of the machine: a name whose address changes between the check and the connection.

Only `socket.getaddrinfo` is replaced, the last call before the operating system. No session gets a resolver here.
"""

import asyncio
import contextlib
import socket

import aiohttp
import pytest

from sightline.domains.home_page import SiteUnreadable, fetch_home_page
from sightline.http.egress import EgressGuard, EgressRefused, open_guarded_session, resolve_redirect, send_guarded
from sightline.insights.recommendations.robots import fetch_robots
from sightline.settings import Settings
from sightline.webhooks.deliveries.sender import open_webhook_sender

CHECKED, OTHER = "127.0.0.1", "127.0.0.2"


class ChangingName:
    """Answers each lookup of `rebound.test` with the next addresses, and then always with the last ones."""

    def __init__(self, monkeypatch, *answers: list[str]) -> None:
        self.lookups = 0
        self._answers, self._ask = answers, socket.getaddrinfo
        # Names and their addresses are those of the test.
        monkeypatch.setattr(socket, "getaddrinfo", self._resolve)

    def _resolve(self, host, port, *arguments, **named):
        if host != "rebound.test":
            return self._ask(host, port, *arguments, **named)
        addresses = self._answers[min(self.lookups, len(self._answers) - 1)]
        self.lookups += 1
        return [found for address in addresses for found in self._ask(address, port, type=socket.SOCK_STREAM)]


@contextlib.asynccontextmanager
async def listening(address: str, port: int = 0, *, reply: bytes = b"HTTP/1.1 204 No Content\r\n\r\n"):
    """Count the connections to an address of this machine, and answer each with the reply."""
    arrived = []

    async def serve(reader, writer):
        arrived.append(address)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readuntil(b"\r\n\r\n")
            writer.write(reply)
            await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, address, port) as server:
        yield server.sockets[0].getsockname()[1], arrived


async def test_the_connection_goes_to_the_checked_address_when_the_name_has_moved(monkeypatch):
    async with listening(CHECKED) as (port, checked), listening(OTHER, port) as (_, moved):
        name = ChangingName(monkeypatch, [CHECKED], [OTHER])
        guard = EgressGuard(ports=frozenset({port}), allow_loopback=True)
        async with open_guarded_session(guard) as session:
            reply = await send_guarded(session, guard, "POST", f"http://rebound.test:{port}/", body=b"{}")
    assert (reply.status, checked, moved, name.lookups) == (204, [CHECKED], [], 1)


@pytest.mark.parametrize(
    "answers", [[["10.0.0.1"]], [[CHECKED, "10.0.0.1"]], [["::1"]], [["169.254.169.254"]], [[CHECKED]]]
)
async def test_a_name_with_a_refused_address_is_never_connected_to(monkeypatch, answers):
    """With the strict guard, this machine is refused, too."""
    async with listening(CHECKED) as (port, arrived):
        ChangingName(monkeypatch, *answers)
        guard, url = EgressGuard(ports=frozenset({port})), f"http://rebound.test:{port}/"
        async with open_guarded_session(guard) as session:
            with pytest.raises(EgressRefused):
                await send_guarded(session, guard, "GET", url)
            assert await resolve_redirect(session, guard, url) is None
            with pytest.raises((EgressRefused, aiohttp.ClientError)):  # by a caller who forgot the guard
                await session.get(url)
    assert arrived == []


async def test_a_name_that_moves_to_a_refused_address_is_refused_at_its_next_lookup(monkeypatch):
    async with listening(CHECKED) as (port, arrived):
        name = ChangingName(monkeypatch, [CHECKED], ["10.0.0.1"])
        guard = EgressGuard(ports=frozenset({port}), allow_loopback=True)
        async with open_guarded_session(guard) as session:
            url = f"http://rebound.test:{port}/"
            assert (await send_guarded(session, guard, "GET", url)).status == 204
            session.connector.clear_dns_cache()
            with pytest.raises(EgressRefused):
                await send_guarded(session, guard, "GET", url)
    assert (arrived, name.lookups) == ([CHECKED], 2)


@pytest.mark.parametrize(
    "location", ["https://10.0.0.1/", "https://0x7f.1/", "https://2130706433/", "https://[::ffff:7f00:1]/", "//127.1/"]
)
async def test_no_redirect_leads_to_an_address_in_any_notation(location):
    reply = f"HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()
    async with listening(CHECKED, reply=reply) as (port, arrived):
        guard = EgressGuard(ports=frozenset({port}), allow_loopback=True)
        async with open_guarded_session(guard) as session:
            url = f"http://127.0.0.1:{port}/"
            assert (await send_guarded(session, guard, "GET", url)).status == 302
    assert arrived == [CHECKED]


async def test_sites_robots_and_webhooks_use_the_guard_on_the_resolver_of_the_machine(monkeypatch):
    name = ChangingName(monkeypatch, ["10.0.0.1"])
    guard = EgressGuard()
    async with open_guarded_session(guard) as session:
        with pytest.raises(SiteUnreadable) as unread:
            await fetch_home_page(session, guard, "rebound.test")
        assert not unread.value.temporary
        assert (await fetch_robots(session, guard, "rebound.test")).text is None
    async with open_webhook_sender(Settings(secret_key="s" * 40)) as sender:
        with pytest.raises(EgressRefused):
            await send_guarded(sender.session, sender.guard, "POST", "https://rebound.test/hook", body=b"{}")
    assert name.lookups == 3
