"""The statements of an answer: its sentences and list items, and whether they stand in a list of pros or cons."""

import re
from collections.abc import Iterator

import msgspec

from sightline.answers.aspect_words import AspectWords
from sightline.answers.blocks import Block, PreparedAnswer
from sightline.answers.characters import BLOCK_END
from sightline.answers.tokens import sentence_end

# Where two sentences are joined without a blank, and after the rating of a product: "4.8(217)Acme".
# Also at the end of a line, unless the sentence goes on in lower case.
_GLUED = re.compile(
    r"(?<=[a-z)%][a-z\d)%])[.!?](?=\d?[A-Z])(?!(?:JS|NET|COM|AI|IO)\b)|(?<=\d)[.!?](?=[A-Z][a-z]{2})|"
    r"\(\d[\d.,]*k?\+?\)(?=[A-Z])|\n(?![^\S\n]*[a-z])"
)
_GOOD_MARK = re.compile(r"[\s>*_-]{0,4}[✅✔☑👍➕💚]")
_BAD_MARK = re.compile(r"[\s>*_-]{0,4}[❌✖✘👎➖⚠]")
_LABEL = re.compile(rf"\W{{0,4}}([^\W\d_][^:：.!?\n{BLOCK_END}]{{1,38}}?)\s?[*_]{{0,3}}[:：]\s?(?!//)")
_MOST_LABEL_WORDS = 5
EDGE = ' \t\n*_-–—•·|"“”'
_LONGEST_HEAD = 40  # characters
_MAX_STATEMENTS = 1_000  # of an answer: a longer text is no real answer

Sign = int
"""1 for a strength, -1 for a weakness, 0 for neither."""


class Statement(msgspec.Struct, frozen=True, gc=False):
    """A sentence or list item, as places in the prose. `body` is where the text after its label begins."""

    start: int
    end: int
    body: int
    block: int
    label: tuple[int, int] = (0, 0)
    """Where its label stands. That of a table cell is the head of its column."""
    aspect: str = ""
    """The aspect that its label names."""
    sign: Sign = 0
    is_wish: bool = False
    """Whether its label says for whom something is: "Best for"."""


def find_statements(prepared: PreparedAnswer, words: AspectWords) -> list[Statement]:
    """Return the statements in their order."""
    found: list[Statement] = []
    signs = _SignReader(prepared, words)
    for place, block in enumerate(prepared.blocks):
        sign = signs.read(block)
        for start, end in split_block(prepared.prose, block):
            head = signs.find_cell_head(block)
            found.append(_build_statement(prepared, words, start, end, place, sign, head))
            if len(found) == _MAX_STATEMENTS:
                return found
    return found


def split_block(prose: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a block, without the marks and blanks around them."""
    at = block.start
    while at < block.end:
        stop = min(block.end, max(at + 1, sentence_end(prose, at)))
        glued = _GLUED.search(prose, at + 1, stop)
        if glued:
            stop = glued.end()
        start, end = at, stop
        while start < end and prose[start] in EDGE:
            start += 1
        while end > start and prose[end - 1] in EDGE + BLOCK_END:
            end -= 1
        if start < end:
            yield start, end
        at = stop


def _build_statement(
    prepared: PreparedAnswer, words: AspectWords, start: int, end: int, place: int, sign: Sign, head: Block | None
) -> Statement:
    if not sign:
        sign = bool(_GOOD_MARK.match(prepared.prose, start)) - bool(_BAD_MARK.match(prepared.prose, start))
    span, body = (head.start, head.end) if head else (0, 0), start
    label = _find_label(prepared.prose, start, end)
    if label is not None:
        # "Acme Mini: Pros: small and light" has two labels, and the second says more.
        second = _find_label(prepared.prose, label.end(), end)
        if second is not None and words.is_list_label(_read_label(prepared, second.span(1))):
            label = second
        span, body = label.span(1), label.end()
    text = _read_label(prepared, span)
    return Statement(
        start,
        end,
        body,
        place,
        span,
        words.find_aspect(text),
        words.find_sign(text) or sign,
        text in words.wishes,
    )


def _find_label(prose: str, start: int, end: int) -> re.Match[str] | None:
    match = _LABEL.match(prose, start, end)
    return match if match and match.end() < end and len(match[1].split()) <= _MOST_LABEL_WORDS else None


def _read_label(prepared: PreparedAnswer, span: tuple[int, int]) -> str:
    return prepared.folded[slice(*span)].strip(EDGE + ":：")


class _SignReader:
    """Follows headings, labels and column heads such as "Pros" to the items and cells below them."""

    def __init__(self, prepared: PreparedAnswer, words: AspectWords) -> None:
        self._prepared = prepared
        self._words = words
        self._head: Block | None = None
        self._sign: Sign = 0
        self._columns: dict[tuple[int, int], Sign] = {}
        self._column_heads: dict[tuple[int, int], Block] = {}
        self._row_head: Block | None = None

    def read(self, block: Block) -> Sign:
        """Return the sign of a block. Blocks have to be read in their order."""
        own = self._read_head(block)
        if block.kind == "cell":
            if block.column == 0:
                self._row_head = block
            if block.entry == 0:
                self._columns[block.group, block.column] = own
                self._column_heads[block.group, block.column] = block
            return self._columns.get((block.group, block.column), 0)
        if own:
            self._head, self._sign = block, own
        elif self._head is not None and not _is_below(block, self._head):
            self._head, self._sign = None, 0
        return self._sign

    def find_cell_head(self, block: Block) -> Block | None:
        """Return the head of the column of a cell, or that of its row if that names an aspect."""
        if block.kind != "cell" or block.entry == 0 or block.column == 0:
            return None
        row = self._row_head
        if row is not None and self._words.find_aspect(_read_label(self._prepared, (row.start, row.end))):
            return row
        return self._column_heads.get((block.group, block.column))

    def _read_head(self, block: Block) -> Sign:
        if block.end - block.start > _LONGEST_HEAD:
            return 0
        text = self._prepared.folded[block.start : block.end]
        return self._words.find_sign(text.strip(EDGE + ":："))


def _is_below(block: Block, head: Block) -> bool:
    if head.kind == "item":
        return block.kind == "item" and block.depth > head.depth
    return block.kind == "item"
