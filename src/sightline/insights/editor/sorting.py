"""The codebook of a domain's themes, and the requests that extend it and sort passages into it. Pure.

A theme keeps its id whatever its label becomes. A passage is sorted once: its reply is the same as long as the
passage, the codebook and the model are.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Literal

import msgspec

from sightline.answers.aspects import Aspect
from sightline.answers.models import Brand
from sightline.answers.passages import Passage, find_passages
from sightline.insights.aspect_counts import (
    AspectCounts,
    AspectUse,
    Praise,
    ThemeLabel,
    add_praise,
    build_lexicon,
    find_language,
)
from sightline.insights.editor.market import Market
from sightline.insights.editor.requests import (
    Dropped,
    EditorRequest,
    build_request,
    is_short_phrase,
    names_any,
    read_items,
    simplify,
    split_parts,
)
from sightline.insights.inputs import OWN_BRAND, InsightInputs
from sightline.metrics.themes import Cell
from sightline.scans.models import ScanAnswer

MAX_THEMES = 30
MIN_ANSWERS, MIN_PLATFORMS = 3, 2
"""What a proposed theme needs to enter the codebook."""
_MAX_RIVAL_PASSAGES = 400  # so that what is said of rivals costs no more than what is said of the brand
_MAX_SAMPLED, _MAX_SAMPLED_OF_RIVALS = 200, 60  # passages that new themes are proposed from
_PASSAGES_A_REQUEST = 60
_LONGEST_PASSAGE = 400  # characters
_EXAMPLES = 2
_DIGEST_LENGTH = 20
_THEMES_TASK = (
    "These passages are what answers of AI assistants say about one brand and, where a name stands in brackets, about "
    "its rivals. List the themes that recur in them, also those of rivals alone: properties of a brand or its products "
    "that a marketer could act on (such as price, battery life, customer service), never general praise, names, kinds "
    "of products, recommendations, advice to the reader or whole statements. A theme is one subject, whether praised "
    "or criticized. Keep to the themes that are given where they fit, and propose only others: a label of one to three "
    "words, a definition of one line that says what belongs to it, and the numbers of the passages that are about it, "
    "at least three."
)
_THEMES_REPLY = '{"label": "...", "definition": "...", "passages": [1, 2, 3]}'
_SORTING_TASK = (
    "Sort passages of answers of AI assistants into themes. For each theme (by its key) and opinion, give the numbers "
    "of the passages that are about the theme and say so of the brand in brackets before them: `praise`, `criticism`, "
    "or `neutral` for a bare fact. A passage may belong to several themes, or to none: then leave it out. What is said "
    "of another brand than the one in brackets does not count. That something is missing can be praise (no fees) or "
    "criticism (no app). Leave out what you are unsure about."
)
_SORTING_REPLY = '{"theme": "t1", "opinion": "praise|criticism|neutral", "passages": [1, 2]}'

Opinion = Literal["praise", "criticism", "neutral"]
_POLARITY: Mapping[Opinion, Literal["positive", "negative", "neutral"]] = {
    "praise": "positive",
    "criticism": "negative",
    "neutral": "neutral",
}


class CodebookTheme(msgspec.Struct, frozen=True):
    """A theme of a domain. The id never changes, and people decide over label, place and company."""

    id: str
    label: str
    definition: str
    examples: tuple[str, ...] = ()
    """Passages that belong to it."""
    merged_into: str | None = None
    hidden: bool = False
    pinned: bool = False


class AnswerPassages(msgspec.Struct, frozen=True):
    """What an answer says of each brand, by the name of the brand."""

    answer: ScanAnswer
    by_brand: Mapping[str, tuple[Passage, ...]]
    has_rivals: bool = True
    """Whether what it says of rivals is read, too."""


class SortedPassage(msgspec.Struct, frozen=True):
    theme: str
    opinion: Opinion


PassageKey = tuple[str, str]
"""The brand, and the text of a passage about it."""


def read_passages(inputs: InsightInputs) -> list[AnswerPassages]:
    """Return the passages of the answers about the brand, and those about rivals in an even sample of the answers."""
    lexicon = build_lexicon(inputs)
    found = []
    for answer in inputs.answers:
        own = find_passages(
            answer.text,
            lexicon,
            prompt=answer.prompt.text,
            language=find_language(answer),
            corrections=inputs.plan.corrections.get(answer.id, ()),
            candidates=answer.candidates,
        )
        found.append(AnswerPassages(answer, {lexicon.brands[index].name: said for index, said in own.items()}))
    return _thin_out_rivals(found, inputs.brand.name)


def _thin_out_rivals(found: Sequence[AnswerPassages], own: str) -> list[AnswerPassages]:
    rivals = sum(len(each) for one in found for name, each in one.by_brand.items() if name != own)
    every = -(-rivals // _MAX_RIVAL_PASSAGES) or 1
    return [
        one if place % every == 0 else AnswerPassages(one.answer, {own: one.by_brand.get(own, ())}, has_rivals=False)
        for place, one in enumerate(found)
    ]


def list_keys(passages: Iterable[AnswerPassages]) -> list[PassageKey]:
    """Return each different passage once."""
    return list(
        dict.fromkeys(
            (name, each.text[:_LONGEST_PASSAGE])
            for one in passages
            for name, own in one.by_brand.items()
            for each in own
        )
    )


def ask_for_themes(
    brand: str, passages: Sequence[AnswerPassages], codebook: Sequence[CodebookTheme], language: str
) -> tuple[list[EditorRequest], list[str]]:
    """Return the requests for new themes, and the passages that they show, in the order of their numbers."""
    keys = list_keys(passages)
    own = _thin_out([key for key in keys if key[0] == brand], _MAX_SAMPLED)
    if not own or len(list_sortable(codebook)) >= MAX_THEMES:
        return [], []
    sampled = [*own, *_thin_out([key for key in keys if key[0] != brand], _MAX_SAMPLED_OF_RIVALS)]
    numbered = [
        f"{number}. {text}" if name == brand else f"{number}. [{name}] {text}"
        for number, (name, text) in enumerate(sampled, 1)
    ]
    known = [{"label": theme.label, "definition": theme.definition} for theme in list_sortable(codebook)]
    given = {"brand": brand, "language of labels": language, "themes": known, "passages": numbered}
    return [build_request("themes", _THEMES_TASK, _THEMES_REPLY, given)], [text for _, text in sampled]


def _thin_out(keys: Sequence[PassageKey], most: int) -> Sequence[PassageKey]:
    return keys[:: -(-len(keys) // most) or 1]


class _ProposedTheme(msgspec.Struct, frozen=True):
    label: str
    definition: str
    passages: tuple[int, ...]


def read_themes(
    replies: Sequence[str | None],
    sampled: Sequence[str],
    codebook: Sequence[CodebookTheme],
    brands: Sequence[Brand],
    dropped: Dropped,
) -> list[CodebookTheme]:
    """Return the codebook with the proposed themes: short phrases that name no brand, with passages as examples."""
    found = list(codebook)
    labels = {simplify(theme.label) for theme in codebook}
    for reply in replies:
        for each in read_items(reply, _ProposedTheme, kind="themes", dropped=dropped, most=MAX_THEMES):
            texts = [sampled[number - 1] for number in dict.fromkeys(each.passages) if 0 < number <= len(sampled)]
            label = simplify(each.label)
            if (
                len(list_sortable(found)) == MAX_THEMES
                or label in labels
                or not texts
                or not is_short_phrase(each.label, words=4, characters=40)
                or not is_short_phrase(each.definition, words=40, characters=240)
                or names_any(each.label, brands)
            ):
                dropped["themes"] += 1
                continue
            labels.add(label)
            found.append(
                CodebookTheme(_next_id(found), each.label.strip(), each.definition.strip(), tuple(texts[:_EXAMPLES]))
            )
    return found


def keep_proven(
    found: Sequence[CodebookTheme],
    codebook: Sequence[CodebookTheme],
    passages: Sequence[AnswerPassages],
    placed: Mapping[PassageKey, tuple[SortedPassage, ...]],
) -> list[CodebookTheme]:
    """Return the known themes, and of the new ones those that enough answers speak about, of the brand or a rival."""
    answers: dict[str, dict[str, str]] = {}
    for one in passages:
        for key in list_keys([one]):
            for each in placed.get(key, ()):
                answers.setdefault(each.theme, {})[one.answer.id] = one.answer.platform
    known = {theme.id for theme in codebook}
    return [
        theme
        for theme in found
        if theme.id in known
        or (len(proof := answers.get(theme.id, {})) >= MIN_ANSWERS and len(set(proof.values())) >= MIN_PLATFORMS)
    ]


def list_sortable(codebook: Sequence[CodebookTheme]) -> list[CodebookTheme]:
    """Return the themes that passages are sorted into: all but those that people have merged into another."""
    return [theme for theme in codebook if theme.merged_into is None]


def find_target(theme: str, codebook: Mapping[str, CodebookTheme]) -> str | None:
    """Return the theme into which a theme was merged, directly or not; itself, if it was not; None for an unknown."""
    for _ in range(len(codebook) + 1):
        found = codebook.get(theme)
        if found is None or found.merged_into is None:
            return None if found is None else found.id
        theme = found.merged_into
    return None


def digest_passage(key: PassageKey) -> str:
    """Return a short name for a passage, under which its themes are remembered."""
    return hashlib.sha256("\0".join(key).encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_LENGTH]


def _next_id(codebook: Sequence[CodebookTheme]) -> str:
    numbers = [int(theme.id[1:]) for theme in codebook if theme.id[1:].isdigit()]
    return f"t{max(numbers, default=0) + 1}"


def ask_for_sorting(
    keys: Sequence[PassageKey], codebook: Sequence[CodebookTheme], market: Market | None
) -> list[tuple[EditorRequest, Sequence[PassageKey]]]:
    """Return the requests that sort the passages, each with its own passages."""
    sortable = list_sortable(codebook)
    if not sortable:
        return []
    themes = {
        theme.id: {"label": theme.label, "definition": theme.definition, "examples": theme.examples}
        for theme in sortable
    }
    return [
        (
            build_request(
                "sorting",
                _SORTING_TASK,
                _SORTING_REPLY,
                {
                    "market": market.plural if market else None,
                    "themes": themes,
                    "passages": [f"{number}. [{name}] {text}" for number, (name, text) in enumerate(part, 1)],
                },
            ),
            part,
        )
        for part in split_parts(keys, most=_PASSAGES_A_REQUEST)
    ]


class _Sorted(msgspec.Struct, frozen=True):
    theme: str
    opinion: Opinion
    passages: tuple[int, ...]


def read_sorting(
    asked: Sequence[Sequence[PassageKey]],
    replies: Sequence[str | None],
    codebook: Sequence[CodebookTheme],
    dropped: Dropped,
) -> dict[PassageKey, tuple[SortedPassage, ...]]:
    """Return the themes of each passage that a reply sorts. Only known themes and given passages count."""
    known = {theme.id for theme in codebook}
    most = len(known) * len(_POLARITY)
    found: dict[PassageKey, dict[str, SortedPassage]] = {}
    for part, reply in zip(asked, replies, strict=True):
        for each in read_items(reply, _Sorted, kind="sorting", dropped=dropped, most=most):
            if each.theme not in known:
                dropped["sorting"] += 1
                continue
            for number in each.passages:
                if not 0 < number <= len(part):
                    dropped["sorting"] += 1
                    continue
                own = found.setdefault(part[number - 1], {})
                own.setdefault(each.theme, SortedPassage(each.theme, each.opinion))
    return {key: tuple(own.values()) for key, own in found.items()}


def count_sorted(
    inputs: InsightInputs,
    passages: Sequence[AnswerPassages],
    codebook: Sequence[CodebookTheme],
    found: Mapping[PassageKey, tuple[SortedPassage, ...]],
) -> AspectCounts:
    """Count the sorted passages of the brand and of its rivals; an answer counts once for each brand and theme."""
    themes = {theme.id: theme for theme in codebook}
    uses: dict[str, list[AspectUse]] = {}
    rivals: list[frozenset[str]] = []
    praise: Praise = {}
    cells: dict[Cell, frozenset[str]] = {}
    total = 0
    for one in passages:
        aspects: dict[str, dict[str, list[Aspect]]] = {}
        for name, said in one.by_brand.items():
            for each in said:
                for place in found.get((name, each.text[:_LONGEST_PASSAGE]), ()):
                    if (theme := find_target(place.theme, themes)) is not None:
                        label = themes[theme].label
                        aspect = Aspect(theme, label, _POLARITY[place.opinion], each.text, each.quotable)
                        aspects.setdefault(name, {}).setdefault(theme, []).append(aspect)
        if one.has_rivals:
            for name in inputs.named[one.answer.id]:
                rivals.append(frozenset(aspects.get(name, ())))
                add_praise(praise, name, chain.from_iterable(aspects.get(name, {}).values()), one.answer.id)
        if one.answer.analysis is None or not one.answer.analysis.brands[OWN_BRAND].mentioned:
            continue
        total += 1
        own = aspects.get(inputs.brand.name, {})
        for theme, stated in own.items():
            uses.setdefault(theme, []).append(AspectUse(one.answer, tuple(stated)))
        cell = (one.answer.prompt.id, one.answer.platform)
        cells[cell] = cells.get(cell, frozenset()) | own.keys()
    return AspectCounts(
        uses=uses,
        names={
            target: frozenset(each for each in themes if find_target(each, themes) == target)
            for target in themes
            if themes[target].merged_into is None
        },
        rivals=rivals,
        praise=praise,
        total=total,
        cells=cells,
        unread={},
        labels={theme.id: ThemeLabel(theme.label, theme.hidden, theme.pinned) for theme in codebook},
    )
