"""What of an answer the sentiment model reads about a brand: the sentences that name it, and what follows on it.

A stretch begins with the sentence that names the brand and goes on to the clause in which the next brand begins. One
that is too long for the model is cut at the ends of sentences; the later parts are given the name in front.
"""

from collections.abc import Iterator, Sequence

import msgspec

from sightline.answers.blocks import Prepared
from sightline.answers.characters import BLOCK_END
from sightline.answers.mentions import Mention
from sightline.answers.models import Stance
from sightline.answers.sentiment import territories
from sightline.answers.tokens import sentence_end

_WIDE = 400  # characters: what the model can take of English, with some room
_LONG_SENTENCE = 600
_MOST_PARTS = 3
_MOST_OF_A_BRAND = 12
_MOST = 96  # of one answer: a hostile text must not cost minutes


class Clause(msgspec.Struct, frozen=True):
    """A stretch about one brand, whose name stands from `start` to `end`. `warned`: the rules know that it is advised
    against, perhaps by a head that stands elsewhere.
    """

    brand: int
    text: str
    start: int
    end: int
    warned: bool = False


class _Stretch(msgspec.Struct):
    mention: Mention
    begin: int
    finish: int
    warned: bool


def find_clauses(
    prepared: Prepared, mentions: Sequence[Mention], stances: Sequence[Stance], wanted: frozenset[int]
) -> list[Clause]:
    clauses: list[Clause] = []
    counted: dict[int, int] = {}
    for stretch in _stretches(prepared, mentions, stances, wanted):
        for clause in _cut(prepared.prose, stretch):
            known = counted.get(clause.brand, 0)
            if known < _MOST_OF_A_BRAND:
                counted[clause.brand] = known + 1
                clauses.append(clause)
        if len(clauses) >= _MOST:
            break
    return clauses[:_MOST]


def _stretches(
    prepared: Prepared, mentions: Sequence[Mention], stances: Sequence[Stance], wanted: frozenset[int]
) -> Iterator[_Stretch]:
    """In order of place; a brand that is named twice in one sentence is read once there."""
    found: dict[tuple[int, int], _Stretch] = {}
    for mention, stance, (_, reach) in zip(mentions, stances, territories(prepared, mentions), strict=True):
        if mention.brand not in wanted or mention.derived or stance == "unknown":
            continue
        begin, finish = prepared.sentence_at(mention.start)
        finish = max(finish, reach, mention.end)
        known = found.get((mention.brand, begin))
        if known is None:
            found[mention.brand, begin] = _Stretch(mention, begin, finish, stance == "discouraged")
        else:
            known.finish = max(known.finish, finish)
            known.warned = known.warned or stance == "discouraged"
    return iter(found.values())


def _cut(prose: str, stretch: _Stretch) -> Iterator[Clause]:
    mention = stretch.mention
    begin = max(stretch.begin, mention.start - _LONG_SENTENCE)
    while prose[begin].isspace():  # it ends at the name at the latest
        begin += 1
    name = prose[mention.start : mention.end]
    stop = _part_end(prose, begin, max(mention.end, begin + 1), stretch.finish)
    yield Clause(mention.brand, _plain(prose[begin:stop]), mention.start - begin, mention.end - begin, stretch.warned)
    for _ in range(_MOST_PARTS - 1):
        while stop < stretch.finish and not prose[stop].isalnum():
            stop += 1
        if stop >= stretch.finish:
            return
        begin, stop = stop, _part_end(prose, stop, stop + 1, stretch.finish)
        yield Clause(mention.brand, f"{name}: {_plain(prose[begin:stop])}", 0, len(name), stretch.warned)


def _part_end(prose: str, begin: int, least: int, finish: int) -> int:
    """As many sentences as fit."""
    stop = min(finish, max(least, sentence_end(prose, least)))
    while stop < finish:
        following = min(finish, max(stop + 1, sentence_end(prose, stop + 1)))
        if following - begin > _WIDE:
            break
        stop = following
    return stop


def _plain(text: str) -> str:
    """Paragraphs, items and cells as one text of the same length: their ends are full stops."""
    if BLOCK_END not in text and "\n" not in text:
        return text
    parts = list(text)
    for at, character in enumerate(parts):
        if character == BLOCK_END:
            parts[at] = " " if at and parts[at - 1] in ".!?:;, " else "."
        elif character == "\n":
            parts[at] = " "
    return "".join(parts)
