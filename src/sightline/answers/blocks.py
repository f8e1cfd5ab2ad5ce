"""The structure of a prepared answer."""

from typing import Literal

import msgspec

from sightline.answers.tokens import sentence_around

Kind = Literal["paragraph", "heading", "item", "cell"]


class Block(msgspec.Struct, gc=False):
    """A stretch of prose that stands on its own: a paragraph, a heading, a list item's line, a table cell.

    `start` and `end` are places in the prose. `group` numbers the list or table, `entry` its item or row.
    """

    kind: Kind
    start: int
    end: int
    group: int = 0
    entry: int = 0
    column: int = 0
    depth: int = 0
    ordered: bool = False
    opens: bool = False  # the first line of its item
    number: int | None = None  # as written: of a numbered heading
    level: int = 0


class Link(msgspec.Struct, frozen=True, gc=False):
    """A link of the text: where it leads, and its anchor (empty where the anchor was only a mark)."""

    url: str
    start: int
    end: int


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A run of prose that comes from one place of the raw answer."""

    start: int
    source_start: int  # bytes of the UTF-8 text
    source_end: int
    places: list[int] | None  # character by character, where normalising moved them
    whole: bool = False  # an entity or a line break: every character stands for all of the source


class Prepared(msgspec.Struct, gc=False):
    """An answer as it is searched. `prose` keeps case; `folded` has the same length and is what names are sought in.

    An answer is read for the tracked brands, and later for all brands of its check. What both ask of it, whatever they
    look for, is kept beside it: its sentences, what those that name a brand say of it, and whether it may warn.
    """

    raw: str
    prose: str
    folded: str
    blocks: list[Block]
    bold: list[tuple[int, int]]
    links: list[Link]
    pieces: list[Piece]
    marks: list[tuple[int, str]]  # citation marks: where, and what they say
    sentences: dict[int, tuple[int, int]] = {}  # around the places that were asked for
    judged: dict[str, dict[int, int]] = {}  # see `stance`
    may_warn: bool | None = None

    def sentence_at(self, place: int) -> tuple[int, int]:
        known = self.sentences.get(place)
        if known is None:
            known = self.sentences[place] = sentence_around(self.prose, place)
        return known
