"""Adds up the candidates of many answers by name."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sightline.answers.candidates import Candidate, merge_key
from sightline.answers.models import Brand, Citation


class MergedCandidate(msgspec.Struct, kw_only=True):
    """A candidate over many answers, under its most frequent spelling."""

    name: str
    domain: str | None = None
    ranks: list[int] = []
    answers: int = 0
    prompts: int = 0
    platforms: int = 0
    cited: int = 0
    products: tuple[str, ...] = ()


def merge_candidates(
    answers: Iterable[tuple[str, str, Sequence[Candidate], Sequence[Citation]]],
) -> tuple[MergedCandidate, ...]:
    """Add up the (prompt, platform, candidates, citations) of many answers by name.

    An answer counts once for a name.
    """
    every = list(answers)
    spellings: dict[str, Counter[str]] = {}
    for _, _, candidates, _ in every:
        for candidate in candidates:
            spellings.setdefault(merge_key(candidate.name), Counter())[candidate.name] += 1
    makers = {key: _find_maker(names, spellings) for key, names in spellings.items()}
    proven = {makers[merge_key(one.name)] for _, _, candidates, _ in every for one in candidates if one.proven}
    counted: dict[str, MergedCandidate] = {}
    seen: dict[str, tuple[set[str], set[str], Counter[str]]] = {}
    cited: Counter[str] = Counter()
    for prompt, platform, candidates, citations in every:
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
            found = counted.setdefault(maker, MergedCandidate(name=name))
            found.ranks.append(rank)
    for key, found in counted.items():
        prompts, platforms, domains = seen[key]
        found.domain = domains.most_common(1)[0][0] if domains else None
        found.answers, found.prompts, found.platforms = len(found.ranks), len(prompts), len(platforms)
        found.cited = cited[found.domain] if found.domain else 0
    return tuple(found for key, found in counted.items() if key in proven)


def _find_maker(names: Counter[str], spellings: Mapping[str, object]) -> str:
    """Return the key of "Acme" for "Acme Mini" where answers name both."""
    name = min(names)
    maker = merge_key(name.split(" ")[0])
    return maker if maker in spellings else merge_key(name)


def to_brand(found: MergedCandidate) -> Brand:
    return Brand(found.name, (), (found.domain,) if found.domain else ())
