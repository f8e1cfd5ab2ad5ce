"""The passages of an answer that are about a brand: sentences, list items and table cells in its scope. Pure."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from operator import attrgetter

import msgspec

from sightline.answers.aspect_statements import EDGE, split_block
from sightline.answers.aspects import can_stand_alone, cut_quote
from sightline.answers.blocks import PreparedAnswer
from sightline.answers.candidates import Candidate
from sightline.answers.characters import script
from sightline.answers.corrections import Correction
from sightline.answers.mentions import Mention
from sightline.answers.names import Lexicon
from sightline.answers.prepare import find_raw_spans
from sightline.answers.reading import read_answer
from sightline.answers.scope import turns_at
from sightline.answers.tokens import sentence_start

_MAX_PER_BRAND = 40  # in one answer: a hostile text must not fill the memory
_OPENING = 60  # characters of a passage within which its subject stands
_FEWEST_WORDS, _FEWEST_WORDS_OF_A_PART = 3, 6  # a few words that another name cuts off say nothing
_FEWEST_LETTERS = 12
_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹]|(?:kr|USD|EUR|DKK|GBP)\b)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_MOST_WORDS_OF_A_PRICE = 4
_ITEMS = re.compile(r"[,·|/;]\s")
_FEWEST_ITEMS = 3
_MOST_WORDS_OF_AN_ITEM = 3
_BETWEEN_STATEMENTS = frozenset(":;,–—")
_QUESTION_MARKS = "?\uff1f\u061f"
_UNSAID = _QUESTION_MARKS + ":"  # ends of a question and of a label
_START = attrgetter("start")


class StatedPassage(msgspec.Struct, frozen=True):
    """What an answer says of a brand in one place, also a bare price or the name of a product."""

    text: str
    context: str
    """The sentence, heading or item that names the brand, if that stands before it."""


class Passage(msgspec.Struct, frozen=True):
    """What an answer says of a brand in one sentence, list item or cell, as it stands there."""

    text: str
    quotable: bool
    """Whether the brand alone is its subject, so that it may be shown as it stands."""


def find_passages(
    text: str,
    lexicon: Lexicon,
    *,
    prompt: str = "",
    language: str | None = None,
    corrections: tuple[Correction, ...] = (),
    candidates: tuple[Candidate, ...] | None = None,
) -> dict[int, tuple[Passage, ...]]:
    """Return the passages about each brand, by the index of the brand, in the order of the answer.

    `candidates` are the other names of the answer, where they are known.
    """
    reading = read_answer(text, lexicon, prompt, language, corrections, candidates)
    prepared = reading.prepared
    statements = [span for block in prepared.blocks for span in split_block(prepared.prose, block)]
    found: dict[int, dict[tuple[int, int], bool]] = {}
    for mention, span in reading.passages:
        own = found.setdefault(mention.brand, {})
        for statement, is_whole in _list_statements(prepared, statements, reading.bounded, mention, span):
            if len(own) < _MAX_PER_BRAND:
                is_quotable = is_whole and _is_subject(reading.bounded, mention, statement)
                own[statement] = own.get(statement, False) or is_quotable
    return _cut(prepared, found)


def find_stated(
    text: str, lexicon: Lexicon, *, prompt: str = "", language: str | None = None, brand: int = 0
) -> tuple[StatedPassage, ...]:
    """Return everything that an answer says of one brand, in the order of the answer: prices and headings, too."""
    reading = read_answer(text, lexicon, prompt=prompt, language=language)
    prepared = reading.prepared
    statements = [span for block in prepared.blocks for span in split_block(prepared.prose, block)]
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for mention, span in reading.passages:
        if mention.brand != brand:
            continue
        named = statements[max(0, bisect_left(statements, (mention.start + 1, 0)) - 1)] if statements else span
        for statement, _ in _list_statements(prepared, statements, reading.bounded, mention, span, with_bare=True):
            if len(found) < _MAX_PER_BRAND and (statement not in found or named[0] < statement[0]):
                found[statement] = (min(named[0], statement[0]), min(named[1], statement[0]))
    spans = sorted({*found, *(context for context in found.values() if context[0] < context[1])})
    texts = {
        span: cut_quote(prepared.raw, *raw) for span, raw in zip(spans, find_raw_spans(prepared, spans), strict=True)
    }
    return tuple(
        StatedPassage(texts[span], texts.get(context, "")) for span, context in sorted(found.items()) if texts[span]
    )


def _list_statements(
    prepared: PreparedAnswer,
    statements: Sequence[tuple[int, int]],
    bounded: Sequence[Mention],
    mention: Mention,
    span: tuple[int, int],
    *,
    with_bare: bool = False,
) -> Iterator[tuple[tuple[int, int], bool]]:
    """Yield the statements of a scope, and whether each is whole: parts of it may be about others."""
    low = max(span[0], sentence_start(prepared.prose, mention.start))
    last = _extend_over_turn(prepared, statements, bounded, span[1])
    for place in range(max(0, bisect_left(statements, (low, 0)) - 1), len(statements)):
        start, end = statements[place]
        if start >= last:
            return
        names_another = any(each.brand != mention.brand for each in _list_mentions(bounded, start, low))
        begin, stop = _strip(prepared.prose, max(start, low) if names_another else start, min(end, last))
        said = prepared.prose[begin:stop]
        is_whole = (begin, stop) == _strip(prepared.prose, start, end)
        fewest = _FEWEST_WORDS if is_whole else _FEWEST_WORDS_OF_A_PART
        if stop <= low or not said or (with_bare and said[-1] in _QUESTION_MARKS):
            continue
        if with_bare:
            yield (begin, stop), is_whole
            continue
        if not _has_words(said, fewest) or said[-1] in _UNSAID or _is_bare(said):
            continue
        if begin <= mention.start and _is_head(said):
            continue
        yield (begin, stop), is_whole


def _extend_over_turn(
    prepared: PreparedAnswer, statements: Sequence[tuple[int, int]], bounded: Sequence[Mention], end: int
) -> int:
    """Return where a scope ends that goes on after a "however": with its statement, unless that names anybody."""
    if not turns_at(prepared, end):
        return end
    place = bisect_right(statements, (end + 1, len(prepared.prose))) - 1
    if place < 0 or statements[place][1] <= end or _list_mentions(bounded, end, statements[place][1]):
        return end
    return statements[place][1]


def _list_mentions(bounded: Sequence[Mention], start: int, end: int) -> Sequence[Mention]:
    """Return the mentions that begin in a span. They are in order, and a long answer has thousands."""
    first = bisect_left(bounded, start, key=_START)
    return bounded[first : bisect_left(bounded, end, first, key=_START)]


def _has_words(text: str, fewest: int) -> bool:
    """Return whether a text is more than a name, a label or a price."""
    if text.isascii():
        return len(text) >= _FEWEST_LETTERS and len(text.split()) >= fewest
    return len(text.split()) >= fewest or any(script(letter) == "unspaced" for letter in text)


def _is_bare(text: str) -> bool:
    """Return whether a text is a price, or a list of names and specifications: it says nothing about anybody.

    The card of a product in a shop has a price, too, and hardly a word in lower case.
    """
    if _PRICE.search(text):
        words = _WORD.findall(text)
        if len(words) <= _MOST_WORDS_OF_A_PRICE or sum(map(str.islower, words)) <= 1:
            return True
    items = [item.split() for item in _ITEMS.split(text.rpartition(": ")[2])]
    named = [item for item in items if item and (item[0][0].isupper() or any(map(str.isdigit, " ".join(item))))]
    return (
        len(items) >= _FEWEST_ITEMS
        and len(named) == len(items)
        and all(len(item) <= _MOST_WORDS_OF_AN_ITEM for item in items)
    )


def _is_head(text: str) -> bool:
    """Return whether a text that names a brand is nothing but the name of a product: each word has a capital."""
    if not _BETWEEN_STATEMENTS.isdisjoint(text):
        return False
    starts = [letters[0] for word in text.split() if (letters := word.lstrip('([*_"“'))]
    return all(start.isupper() or not start.isalpha() for start in starts)


def _strip(prose: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without the marks and blanks around it."""
    while start < end and prose[start] in EDGE + ".,;:":
        start += 1
    while end > start and prose[end - 1] in EDGE:
        end -= 1
    return start, end


def _is_subject(bounded: Sequence[Mention], mention: Mention, statement: tuple[int, int]) -> bool:
    """Return whether the passage names the brand where it opens and nobody else, or stands below its heading."""
    named = _list_mentions(bounded, *statement)
    if any(each.brand != mention.brand for each in named):
        return False
    return named[0].start - statement[0] <= _OPENING if named else mention.start < statement[0]


def _cut(prepared: PreparedAnswer, found: dict[int, dict[tuple[int, int], bool]]) -> dict[int, tuple[Passage, ...]]:
    # All at once, because the cost grows with the length of the answer, not with the number of passages.
    spans = sorted({span for own in found.values() for span in own})
    texts = {
        span: cut_quote(prepared.raw, *raw) for span, raw in zip(spans, find_raw_spans(prepared, spans), strict=True)
    }
    return {
        brand: tuple(
            Passage(texts[span], is_subject and can_stand_alone(texts[span]))
            for span, is_subject in sorted(own.items())
            if texts[span]
        )
        for brand, own in found.items()
        if own
    }
