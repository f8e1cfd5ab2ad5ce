"""Names that an answer presents as brands or products, and which nobody tracks.

Who makes a product is decided over all answers of a scan, in `makers`. Their ranking is in `metrics/discovery`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta
from rapidfuzz.distance import Indel

from sightline.answers.blocks import PreparedAnswer, PresentedName
from sightline.answers.characters import fold, normalize
from sightline.answers.citations import normalize_url
from sightline.answers.evidence.wording import has_company_verb
from sightline.answers.language import looks_german
from sightline.answers.models import Citation
from sightline.answers.name_words import is_model, is_ordinary
from sightline.answers.names import Lexicon, without_legal_form
from sightline.answers.prepare import prepare
from sightline.answers.presented_names import find_presented_names
from sightline.domains.names import first_label

_ENDING = re.compile(r"\.(?:com|io|de|co|net|org|ai|app|fr|es|it|co\.uk)$")
_NO_LETTERS = re.compile(r"[\W_]+")
_LOWER_WORD_BEFORE = re.compile(r"(?<![\w'’-])([^\W\d_A-Z][\w'’-]*)\s$")
_DETERMINER = re.compile(r"d(?:er|ie|as|en|em|es)|k?ein(?:e[nmrs]?)?|ihr\w*|im|zum|zur|am|beim|vom|pro|mehr|viel\w*")
_EAST = re.compile(r"[\u3040-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
_INSIDE_SENTENCE = re.compile(r"[\w,(\[]\s?$")
# The name of something that products have: "HeatZone Technology", "TurboCrisp™ mode".
_FEATURE_ENDS = re.compile(r"(?:^|\s)(?:technology|tech|mode)$", re.IGNORECASE)
_FEATURE_FOLLOWS = re.compile(r"[™®]?\s?(?:technology|tech|mode)\b", re.IGNORECASE)
_COLON = re.compile(r"\s?[:：]")
_SAME_SITE = 0.9
_LONGEST_CACHED = 100  # characters: a longer text is no name
_LONGEST_MAKER = 3  # words
_REACH = 24  # characters before a name that hold one word


class Candidate(msgspec.Struct, frozen=True):
    """A name in an answer that may be a brand. `rank` is its place among these names.

    List items also start with labels such as "Quiet Operation". So ordinary words are `proven` to be a name only if
    they have a site, or a capital letter inside a sentence.
    """

    name: Annotated[str, Meta(description="Name that was found: a brand, or a product with its maker.")]
    rank: Annotated[int, Meta(description="Place of the name among the names in the answer.")]
    domain: Annotated[str | None, Meta(description="Site of the brand, if the answer links to it. Null otherwise.")] = (
        None
    )
    proven: Annotated[
        bool,
        Meta(
            description="Whether this is certainly a name. False for ordinary words that start a list item, such as "
            "`Quiet Operation`."
        ),
    ] = True
    alone: Annotated[
        bool,
        Meta(
            description="Whether the first word of the name also occurs on its own in the answer: for `Hooli Mini`, "
            "whether the answer also says just `Hooli`. Always true for a name of one word."
        ),
    ] = False


def find_candidates(
    text: str, lexicon: Lexicon, *, prompt: str = "", citations: Sequence[Citation] = ()
) -> tuple[Candidate, ...]:
    """Return the names in the answer that belong to none of the lexicon's brands, in their order."""
    return find_candidates_prepared(prepare(text, prompt), lexicon, citations)


def find_candidates_prepared(
    prepared: PreparedAnswer, lexicon: Lexicon, citations: Sequence[Citation] = ()
) -> tuple[Candidate, ...]:
    """Return the same as `find_candidates`, for an answer that is prepared already."""
    known = list_known_keys(lexicon)
    sites = _index_sites(prepared, citations)
    links = {link.start: link.url for link in prepared.links if link.end > link.start}
    publishers = _find_publishers(prepared)
    found: dict[str, Candidate] = {}
    places: dict[str, int] = {}  # by first word: several products of one maker share a place
    for name in find_presented_names(prepared, lexicon.category_words):
        key = merge_key(name.text)
        if not key or key in found or key in publishers or key in known:
            continue
        parts = name.text.split()
        if not known.isdisjoint(map(merge_key, parts)):
            continue
        keys = [merge_key(prefix) for prefix in list_prefixes(name.text)] if len(parts) > 1 else [key]
        if not known.isdisjoint(keys):
            continue
        if _FEATURE_ENDS.search(name.text) or _FEATURE_FOLLOWS.match(prepared.prose, name.end):
            continue
        rank = places.setdefault(keys[0], len(places) + 1)
        domain = _find_own_site(links.get(name.start), keys) or _find_domain(keys, sites)
        found[key] = _to_candidate(prepared, name, rank, domain)
    return tuple(found.values())


def _find_publishers(prepared: PreparedAnswer) -> frozenset[str]:
    """Return the keys of the names that cite a page: "according to [The Daily](https://…/best-crm)"."""
    found = set()
    for link in prepared.links:
        before = prepared.prose[max(0, link.start - 3) : link.start]
        page = normalize_url(link.url)
        if link.end > link.start and page is not None and "/" in page.url and _INSIDE_SENTENCE.search(before):
            found.add(merge_key(prepared.prose[link.start : link.end]))
    return frozenset(found)


def list_prefixes(name: str) -> list[str]:
    """Return the first word, the first two and the first three: one of them is the maker of a product."""
    parts = name.split()
    return [" ".join(parts[:count]) for count in range(1, min(len(parts), _LONGEST_MAKER) + 1)]


def _to_candidate(prepared: PreparedAnswer, name: PresentedName, rank: int, domain: str | None) -> Candidate:
    first, _, rest = name.text.partition(" ")
    proven = (
        name.listed
        or domain is not None
        or (not is_ordinary(first) and (name.distinct or _is_foreign_entry(prepared, name)))
        or is_model(rest.partition(" ")[0])
        or _is_capitalized_in_sentence(prepared, first)
    )
    return Candidate(name.text, rank, domain, proven, not rest or _stands_alone(prepared.prose, first, rest))


def _is_foreign_entry(prepared: PreparedAnswer, name: PresentedName) -> bool:
    """Return whether it is an entry with a capital in another language than English, and not before a colon."""
    is_entry = name.entry and name.text[0].isupper() and not prepared.is_english
    return is_entry and _COLON.match(prepared.prose, name.end) is None


def _stands_alone(prose: str, first: str, rest: str) -> bool:
    """Return whether the prose has the first word of a name without its second."""
    second = rest.partition(" ")[0]
    at = prose.find(first)
    while at >= 0:
        end = at + len(first)
        whole = not (prose[at - 1 : at].isalnum() or prose[end : end + 1].isalnum())
        # Only as much as can hold the second word: the rest may be a megabyte, and there may be many places.
        if whole and not prose[end : end + len(second) + 2].lstrip(" \u00a0").startswith(second):
            return True
        at = prose.find(first, end)
    return False


@lru_cache(maxsize=64)
def list_known_keys(lexicon: Lexicon) -> frozenset[str]:
    """Return the keys of all names of the lexicon. Cached, as one lexicon is used for all answers of a scan."""
    return frozenset(
        merge_key(name) for brand in lexicon.brands for name in (brand.name, *brand.aliases, *brand.products)
    )


def _index_sites(prepared: PreparedAnswer, citations: Sequence[Citation]) -> list[tuple[str, str]]:
    """Return (letters of the first label, domain) for every page that the answer cites or links to."""
    sites = {read_label(citation.domain): citation.domain for citation in citations}
    for link in prepared.links:
        if citation := normalize_url(link.url):
            sites.setdefault(read_label(citation.domain), citation.domain)
    return [(_read_letters(label), domain) for label, domain in sites.items()]


# Cached, as the same few sites are cited in most answers of a scan.
read_label = lru_cache(maxsize=8_192)(first_label)


@lru_cache(maxsize=8_192)
def _read_letters(label: str) -> str:
    return _NO_LETTERS.sub("", label)


def merge_key(name: str) -> str:
    """Return one key for "Acme", "ACME Inc." and "Acme.com"."""
    return _merge_key(name) if len(name) <= _LONGEST_CACHED else _merge_key.__wrapped__(name)


@lru_cache(maxsize=16_384)
def _merge_key(name: str) -> str:
    """Return the key of a name. Cached, as most answers of a scan contain the same names several times."""
    folded = fold(normalize(name)[0])
    folded = next(iter(without_legal_form(folded)), folded)
    return _NO_LETTERS.sub("", _ENDING.sub("", folded))


def _is_capitalized_in_sentence(prepared: PreparedAnswer, word: str) -> bool:
    """Return whether the word has its capital inside a sentence, as only names do.

    In German every noun has one. There a name stands without an article and before the verb of a company.
    """
    prose = prepared.prose
    german = looks_german(prepared.folded) and not prepared.is_english
    found = False
    # Place by place: compiling a pattern for each name would cost more than everything else.
    at = prose.find(word)
    while at >= 0:
        before = _LOWER_WORD_BEFORE.search(prose, max(0, at - _REACH), at)
        opened = before is not None or _EAST.fullmatch(prose, max(0, at - 1), at)
        if opened and not _LETTER.match(prose, at + len(word)):
            if not german:
                return True
            if before is not None and _DETERMINER.fullmatch(before[1]):
                return False
        found = found or (german and has_company_verb(prose, at + len(word), opens_sentence=False))
        at = prose.find(word, at + 1)
    return found


def _find_own_site(url: str | None, keys: Sequence[str]) -> str | None:
    """Return the site that the name itself links to, if the site has that name."""
    page = normalize_url(url) if url else None
    return _find_domain(keys, [(_read_letters(read_label(page.domain)), page.domain)]) if page else None


def _find_domain(keys: Sequence[str], sites: Sequence[tuple[str, str]]) -> str | None:
    """Return the site that is called most like the name or its first words."""
    likeness, domain = max(
        ((compare_to_site(key, label), domain) for key in keys for label, domain in sites), default=(0.0, None)
    )
    return domain if likeness >= _SAME_SITE else None


def compare_to_site(key: str, label: str) -> float:
    """Return how alike a name and the first label of a site are, from 0 to 1."""
    return Indel.normalized_similarity(key, label)
