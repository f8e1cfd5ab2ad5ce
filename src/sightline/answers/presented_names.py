"""The names that an answer presents: heads of sections, lists and tables, bold text, and series such as "A, B and C".

A name begins with a capital and goes on over the words of a product: "Acme Mini X200". It ends at a colon, dash or
bracket, or where a sentence goes on in lower case. Links inside a sentence cite a page and present nothing.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import msgspec

from sightline.answers.blocks import Block, PreparedAnswer, PresentedName
from sightline.answers.characters import BLOCK_END, fold, script
from sightline.answers.generic_heads import is_generic, is_place_or_month
from sightline.answers.language import looks_german
from sightline.answers.ordinary_words import commonness
from sightline.answers.word_lists import read_list

_LEAD = re.compile(r"[\W_]*(?:\d{1,2}\s?[.):、]\s*|#\d{1,2}\s+)?[\W_]*(?:(?:19|20)\d\d\s+)?")
# What stands before a name and is no part of it: an article, or advice.
_ARTICLE = re.compile(
    r"(?:The|Der|Die|Das|Les|Los|Las|Il|Het|Unlike|Like|Also|Plus|With|"
    r"Choose|Pick|Consider|Try|Avoid|Skip|Get|Use|Buy|Go with|Opt for)\s+"
    r"(?=[^\W\d_])"
)
_PRONOUNS = frozenset({"I", "Sie", "Ihr", "Ihre", "Ihren", "Ihrem"})  # with a capital inside a sentence
_SMALL = frozenset({"da", "de", "di", "du", "la", "le", "van", "von", "ter"})
_TOKEN = re.compile(r"[^\W_](?:[\w'’.+&/®™-]*[\w+®™])?")
_GAP = re.compile(
    r"[ \u00a0]{1,2}(?:(?:[&+x×/]|and|und|et|y|e|of|the|de|la|le|du|von|van|der|di|da|by)[ \u00a0]{1,2})?"
)
_PRODUCT = re.compile(r"[ \u00a0](?=[^\W_a-z])")
_BLANK = re.compile(r"[ \u00a0]")
_HEAD_ENDS = re.compile(rf"[®™\"”]?\s*(?:$|[:：(（–—|,、。\[\n{BLOCK_END}]|\.\s|-\s|\s-)")
_COLON = re.compile(r"\s?[:：]")
_FIRST_COLON = re.compile(r"[^:：\n]{1,40}(?=[:：])")
_LABEL = re.compile(r"[^:：–—\n]{1,60}?\s*(?:[:：]|[–—]|\s-\s)")
_LOWER_WORD = re.compile(r"(?<![\w.@-])[^\W\d_A-Z](?:[\w'-]*\w)?")
_POSSESSIVE = re.compile(r"['’]s?$")
_PARTS = re.compile(r"[-/&+.'’]")
_MODEL = re.compile(r"(?=.*\d)(?=.*[^\W\d_])[\w./+-]{3,}")
_MEASURE = re.compile(
    r"\d[\d.,]*(?:-?(?:[a-z]{1,3}|inch|piece|pack|quart|cup|hour|day|year|in-\d)s?)?\+?", re.IGNORECASE
)
_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")
_SUPERLATIVES = frozenset(
    [
        *("best", "top", "cheapest", "fastest", "easiest", "winner", "runner-up", "overall"),
        *(
            "beste",
            "bester",
            "bestes",
            "testsieger",
            "meilleur",
            "meilleure",
            "mejor",
            "melhor",
            "migliore",
            "najlepszy",
        ),
    ]
)
_OPEN_ENDS = frozenset({"for", "fur", "pour", "para", "per", "voor", "dla", "for whom", "to", "with", "if"})
_ENDINGS = ("s", "es", "ing", "ed", "er", "ly")
# Grammar that phrases have and names do not, in Japanese and Chinese.
_PHRASE = re.compile(
    r"[\u3041-\u309f][\u3400-\u9fff]|[\u3400-\u9fff][\u3041-\u309f]|[的了最]|是否|^(?:比较|查看|选择|确认|注意|考虑|試|看)"
)
_MAX_TOKENS = 12
_MAX_CASELESS = 4  # words of a name in a script without capitals
_LONGEST_UNSPACED = 8  # characters of a name in a script without blanks
_LONGEST_ACRONYM = 5
_LONGEST_CACHED = 40
_MOST = 0.6
_MAX_BLOCKS = 1_000  # a longer text is no real answer
_MAX_NAMES = 60  # of one answer: a hostile text must not fill the database
_SERIES = re.compile(
    r"((?:[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},\s){1,8}[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},?\s"
    r"(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2})"
)
# The end of every such series. It begins with a comma, so that its absence is found ten times faster.
_SERIES_END = re.compile(
    r",\s[A-Z][\w&'.+-]*(?:\s[A-Z][\w&'.+-]*){0,2},?\s(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s[A-Z]"
)
_JOIN = re.compile(r",?\s(?:and|or|und|oder|et|ou|y|o|e|ed|en|och|i)\s|,\s")


def find_presented_names(prepared: PreparedAnswer, category_words: Sequence[str] = ()) -> list[PresentedName]:
    """Return the names in their order. The same name may be there several times."""
    found = {name.start: name for name in find_heads(prepared)}
    for name in _read_series(prepared, category_words, _NameReader(prepared)):
        found.setdefault(name.start, name)
    return [found[start] for start in sorted(found)][:_MAX_NAMES]


def find_heads(prepared: PreparedAnswer) -> list[PresentedName]:
    """Return the names at heads and in bold. They are cached, because evidence for other names needs them, too."""
    if prepared.heads is None:
        reader = _NameReader(prepared)
        found = {name.start: name for name in _mark_listed(list(_BlockReader(prepared, reader).read()), reader)}
        for name in _read_bold(prepared, reader):
            found.setdefault(name.start, name)
        prepared.heads = [found[start] for start in sorted(found)][:_MAX_NAMES]
    return prepared.heads


_Structure = tuple[str, int, bool]
"""The list, the column, or the level of headings that a name is an entry of."""


def _mark_listed(
    entries: list[tuple[_Structure | None, PresentedName]], reader: "_NameReader"
) -> Iterator[PresentedName]:
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

    def __init__(self, prepared: PreparedAnswer, reader: "_NameReader") -> None:
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
        """Return whether a block needs no reading: cells further to the right, and details such as "Price: …"."""
        if block.kind == "cell":
            return block.entry > 0 and block.column > 1
        if block.kind == "item":
            return not block.opens or block.depth > 2 or (self._section_is_name and self._opens_with_label(block))
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
        # "Final Thoughts" is a heading as well: a number, a link, or details as below other names show an entry.
        is_entry = block.number is not None or name.start in self._linked or self._has_details(place)
        return ("heading", block.level, block.number is not None) if is_entry else _NO_ENTRY

    def _has_details(self, place: int) -> bool:
        """Return whether a list begins below a heading with a label that other lists have as well."""
        return any(map(self._opens_with_label, self._prepared.blocks[place + 1 : place + 2]))

    def _read_cell(self, block: Block, name: PresentedName | None) -> _Structure | None:
        """Return the column if names stand in it: the first, the next if that has a label, or the header row."""
        is_name = name is not None and name.distinct
        if block.column == 0:
            self._row_is_name = is_name
            self._row_is_numbered = self._prepared.prose[block.start : block.end].strip(" #.*").isdigit()
        if block.entry == 0:
            heads = is_name and block.column > 0
        elif block.column == 1:
            heads = self._row_is_numbered or (is_name and not self._row_is_name)
        else:
            heads = block.column == 0
        return ("table", block.group, block.entry > 0) if heads else None

    def _read_item(self, block: Block, name: PresentedName | None) -> _Structure | None:
        is_detail = self._section_is_name or (block.depth == 2 and self._item_is_name)
        if block.depth == 1:
            self._item_is_name = name is not None and name.distinct
        if name is None or (block.depth == 2 and (is_detail or not name.distinct)):
            return None
        is_label = is_detail or fold(name.text) in self._labels
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
    lists = Counter(head for _, head in heads)
    return frozenset(head for head, count in lists.items() if count > 1)


def _read_bold(prepared: PreparedAnswer, reader: "_NameReader") -> Iterator[PresentedName]:
    """Yield names in bold: at the start of a block or a sentence, and distinct ones anywhere."""
    openings = {block.start for block in prepared.blocks}
    for start, end in prepared.bold:
        lead = prepared.prose[max(0, start - 4) : start].strip(" *_-•\n")
        opens = start in openings or not lead or lead[-1] in f".:;{BLOCK_END}"
        name = reader.read(start, end)
        if name is None or prepared.prose[end - 1 : end + 1].strip("* ")[-1:] in {":", "："}:
            continue  # a label
        if opens or name.distinct:
            yield name


def _read_series(
    prepared: PreparedAnswer, category_words: Sequence[str], reader: "_NameReader"
) -> Iterator[PresentedName]:
    """Yield the names of a series such as "A, B and C" near a word of the category."""
    if not _SERIES_END.search(prepared.prose):
        return
    anchors = {link.start for link in prepared.links if link.end > link.start}
    for match in _SERIES.finditer(prepared.prose):
        near = prepared.folded[max(0, match.start() - 80) : match.end() + 80]
        if category_words and not any(word in near for word in category_words):
            continue
        at = match.start()
        for part in _JOIN.split(match[1]):
            start = prepared.prose.find(part, at)
            at = start + len(part.rstrip("."))
            if start not in anchors and (name := reader.read(start, at)) is not None:
                yield name


class _NameReader:
    """Reads names in the prose of one answer."""

    def __init__(self, prepared: PreparedAnswer) -> None:
        self._prose = prepared.prose
        self._lower: frozenset[str] | None = None
        self._is_english = prepared.is_english
        self._is_german = not self._is_english and looks_german(prepared.folded)

    def read_head(self, start: int, end: int) -> PresentedName | None:
        """Return the name of a head; in "Best overall: Acme Mini", the one after the label."""
        name = self.read(start, end)
        if name is not None and name.distinct:
            return name
        label = _LABEL.match(self._prose, start, end)
        after = self.read(label.end(), end) if label else None
        if label is None or after is None or not (after.distinct or _is_superlative(label[0])):
            return name
        return msgspec.structs.replace(after, listed=True)

    def read(self, start: int, end: int) -> PresentedName | None:
        """Return the name that begins here, after numbers and marks, or None if there is none."""
        prose = self._prose
        lead = _LEAD.match(prose, start, end)
        at = lead.end() if lead else start
        if "(" in prose[start:at] or "（" in prose[start:at]:
            return None  # a citation or an aside
        if article := _ARTICLE.match(prose, at, end):
            at = article.end()
        first = _TOKEN.match(prose, at, end)
        if first is None:
            return None
        tokens = self._read_caseless(first, end) if _is_caseless(first[0]) else self._read_tokens(first, end)
        return self._judge(self._cut_at_by(tokens), end) if tokens else None

    def _cut_at_by(self, tokens: list[re.Match[str]]) -> list[re.Match[str]]:
        """Return the maker of "Mini Fan by Acme", and the brand of "Acme by Globex"."""
        for index, (token, following) in enumerate(pairwise(tokens), 1):
            if self._prose[token.end() : following.start()].strip() == "by":
                own = tokens[:index]
                return own if self._are_distinct([part[0] for part in own]) else tokens[index:]
        return tokens

    def _read_tokens(self, first: re.Match[str], end: int) -> list[re.Match[str]]:
        if (not _begins_name(first[0]) and first[0] not in _SMALL) or _MEASURE.fullmatch(first[0]):
            return []
        tokens = [first]
        while len(tokens) < _MAX_TOKENS and not _POSSESSIVE.search(tokens[-1][0]):
            gap = _GAP.match(self._prose, tokens[-1].end(), end)
            token = gap and _TOKEN.match(self._prose, gap.end(), end)
            if not token or token[0] in _PRONOUNS or not (_begins_name(token[0]) or token[0][0].isdigit()):
                break
            tokens.append(token)
        return tokens

    def _read_caseless(self, first: re.Match[str], end: int) -> list[re.Match[str]]:
        """Return the words up to the end of the head: in scripts without capitals nothing else tells a name."""
        tokens = [first]
        while len(tokens) <= _MAX_CASELESS and not _HEAD_ENDS.match(self._prose, tokens[-1].end(), end):
            gap = _GAP.match(self._prose, tokens[-1].end(), end)
            token = gap and _TOKEN.match(self._prose, gap.end(), end)
            if not token:
                return []
            tokens.append(token)
        is_phrase = script(first[0][0]) == "unspaced" and (
            len(first[0]) > _LONGEST_UNSPACED or _PHRASE.search(first[0]) or any(map(str.isdigit, first[0]))
        )
        return [] if len(tokens) > _MAX_CASELESS or is_phrase else tokens

    def _judge(self, tokens: list[re.Match[str]], limit: int) -> PresentedName | None:
        start, end = tokens[0].start(), tokens[-1].end()
        ends_head = end >= limit or _HEAD_ENDS.match(self._prose, end) is not None
        text = self._prose[start:end]
        if not ends_head and (possessive := _POSSESSIVE.search(text)):
            text, end = text[: possessive.start()], start + possessive.start()
            ends_head = True  # "Acme's apps" presents Acme
        folded = fold(text)
        if len(text) < 2 or is_generic(folded) or is_place_or_month(folded):
            return None
        if not any(_begins_name(token[0]) or _is_caseless(token[0]) for token in tokens):
            return None
        distinct = self._are_distinct([_POSSESSIVE.sub("", token[0]) for token in tokens])
        # "Ensure that …" begins a sentence. A sentence that begins with a name of its own making presents it.
        is_sentence = not ends_head or fold(tokens[0][0]) in read_list("stop_words", "en")
        return PresentedName(text, start, end, distinct) if distinct or not is_sentence else None

    def _are_distinct(self, words: list[str]) -> bool:
        """Return whether these words belong to names alone.

        In English the dictionary knows all other words. Elsewhere the way in which they are written has to show it:
        "X200", "AcmeOne", and two capitals in a row where not every noun has one.
        """
        if self._is_english:
            return any(self._is_distinct(word) for word in words)
        if any(is_model(word) or _has_inner_capital(word) for word in words):
            return True
        capitals = [word for word in words if word[0].isupper() and not is_ordinary(word)]
        return not self._is_german and len(words) > 1 and words[1][0].isupper() and bool(capitals)

    def _is_distinct(self, word: str) -> bool:
        """Return whether neither the dictionary has the word nor this answer in lower case."""
        return not is_ordinary(word) and not self.has_in_lower_case(word)

    def has_in_lower_case(self, token: str) -> bool:
        if self._lower is None:
            self._lower = frozenset(fold(word) for word in set(_LOWER_WORD.findall(self._prose)))
        return fold(token) in self._lower


def _is_superlative(label: str) -> bool:
    """Return whether a label says who is best: "Best for teams", but not "Best for", after which no name stands."""
    words = _WORD.findall(fold(label))
    return bool(words) and words[0] in _SUPERLATIVES and words[-1] not in _OPEN_ENDS


def _begins_name(token: str) -> bool:
    """Return whether a word is written as a name: "Acme", "ACME", "iAcme", "3Acme"."""
    return token[0].isupper() or any(character.isupper() for character in token)


def _has_inner_capital(word: str) -> bool:
    return any(character.isupper() for character in word[1:]) and not is_ordinary(word)


def _is_caseless(token: str) -> bool:
    return token[0].isalpha() and token[0].lower() == token[0].upper()


def is_model(token: str) -> bool:
    """Return whether it is the number of a model: "X200", "WH-1000"."""
    return _MODEL.fullmatch(token) is not None and not is_ordinary(token)


def is_ordinary(token: str) -> bool:
    """Return whether it is a word of the dictionary, a number, a measure or a technical term rather than a name."""
    return _is_ordinary(token) if len(token) <= _LONGEST_CACHED else _is_ordinary.__wrapped__(token)


@lru_cache(maxsize=16_384)
def _is_ordinary(token: str) -> bool:
    if _MEASURE.fullmatch(token):
        return True
    folded = fold(token)
    if folded in read_list("modern_words", "words"):
        return True
    terms = read_list("generic_heads", "technical terms")
    if folded in terms or is_generic(folded) or is_place_or_month(folded):
        return True
    if token.isupper() and token.isalpha() and len(token) <= _LONGEST_ACRONYM:
        return len(token) > 3 and commonness(token) > 0
    if _MODEL.fullmatch(token):
        return any(folded.startswith(term) and folded[len(term) :].isdigit() for term in terms)
    parts = [part for part in _PARTS.split(folded) if part and not part.isdigit()]
    return all(_is_word(part) or part in terms for part in parts)


def _is_word(part: str) -> bool:
    """Return whether the dictionary has the word or a plain stem of it."""
    modern = read_list("modern_words", "words")
    return (
        len(part) <= 2
        or commonness(part) > 0
        or part in modern
        or any(part.endswith(ending) and commonness(part.removesuffix(ending)) for ending in _ENDINGS)
    )


def read_opening_name(prepared: PreparedAnswer, start: int, end: int) -> tuple[int, int] | None:
    """Return the name that opens a sentence, if it is distinct: "Acme Mini is small".

    In English, where the dictionary knows all other words; elsewhere an ordinary word would be taken for a name.
    """
    lead = _LEAD.match(prepared.prose, start, end)
    at = lead.end() if lead else start
    if article := _ARTICLE.match(prepared.prose, at, end):
        at = article.end()
    first = _TOKEN.match(prepared.prose, at, end)
    if first is None or not _begins_name(first[0]):
        return None
    word = _POSSESSIVE.sub("", first[0])
    return None if is_ordinary(word) or word.casefold() in read_list("stop_words", "en") else first.span()


def read_product(prepared: PreparedAnswer, start: int, end: int) -> str | None:
    """Return the product that follows a name: "Mini X200" after "Acme". Prose needs a word that belongs to names."""
    head = next((name for name in find_heads(prepared) if name.start <= start < end < name.end), None)
    if head is not None and _PRODUCT.match(prepared.prose, end, head.end):
        return prepared.prose[end : head.end].strip()
    tokens: list[re.Match[str]] = []
    at = end
    while len(tokens) < _MAX_TOKENS:
        gap = _BLANK.match(prepared.prose, at)
        token = gap and _TOKEN.match(prepared.prose, gap.end())
        if not token or not (_begins_name(token[0]) or token[0][0].isdigit()):
            break
        tokens.append(token)
        at = token.end()
    is_product = any(not is_ordinary(token[0]) for token in tokens)
    return prepared.prose[tokens[0].start() : at] if is_product else None
