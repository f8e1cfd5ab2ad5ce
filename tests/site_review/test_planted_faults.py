"""A site with forty planted faults is found out, and its clean twin has no finding."""

import asyncio
from collections import Counter

import pytest
from msgspec.structs import replace

from sightline.site_review.fetch import FetchLimits, SiteFetcher
from sightline.site_review.findings import find_findings, judge_agents
from sightline.site_review.models import ReviewedPage, SiteFacts
from sightline.site_review.reading import plan_pages, read_one, read_site
from tests.competitors.local_sites import open_sites
from tests.site_review.planted_site import FAULTS, SITE, TODAY, build_clean_site, build_planted_site


@pytest.fixture
async def sites(tmp_path):
    async with open_sites(tmp_path) as opened:
        yield opened


def open_fetcher(sites, *, sleep=asyncio.sleep, **limits):
    return SiteFetcher(
        sites.session,
        sites.guard,
        ("globex.com",),
        docs_url="https://sightline.example/docs/measure/site-review",
        limits=FetchLimits(**{"delay": 0.0, **limits}),
        sleep=sleep,
    )


async def review(sites, site, *, limit=200):
    site.serve(sites)
    context, fetcher = site.context(), open_fetcher(sites)
    facts = await read_site(fetcher)
    pages = []
    for planned in plan_pages(context, facts.listed, limit=limit):
        page, text = await read_one(fetcher, planned.url, today=TODAY)
        pages.append(ReviewedPage(place=planned.place, url=planned.url, chosen=planned.chosen, page=page, text=text))
    return find_findings(context, facts, pages), pages


async def test_the_clean_site_has_no_finding(sites):
    (found, facts), pages = await review(sites, build_clean_site())
    assert found == []
    assert facts.unchecked == {"questions": "other_language"}
    assert {page.page.fetched.reason for page in pages} == {None, "not_html"}
    assert {each.agent for each in facts.agents if each.home is False} == {
        "GPTBot",
        "Google-Extended",
        "MistralAI-Training",
    }


async def test_forty_planted_faults_are_found_and_nothing_else(sites):
    assert len(FAULTS) == 40
    (found, _), _ = await review(sites, build_planted_site())
    planted = Counter((kind, where) for kind, where, _ in FAULTS)
    prefix = "globex.com"
    seen = Counter(
        (
            each.kind,
            each.evidence if each.kind.endswith("_missing") else (each.url or each.subject).removeprefix(prefix),
        )
        for each in found
    )
    assert sorted(planted - seen) == []
    assert sorted(seen - planted) == []
    assert all(each.prompts for each in found if each.kind.startswith("cited_"))


async def test_a_site_that_answers_only_with_www_is_read(sites):
    site = build_clean_site()
    sites.serve("https://www.globex.com/robots.txt", body=b"User-agent: *\nAllow: /")
    sites.serve("https://www.globex.com/", body=site.pages["/"][2])
    fetcher = open_fetcher(sites)
    facts = await read_site(fetcher)
    assert (facts.robots_url, fetcher.domain) == ("https://www.globex.com/robots.txt", "www.globex.com")
    (home,) = [page for page in plan_pages(site.context(), (), home=fetcher.domain) if page.chosen == "home"]
    read, _ = await read_one(fetcher, home.url, today=TODAY)
    assert read.fetched.status == 200


def test_rules_of_one_host_say_nothing_of_another():
    site = build_clean_site()
    site.answers, site.prompts = [], []
    site.cite("/docs/anvil")
    (page,) = site.context().cited
    facts = SiteFacts(robots_url=f"{SITE}/robots.txt", robots_status=200, robots_text="User-agent: *\nDisallow: /docs")
    blocked = {each.blocked for each in judge_agents(site.context(), facts)}
    assert blocked == {("globex.com/docs/anvil",)}
    elsewhere = replace(page, url="https://shop.globex.com/docs/anvil", key="shop.globex.com/docs/anvil")
    context = replace(site.context(), cited=(elsewhere,))
    assert {each.blocked for each in judge_agents(context, facts)} == {()}
