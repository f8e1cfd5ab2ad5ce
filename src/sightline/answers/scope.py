"""The stretch of an answer that is about a brand. Sentiment and themes use this one definition.

It begins with the clause that names the brand. It ends where any other maker or product begins, tracked or not, at a
"however", and at the next item of a list. Below a head stands what is said of the brand that it names.

Themes also read the items and cells of an entry, where they name no other brand: a feature that is written like a name
("Turbo Mode") ends what is said in its own item, but not the list.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from sightline.answers.blocks import Block, PreparedAnswer
from sightline.answers.generic_heads import is_generic
from sightline.answers.mentions import Mention
from sightline.answers.name_reader import read_opening_name
from sightline.answers.presented_names import find_heads
from sightline.answers.tokens import sentence_end

OTHER = -1
"""The brand of a mention whose name is not identified. It only ends what is said about another brand."""
# A clause ends here when another brand follows it.
_CLAUSE = re.compile(
    r"[.;:!?\n—–]|,\s|\s-\s|\b(?:but|while|whereas|although|though|however|yet|unlike|and then|so|because|rather than|"
    r"instead of|compared (?:with|to)|than)\b"
)
_ONLY_JOINED = re.compile(
    r"(?:'s?)?[\s,/*&]*(?:(?:and|or|nor|plus|as well as|vs\.?|versus|both|then)[\s*]*)?(?:the\s)?"
)
# Folded: lower case, no diacritics.
_HOWEVER = re.compile(
    r"(?:^|[.!?;。！？\s])(?:however|on the other hand|that said|allerdings|jedoch|cependant|toutefois|en revanche|"
    r"sin embargo|no obstante|tuttavia|pero,|no entanto|porem|echter|jednak|dock|однако|"
    r"ただし|しかし|然而|不过|하지만|그러나)\b"
)
# English words after which a clause on somebody else begins.
_TURN = re.compile(r"\b(?:while|whereas|but|although|though|yet)\s+")
# Before a name that another is measured by: what follows is about the other.
_YARDSTICK = re.compile(
    r"\b(?:than|(unlike)|as [\w-]+ as|compared (?:with|to))\s(?:(?:the|an?|most|other|any)\s)?[\s*\"]*$"
)
_AND_ANOTHER = re.compile(r"(?:'s?)?[\s,*]*(?:and|or|nor|/)[\s*]*(?:the\s)?")
_YARDSTICK_REACH = 40  # characters
_MAX_BLOCKS = 60  # below one head
_MAX_SENTENCES = 400  # sentences of an answer that are searched for names
_HEAD_REACH = 80  # characters of a block within which a name heads it


def bound_mentions(
    prepared: PreparedAnswer, mentions: Sequence[Mention], all_mentions: Sequence[Mention]
) -> list[Mention]:
    """Return the mentions of the tracked brands and, as `OTHER`, whatever else is named, in order of place.

    `all_mentions` are those of all brands that are known. Of the rest, names at heads and names that open a sentence or
    a clause count: "It works with Acme" is still about "it".
    """
    taken = [(mention.start, mention.end) for mention in mentions]
    starts = [start for start, _ in taken]
    own = {mention.start for mention in mentions}
    found = [*mentions]

    def add(start: int, end: int) -> None:
        place = bisect_right(starts, start) - 1
        inside = place >= 0 and taken[place][1] + 1 >= start  # it goes on with a product of the brand
        following = place + 1 < len(starts) and starts[place + 1] < end
        if not inside and not following:
            found.append(Mention(start, end, OTHER, derived=False))

    known = [(mention.start, mention.end) for mention in all_mentions if mention.start not in own]
    if prepared.other_names is None:  # kept, because every later reading for other brands needs them
        prepared.other_names = list(_find_other_names(prepared))
    for start, end in {*known, *prepared.other_names}:
        add(start, end)
    found.sort(key=lambda mention: (mention.start, mention.end))
    return _without_overlaps(found)


def _without_overlaps(mentions: list[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for mention in mentions:
        if kept and mention.start < kept[-1].end:
            if mention.brand == OTHER:
                continue
            if kept[-1].brand == OTHER:
                kept.pop()
        kept.append(mention)
    return kept


def _find_other_names(prepared: PreparedAnswer) -> Iterator[tuple[int, int]]:
    for name in find_heads(prepared):
        if name.distinct or name.listed:
            yield name.start, name.end
    if not prepared.is_english:
        return  # elsewhere the dictionary would take the first word of any sentence for a name
    counted = 0
    for block in prepared.blocks:
        at = block.start
        while at < block.end and counted < _MAX_SENTENCES:
            counted += 1
            if opening := read_opening_name(prepared, at, block.end):
                yield opening
            at = max(at + 1, sentence_end(prepared.prose, at))
    for turn in islice(_TURN.finditer(prepared.folded), _MAX_SENTENCES):
        if opening := read_opening_name(prepared, turn.end(), len(prepared.prose)):
            yield opening


def find_scopes(prepared: PreparedAnswer, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    """Return the span of prose that is about each mention.

    Of a yardstick, as in "lighter than Acme", it is only the name: what follows is about the brand that is measured.
    """
    yardsticks = _find_yardsticks(prepared, mentions)
    measured = [mention for index, mention in enumerate(mentions) if index not in yardsticks]
    spans = iter(_find_spans(prepared, measured))
    return [
        (mention.start, mention.end) if index in yardsticks else next(spans) for index, mention in enumerate(mentions)
    ]


def find_details(prepared: PreparedAnswer, mentions: Sequence[Mention]) -> Iterator[tuple[Mention, tuple[int, int]]]:
    """Yield each item or cell of an entry that names a brand, with the mention there, unless it names another brand.

    An entry may name two: "Acme Zorvex Mini" is praise for the maker and for its series.
    """
    blocks = prepared.blocks
    starts = [block.start for block in blocks]
    named: dict[int, list[Mention]] = {}
    for mention in mentions:
        if mention.brand != OTHER:
            named.setdefault(bisect_right(starts, mention.start) - 1, []).append(mention)
    for name in find_heads(prepared):
        place = bisect_right(starts, name.start) - 1
        heads = named.get(place, [])
        if not name.entry or not all(name.start <= mention.start < name.end for mention in heads):
            continue
        brands = {mention.brand for mention in heads}
        for below in range(place + 1, min(place + 1 + _MAX_BLOCKS, len(blocks))) if brands else ():
            other = blocks[below]
            own = blocks[place]
            if not (
                _belongs(own, other) or _is_label_below(prepared, own, other) or _is_labeled_item(prepared, own, other)
            ):
                break
            if other.kind == "paragraph" and blocks[below - 1].kind == "item":
                break  # what follows the list may be about all entries
            if other.kind in ("item", "cell") and brands.issuperset(each.brand for each in named.get(below, ())):
                yield from ((mention, (other.start, other.end)) for mention in heads)


def turns_at(prepared: PreparedAnswer, place: int) -> bool:
    """Return whether a "however" begins at a place."""
    return _HOWEVER.match(prepared.folded, place) is not None


def _find_yardsticks(prepared: PreparedAnswer, mentions: Sequence[Mention]) -> set[int]:
    """Return which mentions are yardsticks.

    A comparison needs another brand, before it or in the same sentence. "Unlike" always has one.
    """
    folded = prepared.folded
    found: set[int] = set()
    for index, mention in enumerate(mentions):
        if index - 1 in found and _AND_ANOTHER.fullmatch(folded, mentions[index - 1].end, mention.start):
            found.add(index)
        elif lead := _YARDSTICK.search(folded, max(0, mention.start - _YARDSTICK_REACH), mention.start):
            end = prepared.sentence_at(mention.start)[1]
            near = [*mentions[max(0, index - 1) : index], *mentions[index + 1 : index + 2]]
            if lead[1] or any(each.brand != mention.brand and each.start < end for each in near):
                found.add(index)
    return found


def _find_spans(prepared: PreparedAnswer, mentions: Sequence[Mention]) -> list[tuple[int, int]]:
    folded = prepared.folded
    starts = [block.start for block in prepared.blocks]
    places = [max(0, bisect_right(starts, mention.start) - 1) for mention in mentions]
    blocks = [prepared.blocks[place] for place in places]
    ends = _find_ends(prepared, mentions, places)
    spans: list[tuple[int, int]] = []
    left = 0
    for index, mention in enumerate(mentions):
        block = blocks[index]
        end = ends[index]
        start = max(left, block.start) if not index or blocks[index - 1] is block else block.start
        following = mentions[index + 1] if index + 1 < len(mentions) else None
        if following is not None and following.start < end:
            between = folded[mention.end : following.start]
            breaks = [match.start() for match in _CLAUSE.finditer(between)]
            end = mention.end + breaks[-1] if breaks else following.start
            if _ONLY_JOINED.fullmatch(between):
                end = following.start
        turn = _HOWEVER.search(folded, mention.end, end)
        end = turn.start() if turn else end
        spans.append((min(start, mention.start), max(end, mention.end)))
        left = spans[-1][1]
    for index in range(len(mentions) - 2, -1, -1):
        between = folded[mentions[index].end : mentions[index + 1].start]
        if len(between) < 24 and blocks[index] is blocks[index + 1] and _ONLY_JOINED.fullmatch(between):
            spans[index] = (spans[index][0], spans[index + 1][1])  # "X and Y are excellent" is about both
    return spans


def _find_ends(prepared: PreparedAnswer, mentions: Sequence[Mention], places: Sequence[int]) -> list[int]:
    """Return where each stretch ends at the latest: at the end of the block, or of what its head is about."""
    found: list[int] = []
    below: dict[int, int] = {}
    brands: dict[int, set[int]] = {}
    for mention, place in zip(mentions, places, strict=True):
        brands.setdefault(place, set()).add(mention.brand)
    for mention, place in zip(mentions, places, strict=True):
        block = prepared.blocks[place]
        if len(brands[place]) == 1 and mention.start - block.start <= _HEAD_REACH:
            if place not in below:
                below[place] = _row_end(prepared, place)
            found.append(below[place])
        else:
            found.append(block.end)
    return found


def _row_end(prepared: PreparedAnswer, place: int) -> int:
    """Return the end of the item, table row or section that a name heads, sub-items included."""
    own = prepared.blocks[place]
    end = own.end
    for other in prepared.blocks[place + 1 : place + 1 + _MAX_BLOCKS]:
        if not _belongs(own, other) and not _is_label_below(prepared, own, other):
            break
        end = other.end
    return end


def _is_label_below(prepared: PreparedAnswer, own: Block, other: Block) -> bool:
    """Return whether a heading below the one of a brand is only a label of its section: "Pros" or "Price"."""
    if own.kind != "heading" or other.kind != "heading" or other.level <= own.level:
        return False
    return is_generic(prepared.folded[other.start : other.end].strip(" *_:"))


def _is_labeled_item(prepared: PreparedAnswer, own: Block, other: Block) -> bool:
    """Return whether an item after that of a brand opens with a label: "Pros: light"."""
    label, colon, _ = prepared.folded[other.start : other.end].partition(":")
    return own.kind == other.kind == "item" and bool(colon) and is_generic(label.strip(" *_"))


def _belongs(own: Block, other: Block) -> bool:
    if own.kind == "cell":
        return other.kind == "cell" and other.group == own.group and other.entry == own.entry
    if own.kind == "item":
        return other.kind == "item" and (other.depth > own.depth or other.entry == own.entry)
    return own.kind == "heading" and other.kind != "heading"
