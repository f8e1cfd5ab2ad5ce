"""The clauses that the sentiment model reads about a brand: the sentences that name it, and what follows.

A passage begins with the sentence that names the brand and goes on to the clause in which the next brand begins. A
passage that is too long for the model is split at the ends of sentences; later parts get the name in front.
"""

from collections.abc import Iterator, Sequence

import msgspec

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.characters import BLOCK_END
from sightline.answers.mentions import Mention
from sightline.answers.models import Stance
from sightline.answers.sentiment_lexicon import find_scopes
from sightline.answers.tokens import sentence_end

_LONGEST_CLAUSE = 400  # characters of English that the model can take, with some margin
_LONG_SENTENCE = 600
_MAX_PARTS = 3
_MAX_PER_BRAND = 12
_MAX_CLAUSES = 96  # per answer: a hostile text must not cost minutes


class Clause(msgspec.Struct, frozen=True):
    """A text about one brand, whose name stands from `start` to `end`.

    It is `discouraged` if the stance rules know that, perhaps from a heading elsewhere.
    """

    brand: int
    text: str
    start: int
    end: int
    discouraged: bool = False


class _Passage(msgspec.Struct):
    mention: Mention
    begin: int
    finish: int
    discouraged: bool


def find_clauses(
    prepared: PreparedAnswer, mentions: Sequence[Mention], stances: Sequence[Stance], wanted: frozenset[int]
) -> list[Clause]:
    clauses: list[Clause] = []
    counted: dict[int, int] = {}
    for passage in _find_passages(prepared, mentions, stances, wanted):
        for clause in _split_passage(prepared.prose, passage):
            known = counted.get(clause.brand, 0)
            if known < _MAX_PER_BRAND:
                counted[clause.brand] = known + 1
                clauses.append(clause)
        if len(clauses) >= _MAX_CLAUSES:
            break
    return clauses[:_MAX_CLAUSES]


def _find_passages(
    prepared: PreparedAnswer, mentions: Sequence[Mention], stances: Sequence[Stance], wanted: frozenset[int]
) -> Iterator[_Passage]:
    """Return the passages in order of place. A brand that is named twice in one sentence is read once there."""
    found: dict[tuple[int, int], _Passage] = {}
    for mention, stance, (_, reach) in zip(mentions, stances, find_scopes(prepared, mentions), strict=True):
        if mention.brand not in wanted or mention.derived or stance == "unknown":
            continue
        begin, finish = prepared.sentence_at(mention.start)
        finish = max(finish, reach, mention.end)
        known = found.get((mention.brand, begin))
        if known is None:
            found[mention.brand, begin] = _Passage(mention, begin, finish, stance == "discouraged")
        else:
            known.finish = max(known.finish, finish)
            known.discouraged = known.discouraged or stance == "discouraged"
    return iter(found.values())


def _split_passage(prose: str, passage: _Passage) -> Iterator[Clause]:
    mention = passage.mention
    begin = max(passage.begin, mention.start - _LONG_SENTENCE)
    while prose[begin].isspace():  # stops at the name at the latest
        begin += 1
    name = prose[mention.start : mention.end]
    stop = _find_part_end(prose, begin, max(mention.end, begin + 1), passage.finish)
    yield Clause(
        mention.brand, _join_blocks(prose[begin:stop]), mention.start - begin, mention.end - begin, passage.discouraged
    )
    for _ in range(_MAX_PARTS - 1):
        while stop < passage.finish and not prose[stop].isalnum():
            stop += 1
        if stop >= passage.finish:
            return
        begin, stop = stop, _find_part_end(prose, stop, stop + 1, passage.finish)
        yield Clause(mention.brand, f"{name}: {_join_blocks(prose[begin:stop])}", 0, len(name), passage.discouraged)


def _find_part_end(prose: str, begin: int, least: int, finish: int) -> int:
    """Return the end of as many sentences as fit."""
    stop = min(finish, max(least, sentence_end(prose, least)))
    while stop < finish:
        following = min(finish, max(stop + 1, sentence_end(prose, stop + 1)))
        if following - begin > _LONGEST_CLAUSE:
            break
        stop = following
    return stop


def _join_blocks(text: str) -> str:
    """Return paragraphs, items and cells as one text of the same length, with full stops at their ends."""
    if BLOCK_END not in text and "\n" not in text:
        return text
    parts = list(text)
    for at, character in enumerate(parts):
        if character == BLOCK_END:
            parts[at] = " " if at and parts[at - 1] in ".!?:;, " else "."
        elif character == "\n":
            parts[at] = " "
    return "".join(parts)
