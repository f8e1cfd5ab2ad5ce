"""The clauses that the sentiment model reads about a brand: the sentence that names it, and what follows.

A passage begins with the sentence that names the brand and goes on to where its scope ends. Rows that only list
specifications are left out: they say nothing for or against. Of the rest, the model reads what is nearest to the name.
A passage of nothing but specifications is neutral without the model.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.characters import BLOCK_END, fold
from sightline.answers.mentions import Mention
from sightline.answers.models import Stance
from sightline.answers.scope import find_scopes
from sightline.answers.sentiment_words import count_praise_and_blame
from sightline.answers.tokens import sentence_end

_LONGEST_CLAUSE = 140  # characters, about 35 tokens of English; one long sentence may be longer
_LONG_SENTENCE = 190
_LONGEST_ROW = 120  # characters of a specification
_SHORT_ROW = 40  # characters after the name: so few that the next row is read in any case
_MAX_PER_BRAND = 4
_MAX_CLAUSES = 96  # per answer: a hostile text must not cost minutes
_LONGEST_LABEL = 60  # characters before the name in the row of a table
_SPECIFICATION = re.compile(
    r"\W*(?:approximate )?(?:price|cost|type|weight|battery(?: life)?|capacity|sizes?|size options|dimensions?|"
    r"materials?|colors?|warranty|trial(?:/warranty)?|specs?|specifications|ports|connectivity|range|processor|memory|"
    r"storage|display|firmness|website|where to buy|availability|model|power(?: source)?|speeds?|wi-?fi standard|"
    r"coverage|top|back(?:/sides)?|body|drop|stack height|players|oven safe|dishwasher safe|induction compatible|"
    r"official size)\b[^:]{0,16}:"
)
_WORD = re.compile(r"[\w'’.,-]*\w")
# fmt: off
_UNITS = frozenset({
    "with", "and", "for", "the", "of", "in", "to", "at", "by", "a", "an", "or", "from", "on", "inch", "inches", "quart",
    "quarts", "piece", "pieces", "pack", "set", "gen", "watt", "watts", "hour", "hours", "year", "years", "lb", "lbs",
    "oz", "kg", "mm", "cm", "ml", "around", "about", "sale",
})
# fmt: on


class Clause(msgspec.Struct, frozen=True):
    """A text about one brand, whose name stands from `start` to `end`.

    It is `discouraged` if the stance rules know that, perhaps from a heading elsewhere.
    """

    brand: int
    text: str
    start: int
    end: int
    discouraged: bool = False
    is_specification: bool = False
    """Whether it only names a product and lists what it has, which needs no model."""
    is_plain: bool = False
    """Whether it has no word of praise or blame."""
    blames: bool = False
    """Whether it has a word of blame."""


class _Passage(msgspec.Struct):
    mention: Mention
    begin: int
    finish: int
    discouraged: bool


def find_clauses(
    prepared: PreparedAnswer, mentions: Sequence[Mention], stances: Sequence[Stance], wanted: frozenset[int]
) -> list[Clause]:
    clauses: list[Clause] = []
    counted: Counter[int] = Counter()
    for passage in _find_passages(prepared, mentions, stances, wanted):
        if counted[passage.mention.brand] < _MAX_PER_BRAND:
            counted[passage.mention.brand] += 1
            clauses.append(_cut_clause(prepared, passage))
        if len(clauses) == _MAX_CLAUSES:
            break
    return clauses


def _find_passages(
    prepared: PreparedAnswer, mentions: Sequence[Mention], stances: Sequence[Stance], wanted: frozenset[int]
) -> Iterator[_Passage]:
    """Return the passages in order of place. A brand that is named twice in one sentence is read once there."""
    found: dict[tuple[int, int], _Passage] = {}
    for mention, stance, (_, reach) in zip(mentions, stances, find_scopes(prepared, mentions), strict=True):
        if mention.brand not in wanted or mention.derived or stance == "unknown":
            continue
        begin, finish = prepared.sentence_at(mention.start)
        begin = _find_row_label(prepared, mention, begin)
        finish = max(finish, reach, mention.end, _find_label_end(prepared, mention, mentions))
        known = found.get((mention.brand, begin))
        if known is None:
            found[mention.brand, begin] = _Passage(mention, begin, finish, stance == "discouraged")
        else:
            known.finish = max(known.finish, finish)
            known.discouraged = known.discouraged or stance == "discouraged"
    return iter(found.values())


def _find_row_label(prepared: PreparedAnswer, mention: Mention, begin: int) -> int:
    """Return the start of what stands before the name in its row of a table: "Best for travel | Acme"."""
    place = bisect_right(prepared.blocks, mention.start, key=lambda block: block.start) - 1
    if place < 1:
        return begin
    own, before = prepared.blocks[place], prepared.blocks[place - 1]
    same_row = own.kind == before.kind == "cell" and own.group == before.group and own.entry == before.entry
    return before.start if same_row and own.column == 1 and own.start - before.start <= _LONGEST_LABEL else begin


def _find_label_end(prepared: PreparedAnswer, mention: Mention, mentions: Sequence[Mention]) -> int:
    """Return the end of a short heading right below the one with the name: "### Acme S6" and "#### Best value"."""
    place = bisect_right(prepared.blocks, mention.start, key=lambda block: block.start) - 1
    if place < 0 or place + 1 >= len(prepared.blocks):
        return mention.end
    own, below = prepared.blocks[place], prepared.blocks[place + 1]
    is_label = own.kind == below.kind == "heading" and below.level > own.level
    if not is_label or below.end - below.start > _LONGEST_LABEL:
        return mention.end
    named = bisect_right(mentions, below.start - 1, key=lambda each: each.start)
    return mention.end if named < len(mentions) and mentions[named].start < below.end else below.end


def _cut_clause(prepared: PreparedAnswer, passage: _Passage) -> Clause:
    """Return the sentence with the name and as many of the rows after it as fit."""
    mention, prose = passage.mention, prepared.prose
    begin = max(passage.begin, mention.start - _LONG_SENTENCE)
    while prose[begin].isspace():  # stops at the name at the latest
        begin += 1
    end = sentence_end(prose, mention.end)
    stop = max(mention.end, min(passage.finish, end, mention.end + _LONG_SENTENCE))
    text = prose[begin:stop]
    rows = _find_rows(prepared, end, passage.finish)
    for row in rows:
        if len(text) + len(row) > _LONGEST_CLAUSE and len(text) > mention.end - begin + _SHORT_ROW:
            break
        text = f"{text}{BLOCK_END}{row[:_LONGEST_CLAUSE]}"
    is_title = len(text) == stop - begin and _is_title(prepared, begin, stop, mention)
    clause = _join_blocks(text)
    praise, blame = count_praise_and_blame(fold(clause))
    return Clause(
        mention.brand,
        clause,
        mention.start - begin,
        mention.end - begin,
        passage.discouraged,
        is_title and next(rows, None) is None,
        praise == blame == 0,
        blame > 0,
    )


def _find_rows(prepared: PreparedAnswer, start: int, finish: int) -> Iterator[str]:
    """Yield the sentences and lines from here on, without specifications."""
    prose, at = prepared.prose, start
    while True:
        while at < finish and not prose[at].isalnum():
            at += 1
        if at >= finish:
            return
        stop = min(finish, max(at + 1, sentence_end(prose, at + 1)))
        if not _is_specification(prepared, at, stop):
            yield prose[at:stop]
        at = stop


def _is_specification(prepared: PreparedAnswer, start: int, stop: int) -> bool:
    """Return whether a row only says what a product has: a label such as "Weight:", or mostly numbers."""
    if stop - start > _LONGEST_ROW:
        return False
    row = prepared.folded[start:stop]
    if not _SPECIFICATION.match(row):
        words = _WORD.findall(row)
        if 3 * sum(any(character.isdigit() for character in word) for word in words) < len(words):
            return False
    return count_praise_and_blame(row) == (0, 0)


def _is_title(prepared: PreparedAnswer, start: int, stop: int, mention: Mention) -> bool:
    """Return whether the row is only the name of a product with its numbers, as a heading or in a list of prices."""
    if stop - start > _LONGEST_ROW:
        return False
    rest = f"{prepared.prose[start : mention.start]} {prepared.prose[mention.end : stop]}"
    if any(word[0].islower() and word.lower() not in _UNITS for word in _WORD.findall(rest)):
        return False
    return count_praise_and_blame(prepared.folded[start:stop]) == (0, 0)


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
