"""Sources behind short-lived redirects are resolved at once, through the egress guard, and never delay an answer."""

import asyncio
import zlib
from functools import partial

import msgspec
from aiohttp import web

from sightline.http.egress import EgressGuard, open_guarded_session, resolve_redirect
from sightline.platforms.models import ProviderAnswer, Source, Span
from sightline.platforms.redirects import resolve_sources
from tests.platforms.scripted import (
    CONNECTOR,
    TEXT,
    answer,
    run_platform,
)

LINK = "https://redirects.test/r/{}"
HOSTS = frozenset({"redirects.test"})
REDIRECTING = msgspec.structs.replace(CONNECTOR, redirect_hosts=HOSTS)


async def test_redirects_are_resolved_and_fall_back_on_the_title():
    resolved = []

    async def resolve(url):
        resolved.append(url)
        if url.endswith("1"):
            return "https://acme.com/page"
        if url.endswith("2"):
            raise OSError
        return LINK.format("again") if url.endswith("3") else None

    cited = [
        [LINK.format(1), "acme.com"], [LINK.format(2), "Globex.co.uk"], [LINK.format(3), "initech.com"],
        [LINK.format(4), "How to choose"], [LINK.format(5), None], ["https://other.test/1", "other.test"],
        [LINK.format(1), "acme.com"],
    ]  # fmt: skip
    async with run_platform(answer(cited=cited)) as platform:
        outcome = await platform.ask(REDIRECTING, resolve=resolve)
    assert [source.url for source in outcome.answer.cited] == [
        "https://acme.com/page", "https://globex.co.uk/", "https://initech.com/", LINK.format(4), LINK.format(5),
        "https://other.test/1",
    ]  # fmt: skip
    assert outcome.answer.cited[0].title == "acme.com"
    assert sorted(resolved) == [LINK.format(number) for number in range(1, 6)]
    assert LINK.format(1).encode() in zlib.decompress(outcome.raw)


async def test_redirects_are_resolved_concurrently_within_a_deadline():
    running = peak = 0

    async def resolve(url):
        nonlocal running, peak
        running += 1
        peak = max(peak, running)
        await asyncio.sleep(0.005 if int(url.rsplit("/", 1)[1]) < 20 else 60)
        running -= 1
        return url.replace("redirects.test", "acme.com")

    cited = [[LINK.format(number), "fallback.com"] for number in range(21)]
    async with run_platform(answer(cited=cited)) as platform:
        outcome = await platform.ask(REDIRECTING, resolve=resolve, redirect_deadline=0.6)
    urls = [source.url for source in outcome.answer.cited]
    assert urls == [f"https://acme.com/r/{number}" for number in range(20)] + ["https://fallback.com/"]
    assert peak == 8 and outcome.latency_ms < 500


async def test_links_to_the_same_page_are_merged_and_cited_pages_are_not_also_retrieved():
    async def resolve(url):
        return "https://acme.com/page" if url[-1] in "123" else "https://other.test/"

    cited = (Source(LINK.format(1), "acme.com", (Span(0, 4),)), Source(LINK.format(2), None, (Span(5, 9), Span(0, 4))))
    retrieved = (Source(LINK.format(3)), Source(LINK.format(4), "b"), Source("https://other.test"))
    given = ProviderAnswer(text=TEXT, cited=cited, retrieved=retrieved)
    found = await resolve_sources(given, HOSTS, resolve, deadline=1)
    assert found.cited == (Source("https://acme.com/page", "acme.com", (Span(0, 4), Span(5, 9))),)
    assert found.retrieved == (Source("https://other.test/", "b"),)


async def test_redirects_are_resolved_through_the_egress_guard():
    async def respond(request):
        if request.path == "/ask":
            return await answer(cited=[[f"{platform.script.url}/r", "acme.com"]])(request)
        return web.Response(status=302, headers={"Location": "https://acme.com/page"})

    async with run_platform(respond) as platform:
        connector = msgspec.structs.replace(CONNECTOR, redirect_hosts=frozenset({"127.0.0.1"}))
        port = frozenset({int(platform.script.url.rsplit(":", 1)[1])})
        for allowed, url in ((False, "https://acme.com/"), (True, "https://acme.com/page")):
            guard = EgressGuard(port, allow_loopback=allowed)
            async with open_guarded_session(guard) as session:
                outcome = await platform.ask(connector, resolve=partial(resolve_redirect, session, guard))
            assert [source.url for source in outcome.answer.cited] == [url]
    assert [request.path for request in platform.script.requests] == ["/ask", "/ask", "/r"]
