"""Who else an answer recommends: names where brands stand. What they amount to is in `metrics/discovery`."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec
from rapidfuzz.distance import JaroWinkler

from sightline.answers.blocks import Block, Prepared
from sightline.answers.characters import fold, normalise
from sightline.answers.citations import normalise_url
from sightline.answers.generic_heads import is_generic, is_place_or_month
from sightline.answers.models import Brand, Citation
from sightline.answers.names import Lexicon, without_legal_form
from sightline.answers.ordinary_words import commonness
from sightline.answers.prepare import prepare
from sightline.answers.tokens import words
from sightline.domains.names import first_label

_HEAD_ENDS = re.compile(r"[:(–—\n|\[]|\s-\s|,\s|\.\s|\x1a|：|（|。|、")
_LEAD = re.compile(r"[\W_]*(?:\d{1,2}\s?[.):、]\s*)?[\W_]*")
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
_COLONS = (":", "：")
_MOST_WORDS = 5
_GERMAN = re.compile(r"\b(?:der|die|das|und|ist|nicht|mit|fur|ein|eine)\b")
_ENOUGH_GERMAN = 5  # words
_LONGEST_NAME = 60  # characters
_NUMBER = re.compile(r"\d[\d.,]*")
_SAME_SITE = 0.9


class Candidate(msgspec.Struct, frozen=True):
    """A name that one answer sets where a brand stands. `rank` is its place among them.

    Labels ("Exit:", "Trial:") head lists as brands do. An ordinary word before a colon is `proven` to be a name by a
    site of its own, or by standing with its capital inside of a sentence, as no label does.
    """

    name: str
    rank: int
    domain: str | None = None
    proven: bool = True


class Found(msgspec.Struct, kw_only=True):
    """A candidate over many answers, under its most frequent spelling."""

    name: str
    domain: str | None = None
    ranks: list[int] = []
    answers: int = 0
    prompts: int = 0
    platforms: int = 0
    cited: int = 0


def find_candidates(
    text: str, lexicon: Lexicon, *, prompt: str = "", citations: Sequence[Citation] = ()
) -> tuple[Candidate, ...]:
    """Names of the answer that none of the lexicon's brands bears, in their order."""
    prepared = prepare(text, prompt)
    known = {merge_key(name) for brand in lexicon.brands for name in (brand.name, *brand.aliases, *brand.products)}
    sites = {first_label(citation.domain): citation.domain for citation in citations}
    for link in prepared.links:
        if citation := normalise_url(link.url):
            sites.setdefault(first_label(citation.domain), citation.domain)
    order: dict[str, Candidate] = {}
    for name, url, _, labels in sorted(_named(prepared, lexicon.category_words), key=lambda found: found[2]):
        key = merge_key(name)
        if not key or _is_known(name, known):
            continue
        domain = _domain(url, name, sites)
        earlier = order.get(key)
        if earlier is None:
            word = labels and name.isalpha() and commonness(name) > 0
            proven = not word or domain is not None or _stands_inside(prepared, name)
            order[key] = Candidate(name, len(order) + 1, domain, proven)
        elif earlier.domain is None and domain is not None:
            order[key] = msgspec.structs.replace(earlier, domain=domain, proven=True)
    return tuple(order.values())


def _is_known(name: str, known: set[str]) -> bool:
    """A brand of the lexicon, or a product of one: "Acme Cloud" where Acme is known."""
    parts = name.split(" ")
    return any(merge_key(" ".join(parts[:count])) in known for count in range(1, len(parts) + 1))


def merge_candidates(
    answers: Iterable[tuple[str, str, Sequence[Candidate], Sequence[Citation]]],
) -> tuple[Found, ...]:
    """(prompt, platform, candidates, citations) of many answers, added up by name. An answer counts once for a name."""
    given = list(answers)
    spellings: dict[str, Counter[str]] = {}
    for _, _, candidates, _ in given:
        for candidate in candidates:
            spellings.setdefault(merge_key(candidate.name), Counter())[candidate.name] += 1
    makers = {key: _maker(names, spellings) for key, names in spellings.items()}
    proven = {makers[merge_key(one.name)] for _, _, candidates, _ in given for one in candidates if one.proven}
    counted: dict[str, Found] = {}
    seen: dict[str, tuple[set[str], set[str], Counter[str]]] = {}
    cited: Counter[str] = Counter()
    for prompt, platform, candidates, citations in given:
        cited.update({citation.domain for citation in citations})
        ranks: dict[str, int] = {}
        for candidate in candidates:
            maker = makers[merge_key(candidate.name)]
            ranks[maker] = min(candidate.rank, ranks.get(maker, candidate.rank))
            prompts, platforms, domains = seen.setdefault(maker, (set(), set(), Counter()))
            prompts.add(prompt)
            platforms.add(platform)
            if candidate.domain is not None:
                domains[candidate.domain] += 1
        for maker, rank in ranks.items():
            name = min(spellings[maker].items(), key=lambda item: (-item[1], item[0]))[0]
            found = counted.setdefault(maker, Found(name=name))
            found.ranks.append(rank)
    for key, found in counted.items():
        prompts, platforms, domains = seen[key]
        found.domain = domains.most_common(1)[0][0] if domains else None
        found.answers, found.prompts, found.platforms = len(found.ranks), len(prompts), len(platforms)
        found.cited = cited[found.domain] if found.domain else 0
    return tuple(found for key, found in counted.items() if key in proven)


def _maker(names: Counter[str], spellings: Mapping[str, object]) -> str:
    """ "Acme Mini" belongs to "Acme" where answers name that too."""
    name = min(names)
    maker = merge_key(name.split(" ")[0])
    return maker if maker in spellings else merge_key(name)


def merge_key(name: str) -> str:
    """One key for "Acme", "ACME Inc." and "Acme.com"."""
    folded = fold(normalise(name)[0])
    folded = next(iter(without_legal_form(folded)), folded)
    folded = re.sub(r"\.(?:com|io|de|co|net|org|ai|app|fr|es|it|co\.uk)$", "", folded)
    return re.sub(r"[\W_]+", "", folded)


def _named(prepared: Prepared, category_words: Sequence[str]) -> list[tuple[str, str | None, int, bool]]:
    """(name, address of its anchor, place, whether a colon follows), filtered."""
    prose = prepared.prose
    links = {link.start: link for link in prepared.links if link.end > link.start}
    found: list[tuple[str, str | None, int, bool]] = []

    def add(start: int, end: int) -> None:
        name = tidy(prose[start:end])
        if name is not None:
            at = start + max(0, prose[start:end].find(name))
            found.append((name, links[at].url if at in links else None, at, prose[end : end + 1] in _COLONS))

    for start, end in (*_head_spans(prepared), *_bold_spans(prepared), *_series_spans(prepared, category_words)):
        add(start, end)
    for link in links.values():
        add(link.start, link.end)
    return found


def _head_spans(prepared: Prepared) -> Iterator[tuple[int, int]]:
    for block in prepared.blocks:
        if _is_head(block):
            yield _cut(prepared.prose, block.start, block.end)


def _cut(prose: str, start: int, end: int) -> tuple[int, int]:
    """A head up to its colon, dash or bracket; the number before it is no part of it."""
    lead = _LEAD.match(prose, start, end)
    start = lead.end() if lead else start
    stop = _HEAD_ENDS.search(prose, start + 1, end)
    return start, stop.start() if stop else end


def _bold_spans(prepared: Prepared) -> Iterator[tuple[int, int]]:
    """Bold at the start of a block or of a sentence."""
    openings = {block.start for block in prepared.blocks}
    for start, end in prepared.bold:
        lead = prepared.prose[max(0, start - 4) : start].strip(" *_-•\n")
        if start in openings or not lead or lead[-1] in ".:;\x1a":
            yield _cut(prepared.prose, start, end)


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


def _stands_inside(prepared: Prepared, name: str) -> bool:
    """With its capital inside of a sentence, as only names are; where all nouns have one, that proves nothing."""
    if len(_GERMAN.findall(prepared.folded[:3_000])) >= _ENOUGH_GERMAN:
        return False
    return re.search(rf"(?:[^\W\d_A-Z]\s|,\s|[\u3040-\u9fff]){re.escape(name)}(?![^\W\d_])", prepared.prose) is not None


def _is_head(block: Block) -> bool:
    if block.kind == "item":
        return block.opens and block.depth <= 1
    if block.kind == "cell":
        return block.column == 0 and block.entry > 0
    return block.kind == "heading" and (block.number is not None or block.level >= 3)


def tidy(text: str) -> str | None:
    """A head as a name, or None when it is generic, a sentence, a place or too long to be one."""
    name = _LEAD.sub("", text, count=1)
    name = _TRAIL.sub("", name)
    if "'s " in name:
        name = name.partition("'s ")[0]
    said = words(name)
    if not said or len(said) > _MOST_WORDS or not 2 <= len(name) <= _LONGEST_NAME or _NUMBER.fullmatch(said[0]):
        return None
    folded = fold(name)
    if is_generic(folded) or is_place_or_month(folded) or _SENTENCE.search(name):
        return None
    if name[0].islower() and not any(character.isupper() for character in name) and "." not in name:
        return None
    if any(word.islower() and word.isalpha() and word not in _SMALL for word in name.split()[1:]):
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
