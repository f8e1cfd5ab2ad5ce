"""The structure of a prepared answer."""

from typing import Literal

import msgspec

from sightline.answers.language import looks_english
from sightline.answers.tokens import sentence_around

BlockKind = Literal["paragraph", "heading", "item", "cell"]


class Block(msgspec.Struct, gc=False):
    """A part of the prose that stands on its own: a paragraph, a heading, a list item's line, a table cell.

    `start` and `end` are places in the prose. `group` numbers the list or table, `entry` its item or row.
    """

    kind: BlockKind
    start: int
    end: int
    group: int = 0
    entry: int = 0
    column: int = 0
    depth: int = 0
    ordered: bool = False
    opens: bool = False  # the first line of its item
    number: int | None = None  # of a numbered heading, as written
    level: int = 0


class Link(msgspec.Struct, frozen=True, gc=False):
    """A link of the text: its target, and the place of its anchor (empty if the anchor was only a citation mark)."""

    url: str
    start: int
    end: int


class SourcePiece(msgspec.Struct, frozen=True, gc=False):
    """A run of prose that comes from one place of the raw answer."""

    start: int
    source_start: int  # bytes of the UTF-8 text
    source_end: int
    places: list[int] | None  # character by character, where normalizing moved them
    whole: bool = False  # an entity or a line break: every character stands for all of the source


class PresentedName(msgspec.Struct, frozen=True, gc=False):
    """A name in a place where answers present brands and products.

    It is `distinct` if one of its words belongs to names alone. Ordinary words ("Quiet Operation") may be a label.
    """

    text: str
    start: int
    end: int
    distinct: bool
    entry: bool = False
    """Whether it is an entry of a list, a table or numbered headings."""
    listed: bool = False
    """Whether it is an entry among names: most others are distinct, or all of them look like products."""


class PreparedAnswer(msgspec.Struct, gc=False):
    """An answer ready for searching.

    `prose` keeps case; `folded` has the same length and is what names are searched in. An answer is analyzed for the
    tracked brands, and later for all brands of its scan. Whatever both need is cached here: its sentences, the stance
    rules that apply to them, whether it may contain a warning, and the names at its heads and in its sentences.
    """

    raw: str
    prose: str
    folded: str
    blocks: list[Block]
    bold: list[tuple[int, int]]
    links: list[Link]
    pieces: list[SourcePiece]
    marks: list[tuple[int, str]]  # citation marks: place and text
    sentence_cache: dict[int, tuple[int, int]] = {}  # by a place in them
    rule_cache: dict[str, dict[int, int]] = {}  # by sentence, see `stance`
    may_have_warning: bool | None = None
    heads: list[PresentedName] | None = None  # see `presented_names`
    other_names: list[tuple[int, int]] | None = None  # see `scope`
    lower_words: frozenset[str] | None = None  # folded words that it writes in lower case, see `name_reader`
    looks_english: bool | None = None
    prompt: str = ""

    @property
    def is_english(self) -> bool:
        """Return whether the answer looks like English, see `language`."""
        if self.looks_english is None:
            self.looks_english = looks_english(self.folded)
        return self.looks_english

    def sentence_at(self, place: int) -> tuple[int, int]:
        known = self.sentence_cache.get(place)
        if known is None:
            known = self.sentence_cache[place] = sentence_around(self.prose, place)
        return known
