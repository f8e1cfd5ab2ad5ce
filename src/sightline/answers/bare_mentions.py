"""Mentions that say nothing of a brand: a table cell, a price or a source that only contains its name."""

import re
import unicodedata
from bisect import bisect_right

from sightline.answers.blocks import Block, PreparedAnswer
from sightline.answers.mentions import Mention
from sightline.answers.sentiment_words import count_praise_and_blame
from sightline.answers.tokens import words
from sightline.answers.word_lists import read_list

_MAX_WORDS_WITH_PRICE = 8
_MAX_WORDS_OF_LABEL = 4
_CURRENCY_CODE = re.compile(r"\b[A-Z]{3}\s?\d|\d\s?(?:[A-Z]{3}|kr|zł|Kč|руб|円|元|원)(?![^\W\d_])")
_LABEL_BEFORE = re.compile(r"([^\W\d_][\w ]{0,24}?)\s*:[\s*_]*$")


def is_bare(prepared: PreparedAnswer, mention: Mention, anchors: frozenset[int]) -> bool:
    """Return whether the mention is only a table cell, a price or a source. Links begin at `anchors`."""
    block = prepared.blocks[max(0, bisect_right(prepared.blocks, mention.start, key=lambda each: each.start) - 1)]
    if block.kind == "cell":
        return _counts_at_most(prepared, mention, (block.start, block.end), _MAX_WORDS_OF_LABEL)
    return _is_price(prepared, mention) or _is_source(prepared, mention, block, anchors)


def _is_price(prepared: PreparedAnswer, mention: Mention) -> bool:
    start, end = prepared.sentence_at(mention.start)
    sentence = prepared.prose[start:end]
    has_symbol = any(unicodedata.category(character) == "Sc" for character in sentence)
    has_price = has_symbol or _CURRENCY_CODE.search(sentence) is not None
    return has_price and _counts_at_most(prepared, mention, (start, end), _MAX_WORDS_WITH_PRICE)


def _is_source(prepared: PreparedAnswer, mention: Mention, block: Block, anchors: frozenset[int]) -> bool:
    """Return whether it stands in brackets, after a label such as "Source:", or as a link without other words."""
    prose, (start, end) = prepared.prose, prepared.sentence_at(mention.start)
    opening, closing = prose.rfind("(", start, mention.start), prose.find(")", mention.end, end)
    if opening > prose.rfind(")", start, mention.start) and closing >= 0:
        return _counts_at_most(prepared, mention, (opening, closing), _MAX_WORDS_OF_LABEL)
    label = _LABEL_BEFORE.search(prepared.folded, max(start, mention.start - 40), mention.start)
    if label is not None and label[1] in read_list("source_heads", "heads"):
        return _counts_at_most(prepared, mention, (mention.start, end), _MAX_WORDS_OF_LABEL)
    return (
        mention.start in anchors and block.kind == "paragraph" and _counts_at_most(prepared, mention, (start, end), 0)
    )


def _counts_at_most(prepared: PreparedAnswer, mention: Mention, span: tuple[int, int], limit: int) -> bool:
    """Return whether a span has at most so many words besides the name, and none of praise or blame."""
    start, end = span
    rest = f"{prepared.folded[start : mention.start]} {prepared.folded[mention.end : end]}"
    return len(words(rest)) <= limit and count_praise_and_blame(rest) == (0, 0)
