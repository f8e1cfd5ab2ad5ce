"""The question about the market: what is sold, as people call it, for whom, and in which language. Pure."""

import re

import msgspec

from sightline.answers.models import Brand
from sightline.insights.editor.requests import (
    Dropped,
    EditorRequest,
    build_request,
    is_short_phrase,
    names_any,
    read_items,
    simplify,
)
from sightline.scans.models import ScanPlan

_MAX_PROMPTS = 40
_MAX_BRANDS = 30
_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_EXCLUDED = re.compile(
    r"\b(?:no|without|ohne|keine?|sans|sin|senza|sem|zonder|geen|uden|utan|uten|bez)\s+(?:(?:an?|any|eine?|une?)\s+)?(\w+)"
)
_TASK = (
    "These questions are put to AI assistants to measure one market. Say what is sold in this market, as buyers call "
    "it, in the language of the questions: a noun in the singular and in the plural without brand names, a few words "
    "on who buys it, and the ISO 639-1 code of the language. Keep a limit that all questions have, such as a price or "
    '"without subscription".'
)
_REPLY = '{"singular": "...", "plural": "...", "audience": "...", "language": "en"}'


class Market(msgspec.Struct, frozen=True):
    """What the prompts of a domain are about."""

    singular: str
    plural: str
    audience: str
    language: str


def ask_for_market(plan: ScanPlan) -> EditorRequest:
    prompts = [prompt.text for prompt in plan.prompts[:_MAX_PROMPTS]]
    brands = [brand.name for brand in plan.tracked[:_MAX_BRANDS]]
    return build_request("market", _TASK, _REPLY, {"questions": prompts, "brands": brands})


def read_market(reply: str | None, plan: ScanPlan, dropped: Dropped) -> Market | None:
    """Return the market if its nouns are short, name no tracked brand, and keep what all prompts limit it to."""
    for found in read_items(reply, Market, kind="market", dropped=dropped, most=1):
        if is_market(found, plan.tracked) and _keeps_limits(found, plan):
            return msgspec.structs.replace(found, language=found.language.lower())
        dropped["market"] += 1
    return None


def is_market(market: Market, brands: tuple[Brand, ...]) -> bool:
    """Return whether a market can be used in questions: short nouns that name nobody, and a code of a language."""
    nouns = (market.singular, market.plural)
    return (
        all(is_short_phrase(noun, words=8, characters=60) and not names_any(noun, brands) for noun in nouns)
        and is_short_phrase(market.audience, words=25, characters=160)
        and re.fullmatch("[A-Za-z]{2}", market.language) is not None
    )


def _keeps_limits(market: Market, plan: ScanPlan) -> bool:
    """Return whether a number that all prompts have, and what all of them exclude, stand in the noun, too."""
    limits = [_find_limits(prompt.text) for prompt in plan.prompts]
    shared = set.intersection(*limits) if limits else set()
    return shared <= _find_limits(market.plural)


def _find_limits(text: str) -> set[str]:
    simple = simplify(text)
    return {*_NUMBER.findall(simple), *(f"no {thing.removesuffix('s')}" for thing in _EXCLUDED.findall(simple))}
