"""Prompts: what one asks for, and those that people would ask in the sector of a domain."""

import re
from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache

import msgspec

from sightline.platforms.sandbox.market import (
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
from sightline.platforms.sandbox.seeded_random import SeededRandom, uniform

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh")
# Countries where nearly everybody reads that language; Switzerland and Belgium get English by default.
_COUNTRIES = {
    **dict.fromkeys(("DE", "AT", "LI"), "de"),
    **dict.fromkeys(("FR", "MC"), "fr"),
    **dict.fromkeys(("ES", "MX", "AR", "CO", "CL", "PE", "UY", "EC", "VE", "CR", "GT"), "es"),
    **dict.fromkeys(("IT", "SM"), "it"),
    **dict.fromkeys(("BR", "PT", "AO", "MZ"), "pt"),
    "NL": "nl",
    "PL": "pl",
    "JP": "ja",
    "CN": "zh",
}
_OTHER_SCRIPT = 0x2E80
_VERSUS = re.compile(r"(?P<left>\S.*?)[ ,]+(?:vs\.?|versus)[ ]+(?P<right>.*\S)", re.IGNORECASE | re.DOTALL)
_EDGE = " \t\"'“”«»„`*_?!.,:;()[]{}<>|#"


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
    pair = _find_pair(market, prompt, named)
    # The prompt decides, then the domain. A sector that was only assigned explains no prompt.
    sector = _find_sector(key) or (market.sector if market.certain else UNKNOWN)
    return PromptIntent(key, sector, _find_topic(key), named, pair, _find_answer_kind(key))


def _find_named(market: SandboxMarket, key: str) -> tuple[MarketBrand, ...]:
    found: list[tuple[int, MarketBrand]] = []
    for brand in market.brands:
        names = [brand.name, brand.domain, *brand.aliases]
        places = [place for name in names if (place := _find(fold(name), key)) is not None]
        if places:
            found.append((min(places), brand))
    return tuple(brand for _, brand in sorted(found, key=lambda pair: pair[0]))


def _find(name: str, text: str) -> int | None:
    at = text.find(name) if name else -1
    while at >= 0:
        before, after = text[at - 1 : at], text[at + len(name) : at + len(name) + 1]
        if not (_is_inside_word(before, name[0]) or _is_inside_word(after, name[-1])):
            return at
        at = text.find(name, at + 1)
    return None


def _is_inside_word(outside: str, edge: str) -> bool:
    """Return whether the name would be part of a longer word. A change of script is a boundary."""
    return outside.isalnum() and edge.isalnum() and ord(outside) < _OTHER_SCRIPT and ord(edge) < _OTHER_SCRIPT


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


@cache
def _read_kinds(name: str) -> Mapping[str, tuple[str, ...]]:
    return read_words(name, dict[str, tuple[str, ...]])


def _find_first(name: str, key: str) -> str | None:
    kinds = _read_kinds(name)
    return next((kind for kind, words in kinds.items() if any(word in key for word in words)), None)


def _find_topic(key: str) -> str:
    return _find_first("topics", key) or TOPICS[int(uniform("topic", key) * len(TOPICS))]


def _find_answer_kind(key: str) -> str:
    return _find_first("wishes", key) or "options"


_ANY_DAY = date(2026, 1, 1)  # questions speak of no brand, so no day changes them


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
    writer = SentenceWriter(own, market.key, rng, _ANY_DAY)
    found: dict[str, None] = {}
    for _ in range(8):
        for template in words.questions:
            prompt = writer.write_question(template)
            if not interpret_prompt(market, prompt).named:  # a brand may have the name of a word of its sector
                found.setdefault(prompt)
            if len(found) >= count:
                return tuple(found)[:count]
    return tuple(found)
