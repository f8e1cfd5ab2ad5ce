"""Turns an answer into prose that can be searched, and finds places of the prose in the answer again.

Markdown is read by a real parser. Anchors are prose and their addresses are citations; anchors that are a digit,
"source" or a host are citation marks. Code, image texts, footnotes, source lists, bare addresses and an echoed question
are not prose. Removed text leaves blanks of the same length, so that places stay correct.
"""

import re
from bisect import bisect_right
from collections.abc import Callable
from functools import lru_cache
from threading import Lock

from cachetools import FIFOCache, cached

from sightline.answers.addresses import find_addresses, find_marks, opens_with_mark
from sightline.answers.blocks import Block, Link, PreparedAnswer, SourcePiece
from sightline.answers.characters import BLOCK_END, fold, is_combining, normalize, replace_surrogates
from sightline.answers.markdown_parser import parse_markdown
from sightline.answers.tokens import sentence_end, words
from sightline.answers.word_lists import read_list

_SOURCE_LINE = re.compile(r"\W*(\w[\w ]{0,24}?)\s*:")
_HEADING_NUMBER = re.compile(r"\W{0,4}(\d{1,2})\s?[.):、]|\W{0,4}#(\d{1,2})\b")
# It begins with the end of the line before: a search is faster if few characters can begin a match.
_LINE_ITEM = re.compile(r"[\n\x1a]([ \t*_]{0,4}(?:(\d{1,2})\s?[.)、:](?!\d)|\((\d{1,2})\)|[•●・▪‣◦·○■])[ \t]*)(?=\S)")
_NOT_AN_END = re.compile(rf"[^{BLOCK_END}\n]")
_RUN = re.compile(r"\w+")
_LONGEST_HEAD = 40  # characters
_LONGEST_CACHED_PROMPT = 1_000  # characters
_LONGEST_CACHED_ANSWER = 8_000  # characters
_CACHED_CHARACTERS = 4_000_000  # a few thousand answers, in about 26 MB
_SHORTEST_ECHO = 4  # words
_TITLE = re.compile(r"[^\n\x1a]{1,120}")


def prepare(text: str, prompt: str = "") -> PreparedAnswer:
    """Return the answer ready for searching. The result is shared and must not be changed.

    It is cached, because an answer is analyzed when it comes and again when its scan is summarized.
    """
    return prepare_cached(text, prompt) if len(text) <= _LONGEST_CACHED_ANSWER else _prepare(text, prompt)


def _prepare(text: str, prompt: str) -> PreparedAnswer:
    raw = replace_surrogates(text)
    parsed = parse_markdown(raw)
    prose = "".join(parsed.parts)
    prepared = PreparedAnswer(
        raw=raw,
        prose=prose,
        folded="",
        blocks=parsed.blocks,
        bold=parsed.bold,
        links=parsed.links,
        pieces=parsed.pieces,
        marks=[],
        prompt=prompt,
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


def cache_latest(characters: int) -> Callable[[str, str], PreparedAnswer]:
    # Limited by size and not by number: hundreds of short answers are under way at once.
    cache: FIFOCache[tuple[str, str], PreparedAnswer] = FIFOCache(
        characters, getsizeof=lambda prepared: len(prepared.raw)
    )
    # With a lock, because a worker without analyzer processes summarizes scans in a thread.
    return cached(cache, key=lambda text, prompt: (text, prompt), lock=Lock())(_prepare)


prepare_cached = cache_latest(_CACHED_CHARACTERS)


def find_raw_spans(prepared: PreparedAnswer, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return spans of the prose as spans of the raw answer, in characters.

    The cost is linear in the answer, however many spans there are.
    """
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
        start, end = _find_source_characters(piece, written, place - piece.start)
        found[place] = (character + start, character + end)
    return [(found[start][0], found[end - 1][1]) for start, end in spans]


def _find_source_characters(piece: SourcePiece, written: str, offset: int) -> tuple[int, int]:
    """Return which characters of a piece's source gave its `offset`-th character of prose."""
    if piece.whole:
        return 0, len(written)
    if piece.places is None:
        return offset, offset + 1
    start = piece.places[offset]
    end = start + 1
    while end < len(written) and is_combining(written[end]):
        end += 1
    return start, end


def _find_citations(prepared: PreparedAnswer) -> list[tuple[int, int]]:
    """Record bare addresses and marks of the prose as links and marks, and return their spans for blanking."""
    prose = prepared.prose
    addresses = [Link(url, start, start + len(url)) for url, start in find_addresses(prose)]
    marks = [(start, mark) for mark, start in find_marks(prose)]
    prepared.links.extend(addresses)
    prepared.marks.extend(marks)
    return [(link.start, link.end) for link in addresses] + [(start, start + len(mark)) for start, mark in marks]


def _find_source_list(prepared: PreparedAnswer) -> list[tuple[int, int]]:
    """Return the spans of "Sources:" with the links below it, and of lines such as "[1] https://…"."""
    found: list[tuple[int, int]] = []
    linked = sorted(link.start for link in prepared.links)
    inside = False
    for block in prepared.blocks:
        text = prepared.prose[block.start : block.end]
        if _is_source_head(text[: _LONGEST_HEAD + 1]):
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


@lru_cache(maxsize=4_096)  # cells and labels recur in every answer
def _is_source_head(text: str) -> bool:
    line = _SOURCE_LINE.match(text, 0, _LONGEST_HEAD) if ":" in text[:_LONGEST_HEAD] else None
    if line is None and len(text) > _LONGEST_HEAD:
        return False
    return " ".join(_RUN.findall(fold(line[1] if line else text))) in read_list("source_heads", "heads")


def _find_echo(prose: str, prompt: str) -> tuple[int, int] | None:
    """Return the span of the first sentence if at least four fifths of its words are the prompt's."""
    title = _TITLE.search(prose)
    if title is None:
        return None
    start, end = title.start(), sentence_end(prose, title.start())
    sentence = words(fold(prose[start:end]))
    if len(sentence) < _SHORTEST_ECHO and not prose[start:end].rstrip().endswith(("?", "？")):
        return None  # "Acme is better." repeats words of the question and is an answer nevertheless
    # Cached, as a prompt is put to several platforms; a text far longer than a prompt is not worth the memory.
    prompted = _prompt_words(prompt) if len(prompt) <= _LONGEST_CACHED_PROMPT else _prompt_words.__wrapped__(prompt)
    return (start, end) if sum(word in prompted for word in sentence) >= 0.8 * len(sentence) else None


@lru_cache(maxsize=1_024)
def _prompt_words(prompt: str) -> frozenset[str]:
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
    """Return blanks as long as the text, with its ends of lines and blocks.

    The pattern works character by character, so it is the last resort.
    """
    if "\n" not in text and BLOCK_END not in text:
        return " " * len(text)
    return _NOT_AN_END.sub(" ", text)


def _number_headings(prepared: PreparedAnswer) -> None:
    prose = prepared.prose
    if not prepared.bold and all(block.kind != "heading" for block in prepared.blocks):
        return
    whole = dict(prepared.bold)
    for block in _split_bold_lines(prepared, whole):
        if block.kind == "paragraph" and whole.get(block.start, -1) >= block.end - 2:
            block.kind, block.level = "heading", 7  # a paragraph that is all bold is a heading
        if block.kind == "heading" and (number := _HEADING_NUMBER.match(prose, block.start, block.end)):
            block.number = int(number[1] or number[2])


def _split_bold_lines(prepared: PreparedAnswer, bold: dict[int, int]) -> list[Block]:
    """Make a bold line that opens a paragraph a paragraph of its own."""
    blocks: list[Block] = []
    for block in prepared.blocks:
        line = prepared.prose.find("\n", block.start, block.end) if block.kind == "paragraph" else -1
        if line > 0 and line - 2 <= bold.get(block.start, -1) <= line:
            blocks.append(Block("paragraph", block.start, line))
            block.start = line + 1
        blocks.append(block)
    prepared.blocks = blocks
    return blocks


def _split_lines(prepared: PreparedAnswer) -> None:
    """Turn lines that open with "1、" or "•" into items, which markdown does not recognize."""
    # The first line gets a line break before it, so all places are one too high.
    lines = "\n" + prepared.prose
    paragraphs = [block for block in prepared.blocks if block.kind == "paragraph"]
    if not any(_LINE_ITEM.search(lines, block.start, block.end + 2) for block in paragraphs):
        return
    # The start, the end, and whether it is numbered.
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
