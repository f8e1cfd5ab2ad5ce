"""The pages that answers cite: kinds, who is named on them, and how they change."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import pytest

from sightline.platforms.sandbox.answers import write_answer
from sightline.platforms.sandbox.market import Subject, build_market
from sightline.platforms.sandbox.pages import list_pages
from sightline.platforms.sandbox.prompts import LANGUAGES
from tests.platforms.sandbox.samples import ACME, DAY, PROMPTS, days, names_brand, plan_cell

MARKETS = [build_market(Subject(f"brand{number}.com", f"Brand{number}")) for number in range(12)]
SECTORS = ("crm", "bank", "headphones", "hotels", "any")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("sector", SECTORS)
def test_pages_have_addresses_and_titles_of_their_own(language, sector):
    pages = list_pages(MARKETS[0], sector, language, DAY)
    assert len({page.link.url for page in pages}) == len(pages) >= 20
    for page in pages:
        parts = urlsplit(page.link.url)
        assert parts.scheme == "https" and page.link.url.isascii() and "." in parts.netloc and parts.path
        assert len(page.link.title) > 5 and not re.search(r"[{}<>]", page.link.title)


def test_pages_are_of_many_kinds():
    kinds = {page.kind for page in list_pages(MARKETS[0], "headphones", "en", DAY)}
    assert kinds == {"list", "new", "versus", "guide", "forum", "video", "shop", "directory", "brand", "encyclopedia"}


def test_an_answer_cites_a_page_only_for_brands_that_it_names():
    for platform in ("chatgpt", "perplexity", "gemini"):
        for day in days(30):
            plan = plan_cell(ACME, PROMPTS["en"], platform, day=day)
            answer = write_answer(plan)
            pages = {page.link.url: page for page in list_pages(plan.market, plan.intent.sector, "en", day)}
            for source in answer.cited:
                page = pages.get(source.url)
                for span in source.spans if page else ():
                    named = {
                        brand.key
                        for brand in plan.market.brands
                        if names_brand(answer.text[span.start : span.end], brand.name)
                    }
                    assert not named or not page.listed or named & page.listed, (source.url, named)


def test_some_pages_name_rivals_only_and_others_the_brand():
    for market in MARKETS:
        lists = [page for page in list_pages(market, "crm", "en", DAY) if page.kind in {"list", "forum", "directory"}]
        assert all(len(page.listed) >= 2 for page in lists)
    carried = [market.own.key in page.listed for market in MARKETS for page in list_pages(market, "crm", "en", DAY)]
    assert 0.1 < sum(carried) / len(carried) < 0.6


def test_pages_change_a_little_over_eight_weeks_and_much_over_a_year():
    def compare(step):
        """Return the shares of addresses that stay, and of these, of pages that name the same brands."""
        same = stay = total = 0
        for market in MARKETS:
            before, after = (
                {page.link.url: page.listed for page in list_pages(market, "crm", "en", day)}
                for day in (DAY, DAY + timedelta(step))
            )
            shared = before.keys() & after.keys()
            total += len(before)
            stay += len(shared)
            same += sum(before[url] == after[url] for url in shared)
        return stay / total, same / stay

    assert compare(1)[0] > 0.97 and compare(1)[1] > 0.97
    assert all(0.85 < share < 0.99 for share in compare(56))
    assert compare(365)[0] < compare(56)[0] and compare(365)[1] < compare(56)[1]
