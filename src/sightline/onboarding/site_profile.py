"""What a site says about itself, for the first step of its set-up. Nothing is guessed: what it does not say is None."""

import asyncio

import msgspec

from sightline.competitors.site_name import parse_site_name
from sightline.domains.home_page import FetchPage, SiteUnreadable
from sightline.presentation.language import gettext
from sightline.prompts.market_codes import LANGUAGES
from sightline.scans.suggestions.site_words import parse_site_words


class SiteProfile(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the home page of a site says; `note` says why nothing is known."""

    title: str | None = None
    description: str | None = None
    language: str | None = None
    """A language that prompts can have."""
    name: str | None = None
    """The name that the site declares for itself."""
    note: str | None = None
    fault: str | None = None
    """Why it could not be read, in English."""


async def read_site_profile(fetch: FetchPage | None, domain: str) -> SiteProfile:
    """Read the home page of a site; with `fetch` None, nothing outside may be contacted.

    Call it outside any transaction. A site that cannot be read, or says nothing, has a note instead.
    """
    if fetch is None:
        return SiteProfile(
            note=gettext(
                "In the sandbox, Sightline does not read your home page, so it guesses the brand name and the "
                "language. Check both."
            )
        )
    try:
        page = await fetch(domain)
    except SiteUnreadable as unreadable:
        return SiteProfile(note=gettext("The site could not be read."), fault=str(unreadable))
    profile = None if page is None else await asyncio.to_thread(parse_site_profile, page)
    return profile or SiteProfile(note=gettext("The home page has no title and no description."))


def parse_site_profile(html: str) -> SiteProfile | None:
    """Return what the page says, or None if it has neither title nor description."""
    words = parse_site_words(html)
    if words is None:
        return None
    return SiteProfile(
        title=words.title or None,
        description=words.description or None,
        language=words.language if words.language in LANGUAGES else None,
        name=parse_site_name(html),
    )
