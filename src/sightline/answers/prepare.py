"""From an answer as served to prose that can be searched, and back to the place in the answer.

Markdown is read by a real parser. Anchors are prose, their addresses are citations; anchors that are a digit, "source"
or a host are marks. Code, image texts, footnotes, source lists, bare addresses and an echoed question are not prose.
What is taken out leaves blanks of the same length, so places stay true.
"""

import re
from bisect import bisect_right
from functools import lru_cache
from threading import Lock

from sightline.answers.addresses import find_addresses, find_marks, opens_with_mark
from sightline.answers.blocks import Block, Link, Piece, Prepared
from sightline.answers.characters import BLOCK_END, continues, fold, normalize, replace_surrogates
from sightline.answers.tokens import sentence_end, words
from sightline.answers.walk import walk_markdown
from sightline.answers.word_lists import read_list

_SOURCE_LINE = re.compile(r"\W*(\w[\w ]{0,24}?)\s*:")
_HEADING_NUMBER = re.compile(r"\W{0,4}(\d{1,2})\s?[.):、]|\W{0,4}#(\d{1,2})\b")
# Begins with the end of the line before: a pattern that begins with few characters is sought several times faster.
_LINE_ITEM = re.compile(r"[\n\x1a]([ \t*_]{0,4}(?:(\d{1,2})\s?[.)、:](?!\d)|\((\d{1,2})\)|[•●・▪‣◦·○■])[ \t]*)(?=\S)")
_NOT_AN_END = re.compile(rf"[^{BLOCK_END}\n]")
_RUN = re.compile(r"\w+")
_LONGEST_HEAD = 40  # characters
_LONGEST_PROMPT = 1_000  # characters of one that is remembered
_LONGEST_REMEMBERED = 8_000  # characters of an answer
_MOST_REMEMBERED = 4_000_000  # characters of all of them: a few thousand answers, in about 26 MB
_SHORTEST_ECHO = 4  # words
_TITLE = re.compile(r"[^\n\x1a]{1,120}")


def prepare(text: str, prompt: str = "") -> Prepared:
    """Nobody changes what comes back: an answer is read when it comes, and again when its check is concluded, and in
    between it is remembered."""
    return _remembered.prepare(text, prompt) if len(text) <= _LONGEST_REMEMBERED else _prepare(text, prompt)


def _prepare(text: str, prompt: str) -> Prepared:
    raw = replace_surrogates(text)
    walk = walk_markdown(raw)
    prose = "".join(walk.parts)
    prepared = Prepared(
        raw=raw,
        prose=prose,
        folded="",
        blocks=walk.blocks,
        bold=walk.bold,
        links=walk.links,
        pieces=walk.pieces,
        marks=[],
    )
    blanks = _find_citations(prepared)
    blanks += _find_source_list(prepared)
    prepared.prose = prose = _blank(prose, blanks)
    if prompt and (echo := _find_echo(prose, prompt)):
        prepared.prose = prose = _blank(prose, [echo])
    prepared.folded = fold(prose)
    _number_headings(prepared)
    _split_lines(prepared)
    return prepared


class _Remembered:
    """The latest answers, by their size and not by their number: hundreds of short ones are under way at once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Prepared] = {}
        self._size = 0
        self._changing = Lock()  # a worker without readers concludes in a thread

    def prepare(self, text: str, prompt: str) -> Prepared:
        known = self._known.get((text, prompt))
        if known is None:
            known = _prepare(text, prompt)
            self._remember((text, prompt), known)
        return known

    def _remember(self, key: tuple[str, str], prepared: Prepared) -> None:
        with self._changing:
            if key in self._known:
                return
            self._known[key] = prepared
            self._size += len(key[0])
            while self._size > _MOST_REMEMBERED:
                oldest = next(iter(self._known))
                del self._known[oldest]
                self._size -= len(oldest[0])


_remembered = _Remembered()


def raw_places(prepared: Prepared, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans of the prose as spans of the raw answer, in characters. Linear in the answer however many spans."""
    if not spans:
        return []
    source = prepared.raw.encode()
    starts = [piece.start for piece in prepared.pieces]
    found: dict[int, tuple[int, int]] = {}
    byte, character, current = 0, 0, -1
    written = ""
    for place in sorted({edge for span in spans for edge in (span[0], span[1] - 1)}):
        index = max(0, bisect_right(starts, place) - 1)
        piece = prepared.pieces[index]
        if index != current:
            character += len(source[byte : piece.source_start].decode())
            byte, current = piece.source_start, index
            written = source[piece.source_start : piece.source_end].decode()
        start, end = _within(piece, written, place - piece.start)
        found[place] = (character + start, character + end)
    return [(found[start][0], found[end - 1][1]) for start, end in spans]


def _within(piece: Piece, written: str, offset: int) -> tuple[int, int]:
    """Which characters of a piece's source gave its `offset`-th character of prose."""
    if piece.whole:
        return 0, len(written)
    if piece.places is None:
        return offset, offset + 1
    start = piece.places[offset]
    end = start + 1
    while end < len(written) and continues(written[end]):
        end += 1
    return start, end


def _find_citations(prepared: Prepared) -> list[tuple[int, int]]:
    """Bare addresses and marks of the prose: kept as links and marks, and named for blanking."""
    prose = prepared.prose
    addresses = [Link(url, start, start + len(url)) for url, start in find_addresses(prose)]
    marks = [(start, mark) for mark, start in find_marks(prose)]
    prepared.links.extend(addresses)
    prepared.marks.extend(marks)
    return [(link.start, link.end) for link in addresses] + [(start, start + len(mark)) for start, mark in marks]


def _find_source_list(prepared: Prepared) -> list[tuple[int, int]]:
    """ "Sources:" and the lines of links below it, and lines such as "[1] https://…" wherever they stand."""
    found: list[tuple[int, int]] = []
    linked = sorted(link.start for link in prepared.links)
    inside = False
    for block in prepared.blocks:
        text = prepared.prose[block.start : block.end]
        if _is_source_head(text):
            inside = True
        elif block.kind == "heading":
            inside = False
            continue
        else:
            marked = opens_with_mark(text)
            if not (inside or marked):
                continue
            has_link = bisect_right(linked, block.end) > bisect_right(linked, block.start - 1)
            if not (marked and has_link):
                inside = inside and (marked or has_link)
                if not inside:
                    continue
        found.append((block.start, block.end))
    return found


def _is_source_head(text: str) -> bool:
    line = _SOURCE_LINE.match(text, 0, _LONGEST_HEAD) if ":" in text[:_LONGEST_HEAD] else None
    if line is None and len(text) > _LONGEST_HEAD:
        return False
    return " ".join(_RUN.findall(fold(line[1] if line else text))) in read_list("source_heads", "heads")


def _find_echo(prose: str, prompt: str) -> tuple[int, int] | None:
    """The first sentence, when at least four fifths of its words are the prompt's."""
    title = _TITLE.search(prose)
    if title is None:
        return None
    start, end = title.start(), sentence_end(prose, title.start())
    said = words(fold(prose[start:end]))
    if len(said) < _SHORTEST_ECHO and not prose[start:end].rstrip().endswith(("?", "？")):
        return None  # "Acme is better." repeats words of the question and is an answer all the same
    # A prompt is put to several platforms; what is far longer than a prompt is not worth the memory.
    asked = _asked(prompt) if len(prompt) <= _LONGEST_PROMPT else _asked.__wrapped__(prompt)
    return (start, end) if sum(word in asked for word in said) >= 0.8 * len(said) else None


@lru_cache(maxsize=1_024)
def _asked(prompt: str) -> frozenset[str]:
    return frozenset(words(fold(normalize(prompt)[0])))


def _blank(prose: str, spans: list[tuple[int, int]]) -> str:
    if not spans:
        return prose
    parts, at = [], 0
    for start, end in sorted(spans):
        if end <= at:
            continue
        parts += [prose[at : max(at, start)], _blanks_for(prose[max(at, start) : end])]
        at = end
    parts.append(prose[at:])
    return "".join(parts)


def _blanks_for(text: str) -> str:
    """As long as the text, with its ends of lines and blocks. The pattern works letter by letter, so it comes last."""
    if "\n" not in text and BLOCK_END not in text:
        return " " * len(text)
    return _NOT_AN_END.sub(" ", text)


def _number_headings(prepared: Prepared) -> None:
    prose = prepared.prose
    if not prepared.bold and all(block.kind != "heading" for block in prepared.blocks):
        return
    whole = dict(prepared.bold)
    for block in prepared.blocks:
        if block.kind == "paragraph" and whole.get(block.start, -1) >= block.end - 2:
            block.kind, block.level = "heading", 7  # a paragraph that is all bold is a heading by another name
        if block.kind == "heading" and (number := _HEADING_NUMBER.match(prose, block.start, block.end)):
            block.number = int(number[1] or number[2])


def _split_lines(prepared: Prepared) -> None:
    """Lines that open with "1、" or "•" are items too, though markdown does not say so."""
    # The first line has no line before it, so it is given one, and places are one too high.
    lines = "\n" + prepared.prose
    paragraphs = [block for block in prepared.blocks if block.kind == "paragraph"]
    if not any(_LINE_ITEM.search(lines, block.start, block.end + 2) for block in paragraphs):
        return
    # Of each its start, its end, and whether it is numbered.
    items = [
        (item.start(1) - 1, item.end(1) - 1, (item[2] or item[3]) is not None) for item in _LINE_ITEM.finditer(lines)
    ]
    if len(items) < 2:
        return
    starts = [start for start, _, _ in items]
    blocks: list[Block] = []
    group = -1
    for block in prepared.blocks:
        own = items[bisect_right(starts, block.start - 1) : bisect_right(starts, block.end - 1)]
        if block.kind != "paragraph" or not own:
            blocks.append(block)
            group -= block.kind != "item"
            continue
        if own[0][0] > block.start:
            blocks.append(Block("paragraph", block.start, own[0][0]))
        for index, (start, text_start, numbered) in enumerate(own):
            end = own[index + 1][0] if index + 1 < len(own) else block.end
            entry = -start - 1
            blocks.append(
                Block("item", text_start, end, group=group, entry=entry, depth=1, ordered=numbered, opens=True)
            )
    prepared.blocks = blocks
