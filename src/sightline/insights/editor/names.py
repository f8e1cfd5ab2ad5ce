"""The question about names: which of the names that answers present are rivals, and whose products others are. Pure."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from sightline.answers.candidates import merge_key
from sightline.answers.models import Brand
from sightline.insights.editor.requests import (
    Dropped,
    EditorRequest,
    build_request,
    is_short_phrase,
    read_items,
    simplify,
    split_parts,
)
from sightline.metrics.discovery import CompetitorCandidate
from sightline.scans.models import ScanAnswer, ScanPlan

NameKind = Literal["brand", "product", "shop", "publisher", "feature", "other"]

_MAX_NAMES = 150
_NAMES_A_REQUEST = 40
_EXAMPLES = 2
_EXAMPLE_LENGTH = 140  # characters
_MAX_PROMPTS = 30
_TASK = (
    "AI assistants named these names in answers to the questions of one market. Say for each what it is: `brand` (a "
    "company, or a brand under which products or services are sold; also a shop's own label), `product` (one product "
    "or product line of a brand), `shop` (sells brands of others), `publisher` (tests, reviews, lists, media), "
    "`feature` (a standard, technology, material, ingredient, certification or kind of product) or `other` (an "
    "ordinary word, a person, a place, an association). Where the name is only a part of one, or has words of a "
    "product after the brand, `full_name` is the name as it stands in an example, else null; the other fields speak "
    "of that name. `maker` is the company behind a product, or behind a brand that belongs to another, else null. "
    "`competes` is true only for a brand that a buyer who asks these questions could choose instead of the measured "
    "brand, and that does not belong to it. Leave out a name that you are unsure about."
)
_REPLY = (
    '{"name": "...", "kind": "brand|product|shop|publisher|feature|other", "maker": null, "competes": true, '
    '"full_name": null}'
)


_NOTHING: Mapping[str, Any] = {}


class NameVerdict(msgspec.Struct, frozen=True):
    """What a name is that answers present."""

    name: str
    kind: NameKind
    competes: bool
    maker: str | None = None
    full_name: str | None = None

    @property
    def is_rival(self) -> bool:
        return self.kind == "brand" and self.competes


def ask_for_names(
    plan: ScanPlan,
    candidates: Sequence[CompetitorCandidate],
    answers: Sequence[ScanAnswer],
    known: Collection[str] = (),
) -> list[EditorRequest]:
    """Return the requests for the most frequent names, except for those that are known already."""
    given = [
        {"name": each.name, "answers": each.answers, "examples": list(_find_examples(each.name, answers))}
        for each in candidates[:_MAX_NAMES]
        if each.name not in known and is_short_phrase(each.name, words=8, characters=60)
    ]
    questions = [prompt.text for prompt in plan.prompts[:_MAX_PROMPTS]]
    return [
        build_request(
            "names", _TASK, _REPLY, {"measured brand": plan.brand.name, "questions": questions, "names": list(part)}
        )
        for part in split_parts(given, most=_NAMES_A_REQUEST)
    ]


def _find_examples(name: str, answers: Sequence[ScanAnswer]) -> Iterator[str]:
    """Yield what stands around the name in the first answers of different prompts."""
    pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    seen: set[str] = set()
    for answer in answers:
        if len(seen) == _EXAMPLES:
            return
        match = None if answer.prompt.id in seen else pattern.search(answer.text)
        if match is not None:
            seen.add(answer.prompt.id)
            start = max(0, match.start() - _EXAMPLE_LENGTH // 2)
            yield " ".join(answer.text[start : start + _EXAMPLE_LENGTH].split())


def read_names(
    replies: Sequence[str | None],
    candidates: Sequence[CompetitorCandidate],
    answers: Sequence[ScanAnswer],
    dropped: Dropped,
    known: Mapping[str, NameVerdict] = _NOTHING,
) -> dict[str, NameVerdict]:
    """Return the verdict on each name, also of those `known` from an earlier edition.

    Only given names count, and a maker or whole name that an answer has.
    """
    asked = {each.name for each in candidates}
    written = _Written(answers)
    found = {name: written.keep_proven(verdict) for name, verdict in known.items() if name in asked}
    for reply in replies:
        for each in read_items(reply, NameVerdict, kind="names", dropped=dropped, most=_NAMES_A_REQUEST):
            if each.name not in asked or each.name in found:
                dropped["names"] += 1
                continue
            found[each.name] = written.keep_proven(each)
    return found


def _is_whole(name: str, full_name: str) -> bool:
    """Return whether the whole name has all words of a name, or is its beginning."""
    key, whole = merge_key(name), merge_key(full_name)
    is_part = key in whole or name.casefold().startswith(f"{full_name.strip().casefold()} ")
    return is_part and is_short_phrase(full_name, words=6, characters=60)


class _Written:
    """Tells whether a name stands in an answer, letter for letter but for case and accents."""

    def __init__(self, answers: Sequence[ScanAnswer]) -> None:
        self._texts = [simplify(answer.text) for answer in answers]

    def keep_proven(self, verdict: NameVerdict) -> NameVerdict:
        """Return a verdict without a maker or whole name that no answer has."""
        maker, whole = verdict.maker, verdict.full_name
        return msgspec.structs.replace(
            verdict,
            maker=maker if maker and self.has(maker) else None,
            full_name=whole if whole and _is_whole(verdict.name, whole) and self.has(whole) else None,
        )

    def has(self, name: str) -> bool:
        pattern = re.compile(rf"(?<!\w){re.escape(simplify(name))}(?!\w)")
        return any(pattern.search(text) for text in self._texts)


def choose_rivals(
    candidates: Sequence[CompetitorCandidate],
    verdicts: Mapping[str, NameVerdict],
    tracked: Sequence[Brand],
    not_rivals: Collection[str] = (),
) -> list[CompetitorCandidate]:
    """Return the candidates that compete, each once, under its whole name: "Acme" and "Acme Tools" are one.

    A name that belongs to a tracked brand, or is another name of one, is no rival, nor is one of `not_rivals`: people
    said so.
    """
    taken = {merge_key(name) for brand in tracked for name in (brand.name, *brand.aliases)}
    taken |= set(map(merge_key, not_rivals))
    found: list[CompetitorCandidate] = []
    listed: list[list[str]] = []
    for each in candidates:
        verdict = verdicts.get(each.name)
        if verdict is None or not verdict.is_rival or (verdict.maker and merge_key(verdict.maker) in taken):
            continue
        name = verdict.full_name or each.name
        keys = {merge_key(name), merge_key(each.name)}
        words = name.casefold().split()
        is_longer = any(words[: len(other)] == other[: len(words)] for other in listed)
        if taken.isdisjoint(keys) and not is_longer:
            taken |= keys
            listed.append(words)
            found.append(msgspec.structs.replace(each, name=name, found_as=each.name))
    return found
