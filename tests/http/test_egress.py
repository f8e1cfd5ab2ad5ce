"""External addresses: resolved once, every address checked, no redirect followed."""

import asyncio
import contextlib
import socket
from ipaddress import IPv6Address, ip_address

import aiohttp
import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver
from hypothesis import given
from hypothesis import strategies as st

from sightline import __version__
from sightline.http.egress import (
    EgressGuard,
    EgressRefused,
    GuardedResolver,
    is_public,
    open_guarded_session,
    resolve_redirect,
    send_guarded,
)
from sightline.http.session import open_session
from tests.property_testing import prove

PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "::ffff:8.8.8.8"]
DENIED = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1",
    "172.31.255.255", "192.0.0.1", "192.0.0.9", "192.0.0.10", "192.0.0.170", "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
    "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254",
    "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::", "3fff::1", "5f00::1",
    "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1",
]  # fmt: skip


@pytest.mark.parametrize("text", PUBLIC)
def test_public_addresses_pass(text):
    assert is_public(ip_address(text))
    EgressGuard().require_address(text)


@pytest.mark.parametrize("text", DENIED)
def test_private_and_special_addresses_are_refused(text):
    assert not is_public(ip_address(text))
    with pytest.raises(EgressRefused):
        EgressGuard().require_address(text)


def test_loopback_passes_only_where_it_is_asked_for():
    lenient = EgressGuard(allow_loopback=True)
    for text in ("127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"):
        lenient.require_address(text)
    for text in ("10.0.0.1", "169.254.169.254", "::", "0.0.0.0", "::ffff:10.0.0.1", "64:ff9b::7f00:1"):
        with pytest.raises(EgressRefused):
            lenient.require_address(text)


@prove
@given(st.ip_addresses(v=4))
def test_mapping_an_address_into_ipv6_changes_nothing(address):
    assert is_public(IPv6Address(f"::ffff:{address}")) == is_public(address)


@prove
@given(st.ip_addresses(v=4), st.sampled_from(["64:ff9b::{}", "::{}", "64:ff9b:1::{}"]))
def test_no_address_that_carries_an_ipv4_address_passes(address, form):
    assert not is_public(IPv6Address(form.format(address)))
    high, low = divmod(int(address), 65_536)
    assert not is_public(IPv6Address(f"2002:{high:x}:{low:x}::1"))


@prove
@given(st.ip_addresses())
def test_never_more_than_python_itself_calls_global(address):
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    assert not is_public(address) or (mapped or address).is_global
    assert not (is_public(address) and address.is_multicast)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/", "https://[::1]/", "https://[::ffff:10.0.0.1]/", "https://169.254.169.254/latest",
        "https://[fe80::1%25eth0]/", "ftp://example.com/", "file:///etc/passwd", "gopher://example.com/",
        "//example.com/", "example.com", "https://", "https:///x", "https://user@example.com/", "https://user:word@example.com/",
        "https://example.com:22/", "http://example.com/", "http://example.com:8080/", "https://example.com:99999/",
        "https://exa\nmple.com/", "https://example.com/\r\nHost: x", "https://example.com/" + "x" * 9_000, "",
    ],
)  # fmt: skip
def test_addresses_that_are_refused_before_anything_is_sent(url):
    with pytest.raises(EgressRefused) as refused:
        EgressGuard().require_url(url)
    assert "passwd" not in str(refused.value)


def test_addresses_that_are_not():
    assert str(EgressGuard().require_url("https://example.com/a?b=c")) == "https://example.com/a?b=c"
    EgressGuard().require_url("https://8.8.8.8/")
    EgressGuard(ports=frozenset({80, 443, 8080})).require_url("http://example.com:8080/")


class Names(AbstractResolver):
    """A resolver whose answers the test scripts."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked = 0
        self.closed = False

    async def resolve(self, host, port=0, family=socket.AF_INET):
        addresses = self.answers[min(self.asked, len(self.answers) - 1)]
        self.asked += 1
        return [
            {"hostname": host, "host": address, "port": port, "family": socket.AF_INET, "proto": 0, "flags": 0}
            for address in addresses
        ]

    async def close(self):
        self.closed = True


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["10.0.0.1", "8.8.8.8"], ["not one"]])
async def test_a_name_is_refused_when_any_of_its_addresses_is(addresses):
    with pytest.raises(EgressRefused):
        await GuardedResolver(EgressGuard(), Names(addresses)).resolve("example.com", 443)


async def test_a_name_with_public_addresses_resolves_to_all_of_them():
    found = await GuardedResolver(EgressGuard(), Names(["8.8.8.8", "1.1.1.1"])).resolve("example.com", 443)
    assert [one["host"] for one in found] == ["8.8.8.8", "1.1.1.1"]


@contextlib.asynccontextmanager
async def serving(handle):
    seen = []

    async def note(request):
        seen.append(request)
        return await handle(request)

    runner = web.AppRunner(web.Application(), access_log=None)
    runner.app.router.add_route("*", "/{path:.*}", note)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield runner.addresses[0][1], seen
    finally:
        await runner.cleanup()


async def test_the_connection_goes_to_the_checked_address_with_the_name_as_host():
    """A second lookup would return a private address: there is no second lookup."""

    async def handle(request):
        return web.Response(text="here")

    names = Names(["127.0.0.1"], ["10.0.0.1"])
    async with serving(handle) as (port, seen):
        guard = EgressGuard(ports=frozenset({port}), allow_loopback=True)
        async with open_guarded_session(guard, resolver=names) as session:
            reply = await send_guarded(session, guard, "POST", f"http://hooks.test:{port}/x", body=b"{}")
    assert (reply.status, reply.body, names.asked, names.closed) == (200, b"here", 1, True)
    assert seen[0].headers["Host"] == f"hooks.test:{port}"
    assert seen[0].headers["User-Agent"] == f"Sightline/{__version__}"


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "[::1]", "localhost", "rebound.test", "0x7f000001", "2130706433", "127.1"]
)
async def test_a_guarded_session_never_reaches_this_machine(host):
    async def handle(request):
        return web.Response()

    async with serving(handle) as (port, seen):
        guard = EgressGuard(ports=frozenset({port}))
        names = Names(["127.0.0.1"]) if host.endswith("test") else None
        async with open_guarded_session(guard, resolver=names) as session:
            with pytest.raises((EgressRefused, aiohttp.ClientError)):
                await send_guarded(session, guard, "GET", f"http://{host}:{port}/")
            with pytest.raises((EgressRefused, aiohttp.ClientError)):  # even by a caller who forgot to ask the guard
                await session.get(f"http://{host}:{port}/")
    assert seen == []


async def test_no_redirect_is_followed_and_no_cookie_kept():
    async def handle(request):
        return web.Response(status=302, headers={"Location": "/elsewhere", "Set-Cookie": "a=b"})

    async with serving(handle) as (port, seen):
        guard = EgressGuard(ports=frozenset({port}), allow_loopback=True)
        # By a name: for an address in digits no client keeps cookies.
        async with open_guarded_session(guard, resolver=Names(["127.0.0.1"])) as session:
            for _ in range(2):
                assert (await send_guarded(session, guard, "GET", f"http://hooks.test:{port}/")).status == 302
    assert [request.path for request in seen] == ["/", "/"]
    assert all("Cookie" not in request.headers for request in seen)


async def test_no_more_is_read_than_allowed_and_a_drip_ends():
    async def handle(request):
        response = web.StreamResponse()
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await response.write(b"x" * 1_000)
                await asyncio.sleep(0.01)
        return response

    async with serving(handle) as (port, _):
        guard = EgressGuard(ports=frozenset({port}), allow_loopback=True)
        async with open_guarded_session(guard) as session:
            url = f"http://127.0.0.1:{port}/"
            assert (await send_guarded(session, guard, "GET", url, max_bytes=2_500)).body == b"x" * 2_500
            with pytest.raises(TimeoutError):
                await send_guarded(session, guard, "GET", url, timeout=0.1, max_bytes=10**9)


@pytest.mark.parametrize(
    ("status", "location", "target"),
    [
        (302, "https://example.com/page?x=1", "https://example.com/page?x=1"),
        (301, "https://example.com", "https://example.com"),
        (307, "//example.com/x", "http://example.com/x"),
        (302, "javascript:alert(1)", None),
        (302, "https://[broken/", None),
        (302, None, None),
        (200, "https://example.com/", None),
        (404, None, None),
    ],
)
async def test_the_target_of_a_redirect_is_read_from_one_response(status, location, target):
    async def handle(request):
        return web.Response(status=status, headers={"Location": location} if location else {})

    async with serving(handle) as (port, seen):
        guard = EgressGuard(ports=frozenset({port}), allow_loopback=True)
        async with open_guarded_session(guard) as session:
            assert await resolve_redirect(session, guard, f"http://127.0.0.1:{port}/r/abc") == target
    assert len(seen) == 1


async def test_a_redirect_that_cannot_be_asked_is_unknown():
    guard = EgressGuard()
    async with open_guarded_session(guard, resolver=Names(["10.0.0.1"])) as session:
        for url in ("https://inner.test/", "https://127.0.0.1/", "nonsense", "https://user@example.com/"):
            assert await resolve_redirect(session, guard, url) is None


async def test_the_plain_session_takes_nothing_from_the_environment(monkeypatch):
    async def handle(request):
        return web.Response(headers={"Set-Cookie": "a=b"})

    async with serving(handle) as (port, seen):
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        async with open_session() as session:
            for _ in range(2):
                async with session.get(f"http://localhost:{port}/") as response:
                    assert response.status == 200
        assert session.closed
    assert all("Cookie" not in request.headers for request in seen)
    assert seen[0].headers["User-Agent"] == f"Sightline/{__version__}"
