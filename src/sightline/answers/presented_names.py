"""The names that an answer presents: heads of sections, lists and tables, bold text, and series such as "A, B and C".

A name begins with a capital and goes on over the words of a product: "Acme Mini X200". It ends at a colon, dash or
bracket, or where a sentence goes on in lower case. Links inside a sentence cite a page and present nothing.
"""

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

import msgspec

from sightline.answers.blocks import Block, PreparedAnswer, PresentedName
from sightline.answers.characters import BLOCK_END, fold
from sightline.answers.name_reader import NameReader, is_superlative, read_product_words

_PRODUCT = re.compile(r"[ \u00a0](?=[^\W_a-z])")
_COLON = re.compile(r"\s?[:：]")
_FIRST_COLON = re.compile(r"[^:：\n]{1,40}+(?=[:：])")
_MOST = 0.6
_MAX_BLOCKS = 1_000  # a longer text is no real answer
_MAX_NAMES = 60  # of one answer: a hostile text must not fill the database
_SERIES = re.compile(
    r"((?:[A-Z][\w&'.+-]*+(?:\s[A-Z][\w&'.+-]*+){0,2},\s){1,8}[A-Z][\w&'.+-]*+(?:\s[A-Z][\w&'.+-]*+){0,2},?\s"
    r"(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s[A-Z][\w&'.+-]*+(?:\s[A-Z][\w&'.+-]*+){0,2})"
)
# The end of every such series. It begins with a comma, so that its absence is found faster.
_SERIES_END = re.compile(
    r",\s[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},?\s(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s[A-Z]"
)
# Before a series of something else than brands: of shops, or of what a product does or works with.
_SHOPS = re.compile(
    r"\b(?:retailers?|stores?|shops?|marketplaces?|platforms?|(?:web)?sites?|"
    r"(?:available|found|sold|buy) (?:at|on|from))\b[^.;!?\n]{0,30}$"
)
_NOT_BRANDS = re.compile(
    r"\b(?:functions?|modes?|settings?|presets?|programs?|features?|materials?|colou?rs?|sizes?|languages?|countries|"
    r"cities|states|devices|assistants?|integrations?|(?:works?|compatible|integrates?|pairs?) with|supports?)\b"
    r"[^.;!?\n]{0,30}$"
)
_ASKS_FOR_SHOPS = re.compile(r"\b(?:retailers?|stores?|shop(?:s|ping)?|marketplaces?|platforms?|(?:web)?sites?|buy)\b")
_MOST_WORDS = 27  # before the end of a series
_LEAD = 70  # characters before a series that introduce it
_JOIN = re.compile(r",?\s(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s|,\s")


def find_presented_names(prepared: PreparedAnswer, category_words: Sequence[str] = ()) -> list[PresentedName]:
    """Return the names in their order. The same name may be there several times."""
    reader = NameReader(prepared)
    found = {name.start: name for name in find_heads(prepared, reader)}
    for name in _read_series(prepared, category_words, reader):
        found.setdefault(name.start, name)
    return [found[start] for start in sorted(found)][:_MAX_NAMES]


def find_heads(prepared: PreparedAnswer, reader: NameReader | None = None) -> list[PresentedName]:
    """Return the names at heads and in bold. They are cached, because evidence for other names needs them, too."""
    if prepared.heads is None:
        reader = reader or NameReader(prepared)
        found = {name.start: name for name in _mark_listed(list(_BlockReader(prepared, reader).read()), reader)}
        for name in _read_bold(prepared, reader, found):
            found.setdefault(name.start, name)
        prepared.heads = [found[start] for start in sorted(found)][:_MAX_NAMES]
    return prepared.heads


_Structure = tuple[str, int, bool]
"""The list, the column, or the level of headings that a name is an entry of."""


def _mark_listed(entries: list[tuple[_Structure | None, PresentedName]], reader: NameReader) -> Iterator[PresentedName]:
    """Yield the names, each marked if it is an entry, and if it is one among names."""
    names: dict[_Structure, list[PresentedName]] = {}
    for structure, name in entries:
        if structure is not None:
            names.setdefault(structure, []).append(name)
    among_names = {structure for structure, own in names.items() if _are_names(structure, own)}
    for structure, name in entries:
        if structure is None:
            yield name
            continue
        first = name.text.split()[0]
        listed = name.listed or (structure in among_names and not reader.has_in_lower_case(first))
        yield msgspec.structs.replace(name, entry=True, listed=listed)


def _are_names(structure: _Structure, entries: list[PresentedName]) -> bool:
    if sum(name.distinct for name in entries) >= max(2, _MOST * len(entries)):
        return True
    # "1. Emma Elite", "2. Casper Hybrid": numbered, and of several words with a capital each
    kind, _, ordered = structure
    products = sum(" " in name.text for name in entries)
    return ordered and kind != "table" and products >= max(2, _MOST * len(entries))


class _BlockReader:
    """Reads the names at the heads of sections, lists and tables.

    Below a name stand its details: "Price: …" and "Battery: …" are labels there, whatever they look like.
    """

    def __init__(self, prepared: PreparedAnswer, reader: NameReader) -> None:
        self._prepared = prepared
        self._reader = reader
        self._bold = {start for start, _ in prepared.bold}
        self._linked = {link.start for link in prepared.links if link.end > link.start}
        self._labels = _find_labels(prepared)
        self._section_is_name = self._item_is_name = self._row_is_name = self._row_is_numbered = False

    def read(self) -> Iterator[tuple[_Structure | None, PresentedName]]:
        """Yield each name with what it is an entry of."""
        for number, block in enumerate(self._prepared.blocks[:_MAX_BLOCKS]):
            if block.kind == "paragraph":
                self._read_paragraph(block)
                continue
            if self._is_never_a_head(block):
                continue
            name = self._reader.read_head(block.start, block.end)
            if block.kind == "heading":
                structure = self._read_heading(block, number, name)
            else:
                structure = self._read_cell(block, name) if block.kind == "cell" else self._read_item(block, name)
            if structure is not None and name is not None:
                yield structure if structure != _NO_ENTRY else None, name

    def _is_never_a_head(self, block: Block) -> bool:
        """Return whether a block names nothing: a question, a detail such as "Price: …", or a cell further right."""
        if self._prepared.prose[block.start : block.end].rstrip(" *_").endswith(("?", "\uff1f")):
            return True
        if block.kind == "cell":
            named = self._row_is_name and not self._row_is_numbered
            return block.entry > 0 and block.column > (0 if named else 1)
        if block.kind == "item":
            named = self._section_is_name or self._item_is_name
            return (
                not block.opens
                or block.depth > 2
                or (block.depth == 2 and named)
                or (self._section_is_name and self._opens_with_label(block))
            )
        return False

    def _opens_with_label(self, block: Block) -> bool:
        """Return whether a block begins with a label that several lists have."""
        head = _FIRST_COLON.match(self._prepared.folded, block.start, block.end)
        return head is not None and head[0].strip(" *_") in self._labels

    def _read_paragraph(self, block: Block) -> None:
        if self._prepared.prose[block.end - 1 : block.end] in {":", "："}:
            self._section_is_name = False  # "Other options:" ends the details of the name above
        elif block.start in self._bold and (name := self._reader.read(block.start, block.end)) is not None:
            self._section_is_name = self._section_is_name or name.distinct

    def _read_heading(self, block: Block, place: int, name: PresentedName | None) -> _Structure | None:
        self._section_is_name = name is not None and name.distinct
        if name is None or (block.number is None and block.level <= 2 and not name.distinct):
            return None
        if self._is_subtitle(block, place):
            return None
        # "Final Thoughts" is a heading as well: a number, a link, or details as below other names show an entry.
        is_entry = (
            block.number is not None
            or name.start in self._linked
            or self._has_details(place)
            or self._is_praised_above(block, place)
        )
        return ("heading", block.level, block.number is not None) if is_entry else _NO_ENTRY

    def _is_subtitle(self, block: Block, place: int) -> bool:
        """Return whether the heading stands right below one of a higher level that links a product."""
        above = self._prepared.blocks[place - 1] if place else block
        return above.kind == "heading" and above.level < block.level and above.start in self._linked

    def _has_details(self, place: int) -> bool:
        """Return whether a list begins below a heading with a label that other lists have as well."""
        return any(map(self._opens_with_label, self._prepared.blocks[place + 1 : place + 2]))

    def _is_praised_above(self, block: Block, place: int) -> bool:
        """Return whether the line stands right below a heading such as "Best for travel"."""
        above = self._prepared.blocks[place - 1] if place else block
        return (
            above.kind == "heading"
            and above.level < block.level
            and is_superlative(self._prepared.prose[above.start : above.end])
        )

    def _read_cell(self, block: Block, name: PresentedName | None) -> _Structure | None:
        """Return the column if names stand in it: the first, the next if that has a label, or the header row."""
        is_name = name is not None and name.distinct
        if block.column == 0:
            self._row_is_name = is_name
            self._row_is_numbered = self._prepared.prose[block.start : block.end].strip(" #.*").isdigit()
        if block.entry == 0:
            heads = is_name and block.column > 0
        elif block.column == 1:
            # "Quick setup, fair prices" next to a name are its features, though they begin with a capital.
            is_series = ", " in self._prepared.prose[block.start : block.end]
            heads = self._row_is_numbered or (is_name and not is_series)
        else:
            heads = block.column == 0
        return ("table", block.group, block.entry > 0) if heads else None

    def _read_item(self, block: Block, name: PresentedName | None) -> _Structure | None:
        if block.depth == 1:
            self._item_is_name = name is not None and name.distinct
        if name is None or (block.depth == 2 and (not name.distinct or self._reader.goes_on(name.end))):
            return None
        is_label = self._section_is_name or fold(name.text) in self._labels
        if is_label and _COLON.match(self._prepared.prose, name.end):
            return None
        return "list", block.group, block.ordered


_NO_ENTRY: _Structure = ("heading", 0, False)
"""A name at a head that is not the entry of anything."""


def _find_labels(prepared: PreparedAnswer) -> frozenset[str]:
    """Return the heads that stand before a colon in two lists or more: "Price", but hardly ever a brand."""
    heads: set[tuple[int, str]] = set()
    for block in prepared.blocks:
        if block.kind == "item" and block.opens:
            head = _FIRST_COLON.match(prepared.folded, block.start, block.end)
            if head is not None:
                heads.add((block.group, head[0].strip(" *_")))
    if len(heads) < 2:  # as in most answers
        return frozenset()
    lists = Counter(head for _, head in heads)
    return frozenset(head for head, count in lists.items() if count > 1)


def _read_bold(prepared: PreparedAnswer, reader: NameReader, found: Container[int]) -> Iterator[PresentedName]:
    """Yield names in bold: at the start of a block or a sentence, and distinct ones anywhere.

    No name is read again where one is `found` already.
    """
    others = [(start, end) for start, end in prepared.bold if start not in found]
    if not others:
        return
    openings = {block.start for block in prepared.blocks}
    for start, end in others:
        lead = prepared.prose[max(0, start - 4) : start].strip(" *_-•\n")
        opens = start in openings or not lead or lead[-1] in f".:;{BLOCK_END}"
        name = reader.read(start, end)
        if name is None or prepared.prose[end - 1 : end + 1].strip("* ")[-1:] in {":", "："}:
            continue  # a label
        if opens or name.distinct:
            yield name


def _read_series(
    prepared: PreparedAnswer, category_words: Sequence[str], reader: NameReader
) -> Iterator[PresentedName]:
    """Yield the names of a series such as "A, B and C" near a word of the category."""
    anchors = {link.start for link in prepared.links if link.end > link.start}
    for match in _find_series(prepared.prose):
        lead = prepared.folded[max(0, match.start() - _LEAD) : match.start()]
        if _NOT_BRANDS.search(lead) or (_SHOPS.search(lead) and not _ASKS_FOR_SHOPS.search(fold(prepared.prompt))):
            continue
        near = prepared.folded[max(0, match.start() - 80) : match.end() + 80]
        if category_words and not any(word in near for word in category_words):
            continue
        at = match.start()
        for part in _JOIN.split(match[1]):
            start = prepared.prose.find(part, at)
            at = start + len(part.rstrip("."))
            if start not in anchors and (name := reader.read(start, at)) is not None:
                yield name


def _find_series(prose: str) -> Iterator[re.Match[str]]:
    """Yield the series. The pattern for a whole one is slow, so it is tried only on the words before an end."""
    at = 0
    while (end := _SERIES_END.search(prose, at)) is not None:
        start = end.start()
        for _ in range(_MOST_WORDS):
            start = max(at, prose.rfind(" ", at, start))
        match = _SERIES.search(prose, start)
        if match is None:
            return
        yield match
        at = match.end()


def read_products(prepared: PreparedAnswer, names: Sequence[tuple[int, int]]) -> list[str | None]:
    """Return the product that follows each name: "Mini X200" after "Acme". Prose needs a word that belongs to names."""
    heads = [(head.start, head.end) for head in find_heads(prepared)]
    found: list[str | None] = []
    for start, end in names:
        head_end = next((last for first, last in heads if first <= start and end < last), 0)
        if head_end and _PRODUCT.match(prepared.prose, end, head_end):
            found.append(prepared.prose[end:head_end].strip())
        else:
            found.append(read_product_words(prepared.prose, end))
    return found
