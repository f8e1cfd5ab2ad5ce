"""Counting what answers say about the brand and its rivals, by aspect. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

import msgspec

from sightline.answers.aspect_words import read_aspect_words
from sightline.answers.aspects import ASPECT_LANGUAGE, Aspect, find_aspects
from sightline.answers.language import detect_language
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.phrase_encoder import group_by_meaning
from sightline.insights.inputs import OWN_BRAND, InsightInputs
from sightline.insights.models import ThemeTrace
from sightline.metrics.sentiment import Label
from sightline.metrics.themes import Cell
from sightline.scans.models import ScanAnswer

_MIN_RIVAL_USES = 2  # of a phrase that is never said of the brand itself

Praise = dict[str, dict[str, list[str]]]
"""By the name of a theme and that of a rival: the ids of the answers that praise the rival for it."""


class AspectUse(msgspec.Struct, frozen=True):
    """An answer that states an aspect of the brand, once or several times."""

    answer: ScanAnswer
    aspects: tuple[Aspect, ...]

    @property
    def polarity(self) -> Label:
        """Return what the answer says on balance."""
        good = sum(each.polarity == "positive" for each in self.aspects)
        bad = sum(each.polarity == "negative" for each in self.aspects)
        return "positive" if good > bad else "negative" if bad > good else "neutral"


class ThemeLabel(msgspec.Struct, frozen=True):
    """How a theme of a codebook is shown."""

    text: str
    hidden: bool = False
    pinned: bool = False


class AspectCounts(msgspec.Struct, frozen=True, kw_only=True):
    """The aspects of the brand, and how many answers state them of the brand and of its rivals."""

    uses: Mapping[str, Sequence[AspectUse]]
    """By the name of the theme."""
    names: Mapping[str, frozenset[str]]
    """The names of aspects that a theme joins."""
    rivals: Sequence[frozenset[str]]
    """The aspects of each rival in each answer that names it."""
    praise: Praise = {}
    total: int
    """The answers that name the brand, in languages that can be read."""
    cells: Mapping[Cell, frozenset[str]]
    """The aspects of each cell whose answer names the brand."""
    unread: Mapping[str, int]
    """The answers that name the brand and could not be read, by language."""
    labels: Mapping[str, ThemeLabel] = {}
    """The themes of a codebook by their id, which is then their name."""

    def to_trace(self) -> ThemeTrace:
        """Return what the next Full Check compares with."""
        return ThemeTrace(
            cells=tuple((*cell, tuple(sorted(aspects))) for cell, aspects in sorted(self.cells.items())),
            unread=dict(self.unread),
        )


def build_lexicon(inputs: InsightInputs) -> Lexicon:
    """Return the measured brand and all rivals, in the order of `inputs.rivals`."""
    tracked = len(inputs.plan.tracked)
    discovered = [
        Brand(rival.name, domains=rival.domains, products=rival.products) for rival in inputs.rivals[tracked - 1 :]
    ]
    return _build_lexicon((*inputs.plan.tracked, *discovered))


_build_lexicon = lru_cache(maxsize=64)(Lexicon)  # what is cached of an answer is kept by its lexicon


class _AnswerReader:
    """Reads the aspects of each brand in an answer, by rules."""

    def __init__(self, inputs: InsightInputs) -> None:
        self._lexicon = build_lexicon(inputs)
        self._corrections = inputs.plan.corrections
        self.english: set[str] = set()
        """The names of aspects in English answers."""

    def read(self, answer: ScanAnswer, language: str) -> Mapping[int, Sequence[Aspect]] | None:
        """Return the aspects by the index of the brand, or None if the answer cannot be read."""
        if language != ASPECT_LANGUAGE:
            return None
        found = find_aspects(
            answer.text,
            self._lexicon,
            prompt=answer.prompt.text,
            corrections=self._corrections.get(answer.id, ()),
            candidates=answer.candidates,
        )
        self.english.update(each.name for own in found.values() for each in own)
        return found


def count_aspects(inputs: InsightInputs) -> AspectCounts:
    """Count the aspects of the brand and of all rivals; an answer counts once for each brand that it names."""
    reader = _AnswerReader(inputs)
    own: dict[str, list[AspectUse]] = {}
    rivals: list[frozenset[str]] = []
    praise: Praise = {}
    cells: dict[Cell, frozenset[str]] = {}
    unread: Counter[str] = Counter()
    total = 0
    for answer in inputs.answers:
        assert answer.analysis is not None
        is_own = answer.analysis.brands[OWN_BRAND].mentioned
        named = inputs.named[answer.id]
        if not is_own and not named:
            continue
        language = find_language(answer)
        found = reader.read(answer, language)
        if found is None:
            unread[language] += is_own
            continue
        for place, rival in enumerate(inputs.rivals, start=1):
            if rival.name in named:
                said = found.get(place, ())
                rivals.append(frozenset(each.name for each in said))
                add_praise(praise, rival.name, said, answer.id)
        if is_own:
            total += 1
            aspects = _group_by_name(found.get(OWN_BRAND, ()))
            for name, each in aspects.items():
                own.setdefault(name, []).append(AspectUse(answer, tuple(each)))
            cell = (answer.prompt.id, answer.platform)
            cells[cell] = cells.get(cell, frozenset()) | aspects.keys()
    return _merge_by_meaning(
        AspectCounts(
            uses=own,
            names={name: frozenset({name}) for name in own},
            rivals=rivals,
            praise=praise,
            total=total,
            cells=cells,
            unread=+unread,
        ),
        reader.english,
    )


def add_praise(praise: Praise, rival: str, said: Iterable[Aspect], answer_id: str) -> None:
    """Note for what an answer praises a rival, and does not criticize it elsewhere."""
    polarities = {(each.name, each.polarity) for each in said}
    for name, polarity in sorted(polarities):
        if polarity == "positive" and (name, "negative") not in polarities:
            praise.setdefault(name, {}).setdefault(rival, []).append(answer_id)


def _group_by_name(aspects: Iterable[Aspect]) -> dict[str, list[Aspect]]:
    found: dict[str, list[Aspect]] = {}
    for each in aspects:
        found.setdefault(each.name, []).append(each)
    return found


def find_language(answer: ScanAnswer) -> str:
    """Return the language of an answer; English unless another one is detected."""
    assert answer.analysis is not None
    return answer.analysis.language or answer.prompt.language or detect_language(answer.text) or "en"


def _merge_by_meaning(counts: AspectCounts, english: AbstractSet[str]) -> AspectCounts:
    """Join English noun phrases that mean the same. The aspects of the list stay apart from each other."""
    words = read_aspect_words()
    answers = Counter({name: len(uses) for name, uses in counts.uses.items()})
    recurring = Counter(name for aspects in counts.rivals for name in aspects)
    answers.update({name: times for name, times in recurring.items() if name in answers or times >= _MIN_RIVAL_USES})
    open_names = {name for name in answers if name not in words.names and name in english}
    if not open_names:
        return counts
    groups = group_by_meaning({name: times for name, times in answers.items() if name in english})
    uses: dict[str, list[AspectUse]] = {}
    names: dict[str, frozenset[str]] = {}
    praise: Praise = {}
    for name in answers:
        theme = groups[name] if name in open_names else name
        for rival, ids in counts.praise.get(name, {}).items():
            known = praise.setdefault(theme, {}).setdefault(rival, [])
            known += [each for each in ids if each not in known]
        names[theme] = names.get(theme, frozenset()) | {name}
        if name in counts.uses:
            uses[theme] = _join_uses(uses.get(theme, []), counts.uses[name])
    return msgspec.structs.replace(counts, uses=uses, names=names, praise=praise)


def _join_uses(first: Sequence[AspectUse], second: Sequence[AspectUse]) -> list[AspectUse]:
    """Return one use per answer."""
    found: dict[str, AspectUse] = {}
    for use in (*first, *second):
        known = found.get(use.answer.id)
        found[use.answer.id] = AspectUse(use.answer, (*known.aspects, *use.aspects)) if known else use
    return list(found.values())
