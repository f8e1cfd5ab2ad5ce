"""What the set-up reads from a site: the site's own words, within limits, whatever the site sends."""

import asyncio
import time
from contextlib import asynccontextmanager

import pytest

from sightline.onboarding.site_pages import SitePages
from sightline.onboarding.site_profile import SiteProfile, parse_site_profile, read_site_profile
from tests.competitors.local_sites import open_sites

NOTHING = SiteProfile(note="The home page has no title and no description.")
HOSTILE = {
    "a title of 10 MB": (b"<title>" + b"anvil " * 1_700_000, "text/html"),
    "deeply nested": (b"<title>Anvils</title>" + b"<div>" * 100_000, "text/html"),
    "tags that never end": (b"<title>Anvils</title>" + b"<meta content='" * 40_000, "text/html"),
    "comments that never end": (b"<title>Anvils</title>" + b"<!--" * 120_000, "text/html"),
    "nested data": (b"<title>Anvils</title><script type=application/ld+json>" + b"[" * 300_000, "text/html"),
    "scripts": (b"<title>Anvils<script>alert(1)</script></title>", "text/html"),
    "control characters": (b"<title>\x07\x1bAnv\xe2\x80\xaeils\x00 for people who forge at home</title>", "text/html"),
}


def serve_from(sites, **options) -> SitePages:
    @asynccontextmanager
    async def open_session():
        yield sites.session

    return SitePages(sites.guard, open_session, **options)


@pytest.fixture
async def sites(tmp_path):
    async with open_sites(tmp_path) as opened:
        yield opened


async def test_title_description_language_and_name_come_from_the_site(sites):
    page = """<html lang="en"><head><title>Globex: gut schlafen</title>
        <meta name="description" content="Matratzen und Kissen für erholsame Nächte, hundert Nächte lang zur Probe.">
        <script type="application/ld+json">{"@type": "Organization", "name": "Globex GmbH"}</script>"""
    sites.serve(body=page.encode(), content_type="text/html; charset=utf-8")
    found = await read_site_profile(serve_from(sites).fetch, "globex.com")
    assert (found.title, found.language, found.name, found.note) == ("Globex: gut schlafen", "de", "Globex GmbH", None)
    assert found.description.startswith("Matratzen und Kissen für")


@pytest.mark.parametrize(("body", "kind"), HOSTILE.values(), ids=HOSTILE)
async def test_a_hostile_page_has_a_short_result_in_a_short_time(sites, body, kind):
    parse_site_profile("<title>" + "the language model is loaded before the clock starts " * 3)
    sites.serve(body=body, content_type=kind)
    begun = time.process_time()
    found = await read_site_profile(serve_from(sites).fetch, "globex.com")
    assert time.process_time() - begun < 3, "the parser alone took forty seconds for nested tags"
    assert found.title.lower().startswith("anvil") and found.title.isprintable() and len(found.title) <= 300


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (bytes(range(256)) * 200, "text/html"),
        (b"%PDF-1.7 <title>Globex</title>", "application/pdf"),
        ("<title>Überall schöne Möbel</title>".encode("utf-16"), "text/html; charset=utf-8"),
        (b"<title>\xd6\xd0\xb9\xfa</title>", "text/html; charset=no-such-charset"),
        (b"", "text/html"),
    ],
    ids=["binary", "another type", "another encoding than declared", "an unknown encoding", "empty"],
)
async def test_what_cannot_be_read_is_said_and_not_shown(sites, body, kind):
    sites.serve(body=body, content_type=kind)
    assert await read_site_profile(serve_from(sites).fetch, "globex.com") == NOTHING


async def test_a_slow_site_and_a_sandbox_have_a_note(sites):
    sites.pages["https://globex.com/"] = "hangs"
    pages = serve_from(sites, timeout=0.2)
    found = await asyncio.gather(*(read_site_profile(pages.fetch, "globex.com") for _ in range(3)))
    assert {(each.note, each.fault) for each in found} == {
        ("The site could not be read.", "no answer within 0.2 seconds")
    }
    assert len(sites.asked) == 1
    sandbox = await read_site_profile(None, "globex.com")
    assert sandbox.note is not None and sandbox.note.startswith(
        "In the sandbox, Sightline does not read your home page"
    )
    assert len(sites.asked) == 1
