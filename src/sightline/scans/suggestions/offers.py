"""What a site sells, found in its own words: a noun that questions can be asked about. Pure.

An English noun such as "project management software" is taken as it is if all its words are ordinary ones. Otherwise,
and in every other language, the site's words select an offer or a category from lists, which have a noun for it. Title
and description are read first, then the key words, and last the types that the site declares in JSON-LD.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import msgspec

from sightline.answers.name_words import is_ordinary
from sightline.scans.suggestions.site_words import SiteWords
from sightline.scans.suggestions.word_files import GENERAL, NounLimits, load_categories, load_noun_limits, load_words

_MAX_MODIFIERS = 3
_OTHER_SCRIPT = 0x2E80  # from here on: Han, Kana and similar scripts, which are written without spaces
_SEGMENTS = re.compile(r"\s+[-\u2013\u2014|:·•»]+\s+|[|:;·•»,.!?()\u2013\u2014]+(?:\s|$)")
_TOKENS = re.compile(r"[^\W\d_][\w'\u2019-]*|[^\s\w]|\d+\S*")


class Offer(msgspec.Struct, frozen=True):
    """What a site sells: the category of its questions, and the noun to ask about, as in a word file."""

    category: str
    noun: str
    known: bool = True
    """False if the site's words say nothing, and the most general category is used."""

    @property
    def label(self) -> str:
        """Return the noun as people read it."""
        return self.noun.partition("|")[0]


def find_offer(site: SiteWords | None, language: str, names: Sequence[str]) -> Offer:
    """Return what the site sells, in words of the language. `names` are the brand's: they are not words of an offer."""
    words = load_words(language)
    general = Offer(GENERAL, words.categories[GENERAL].noun, known=False)
    if site is None:
        return general
    own = frozenset(part for name in names for part in _fold(name).split())
    nouns = words.heads and site.language in {None, language}
    if nouns and (read := _read_noun(site.title, site, language, own)):
        return read
    offers = load_categories().offers
    best = _find_best(site, offers)
    described = _read_noun(site.description, site, language, own) if nouns else None
    if described and (best is None or _find_first(offers[best][1:], _fold(described.noun))):
        return described  # a description has many nouns: this one agrees with the other words
    categories = load_categories().categories
    best = best or _find_best(site, {key: (key, *own) for key, own in categories.items()}) or _find_declared(site)
    if best is None:
        return general
    category = offers[best][0] if best in offers else best
    return Offer(category, words.offers.get(best) or words.categories[category].noun)


def _find_declared(site: SiteWords) -> str | None:
    """Return the offer or category of the first type in JSON-LD that belongs to one."""
    types = load_categories().types
    return next((types[kind] for kind in site.kinds if kind in types), None)


def _find_best(site: SiteWords, entries: Mapping[str, Sequence[str]]) -> str | None:
    """Return the entry whose words come first, in the title if it has any. At the same place, the longest wins.

    Sites name first what they sell most. The first item of an entry is its category.
    """
    for text in map(_fold, (site.title, site.description, site.keywords)):
        found = {key: place for key, (_, *words) in entries.items() if (place := _find_first(words, text)) is not None}
        if found:
            return min(found, key=lambda key: found[key])
    return None


def _find_first(words: Iterable[str], text: str) -> tuple[int, int] | None:
    """Return where the first of the words begins in the text, and its negated length."""
    matches = [match for word in words if (match := _pattern(word).search(text))]
    return min(((match.start(), -len(match[0])) for match in matches), default=None)


def _fold(text: str) -> str:
    """Return the text without differences of case and width. Accents stay: "thé" is not "the"."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'").split())


@cache
def _pattern(word: str) -> re.Pattern[str]:
    folded = re.escape(_fold(word.removesuffix("*")))
    if ord(word[0]) >= _OTHER_SCRIPT:
        return re.compile(folded)
    return re.compile(rf"(?<!\w){folded}" + ("" if word.endswith("*") else r"(?!\w)"))


def _read_noun(text: str, site: SiteWords, language: str, own: frozenset[str]) -> Offer | None:
    """Return the first clean noun of the text: one to three ordinary words before a head."""
    heads, limits = load_words(language).heads, load_noun_limits(language)
    has_evidence = not limits.evidence.isdisjoint(_fold(f"{site.title} {site.description}").replace(",", " ").split())
    for segment in _SEGMENTS.split(text):
        tokens = _TOKENS.findall(segment or "")
        for place, token in enumerate(tokens):
            for category, head in heads.items():
                if (form := head.words.get(token.lower())) is None:
                    continue
                if head.sure is not None and token.lower() not in head.sure and not has_evidence:
                    continue
                modifiers = list(_read_modifiers(tokens[:place], limits, own))[::-1]
                if any(word.lower() not in limits.vague for word in modifiers):
                    return Offer(category, head.noun.format(" ".join([*modifiers, form])))
    return None


def _read_modifiers(before: Sequence[str], limits: NounLimits, own: frozenset[str]) -> Iterator[str]:
    """Yield the words before a head, nearest first, up to the first that cannot belong to the noun."""
    for token in reversed(before[-_MAX_MODIFIERS:]):
        word = token.lower()
        if token in limits.acronyms and word not in own:
            yield token
            continue
        if word in limits.boundaries or _fold(word) in own or not word[0].isalpha() or not is_ordinary(token):
            return
        yield word
