"""Reading the front page of a stranger's site: through the guard, and within limits of size, time and redirects."""

import asyncio
import gzip
import tracemalloc

import pytest

from sightline.domains import home_page
from sightline.domains.home_page import SiteUnreadable
from sightline.insights.recommendations import robots
from tests.competitors.local_sites import PAGE, open_sites


@pytest.fixture
async def sites(tmp_path):
    async with open_sites(tmp_path) as opened:
        yield opened


async def test_the_front_page_is_read(sites):
    sites.serve(content_type="text/html; charset=utf-8")
    assert await sites.name() == "Globex"
    assert sites.asked == ["https://globex.com/"]


async def test_no_more_than_512_kib_are_read(sites):
    sites.serve(body=b" " * (512 * 1024 - len(PAGE)) + PAGE)
    assert await sites.name() == "Globex"
    sites.serve(body=b" " * (512 * 1024 - len(PAGE) + 1) + PAGE)
    assert await sites.name() is None


async def test_all_of_it_has_ten_seconds_together(sites, monkeypatch):
    assert home_page.TIMEOUT == 10
    # The limit is ten seconds.
    monkeypatch.setattr(home_page, "TIMEOUT", 0.3)
    sites.redirect("https://globex.com/", "/slow")
    sites.pages["https://globex.com/slow"] = "hangs"
    with pytest.raises(SiteUnreadable) as unread:
        await asyncio.wait_for(sites.name(), 20)
    assert unread.value.temporary


async def test_at_most_three_redirects_are_followed(sites):
    sites.redirect("https://globex.com/", "https://www.globex.com/")
    sites.redirect("https://www.globex.com/", "/en")
    sites.redirect("https://www.globex.com/en", "en/home")
    sites.serve("https://www.globex.com/en/home")
    assert await sites.name() == "Globex"
    sites.redirect("https://www.globex.com/en/home", "/again")
    sites.serve("https://www.globex.com/again")
    with pytest.raises(SiteUnreadable) as unread:
        await sites.name()
    assert not unread.value.temporary
    assert "https://www.globex.com/again" not in sites.asked


@pytest.mark.parametrize("target", ["http://globex.com/", "https://globex.com:8443/", "https://user@globex.com/"])
async def test_a_redirect_that_the_guard_refuses_is_not_followed(sites, target):
    sites.redirect("https://globex.com/", target)
    with pytest.raises(SiteUnreadable) as unread:
        await sites.name()
    assert (unread.value.temporary, sites.asked) == (False, ["https://globex.com/"])


@pytest.mark.parametrize(
    "target",
    ["https://parking.net/", "https://127.0.0.1/", "https://169.254.169.254/", "//evil.com", "https://co.uk/"],
)
async def test_a_redirect_to_another_site_is_not_followed_and_gives_no_name(sites, target):
    sites.redirect("https://globex.com/", target)
    sites.serve("https://parking.net/")
    assert await sites.name() is None
    assert sites.asked == ["https://globex.com/"]


@pytest.mark.parametrize("addresses", [["10.0.0.1"], ["169.254.169.254"], ["8.8.8.8", "192.168.0.1"]])
async def test_a_name_of_a_private_address_is_never_contacted(sites, addresses):
    sites.serve()
    sites.resolver.answers = [addresses]
    with pytest.raises(SiteUnreadable) as unread:
        await sites.name()
    assert (unread.value.temporary, sites.asked) == (False, [])


async def test_a_redirect_to_a_name_of_a_private_address_is_never_followed(sites):
    sites.redirect("https://globex.com/", "https://intranet.globex.com/")
    sites.serve("https://intranet.globex.com/")
    sites.resolver.answers = [["127.0.0.1"], ["10.0.0.1"]]
    with pytest.raises(SiteUnreadable) as unread:
        await sites.name()
    assert (unread.value.temporary, sites.asked) == (False, ["https://globex.com/"])


@pytest.mark.parametrize(
    ("status", "temporary"),
    [(404, False), (403, False), (301, False), (204, False), (500, True), (503, True), (429, True), (None, True)],
)
async def test_a_site_that_cannot_be_read_says_whether_to_try_again(sites, status, temporary):
    """None: the connection breaks."""
    if status is not None:
        sites.serve(status=status, body=b"" if status == 204 else PAGE)
    with pytest.raises(SiteUnreadable) as unread:
        await sites.name()
    assert unread.value.temporary is temporary


async def test_a_certificate_for_another_host_is_refused(sites):
    with pytest.raises(SiteUnreadable):
        await sites.name("initech.com")
    assert sites.asked == []


DECLARED = '<meta property="og:site_name" content="Zürich">'


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        (DECLARED.encode("latin-1"), {"content_type": "text/html; charset=ISO-8859-1"}),
        (f"<meta charset=windows-1252>{DECLARED}".encode("cp1252"), {"content_type": "text/html"}),
        (f"\ufeff{DECLARED}".encode(), {"content_type": "text/html;charset=utf-16"}),
        (DECLARED.encode(), {"content_type": "text/html; charset=zlib"}),
        (DECLARED.encode(), {"content_type": "text/html; charset=klingon"}),
        (DECLARED.encode(), {"content_type": "application/xhtml+xml"}),
    ],
)
async def test_pages_in_other_encodings_are_read(sites, body, headers):
    sites.serve(body=body, **headers)
    assert await sites.name() == "Zürich"


async def test_what_is_no_page_declares_nothing(sites):
    sites.serve(content_type="application/pdf")
    assert await sites.name() is None


async def test_a_site_that_sends_without_end_is_read_up_to_the_limits(sites, monkeypatch):
    robots_txt = "https://globex.com/robots.txt"
    sites.pages = {"https://globex.com/": "floods", robots_txt: "floods"}
    assert await home_page.fetch_home_page(sites.session, sites.guard, "globex.com") == "x" * 512 * 1024
    assert (await robots.fetch_robots(sites.session, sites.guard, "globex.com")).text == "x" * 512 * 1024
    sites.pages = {"https://globex.com/": "drips", robots_txt: "drips"}
    # The limit is ten seconds.
    monkeypatch.setattr(home_page, "TIMEOUT", 0.3)
    # The same here.
    monkeypatch.setattr(robots, "TIMEOUT", 0.3)
    with pytest.raises(SiteUnreadable) as unread:
        await asyncio.wait_for(sites.name(), 20)
    assert unread.value.temporary
    assert (await asyncio.wait_for(robots.fetch_robots(sites.session, sites.guard, "globex.com"), 20)).text is None


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "zstd", "br", "gzip, gzip"])
async def test_a_bomb_is_not_unpacked_whatever_it_is_packed_with(sites, encoding):
    bomb = gzip.compress(bytes(50_000_000))
    for url in ("https://globex.com/", "https://globex.com/robots.txt"):
        sites.serve(url, body=bomb, content_encoding=encoding)
    tracemalloc.start()
    try:
        with pytest.raises(SiteUnreadable):
            await sites.name()
        assert (await robots.fetch_robots(sites.session, sites.guard, "globex.com")).text is None
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 10_000_000


async def test_a_packed_page_is_not_unpacked(sites):
    sites.serve(content_encoding="gzip", content_type="text/html")
    with pytest.raises(SiteUnreadable) as unread:
        await sites.name()
    assert not unread.value.temporary
