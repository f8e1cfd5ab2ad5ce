"""The requests before the first check: first prompts of a domain, its name, what it sells and who its rivals are.

The home page is untrusted: its words are fenced as data. Whatever it says, a prompt counts only if it is one question
that names neither the brand nor another company (`scans/suggestions/questions.py`), a name only if it stands in the
home page, what is sold only if it is a short noun, and a rival only if its website is a domain. People see and correct
all of it before the first check.
"""

import asyncio
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from sightline.db.engine import Database
from sightline.domains.home_page import FetchPage, SiteUnreadable
from sightline.domains.names import InvalidDomainName, clean_domain, registrable_domain
from sightline.insights.editor.caller import PlatformEditor
from sightline.insights.editor.models import RulesReason
from sightline.insights.editor.queries import DomainReplies, find_site_reply
from sightline.insights.editor.read import find_rules_reason
from sightline.insights.editor.requests import (
    EditorRequest,
    build_request,
    is_short_phrase,
    names_any,
    read_items,
    simplify,
)
from sightline.kit.clock import Clock
from sightline.scans.editor_platform import EditorPlatform
from sightline.scans.suggest import SuggestedPrompts, SuggestionInput, complete_prompts
from sightline.scans.suggestions.site_words import SiteWords, parse_site_words
from sightline.scans.suggestions.templates import clean_category

NO_EDITOR: Mapping[RulesReason, str] = {
    "off": "no connected platform can suggest prompts",
    "declined": "the workspace has declined an editor",
    "paused": "the platform that suggests them is paused",
}
"""Why nobody is asked, as a part of a sentence."""
_REQUESTED = 15  # so that ten are left when some cannot be used
_LONGEST = 220  # characters
_TASK = (
    f"Look at the company behind this website and at what it sells. Propose the {_REQUESTED} questions that people who "
    "look for such a product or service, and do not know the company yet, are most likely to put to an AI assistant. "
    "Vary them: some people want to learn, some compare, some are about to buy, some want to switch. Never mention the "
    "brand, its website, or another company or product. One sentence each, of at most 120 characters, that ends with a "
    "question mark, in the language given; without one, in the main language of the website. Where a country is "
    "given, people ask there."
)
_REPLY = '{"question": "..."}'
_SITE_TASK = (
    "Say what the brand behind this website is called, exactly as the words of the website write it, without slogans "
    "and legal forms, what it sells, as buyers call it: a noun in the plural without brand names, at most five words, "
    "in the language of the website, and the websites of up to five brands that its buyers would choose instead. Leave "
    "out websites that you are not sure of."
)
_SITE_REPLY = '{"name": "...", "plural": "...", "rivals": ["example.com"]}'
_MOST_RIVALS = 5


class _Proposed(msgspec.Struct, frozen=True):
    question: str


class SiteFacts(msgspec.Struct, frozen=True):
    """What the brand of a website is called, and what it sells; None if that is not sure. People confirm its rivals."""

    name: str | None
    plural: str | None
    rivals: tuple[str, ...] = ()
    """Domains."""


_UNKNOWN = SiteFacts(None, None)


def ask_for_first_prompts(wanted: SuggestionInput, site: SiteWords) -> EditorRequest:
    market = {"sells": wanted.category, "language": wanted.language or site.language, "country": wanted.country}
    given = _describe_site(wanted, site) | market
    return build_request("prompts", _TASK, _REPLY, {name: value for name, value in given.items() if value})


def ask_for_site(wanted: SuggestionInput, site: SiteWords) -> EditorRequest:
    return build_request("site", _SITE_TASK, _SITE_REPLY, _describe_site(wanted, site))


def _describe_site(wanted: SuggestionInput, site: SiteWords) -> dict[str, str | None]:
    return {
        "website": wanted.domain,
        "brand": wanted.brand.name,
        "title of the website": site.title,
        "description of the website": site.description,
    }


def read_first_prompts(reply: str | None) -> list[str]:
    """Return the proposed questions on one line each, before they are verified."""
    found = read_items(reply, _Proposed, kind="prompts", dropped=Counter(), most=2 * _REQUESTED)
    questions = (" ".join(each.question.split()) for each in found)
    return [question for question in questions if 0 < len(question) <= _LONGEST]


def read_site_facts(reply: str | None, wanted: SuggestionInput, site: SiteWords) -> SiteFacts:
    """Return the name if it stands in the words of the site, and what is sold if that is a short noun."""
    for found in read_items(reply, SiteFacts, kind="site", dropped=Counter(), most=1):
        name, plural = " ".join((found.name or "").split()), " ".join((found.plural or "").split())
        is_name = is_short_phrase(name, words=6, characters=60)
        is_noun = is_short_phrase(plural, words=6, characters=60) and not names_any(plural, [wanted.brand])
        return SiteFacts(
            name if is_name and simplify(name) in simplify(f"{site.title} {site.description}") else None,
            plural if is_noun and _is_category(plural) else None,
            _clean_rivals(found.rivals, wanted.domain),
        )
    return _UNKNOWN


def _clean_rivals(proposed: Sequence[str], own: str) -> tuple[str, ...]:
    """Return the proposals that are domains of others, each once."""
    found: list[str] = []
    for text in proposed:
        try:
            domain = clean_domain(text, livemode=True)
        except InvalidDomainName:
            continue
        if registrable_domain(domain) != registrable_domain(own):
            found.append(domain)
    return tuple(dict.fromkeys(found))[:_MOST_RIVALS]


def _is_category(text: str) -> bool:
    try:
        return clean_category(text) is not None
    except ValueError:
        return False


async def suggest_prompts(
    wanted: SuggestionInput,
    caller: PlatformEditor | None,
    fetch_page: FetchPage | None,
    *,
    fault: str | None = None,
    with_site: bool = False,
) -> SuggestedPrompts:
    """Suggest ten prompts: those that the editor proposes, and questions from templates where it does not.

    Never fails: the note says what went wrong. With `fetch_page` None the site is not read. `with_site` also asks what
    the brand is called and what it sells.
    """
    site = await read_site_words(wanted.domain, fetch_page)
    facts, proposed = _UNKNOWN, list[str]()
    if caller is not None:
        about = [ask_for_site(wanted, site)] if with_site and site.title + site.description else []
        prompts, *replies = await caller.ask([ask_for_first_prompts(wanted, site), *about])
        proposed, fault = read_first_prompts(prompts), caller.fault if prompts is None else None
        if replies:
            facts = read_site_facts(replies[0], wanted, site)
    known = msgspec.structs.replace(wanted, category=wanted.category or facts.plural)
    found = complete_prompts(known, proposed, fault=fault, site_language=site.language)
    return msgspec.structs.replace(found, brand_name=facts.name, category=facts.plural, rivals=facts.rivals)


async def suggest_domain_prompts(
    db: Database,
    editor: EditorPlatform | None,
    fetch_page: FetchPage | None,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    wanted: SuggestionInput,
    *,
    with_site: bool = False,
    clock: Clock,
) -> SuggestedPrompts:
    """Suggest prompts for a domain. An equal request of the domain is asked once."""
    reason = await find_rules_reason(db, workspace_id, editor)
    if editor is None or reason is not None:
        return await suggest_prompts(wanted, None, fetch_page, fault=NO_EDITOR[reason or "off"])
    replies = DomainReplies(db, workspace_id, domain_id, editor.name, scan_id=None, clock=clock)
    return await suggest_prompts(wanted, PlatformEditor(editor, replies), fetch_page, with_site=with_site)


async def find_site_facts(
    db: Database, workspace_id: uuid.UUID, domain_id: uuid.UUID, wanted: SuggestionInput, fetch_page: FetchPage | None
) -> SiteFacts:
    """Return what the editor has replied about the website of a domain."""
    reply = await find_site_reply(db, workspace_id, domain_id)
    return read_site_facts(reply, wanted, await read_site_words(wanted.domain, fetch_page)) if reply else _UNKNOWN


async def read_site_words(domain: str, fetch_page: FetchPage | None) -> SiteWords:
    """Return what the home page says: nothing if it cannot be read."""
    try:
        html = await fetch_page(domain) if fetch_page else None
    except SiteUnreadable:
        html = None
    return (await asyncio.to_thread(parse_site_words, html) if html else None) or SiteWords()
