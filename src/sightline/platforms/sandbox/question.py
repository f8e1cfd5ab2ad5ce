"""What a question asks for: its language, the brands that it names, whether it sets two against each other."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from sightline.platforms.sandbox.dice import uniform
from sightline.platforms.sandbox.lexicon import words_of
from sightline.platforms.sandbox.market import TOPICS, Brand, Market, passing_brand
from sightline.platforms.sandbox.sectors import UNKNOWN, fold, sector_of_text, sectors

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "ja", "zh")
# Only where nearly everybody reads that language; Switzerland and Belgium get English unless the language is given.
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


class Reading(msgspec.Struct, frozen=True):
    key: str  # the prompt as its draws see it
    sector: str
    topic: str
    named: tuple[Brand, ...]  # brands that the prompt names, in their order
    pair: tuple[Brand, Brand] | None  # set against each other


def language_of(language: str | None, country: str | None, prompt: str) -> str:
    """As declared, else of the country where that is obvious, else by a script that gives it away, else English."""
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
def read_prompt(market: Market, prompt: str) -> Reading:
    key = fold(prompt)
    named = _named_in(market, key)
    pair = _pair(market, prompt, named)
    # The question decides; the domain only where the question is silent. An assigned sector never explains a question.
    sector = _sector(key) or (market.sector if market.certain else UNKNOWN)
    return Reading(key, sector, _topic(key), named, pair)


def _named_in(market: Market, key: str) -> tuple[Brand, ...]:
    found: list[tuple[int, Brand]] = []
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
        if not (_joins(before, name[0]) or _joins(after, name[-1])):
            return at
        at = text.find(name, at + 1)
    return None


def _joins(outside: str, edge: str) -> bool:
    """Whether the name would be a part of a longer word. A change of script is a boundary."""
    return outside.isalnum() and edge.isalnum() and ord(outside) < _OTHER_SCRIPT and ord(edge) < _OTHER_SCRIPT


def _pair(market: Market, prompt: str, named: tuple[Brand, ...]) -> tuple[Brand, Brand] | None:
    if len(named) >= 2:
        return named[0], named[1]
    match = _VERSUS.search(" ".join(prompt.split()))
    if not match:
        return None
    left, right = _side(match["left"].split(), last=True), _side(match["right"].split(), last=False)
    if not left or not right or fold(left) == fold(right):
        return None
    first, second = (_known(market, named, side) for side in (left, right))
    return None if first.key == second.key else (first, second)


def _side(words: list[str], *, last: bool) -> str:
    """The name next to "vs": up to three capitalised words, else one word."""
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


def _known(market: Market, named: tuple[Brand, ...], side: str) -> Brand:
    for brand in named:
        if fold(brand.name) in fold(side) or fold(side) in {fold(alias) for alias in (*brand.aliases, brand.domain)}:
            return brand
    return passing_brand(market, side)


def _sector(key: str) -> str | None:
    """By what a sector is called, if that is there; a bank feed in an accounting program does not make it a bank."""
    return next((sector for category, sector in _categories() if category in key), None) or sector_of_text(key)


@cache
def _categories() -> tuple[tuple[str, str], ...]:
    known = {
        fold(words_of(language, sector).category): sector
        for language in LANGUAGES
        for sector in sectors()
        if sector != UNKNOWN
    }
    return tuple(sorted(known.items(), key=lambda pair: -len(pair[0])))


@cache
def _topic_words() -> Mapping[str, tuple[str, ...]]:
    text = (files(__package__) / "words" / "topics.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), dict[str, tuple[str, ...]])


def _topic(key: str) -> str:
    for topic, words in _topic_words().items():
        if any(word in key for word in words):
            return topic
    return TOPICS[int(uniform("topic", key) * len(TOPICS))]
