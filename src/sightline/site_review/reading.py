"""Which pages of a site a review reads, and reading one of them."""

import asyncio
from collections.abc import Sequence
from datetime import date

from msgspec.structs import replace
from yarl import URL

from sightline.answers.characters import fold
from sightline.answers.citations import normalize_url
from sightline.site_review.fetch import SiteFetcher
from sightline.site_review.models import MAX_PAGES, Chosen, PlannedPage, ReadPage, ReviewContext, SiteFacts
from sightline.site_review.page import read_page

_MAX_LISTED = 5_000


async def read_site(fetcher: SiteFetcher) -> SiteFacts:
    """Read robots.txt and the sitemap, before any page. A site whose robots.txt fails is not read any further.

    Some sites answer only with `www.` before their domain.
    """
    robots = await fetcher.fetch_robots()
    if robots.status is None and robots.text is None:
        other = await fetcher.fetch_robots(f"www.{fetcher.domain}")
        if other.status is not None:
            robots, fetcher.domain = other, f"www.{fetcher.domain}"
    named = () if robots.text is None else fetcher.list_named_sitemaps()
    listed = [] if robots.text is None else await fetcher.fetch_sitemap(named)
    return SiteFacts(
        robots_url=robots.url,
        robots_status=robots.status,
        robots_text=robots.text,
        robots_is_cut=robots.is_cut,
        listed=tuple(listed[:_MAX_LISTED]),
        listed_count=len(listed),
    )


def plan_pages(
    context: ReviewContext,
    listed: Sequence[str],
    *,
    again: Sequence[str] = (),
    home: str | None = None,
    scheme: str = "https",
    limit: int = MAX_PAGES,
) -> list[PlannedPage]:
    """Return the pages to read: cited ones, most cited first, then the home page and what the sitemap names.

    Of the sitemap, addresses with the most words of the prompts come first. `again` are pages with open findings.
    """
    words = context.prompt_words
    ranked = sorted(range(len(listed)), key=lambda at: (-_count_words(listed[at], words), at))
    wanted: list[tuple[str, Chosen]] = [(page.url, "cited") for page in context.cited]
    wanted.append((f"{scheme}://{home or context.domains[0]}/", "home"))
    wanted += [(url, "sitemap") for url in again]
    wanted += [(listed[at], "prompt" if _count_words(listed[at], words) else "sitemap") for at in ranked]
    seen: dict[str, PlannedPage] = {}
    for url, chosen in wanted:
        citation = normalize_url(url)
        if citation is not None and citation.url not in seen and len(seen) < limit:
            seen[citation.url] = PlannedPage(place=len(seen), url=url, chosen=chosen)
    return list(seen.values())


def _count_words(url: str, words: frozenset[str]) -> int:
    try:
        path = fold(URL(url).path)
    except ValueError:
        return 0
    return sum(word in path for word in words)


async def read_one(fetcher: SiteFetcher, url: str, *, today: date) -> tuple[ReadPage, str | None]:
    """Fetch and read a page. Its text is None if it was not read."""
    fetched = await fetcher.fetch_page(url)
    if fetched.html is None:
        return ReadPage(fetched=fetched), None
    facts, text = await asyncio.to_thread(read_page, fetched.html, today=today)
    return ReadPage(fetched=replace(fetched, html=None), facts=facts), text
