"""The text of an answer while it is written, and which source is cited for which part of it."""

from collections.abc import Sequence
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from sightline.platforms.models import Source, Span

CitationStyle = Literal["host", "number", "link", "silent"]


class CitedLink(NamedTuple):
    """A page that can be cited."""

    url: str
    title: str


class CitedText:
    """A text that grows by whole pieces.

    A cited piece is marked in the platform's own way, and its span is recorded in characters.
    """

    def __init__(self, marks: CitationStyle) -> None:
        self._marks = marks
        self._parts: list[str] = []
        self._marked: set[int] = set()  # indexes of the parts that are citation marks
        self._length = 0
        self._spans: dict[CitedLink, list[Span]] = {}

    def add(self, text: str, links: Sequence[CitedLink] = ()) -> None:
        start = self._length
        self._put(text)
        for link in links:
            self._spans.setdefault(link, []).append(Span(start, start + len(text)))
            self._marked.add(len(self._parts))
            self._put(self._mark(link))

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _mark(self, link: CitedLink) -> str:
        number = list(self._spans).index(link) + 1
        if self._marks == "number":
            return f"[{number}]"
        if self._marks == "link":
            return f"[[{number}]]({link.url})"
        if self._marks == "host":
            host = urlsplit(link.url).netloc.removeprefix("www.")
            return f" ([{host}]({link.url}))"
        return ""

    @property
    def text(self) -> str:
        return "".join(self._parts)

    @property
    def prose(self) -> str:
        """Return the text without its citation marks."""
        return "".join(part for place, part in enumerate(self._parts) if place not in self._marked)

    @property
    def cited(self) -> tuple[Source, ...]:
        return tuple(Source(link.url, link.title, tuple(spans)) for link, spans in self._spans.items())
