"""robots.txt as RFC 9309 reads it."""

import time

import pytest

from sightline.site_review.agents import read_agents
from sightline.site_review.robots import parse_robots


@pytest.mark.parametrize(
    ("text", "path", "allowed"),
    [
        ("User-agent: *\nDisallow: /", "/", False),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a/b", "/a/b/c", True),
        ("User-agent: *\nAllow: /a/b\nDisallow: /a", "/a/c", False),
        ("User-agent: *\nAllow: /a\nDisallow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x/y.pdf?z", True),
        ("User-agent: *\nDisallow: /*?session=", "/a?session=1", False),
        ("User-agent: *\nDisallow: /a*b*c", "/a1b2", True),
        ("User-agent: *\nDisallow: *secret", "/very/secret/one", False),
        ("User-agent: *\nDisallow: private", "/private", False),
        ("User-agent: *\nDisallow: /%7Ejoe", "/~joe/x", False),
        ("User-agent: *\nDisallow: /caf\u00e9", "/caf%C3%A9/menu", False),
        ("User-agent: *\nDisallow: /a%2Fb", "/a/b", True),
        ("User-agent: other\nDisallow: /", "/", True),
        ("User-agent: gptbot\nDisallow: /\nUser-agent: *\nAllow: /", "/", False),
        ("User-agent: GPTBot/1.2\nDisallow: /", "/", False),
        ("User-agent: GPTBot-Image\nDisallow: /", "/", True),
        ("User-agent: *\nDisallow: /\nUser-agent: GPTBot\nDisallow: /a", "/b", True),
        ("User-agent: GPTBot\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /b", "/b", False),
        ("User-agent: GPTBot\nSitemap: https://x.com/s\nUser-agent: Other\nDisallow: /", "/", False),
        ("\ufeffUSER-AGENT : GPTBot # us\r\ndisallow : / # all\r\n", "/", False),
        ("Disallow: /", "/", True),
        ("<html><body>Not found: sorry</body></html>", "/", True),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
    ],
)
def test_groups_wildcards_and_the_longest_rule(text, path, allowed):
    assert parse_robots(text).allows("GPTBot", path) is allowed


def test_sitemaps_and_delays_are_read():
    rules = parse_robots("User-agent: *\nCrawl-delay: 2.5\nSitemap: https://a.com/1\nsitemap:https://a.com/2")
    assert rules.sitemaps == ("https://a.com/1", "https://a.com/2")
    assert (rules.find_crawl_delay("GPTBot"), parse_robots("Crawl-delay: x").find_crawl_delay("GPTBot")) == (2.5, 0.0)
    assert parse_robots("User-agent: *\nCrawl-delay: 1e9").find_crawl_delay("x") == 30.0


def test_a_hostile_file_takes_little_time():
    pattern = "/" + "a*" * 2_000 + "c$"
    rules = parse_robots("User-agent: *\n" + f"Disallow: {pattern}\n" * 100 + "Disallow: /x\n" * 50_000)
    began = time.perf_counter()
    assert rules.allows("GPTBot", "/" + "a" * 4_000 + "b")
    assert time.perf_counter() - began < 2
    assert len(rules.groups["*"]) == 20_000


def test_each_agent_has_a_source_that_was_read():
    known = read_agents()
    assert len({agent.name for agent in known.agents}) == len(known.agents)
    assert all(agent.source.startswith("https://") for agent in known.agents)
    assert {agent.purpose for agent in known.agents} == {"live", "search", "training"}
