"""The makers of the products that many answers present.

One answer cannot tell "Acme Mini" from "Blue Harbor". Over all answers of a scan, the maker is the first words of a
name that occur before several different product names, occur alone, or match the name of its own site.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from sightline.answers.candidates import Candidate, compare_to_site, list_prefixes, merge_key
from sightline.answers.models import Citation
from sightline.answers.name_words import is_ordinary
from sightline.answers.ordinary_words import commonness
from sightline.answers.word_lists import read_list
from sightline.domains.names import first_label

_MAX_PRODUCTS = 20
_LONGEST_MAKER = 3  # words


class FoundMaker(msgspec.Struct, kw_only=True):
    """A maker over many answers, under its most frequent spelling, with its products, most frequent first."""

    name: str
    domain: str | None = None
    products: tuple[str, ...] = ()
    ranks: list[int] = []
    answers: int = 0
    prompts: int = 0
    platforms: int = 0
    cited: int = 0


class _Group:
    """The candidates of one maker."""

    def __init__(self) -> None:
        self.spellings: Counter[str] = Counter()
        self.products: Counter[str] = Counter()
        self.ranks: list[int] = []
        self.prompts: set[str] = set()
        self.platforms: set[str] = set()
        self.domains: Counter[str] = Counter()


def find_makers(
    answers: Iterable[tuple[str, str, Sequence[Candidate], Sequence[Citation]]],
) -> tuple[FoundMaker, ...]:
    """Add up the (prompt, platform, candidates, citations) of many answers by maker.

    An answer counts once for a maker. Names that are proven nowhere, such as labels, are left out.
    """
    every = list(answers)
    makers = assign_makers(candidate for _, _, candidates, _ in every for candidate in candidates)
    groups: dict[str, _Group] = {}
    cited: Counter[str] = Counter()
    for prompt, platform, candidates, citations in every:
        cited.update({citation.domain for citation in citations})
        ranks: dict[str, int] = {}
        for candidate in candidates:
            maker = makers.get(candidate.name)
            if maker is None:
                continue
            key = merge_key(maker)
            group = groups.setdefault(key, _Group())
            ranks[key] = min(candidate.rank, ranks.get(key, candidate.rank))
            group.spellings[maker] += 1
            group.prompts.add(prompt)
            group.platforms.add(platform)
            if merge_key(candidate.name) != key:
                group.products[candidate.name] += 1
            if candidate.domain is not None:
                group.domains[candidate.domain] += 1
        for key, rank in ranks.items():
            groups[key].ranks.append(rank)
    return tuple(_to_maker(group, cited) for group in groups.values())


def _to_maker(group: _Group, cited: Counter[str]) -> FoundMaker:
    domain = _most_frequent(group.domains)
    return FoundMaker(
        name=_most_frequent(group.spellings) or "",
        domain=domain,
        products=tuple(name for name, _ in sorted(group.products.items(), key=_by_frequency)[:_MAX_PRODUCTS]),
        ranks=group.ranks,
        answers=len(group.ranks),
        prompts=len(group.prompts),
        platforms=len(group.platforms),
        cited=cited[domain] if domain else 0,
    )


def _by_frequency(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _most_frequent(counted: Counter[str]) -> str | None:
    return min(counted.items(), key=_by_frequency)[0] if counted else None


def assign_makers(candidates: Iterable[Candidate]) -> dict[str, str]:
    """Return the maker of each name. Names that are proven nowhere have none."""
    groups: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(_first_words(candidate.name), []).append(candidate)
    makers: dict[str, str] = {}
    for group in groups.values():
        if not _is_proven(group):
            continue
        count = _count_words(group)
        for candidate in group:
            makers[candidate.name] = " ".join(candidate.name.split()[:count])
    return makers


def _is_proven(group: Sequence[Candidate]) -> bool:
    """Return whether the group is a name: by a site, or proven in a third of cases, or half for an ordinary word."""
    needed = 1 / 2 if is_ordinary(group[0].name.split()[0]) else 1 / 3
    proofs = sum(candidate.proven for candidate in group)
    return proofs >= needed * len(group) or any(candidate.domain for candidate in group)


def _first_words(name: str) -> str:
    """Return the key of the first word, or of the first two where many names begin with that word: "New", "Le"."""
    first, _, rest = name.partition(" ")
    count = 2 if rest and _is_small(first) else 1
    return merge_key(" ".join(name.split()[:count]))


def _is_small(word: str) -> bool:
    return (len(word) <= 3 and (len(word) == 1 or not word.isupper())) or word.casefold() in read_list(
        "stop_words", "en"
    )


def _count_words(group: Sequence[Candidate]) -> int:
    """Return how many words of these names are the maker's."""
    by_site = Counter(_count_site_words(candidate) for candidate in group if candidate.domain)
    if by_site:
        return max(by_site.items(), key=lambda item: (item[1], -item[0]))[0]
    names = {tuple(candidate.name.split()) for candidate in group}
    example = min(names)  # any would do, but every process must choose the same
    count = 2 if len(example) > 1 and _is_small(example[0]) else 1
    if any(candidate.alone for candidate in group):
        return count
    # "Le Creuset Signature" and "Le Creuset Classic": the maker goes on while all names go on alike.
    while count < _LONGEST_MAKER and all(len(words) > count for words in names):
        following = {merge_key(words[count]) for words in names}
        sole = len(names) == 1 and len(example) == 2
        if len(following) > 1 or not _goes_on(example[count - 1], example[count], sole=sole):
            break
        count += 1
    return count


def _goes_on(last: str, following: str, *, sole: bool) -> bool:
    """Return whether a maker's name goes on after a word: "Sharper Image", "Solid & Striped", "Swimsuits For All"."""
    if _is_small(following) or _is_small(last):
        return True
    return is_ordinary(following) and (sole or commonness(last) > 1)


def _count_site_words(candidate: Candidate) -> int:
    """Return how many words of the name are in the name of its site."""
    label = merge_key(first_label(candidate.domain or ""))
    likeness = [compare_to_site(merge_key(prefix), label) for prefix in list_prefixes(candidate.name)]
    return likeness.index(max(likeness)) + 1


def list_makers(candidates: Sequence[Candidate]) -> list[str]:
    """Return the makers of the names of one answer, each once, in their order."""
    makers = assign_makers(candidates)
    return list(dict.fromkeys(makers[candidate.name] for candidate in candidates if candidate.name in makers))
