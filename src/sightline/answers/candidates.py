"""Names that an answer presents as brands, and which nobody tracks. Their ranking is in `metrics/discovery`."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import Meta
from rapidfuzz.distance import JaroWinkler

from sightline.answers.blocks import Block, PreparedAnswer
from sightline.answers.characters import fold, normalize
from sightline.answers.citations import normalize_url
from sightline.answers.generic_heads import is_generic, is_place_or_month
from sightline.answers.models import Citation
from sightline.answers.names import Lexicon, without_legal_form
from sightline.answers.ordinary_words import commonness
from sightline.answers.prepare import prepare
from sightline.answers.tokens import words
from sightline.domains.names import first_label

_HEAD_ENDS = re.compile(r"[:(–—\n|\[]|\s-\s|,\s|\.\s|\x1a|：|（|。|、")
_LEAD = re.compile(r"[\W_]*(?:\d{1,2}\s?[.):、]\s*)?[\W_]*")
_TRAIL = frozenset("*_.,;!?\"'）)")
_SERIES = re.compile(
    r"((?:[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},\s){1,8}[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},?\s"
    r"(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2})"
)
# The end of every such series. It begins with a comma, so that its absence is found ten times faster.
_SERIES_END = re.compile(
    r",\s[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},?\s(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s[A-Z]"
)
_JOIN = re.compile(r",?\s(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s|,\s")
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|has|have|can|will|should|would|you|your|we|they|it|this|these|that|what|how|why|when|which|"
    r"ist|sind|sie|ihr|wie|est|sont|vous|votre|comment|es|son|usted|como|sono|come|voce|jak|czy)\b",
    re.IGNORECASE,
)
_SMALL = frozenset(
    [
        "of",
        "the",
        "and",
        "de",
        "la",
        "le",
        "du",
        "des",
        "von",
        "van",
        "der",
        "den",
        "di",
        "da",
        "do",
        "e",
        "y",
        "et",
        "by",
    ]
)
_COLONS = (":", "：")
_MAX_WORDS = 5
_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|nicht|mit|fur|ein|eine)\b")
_ENOUGH_GERMAN = 5  # words
_LONGEST_NAME = 60  # characters
_NUMBER = re.compile(r"\d[\d.,]*")
_ENDING = re.compile(r"\.(?:com|io|de|co|net|org|ai|app|fr|es|it|co\.uk)$")
_NO_LETTERS = re.compile(r"[\W_]+")
_INSIDE = re.compile(r"[^\W\d_A-Z]\s|,\s")  # what stands before a word inside a sentence
_EAST = re.compile(r"[\u3040-\u9fff]")
_LETTER = re.compile(r"[^\W\d_]")
_SAME_SITE = 0.9
_LONGEST_CACHED = 100  # characters: a longer text is no name


class Candidate(msgspec.Struct, frozen=True):
    """A name that one answer presents as a brand. `rank` is its place among them.

    Labels ("Exit:", "Trial:") head lists as brands do. An ordinary word before a colon is `proven` to be a name by a
    site of its own, or by its capital inside a sentence, which no label has.
    """

    name: Annotated[str, Meta(description="Name that was found.")]
    rank: Annotated[int, Meta(description="Place of the name among the names in the answer.")]
    domain: Annotated[str | None, Meta(description="Site of the brand, if the answer links to it. Null otherwise.")] = (
        None
    )
    proven: Annotated[
        bool, Meta(description="Whether it is certainly a name. Ordinary words can also start a list item.")
    ] = True


def find_candidates(
    text: str, lexicon: Lexicon, *, prompt: str = "", citations: Sequence[Citation] = ()
) -> tuple[Candidate, ...]:
    """Return the names in the answer that belong to none of the lexicon's brands, in their order."""
    return find_candidates_prepared(prepare(text, prompt), lexicon, citations)


def find_candidates_prepared(
    prepared: PreparedAnswer, lexicon: Lexicon, citations: Sequence[Citation] = ()
) -> tuple[Candidate, ...]:
    """Return the same as `find_candidates`, for an answer that is prepared already."""
    known = _known_keys(lexicon)
    sites = _index_sites(prepared, citations)
    order: dict[str, Candidate] = {}
    # A bold head is found twice, as a head and as bold text: duplicates are dropped.
    named = dict.fromkeys(_find_names(prepared, lexicon.category_words))
    for name, url, _, labels in sorted(named, key=lambda found: found[2]):
        key = merge_key(name)
        if not key or key in known or (" " in name and _is_product(name, known)):
            continue
        domain = _find_domain(url, key, sites)
        earlier = order.get(key)
        if earlier is None:
            word = labels and name.isalpha() and commonness(name) > 0
            proven = not word or domain is not None or _is_capitalized_in_sentence(prepared, name)
            order[key] = Candidate(name, len(order) + 1, domain, proven)
        elif earlier.domain is None and domain is not None:
            order[key] = msgspec.structs.replace(earlier, domain=domain, proven=True)
    return tuple(order.values())


@lru_cache(maxsize=64)
def _known_keys(lexicon: Lexicon) -> frozenset[str]:
    """Return the keys of all names of the lexicon. Cached, as one lexicon is used for all answers of a scan."""
    return frozenset(
        merge_key(name) for brand in lexicon.brands for name in (brand.name, *brand.aliases, *brand.products)
    )


def _index_sites(prepared: PreparedAnswer, citations: Sequence[Citation]) -> list[tuple[str, str]]:
    """Return (letters of the first label, domain) for every page that the answer cites or links to."""
    sites = {_label(citation.domain): citation.domain for citation in citations}
    for link in prepared.links:
        if citation := normalize_url(link.url):
            sites.setdefault(_label(citation.domain), citation.domain)
    return [(_NO_LETTERS.sub("", label), domain) for label, domain in sites.items()]


# Cached, as the same few sites are cited in most answers of a scan.
_label = lru_cache(maxsize=8_192)(first_label)


def _is_product(name: str, known: frozenset[str]) -> bool:
    """Return whether it is a product of a known brand: "Acme Cloud" where Acme is known."""
    parts = name.split(" ")
    return any(merge_key(" ".join(parts[:count])) in known for count in range(1, len(parts)))


def merge_key(name: str) -> str:
    """Return one key for "Acme", "ACME Inc." and "Acme.com"."""
    return _merge_key(name) if len(name) <= _LONGEST_CACHED else _merge_key.__wrapped__(name)


@lru_cache(maxsize=16_384)
def _merge_key(name: str) -> str:
    """Return the key of a name. Cached, as most answers of a scan contain the same names several times."""
    folded = fold(normalize(name)[0])
    folded = next(iter(without_legal_form(folded)), folded)
    return _NO_LETTERS.sub("", _ENDING.sub("", folded))


def _find_names(prepared: PreparedAnswer, category_words: Sequence[str]) -> list[tuple[str, str | None, int, bool]]:
    """Return each (name, address of its anchor, place, whether a colon follows) that may be a brand."""
    prose = prepared.prose
    links = {link.start: link for link in prepared.links if link.end > link.start}
    found: list[tuple[str, str | None, int, bool]] = []

    spans = dict.fromkeys((*_head_spans(prepared), *_bold_spans(prepared), *_series_spans(prepared, category_words)))
    for start, end in (*spans, *((link.start, link.end) for link in links.values())):
        text = prose[start:end]
        name = clean_name(text)
        if name is not None:
            at = start + max(0, text.find(name))
            found.append((name, links[at].url if at in links else None, at, prose[end : end + 1] in _COLONS))
    return found


def _head_spans(prepared: PreparedAnswer) -> Iterator[tuple[int, int]]:
    for block in prepared.blocks:
        if _is_head(block):
            yield _trim_head(prepared.prose, block.start, block.end)


def _trim_head(prose: str, start: int, end: int) -> tuple[int, int]:
    """Cut a head at its colon, dash or bracket, and without the number before it."""
    lead = _LEAD.match(prose, start, end)
    start = lead.end() if lead else start
    stop = _HEAD_ENDS.search(prose, start + 1, end)
    return start, stop.start() if stop else end


def _bold_spans(prepared: PreparedAnswer) -> Iterator[tuple[int, int]]:
    """Yield bold text at the start of a block or of a sentence."""
    openings = {block.start for block in prepared.blocks}
    for start, end in prepared.bold:
        lead = prepared.prose[max(0, start - 4) : start].strip(" *_-•\n")
        if start in openings or not lead or lead[-1] in ".:;\x1a":
            yield _trim_head(prepared.prose, start, end)


def _series_spans(prepared: PreparedAnswer, category_words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the names of a series such as "A, B and C" near a word of the category."""
    if not _SERIES_END.search(prepared.prose):
        return
    for match in _SERIES.finditer(prepared.prose):
        near = prepared.folded[max(0, match.start() - 80) : match.end() + 80]
        if category_words and not any(word in near for word in category_words):
            continue
        at = match.start()
        for part in _JOIN.split(match[1]):
            start = prepared.prose.find(part, at)
            yield start, start + len(part)
            at = start + len(part)


def _is_capitalized_in_sentence(prepared: PreparedAnswer, name: str) -> bool:
    """Return whether the name has its capital inside a sentence, as only names do.

    In languages where all nouns have one, that proves nothing.
    """
    if len(_GERMAN.findall(prepared.folded[:3_000])) >= _ENOUGH_GERMAN:
        return False
    # Place by place: compiling a pattern for each name would cost more than everything else.
    prose = prepared.prose
    at = prose.find(name)
    while at >= 0:
        opened = _INSIDE.fullmatch(prose, max(0, at - 2), at) or _EAST.fullmatch(prose, max(0, at - 1), at)
        if opened and not _LETTER.match(prose, at + len(name)):
            return True
        at = prose.find(name, at + 1)
    return False


def _is_head(block: Block) -> bool:
    if block.kind == "item":
        return block.opens and block.depth <= 1
    if block.kind == "cell":
        return block.column == 0 and block.entry > 0
    return block.kind == "heading" and (block.number is not None or block.level >= 3)


def clean_name(text: str) -> str | None:
    """Return a head as a name, or None if it is generic, a sentence, a place or too long to be one."""
    return _clean_name(text) if len(text) <= _LONGEST_CACHED else _clean_name.__wrapped__(text)


@lru_cache(maxsize=16_384)
def _clean_name(text: str) -> str | None:
    """Return the cleaned name. Cached, as the answers of a scan have the same names in the same places."""
    name = _strip_trailing_marks(_LEAD.sub("", text, count=1))
    if "'s " in name:
        name = name.partition("'s ")[0]
    if not 2 <= len(name) <= _LONGEST_NAME:
        return None
    parts = words(name)
    if not parts or len(parts) > _MAX_WORDS or _NUMBER.fullmatch(parts[0]):
        return None
    folded = fold(name)
    if is_generic(folded) or is_place_or_month(folded) or _SENTENCE.search(name):
        return None
    if name[0].islower() and not any(character.isupper() for character in name) and "." not in name:
        return None
    if any(word.islower() and word.isalpha() and word not in _SMALL for word in name.split()[1:]):
        return None  # "Ease of use" and "Wear time" have a capital but are no names
    return name


def _strip_trailing_marks(name: str) -> str:
    end = len(name)
    while end and (name[end - 1] in _TRAIL or name[end - 1].isspace()):
        end -= 1
    return name[:end]


def _find_domain(url: str | None, key: str, sites: Sequence[tuple[str, str]]) -> str | None:
    own = normalize_url(url) if url else None
    if own is not None and _is_similar(key, _NO_LETTERS.sub("", _label(own.domain))):
        return own.domain
    return next((domain for label, domain in sites if _is_similar(key, label)), None)


def _is_similar(key: str, label: str) -> bool:
    return JaroWinkler.similarity(key, label) >= _SAME_SITE
