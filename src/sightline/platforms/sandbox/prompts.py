"""Prompts: what one asks for, and those that people would ask in the sector of a domain."""

import re
from functools import cache, lru_cache

import msgspec

from sightline.platforms.sandbox.market import (
    OTHER_SCRIPT,
    TOPICS,
    UNKNOWN,
    MarketBrand,
    SandboxMarket,
    Subject,
    build_market,
    build_unlisted_brand,
    find_sector,
    fold,
    read_words,
    sectors,
)
from sightline.platforms.sandbox.phrasebook import OWN_ASPECTS, SentenceWriter, load_phrasebook
from sightline.platforms.sandbox.seeded_random import SeededRandom, choose

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh")
# Countries where nearly everybody reads that language; Switzerland and Belgium get English by default.
_SPOKEN_IN = {"de": "DE AT LI", "fr": "FR MC", "es": "ES MX AR CO CL PE UY EC VE CR GT", "it": "IT SM"}
_SPOKEN_IN |= {"pt": "BR PT AO MZ", "nl": "NL", "pl": "PL", "ja": "JP", "zh": "CN"}
_COUNTRIES = {country: language for language, countries in _SPOKEN_IN.items() for country in countries.split()}
_VERSUS = re.compile(r"(?P<left>\S.*?)[ ,]+(?:vs\.?|versus)[ ]+(?P<right>.*\S)", re.IGNORECASE | re.DOTALL)
_EDGE = " \t\"'“”«»„`*_?!.,:;()[]{}<>|#"
_ANY_WEEK = 0  # suggested questions speak of no brand, so no week changes them


class PromptIntent(msgspec.Struct, frozen=True):
    """What a prompt asks for."""

    key: str  # the folded prompt, which random draws depend on
    sector: str
    topic: str
    named: tuple[MarketBrand, ...]  # brands that the prompt names, in their order
    pair: tuple[MarketBrand, MarketBrand] | None  # compared with each other
    answer_kind: str  # "problems", "choosing", "price", or "options" for everything else


def choose_language(language: str | None, country: str | None, prompt: str) -> str:
    """Return the declared language, else that of the country or script if it is obvious, else English."""
    declared = (language or "").strip().lower().replace("_", "-").split("-")[0]
    if declared:
        return declared if declared in LANGUAGES else "en"
    known = _COUNTRIES.get((country or "").strip().upper())
    if known:
        return known
    if any("\u3040" <= letter <= "\u30ff" for letter in prompt):
        return "ja"
    return "zh" if any("\u4e00" <= letter <= "\u9fff" for letter in prompt) else "en"


@lru_cache(maxsize=8192)
def interpret_prompt(market: SandboxMarket, prompt: str) -> PromptIntent:
    key = fold(prompt)
    named = _find_named(market, key)
    return PromptIntent(
        key=key,
        # The prompt decides, then the domain. A sector that was only assigned explains no prompt.
        sector=_find_sector(key) or (market.sector if market.certain else UNKNOWN),
        topic=_find_kind("topics", key) or choose(TOPICS, "topic", key),
        named=named,
        pair=_find_pair(market, prompt, named),
        answer_kind=_find_kind("wishes", key) or "options",
    )


def _find_named(market: SandboxMarket, key: str) -> tuple[MarketBrand, ...]:
    places = {}
    for brand in market.brands:
        found = [_find(fold(name), key) for name in (brand.name, brand.domain, *brand.aliases)]
        if max(found) >= 0:
            places[brand] = min(place for place in found if place >= 0)
    return tuple(sorted(places, key=lambda brand: places[brand]))


def _find(name: str, text: str) -> int:
    """Return where the name is in the text, not as a part of a longer word; -1 if nowhere."""
    at = text.find(name) if name else -1
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (_is_inside_word(before, name[0]) or _is_inside_word(after, name[-1])):
            return at
        at = text.find(name, at + 1)
    return -1


def _is_inside_word(outside: str, edge: str) -> bool:
    """Return whether the name would be part of a longer word. A change of script is a boundary."""
    return outside.isalnum() and edge.isalnum() and ord(outside) < OTHER_SCRIPT and ord(edge) < OTHER_SCRIPT


def _find_pair(
    market: SandboxMarket, prompt: str, named: tuple[MarketBrand, ...]
) -> tuple[MarketBrand, MarketBrand] | None:
    if len(named) >= 2:
        return named[0], named[1]
    match = _VERSUS.search(" ".join(prompt.split()))
    if not match:
        return None
    left, right = _find_side(match["left"].split(), last=True), _find_side(match["right"].split(), last=False)
    if not left or not right or fold(left) == fold(right):
        return None
    first, second = (_find_brand(market, named, side) for side in (left, right))
    return None if first.key == second.key else (first, second)


def _find_side(words: list[str], *, last: bool) -> str:
    """Return the name next to "vs": up to three capitalized words, else one word."""
    near = words[::-1] if last else words
    taken: list[str] = []
    for word in near[:3]:
        bare = word.strip(_EDGE)
        if not bare or (taken and not bare[0].isupper()):
            break
        taken.append(bare)
        if not bare[0].isupper() or word[-1:] in "?!.,:;":
            break
    return " ".join(taken[::-1] if last else taken)[:40]


def _find_brand(market: SandboxMarket, named: tuple[MarketBrand, ...], side: str) -> MarketBrand:
    for brand in named:
        if fold(brand.name) in fold(side) or fold(side) in {fold(alias) for alias in (*brand.aliases, brand.domain)}:
            return brand
    return build_unlisted_brand(market, side)


def _find_sector(key: str) -> str | None:
    """Find the sector by its category name, else by its words.

    So a bank feed in an accounting program does not make it a bank.
    """
    return next((sector for category, sector in _categories() if category in key), None) or find_sector(key)


@cache
def _categories() -> tuple[tuple[str, str], ...]:
    known = {
        fold(load_phrasebook(language, sector).category): sector
        for language in LANGUAGES
        for sector in sectors()
        if sector != UNKNOWN
    }
    return tuple(sorted(known.items(), key=lambda pair: -len(pair[0])))


def _find_kind(name: str, key: str) -> str | None:
    kinds = read_words(name, dict[str, tuple[str, ...]])
    return next((kind for kind, words in kinds.items() if any(word in key for word in words)), None)


def name_category(subject: Subject, language: str) -> str:
    """Return what the brands of the market sell, in the plural. Other languages get English words."""
    return load_phrasebook(language if language in LANGUAGES else "en", build_market(subject).sector).category


def suggest_prompts(subject: Subject, language: str, count: int = 10) -> tuple[str, ...]:
    """Return `count` different questions: informational, comparing and buying ones in turn.

    Other languages get English ones. The first ones stay the same if more are requested. There are fewer only if the
    sector's questions are used up (after about forty).
    """
    market = build_market(subject)
    words = load_phrasebook(language if language in LANGUAGES else "en", market.sector)
    rng = SeededRandom("suggest", market.key, words.language)
    # Only aspects of the sector: those of its whole family would fit any.
    own = msgspec.structs.replace(words, aspects=words.aspects[:OWN_ASPECTS])
    writer = SentenceWriter(own, market.key, rng, _ANY_WEEK)
    found: dict[str, None] = {}
    for template in words.sentences["ask"] * 8:
        prompt = writer.write_question(template)
        if not interpret_prompt(market, prompt).named:  # a brand may have the name of a word of its sector
            found.setdefault(prompt)
        if len(found) >= count:
            break
    return tuple(found)[:count]
