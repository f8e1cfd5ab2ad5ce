"""The makers of the products that many answers present.

One answer cannot tell "Acme Mini" from "Blue Harbor". Over all answers of a scan, the maker is the first words of a
name that occur before several different product names, occur alone, or match the name of its own site.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from sightline.answers.candidates import Candidate, compare_to_site, list_prefixes, merge_key, read_label
from sightline.answers.models import Citation
from sightline.answers.name_words import is_model, is_ordinary
from sightline.answers.ordinary_words import commonness
from sightline.answers.word_lists import read_list

_JOINED = re.compile(r" [&/] ")
_MAX_PRODUCTS = 20
_LONGEST_MAKER = 3  # words
_USUAL, _MIN_WHOLE = 2 / 3, 3  # of the places where a name stands
_FEWEST_CITATIONS = 2  # of its own site: shops and magazines have one, too, and are cited once


class FoundMaker(msgspec.Struct, kw_only=True):
    """A maker over many answers, under its most frequent spelling, with its products, most frequent first."""

    name: str
    domain: str | None = None
    products: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    """Names that answers also use alone for its products: "Swift" for "Acme Swift"."""
    ranks: list[int] = []
    answers: int = 0
    prompts: int = 0
    platforms: int = 0
    cited: int = 0
    sure: bool = False
    """Whether something proves that it makes what these answers are about."""


class _Group:
    """The candidates of one maker."""

    def __init__(self) -> None:
        self.spellings: Counter[str] = Counter()
        self.products: Counter[str] = Counter()
        self.ranks: list[int] = []
        self.english = 0
        self.prompts: set[str] = set()
        self.platforms: set[str] = set()
        self.domains: Counter[str] = Counter()

    @property
    def is_maker(self) -> bool:
        """Return whether answers cite a site of its own, or whether it has products of its own, which are names."""
        if sum(self.domains.values()) >= _FEWEST_CITATIONS:
            return True
        is_english = 2 * self.english >= len(self.ranks)
        return _has_products(_most_frequent(self.spellings) or "", self.products, is_english=is_english)

    @property
    def is_ordinary(self) -> bool:
        """Return whether its name begins with an ordinary word, as a label does."""
        return is_ordinary((_most_frequent(self.spellings) or "").partition(" ")[0])


class ReadAnswer(msgspec.Struct, frozen=True):
    """What is read of one answer to find makers."""

    prompt: str
    platform: str
    candidates: Sequence[Candidate]
    citations: Sequence[Citation]
    tracked: int = 0
    """Tracked brands that it names, which are no candidates."""
    is_english: bool = True


def find_makers(answers: Iterable[ReadAnswer]) -> tuple[FoundMaker, ...]:
    """Add up many answers by maker.

    An answer counts once for a maker. Names that are proven nowhere, such as labels, are left out.
    """
    every = list(answers)
    makers = assign_makers(candidate for answer in every for candidate in answer.candidates)
    groups: dict[str, _Group] = {}
    cited: Counter[str] = Counter()
    for answer in every:
        cited.update({citation.domain for citation in answer.citations})
        ranks: dict[str, int] = {}
        for candidate in answer.candidates:
            maker = makers.get(candidate.name)
            if maker is None:
                continue
            key = merge_key(maker)
            group = groups.setdefault(key, _Group())
            ranks[key] = min(candidate.rank, ranks.get(key, candidate.rank))
            group.spellings[maker] += 1
            group.prompts.add(answer.prompt)
            group.platforms.add(answer.platform)
            if merge_key(candidate.name) != key:
                group.products[candidate.name] += 1
            if candidate.domain is not None:
                group.domains[candidate.domain] += 1
        for key, rank in ranks.items():
            groups[key].ranks.append(rank)
            groups[key].english += answer.is_english
    sure = {key for key, group in groups.items() if group.is_maker}
    sure |= {key for key in _find_listed_with(sure, every, makers) if not groups[key].is_ordinary}
    return tuple(_to_maker(group, cited, sure=key in sure) for key, group in groups.items())


def _find_listed_with(known: AbstractSet[str], answers: Sequence[ReadAnswer], makers: Mapping[str, str]) -> set[str]:
    """Return the keys of names that most of their answers present among brands: known makers and tracked brands.

    An answer that is not in English needs two brands: which words are names is known in English only.
    """
    among: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for answer in answers:
        keys = {merge_key(makers.get(each.name, each.name)) for each in answer.candidates}
        brands = answer.tracked + len(keys & known)
        for key in keys - known:
            total[key] += 1
            among[key] += brands > (not answer.is_english) and 2 * brands >= len(keys) - 1 + answer.tracked
    proven = {merge_key(maker) for maker in makers.values()}
    return {key for key, times in among.items() if key in proven and 2 * times > total[key]}


def _has_products(maker: str, products: Iterable[str], *, is_english: bool) -> bool:
    """Return whether these are products of a maker: one with a name or model of its own, or two of an unusual name.

    In other languages than English, a product has the number of a model.
    """
    lines: set[tuple[str, ...]] = set()
    count = len(maker.split())
    for product in products:
        words = product.split()[count:]
        if not words or not words[0][0].isupper():
            continue
        if any(map(is_model, words)) or (is_english and not is_ordinary(words[0])):
            return True
        lines.add(tuple(words[:2]))
    numbered = sum(any(word[0].isdigit() for word in line) for line in lines)
    return numbered > 1 or (is_english and len(lines) > 1 and not is_ordinary(maker.partition(" ")[0]))


def _to_maker(group: _Group, cited: Counter[str], *, sure: bool) -> FoundMaker:
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
        sure=sure,
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
    if any(candidate.domain for candidate in group):
        return True
    needed = 1 / 2 if is_ordinary(group[0].name.split()[0]) else 1 / 3
    return sum(candidate.proven for candidate in group) >= needed * len(group)


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
    by_site = [_count_site_words(candidate.name, candidate.domain) for candidate in group if candidate.domain]
    if by_site:
        return min(set(by_site), key=lambda count: (-by_site.count(count), count))
    if whole := _find_whole_name(group):
        return whole
    names = {tuple(candidate.name.split()) for candidate in group}
    example = min(names)  # any would do, but every process must choose the same
    count = 2 if len(example) > 1 and _is_small(example[0]) else 1
    if sum(candidate.alone for candidate in group) > (1 - _USUAL) * len(group):
        return count
    # "Le Creuset Signature" and "Le Creuset Classic": the maker goes on while all names go on alike.
    while count < _LONGEST_MAKER and all(len(words) > count for words in names):
        following = {merge_key(words[count]) for words in names}
        sole = len(names) == 1 and len(example) == 2
        if len(following) > 1 or not _goes_on(example[count - 1], example[count], sole=sole):
            break
        count += 1
    return count


def _find_whole_name(group: Sequence[Candidate]) -> int:
    """Return how many words a name has that nearly always stands as a whole: "Hillside Dairy"; 0 if there is none.

    What "&" or "/" adds to it is not counted: "Hillside Dairy & Bakery".
    """
    counted = Counter(tuple(map(merge_key, _JOINED.split(candidate.name)[0].split())) for candidate in group)
    key, times = max(counted.items(), key=lambda item: (item[1], item[0]))
    is_usual = times >= max(_MIN_WHOLE, _USUAL * len(group))
    is_split = sum(candidate.alone for candidate in group) > (1 - _USUAL) * len(group)
    words = next(
        words for candidate in group if tuple(map(merge_key, words := candidate.name.split()[: len(key)])) == key
    )
    is_name = all(word.isdigit() or (word.istitle() and word.isalpha() and not is_ordinary(word)) for word in words[1:])
    return len(words) if is_usual and is_name and not is_split and 1 < len(words) <= _LONGEST_MAKER else 0


def _goes_on(last: str, following: str, *, sole: bool) -> bool:
    """Return whether a maker's name goes on after a word: "Sharper Image", "Solid & Striped", "Swimsuits For All"."""
    if _is_small(last) or not following.isalnum() or following.casefold() in read_list("stop_words", "en"):
        return True
    return is_ordinary(following) and (sole or commonness(last) > 1)


def _count_site_words(name: str, domain: str) -> int:
    """Return how many words of a name are in the name of its site."""
    prefixes = list_prefixes(name)
    if len(prefixes) == 1:
        return 1
    label = merge_key(read_label(domain))
    likeness = [compare_to_site(merge_key(prefix), label) for prefix in prefixes]
    return likeness.index(max(likeness)) + 1


def list_makers(candidates: Sequence[Candidate]) -> list[str]:
    """Return the makers of the names of one answer, each once, in their order."""
    makers = assign_makers(candidates)
    return list(dict.fromkeys(makers[candidate.name] for candidate in candidates if candidate.name in makers))
