"""Who else an answer recommends: names where brands stand. What they amount to is in `metrics/discovery`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from rapidfuzz.distance import JaroWinkler

from sightline.answers.blocks import Block, Prepared
from sightline.answers.characters import fold, normalise
from sightline.answers.citations import normalise_url
from sightline.answers.generic_heads import is_generic, is_place_or_month
from sightline.answers.models import Brand, Citation
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.tokens import words
from sightline.domains.names import first_label

_HEAD_ENDS = re.compile(r"[:(–—\n|\[]|\s-\s|,\s|\.\s|\x1f|：|（|。|、")
_LEAD = re.compile(r"[\W\d_]+")
_TRAIL = re.compile(r"[\s*_.,;!?\"'）)]+$")
_SERIES = re.compile(
    r"((?:[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},\s){1,8}[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},?\s"
    r"(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2})"
)
_JOIN = re.compile(r",?\s(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s|,\s")
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|has|have|can|will|should|would|you|your|we|they|it|this|these|that|what|how|why|when|which|"
    r"ist|sind|sie|ihr|wie|est|sont|vous|votre|comment|es|son|usted|como|sono|come|voce|jak|czy)\b",
    re.IGNORECASE,
)
_SMALL = frozenset(
    {
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
    }
)
_MOST_WORDS = 5
_SAME_SITE = 0.9


class Candidate(msgspec.Struct, frozen=True):
    """A name that one answer sets where a brand stands. `rank` is its place among them."""

    name: str
    rank: int
    domain: str | None = None


class Found(msgspec.Struct, kw_only=True):
    """A candidate over many answers, under its most frequent spelling."""

    name: str
    domain: str | None
    ranks: list[int]
    answers: int
    prompts: int
    platforms: int
    cited: int


def find_candidates(
    text: str, lexicon: Lexicon, *, prompt: str = "", citations: Sequence[Citation] = ()
) -> tuple[Candidate, ...]:
    """Names of the answer that none of the lexicon's brands bears, in their order."""
    prepared = prepare(text, prompt)
    known = {merge_key(name) for brand in lexicon.brands for name in (brand.name, *brand.aliases)}
    sites = {first_label(citation.domain): citation.domain for citation in citations}
    for link in prepared.links:
        if citation := normalise_url(link.url):
            sites.setdefault(first_label(citation.domain), citation.domain)
    order: dict[str, Candidate] = {}
    for name, url, _ in sorted(_named(prepared, lexicon.category_words), key=lambda found: found[2]):
        key = merge_key(name)
        if key in known or not key:
            continue
        domain = _domain(url, name, sites)
        earlier = order.get(key)
        if earlier is None:
            order[key] = Candidate(name, len(order) + 1, domain)
        elif earlier.domain is None and domain is not None:
            order[key] = msgspec.structs.replace(earlier, domain=domain)
    return tuple(order.values())


def merge_candidates(
    answers: Iterable[tuple[str, str, Sequence[Candidate], Sequence[Citation]]],
) -> tuple[Found, ...]:
    """(prompt, platform, candidates, citations) of many answers, added up by name."""
    spellings: dict[str, Counter[str]] = {}
    domains: dict[str, Counter[str]] = {}
    ranks: dict[str, list[int]] = {}
    prompts: dict[str, set[str]] = {}
    platforms: dict[str, set[str]] = {}
    cited: Counter[str] = Counter()
    for prompt, platform, candidates, citations in answers:
        cited.update({citation.domain for citation in citations})
        for candidate in candidates:
            key = merge_key(candidate.name)
            spellings.setdefault(key, Counter())[candidate.name] += 1
            ranks.setdefault(key, []).append(candidate.rank)
            prompts.setdefault(key, set()).add(prompt)
            platforms.setdefault(key, set()).add(platform)
            if candidate.domain is not None:
                domains.setdefault(key, Counter())[candidate.domain] += 1
    _fold_products(spellings, domains, ranks, prompts, platforms)
    found = []
    for key, names in spellings.items():
        domain = domains[key].most_common(1)[0][0] if key in domains else None
        found.append(
            Found(
                name=min(names.items(), key=lambda item: (-item[1], item[0]))[0],
                domain=domain,
                ranks=ranks[key],
                answers=len(ranks[key]),
                prompts=len(prompts[key]),
                platforms=len(platforms[key]),
                cited=cited[domain] if domain else 0,
            )
        )
    return tuple(found)


def _fold_products(spellings: dict[str, Counter[str]], *others: dict[str, Any]) -> None:
    """ "Acme Mini" belongs to "Acme" where answers name that too."""
    for key in list(spellings):
        maker = merge_key(min(spellings[key]).split(" ")[0])
        if maker == key or maker not in spellings:
            continue
        del spellings[key]
        for counts in others:
            if key in counts:
                more = counts.pop(key)
                known = counts.setdefault(maker, type(more)())
                known.extend(more) if isinstance(more, list) else known.update(more)


def merge_key(name: str) -> str:
    """One key for "Acme", "ACME Inc." and "Acme.com"."""
    folded = fold(normalise(name)[0])
    folded = re.sub(r"[\s,]+(?:inc|gmbh|ltd|llc|corp|co|ag|sa|spa|bv|plc)\.?$", "", folded)
    folded = re.sub(r"\.(?:com|io|de|co|net|org|ai|app|fr|es|it|co\.uk)$", "", folded)
    return re.sub(r"[\W_]+", "", folded)


def _named(prepared: Prepared, category_words: Sequence[str]) -> list[tuple[str, str | None, int]]:
    """(name, address of its anchor, place), filtered."""
    prose = prepared.prose
    links = {link.start: link for link in prepared.links if link.end > link.start}
    found: list[tuple[str, str | None, int]] = []

    def add(start: int, end: int) -> None:
        name = tidy(prose[start:end])
        if name is not None:
            at = start + max(0, prose[start:end].find(name))
            found.append((name, links[at].url if at in links else None, at))

    for start, end in (*_head_spans(prepared), *_bold_spans(prepared), *_series_spans(prepared, category_words)):
        add(start, end)
    for link in links.values():
        add(link.start, link.end)
    return found


def _head_spans(prepared: Prepared) -> Iterator[tuple[int, int]]:
    for block in prepared.blocks:
        if _is_head(block):
            stop = _HEAD_ENDS.search(prepared.prose, block.start + 1, block.end)
            yield block.start, stop.start() if stop else block.end


def _bold_spans(prepared: Prepared) -> Iterator[tuple[int, int]]:
    """Bold at the start of a block or of a sentence."""
    openings = {block.start for block in prepared.blocks}
    for start, end in prepared.bold:
        lead = prepared.prose[max(0, start - 4) : start].strip(" *_-•\n")
        if start in openings or not lead or lead[-1] in ".:;\x1f":
            stop = _HEAD_ENDS.search(prepared.prose, start + 1, end)
            yield start, stop.start() if stop else end


def _series_spans(prepared: Prepared, category_words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """ "A, B and C" beside a word of the category."""
    for match in _SERIES.finditer(prepared.prose):
        near = prepared.folded[max(0, match.start() - 80) : match.end() + 80]
        if category_words and not any(word in near for word in category_words):
            continue
        at = match.start()
        for part in _JOIN.split(match[1]):
            start = prepared.prose.find(part, at)
            yield start, start + len(part)
            at = start + len(part)


def _is_head(block: Block) -> bool:
    if block.kind == "item":
        return block.opens and block.depth <= 1
    if block.kind == "cell":
        return block.column == 0 and block.entry > 0
    return block.kind == "heading" and (block.number is not None or block.level >= 3)


def tidy(text: str) -> str | None:
    """A head as a name, or None when it is generic, a sentence, a place or too long to be one."""
    name = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    name = _TRAIL.sub("", name)
    if "'s " in name:
        name = name.partition("'s ")[0]
    said = words(name)
    if not said or len(said) > _MOST_WORDS or len(name) > 60 or len(name) < 2:
        return None
    folded = fold(name)
    if is_generic(folded) or is_place_or_month(folded) or _SENTENCE.search(name):
        return None
    if name[0].islower() and not any(character.isupper() for character in name) and "." not in name:
        return None
    if any(word.islower() and word.isalpha() and word not in _SMALL for word in said[1:]):
        return None  # "Ease of use" and "Wear time" have a capital and are no names
    return name


def _domain(url: str | None, name: str, sites: dict[str, str]) -> str | None:
    key = merge_key(name)
    own = normalise_url(url) if url else None
    if own is not None and _alike(key, first_label(own.domain)):
        return own.domain
    return next((domain for label, domain in sites.items() if _alike(key, label)), None)


def _alike(key: str, label: str) -> bool:
    label = re.sub(r"[\W_]+", "", label)
    return bool(key) and JaroWinkler.similarity(key, label) >= _SAME_SITE


def as_brand(found: Found) -> Brand:
    return Brand(found.name, (), (found.domain,) if found.domain else ())
