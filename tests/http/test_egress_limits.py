"""The egress guard against unusual spellings, plain http, names that change, and endless responses."""

import asyncio
import contextlib
import gzip

import aiohttp
import pytest
from aiohttp import web

from sightline.http.egress import EgressGuard, EgressRefused, GuardedResolver, open_guarded_session, send_guarded
from tests.http.test_egress import Names, serving

HTTPS_ONLY = EgressGuard(https_only=True)
AT_HOME = EgressGuard(https_only=True, allow_loopback=True)


@pytest.mark.parametrize(
    "url",
    [
        "https://2130706433/", "https://0x7f.1/", "https://0177.0.0.1/", "https://127.1/", "https://127.0.0.1./",
        "https://%31%32%37.0.0.1/", "https://a..b/", "https://.../", "https://acme.com./", "https://exa mple.com/",
        "https://\uff11\uff12\uff17.0.0.1/", "https://127\u30020\u30020\u30021/", "https://1.2.3.4.5/", "https://acme.com%00/",
    ],
)  # fmt: skip
def test_hosts_in_unusual_spellings_are_refused_before_anybody_resolves_them(url):
    for guard in (EgressGuard(), HTTPS_ONLY):
        with pytest.raises(EgressRefused):
            guard.require_url(url)


def test_http_goes_to_loopback_alone_and_there_to_any_port():
    for url in ("http://127.0.0.1:81/", "http://[::1]:9999/", "http://localhost:3000/", "https://a.localhost:8443/"):
        AT_HOME.require_url(url)
        with pytest.raises(EgressRefused):
            HTTPS_ONLY.require_url(url)
    for url in ("http://acme.com/", "http://acme.com:443/", "http://8.8.8.8:443/", "https://acme.com:8443/"):
        for guard in (AT_HOME, HTTPS_ONLY):
            with pytest.raises(EgressRefused):
                guard.require_url(url)
    EgressGuard(ports=frozenset({80})).require_url("http://acme.com/")


@pytest.mark.parametrize("host", ["localhost", "hooks.localhost"])
async def test_a_name_of_this_machine_that_resolves_elsewhere_is_refused(host):
    with pytest.raises(EgressRefused):
        await GuardedResolver(AT_HOME, Names(["8.8.8.8"])).resolve(host, 9000)
    with pytest.raises(EgressRefused):
        await GuardedResolver(AT_HOME, Names(["127.0.0.1", "8.8.8.8"])).resolve(host, 9000)
    assert await GuardedResolver(AT_HOME, Names(["127.0.0.1"])).resolve(host, 9000)
    with pytest.raises(EgressRefused):
        await GuardedResolver(HTTPS_ONLY, Names(["127.0.0.1"])).resolve(host, 443)


async def test_a_host_name_is_checked_at_every_lookup():
    """DNS rebinding: public at the first lookup, private for the next connection."""

    async def handle(request):
        return web.Response(headers={"Connection": "close"})

    async with serving(handle) as (port, seen):
        guard = EgressGuard(ports=frozenset({port}), allow_loopback=True)
        names = Names(["127.0.0.1"], ["10.0.0.1"])
        async with open_guarded_session(guard, resolver=names) as session:
            session.connector._cached_hosts._ttl = 0  # nothing of the first answer is remembered
            url = f"http://hooks.test:{port}/"
            assert (await send_guarded(session, guard, "POST", url)).status == 200
            with pytest.raises(EgressRefused):
                await send_guarded(session, guard, "POST", url)
    assert (len(seen), names.asked) == (1, 2)


@contextlib.asynccontextmanager
async def speaking(*parts: bytes, again: bytes = b"", pause: float = 0.0):
    """Serve the parts, whatever the request, and then the last one forever."""
    closing, talking = asyncio.Event(), []

    async def talk(reader, writer):
        talking.append(asyncio.current_task())
        with contextlib.suppress(ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            for part in parts:
                writer.write(part)
            while again and not closing.is_set():
                writer.write(again)
                await writer.drain()
                await asyncio.sleep(pause)
            await writer.drain()
            await closing.wait()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(talk, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        closing.set()
        server.close()
        await asyncio.gather(*talking)


@pytest.mark.parametrize(
    ("parts", "again", "pause"),
    [
        ([b"HTTP/1.1 200 OK\r\n"], b"X-More: yes\r\n", 0.0),
        ([b"HTTP/1.1 200 OK\r\n"], b"X-More: yes\r\n", 0.02),
        ([b"HTTP/1.1 200 OK\r\nX-Long: "], b"x" * 65_536, 0.0),
        ([b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"], b".", 0.02),
        ([b"HTTP/1.1 100 Continue\r\n\r\n"], b"HTTP/1.1 100 Continue\r\n\r\n", 0.02),
        ([b"garbage\r\n\r\n"], b"", 0.0),
        ([], b"", 0.0),
    ],
    ids=["headers", "slow headers", "long header", "slow body", "only 100", "garbage", "silence"],
)
async def test_a_server_without_end_costs_a_moment_and_no_more(parts, again, pause):
    async with speaking(*parts, again=again, pause=pause) as port:
        guard = EgressGuard(https_only=True, allow_loopback=True)
        async with open_guarded_session(guard) as session:
            async with asyncio.timeout(3):
                with pytest.raises((TimeoutError, aiohttp.ClientError)):
                    await send_guarded(session, guard, "POST", f"http://127.0.0.1:{port}/", timeout=0.3)


async def test_a_packed_body_is_not_unpacked():
    bomb = gzip.compress(b"\0" * 10_000_000)

    async def handle(request):
        return web.Response(body=bomb, headers={"Content-Encoding": "gzip"})

    async with serving(handle) as (port, seen):
        guard = EgressGuard(https_only=True, allow_loopback=True)
        async with open_guarded_session(guard) as session:
            reply = await send_guarded(session, guard, "POST", f"http://127.0.0.1:{port}/", max_bytes=4_096)
    assert reply.body == bomb[:4_096]
    assert seen[0].headers["Accept-Encoding"] == "identity"
