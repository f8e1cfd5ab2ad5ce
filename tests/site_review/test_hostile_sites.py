"""Whatever a site sends, a page is read or has a reason, within the limits."""

import asyncio
import gzip
import time
import zlib

import pytest

from sightline.site_review.findings import find_findings
from sightline.site_review.models import ReviewedPage
from sightline.site_review.page import read_page
from sightline.site_review.prices import find_prices, read_number
from sightline.site_review.reading import read_one, read_site
from tests.competitors.local_sites import open_sites
from tests.site_review.planted_site import SITE, TODAY, Site, page
from tests.site_review.test_planted_faults import open_fetcher

URL = f"{SITE}/page"


@pytest.fixture
async def sites(tmp_path):
    async with open_sites(tmp_path) as opened:
        opened.serve(f"{SITE}/robots.txt", 404)
        yield opened


async def reason_of(sites, **limits):
    limits = {"page_bytes": 300_000, "page_seconds": 1.0, **limits}
    read, text = await read_one(open_fetcher(sites, **limits), URL, today=TODAY)
    assert (text is None) == (read.facts is None)
    return read.fetched.reason


async def test_bodies_that_never_end(sites):
    sites.pages[URL] = "floods"
    assert await reason_of(sites) == "too_large"
    sites.pages[URL] = "drips"
    assert await reason_of(sites) == "timeout"
    sites.pages[URL] = "hangs"
    assert await reason_of(sites) == "timeout"
    del sites.pages[URL]
    assert await reason_of(sites) == "no_connection"


async def test_redirects_inwards_and_in_circles(sites):
    sites.redirect(URL, URL)
    assert await reason_of(sites) == "too_many_redirects"
    for target in ("http://globex.com:22/", "file:///etc/passwd", "https://user:pass@globex.com/"):
        sites.redirect(URL, target)
        assert await reason_of(sites) in {"address_refused", None}
    sites.redirect(URL, "https://evil.com/")
    read, _ = await read_one(open_fetcher(sites), URL, today=TODAY)
    assert read.fetched.left_site and read.fetched.url == "https://evil.com/"
    sites.resolver.answers = [["10.0.0.1"]]
    sites.redirect(URL, "https://www.globex.com/")
    assert await reason_of(sites) in {"address_refused", "robots_unreadable"}
    assert not any("evil.com" in asked for asked in sites.asked)


async def test_names_of_networks_inside_are_refused(sites):
    sites.resolver.answers = [["169.254.169.254"]]
    assert await reason_of(sites) == "robots_unreadable"
    read, _ = await read_one(open_fetcher(sites), "https://evil.com/", today=TODAY)
    assert read.fetched.reason == "address_refused"
    assert sites.asked == []


async def test_bodies_that_are_no_text(sites):
    bomb = gzip.compress(b"\0" * 50_000_000)
    sites.serve(URL, body=bomb, content_encoding="gzip")
    assert await reason_of(sites) == "compressed"
    sites.serve(URL, body=b"PK\x03\x04", content_type="application/zip")
    assert await reason_of(sites) == "not_html"
    sites.serve(
        URL, body=("<title>\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440</title>" * 20).encode("utf-16")
    )
    assert await reason_of(sites) == "encoding"
    sites.serve(URL, body=("<p>Gr\u00fc\u00dfe, \u00e4\u00f6\u00fc \u00df</p>" * 50).encode("latin-1"))
    assert await reason_of(sites) == "encoding"
    sites.serve(URL, body=("<p>Gr\u00fc\u00dfe</p>" * 50).encode("latin-1"), content_type="text/html; charset=latin1")
    assert await reason_of(sites) is None
    sites.serve(URL, body=b"<p>x</p>", content_type="text/html; charset=zip")
    assert await reason_of(sites) is None


async def test_robots_txt_that_fails_or_is_huge(sites):
    sites.serve(URL, body=page("Anvil").encode())
    for status, expected in (
        (200, None),
        (403, None),
        (404, None),
        (500, "robots_unreadable"),
        (503, "robots_unreadable"),
    ):
        sites.serve(f"{SITE}/robots.txt", status, b"", content_type="text/plain")
        assert await reason_of(sites) == expected
    sites.serve(f"{SITE}/robots.txt", body=b"User-agent: SightlineBot\nDisallow: /pa*\n")
    assert await reason_of(sites) == "robots"
    asked = len(sites.asked)
    assert URL not in sites.asked[asked - 1 :]
    sites.serve(f"{SITE}/robots.txt", body=b"User-agent: *\nDisallow: /x\n" + b"# a\n" * 2_500_000)
    facts = await read_site(open_fetcher(sites))
    assert facts.robots_is_cut
    found, judged = find_findings(Site().context(), facts, [])
    assert found == [] and judged.unchecked["agents"] == "robots_unread"
    assert {each.home for each in judged.agents} == {None}


async def test_a_failing_robots_txt_is_a_finding_and_nothing_else_is_read(sites):
    sites.serve(f"{SITE}/robots.txt", 503, b"")
    facts = await read_site(open_fetcher(sites))
    read, _ = await read_one(open_fetcher(sites), URL, today=TODAY)
    reviewed = ReviewedPage(place=0, url=URL, chosen="home", page=read)
    found, _ = find_findings(Site().context(), facts, [reviewed])
    assert [each.kind for each in found] == ["robots_failing"]
    assert URL not in sites.asked


async def test_sitemaps_that_lead_in_circles_or_burst(sites):
    index = f"<sitemapindex><sitemap><loc>{SITE}/sitemap.xml</loc></sitemap>" + "".join(
        f"<sitemap><loc>{SITE}/map-{number}.xml.gz</loc></sitemap>" for number in range(50)
    )
    sites.serve(f"{SITE}/sitemap.xml", body=index.encode())
    many = f"<urlset><url><loc>{SITE}/a</loc></url>" + f"<url><loc>{SITE}/p</loc></url>" * 90_000
    for number in range(50):
        sites.serve(f"{SITE}/map-{number}.xml.gz", body=zlib.compress(many.encode(), wbits=31))
    listed = (await read_site(open_fetcher(sites))).listed
    assert listed == (f"{SITE}/a", f"{SITE}/p")
    assert sum("map" in asked for asked in sites.asked) == 8
    lol = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>https://evil.com/&b;</loc></url></urlset>'
    sites.serve(f"{SITE}/sitemap.xml", body=lol)
    assert (await read_site(open_fetcher(sites))).listed == ()
    sites.serve(f"{SITE}/sitemap.xml", body=zlib.compress(b"<loc>" * 20_000_000, wbits=31))
    began = time.perf_counter()
    assert (await read_site(open_fetcher(sites))).listed == ()
    assert time.perf_counter() - began < 5


@pytest.mark.parametrize(
    "html",
    [
        "<div>" * 200_000,
        "<" * 500_000,
        "<a " * 200_000,
        '<a href="' * 100_000,
        "<!--" * 200_000,
        "<script>" * 100_000,
        '<script type="application/ld+json">' + "[" * 100_000,
        '<script type="application/ld+json">{"a": "</script><script>alert(1)</script>',
        "<title>" * 100_000,
        '<div id="' * 50_000,
        '<div id=root class="' + "x " * 300_000,
        "&" * 500_000,
        "&#x110000;&#0;&#xD800;" * 10_000,
        "<p>" + "1.234,56 " * 60_000,
        '<link rel=canonical href="http://[::1">',
        '<html lang="' + "x" * 10_000 + '">',
        "\ud800<p>",
    ],
)
def test_hostile_pages_are_read_in_time(html):
    began = time.perf_counter()
    facts, text = read_page(html, today=TODAY)
    assert time.perf_counter() - began < 3
    assert len(text) <= 60_000 and facts.html_length == len(html)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,299.00", {1299.0}), ("1.299,00", {1299.0}), ("1 299", {1299.0}), ("1.299", {1299.0, 1.299}), ("49", {49.0}),
        ("49,9", {49.9}), ("1'299.50", {1299.5}), ("1.299.000", {1299000.0}), ("x", set()),
    ],
)  # fmt: skip
def test_numbers_in_the_spellings_of_many_countries(text, values):
    assert read_number(text) == values


def test_prices_are_found_and_millions_are_not():
    found = find_prices("From $49.90, or 1.299,00 € (DKK 9.495,-), raised $3 million, part 12 of 100.")
    assert [price.text for price in found] == ["$49.90", "1.299,00 €", "DKK 9.495"]


async def test_requests_wait_as_long_as_robots_txt_asks(sites):
    waited: list[float] = []

    async def sleep(seconds):
        waited.append(seconds)
        await asyncio.sleep(0)

    sites.serve(f"{SITE}/robots.txt", body=b"User-agent: *\nCrawl-delay: 7\nAllow: /")
    fetcher = open_fetcher(sites, sleep=sleep, delay=1.0)
    for _ in range(2):
        await read_one(fetcher, URL, today=TODAY)
    assert waited == [7.0, 7.0]
