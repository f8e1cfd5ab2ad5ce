"""What robots.txt of the own site tells the crawlers of a platform, read by one guarded request."""

import asyncio
from datetime import UTC, datetime

import pytest

from sightline.insights.recommendations import robots
from sightline.insights.recommendations.action_reasons import describe_robots
from sightline.insights.recommendations.robots import CRAWLERS, RobotsFile, check_robots, fetch_robots
from sightline.platforms.catalog import PLATFORMS
from tests.competitors.local_sites import open_sites

NOW = datetime(2026, 11, 16, tzinfo=UTC)
URL = "https://globex.com/robots.txt"


@pytest.fixture
async def sites(tmp_path):
    async with open_sites(tmp_path) as opened:
        yield opened


def check(text, platform="perplexity", *, exists=True):
    return check_robots(RobotsFile(URL, text, exists=exists), platform, now=NOW)


@pytest.mark.parametrize(
    ("text", "platform", "blocked"),
    [
        ("User-agent: *\nDisallow:", "chatgpt", ()),
        ("User-agent: *\nDisallow: /private", "chatgpt", ()),
        ("User-agent: *\nDisallow: /", "perplexity", ("PerplexityBot", "Perplexity-User")),
        ("User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\n", "chatgpt", ("GPTBot",)),
        ("User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\n", "claude", ("ClaudeBot",)),
        ("User-agent: *\nDisallow: /\n\nUser-agent: Bingbot\nAllow: /", "copilot", ()),
        ("\ufeffuser-agent: googlebot\ndisallow: /", "google_ai_mode", ("Googlebot",)),
        ("<html>not found</html>", "chatgpt", ()),
    ],
)
def test_which_documented_crawlers_are_blocked(text, platform, blocked):
    found = check(text, platform)
    assert (found.outcome, found.blocked) == ("blocked" if blocked else "allowed", blocked)
    assert {*found.blocked, *found.allowed} == {*CRAWLERS[platform]}


def test_what_was_found_is_said_in_a_sentence():
    said = {
        describe_robots(check("User-agent: *\nDisallow: /"), "perplexity"),
        describe_robots(check(""), "perplexity"),
        describe_robots(check("", exists=False), "perplexity"),
        describe_robots(check(None), "perplexity"),
        describe_robots(check("", "grok"), "grok"),
    }
    assert said == {
        f"{URL} blocks PerplexityBot and Perplexity-User, which Perplexity uses.",
        f"{URL} allows PerplexityBot and Perplexity-User: the reason lies elsewhere.",
        f"{URL} does not exist, so every crawler is allowed: the reason lies elsewhere.",
        f"{URL} could not be read.",
        f"Grok documents no crawler, so {URL} was not checked.",
    }
    assert describe_robots(None, "grok") == ""
    assert CRAWLERS.keys() <= {platform.key for platform in PLATFORMS}


async def test_robots_txt_takes_one_request_and_redirects_stay_on_the_site(sites):
    sites.serve(URL, body=b"User-agent: *\nDisallow: /", content_type="text/plain")
    found = await fetch_robots(sites.session, sites.guard, "globex.com")
    assert found == RobotsFile(URL, "User-agent: *\nDisallow: /", exists=True)
    assert sites.asked == [URL]
    sites.redirect(URL, "https://www.globex.com/robots.txt")
    sites.serve("https://www.globex.com/robots.txt", body=b"", content_type="text/plain")
    assert (await fetch_robots(sites.session, sites.guard, "globex.com")).exists
    sites.redirect(URL, "https://evil.com/robots.txt")
    assert (await fetch_robots(sites.session, sites.guard, "globex.com")).text is None
    assert "https://evil.com/robots.txt" not in sites.asked


@pytest.mark.parametrize(("status", "text"), [(404, ""), (403, None), (429, None), (500, None), (206, None)])
async def test_a_file_that_is_not_there_allows_all_and_one_that_cannot_be_read_says_nothing(sites, status, text):
    sites.serve(URL, status=status, body=b"User-agent: *\nDisallow: /")
    assert await fetch_robots(sites.session, sites.guard, "globex.com") == RobotsFile(URL, text, exists=False)


async def test_private_addresses_and_slow_sites_are_unreadable(sites, monkeypatch):
    # The limit is ten seconds.
    monkeypatch.setattr(robots, "TIMEOUT", 0.3)
    sites.pages[URL] = "hangs"
    unreadable = RobotsFile(URL, None, exists=False)
    assert await asyncio.wait_for(fetch_robots(sites.session, sites.guard, "globex.com"), 20) == unreadable
    sites.resolver.answers = [["10.0.0.1"]]
    assert await fetch_robots(sites.session, sites.guard, "globex.com") == unreadable
