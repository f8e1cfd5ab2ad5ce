"""Markdown of the documentation as HTML that the content security policy allows: no raw HTML and nothing inline."""

import posixpath
import re
from functools import cache
from html import escape, unescape
from html.parser import HTMLParser
from typing import NamedTuple

import pyromark
from markupsafe import Markup

from sightline.web.pages.docs.contents import DOCUMENTS, list_pages, to_address

_MARKDOWN = pyromark.Markdown(options=pyromark.Options.ENABLE_TABLES)
_PLAIN_TAGS = {"blockquote", "br", "em", "hr", "li", "ol", "p", "strong", "tbody", "thead", "tr", "ul"}
_VOID_TAGS = {"br", "hr", "img"}
_CAPTIONS = {"js": "JavaScript", "json": "JSON", "python": "Python", "sh": "Shell", "sql": "SQL", "text": "Output"}
_HEADING = re.compile("h[1-6]")
_TAG = re.compile("<[^>]+>")
_SERVED = re.compile(r"/docs(/[\w/-]+)?(#[\w-]+)?")


class DocumentPart(NamedTuple):
    """A heading and the text below it, up to the next heading."""

    level: int
    id: str
    title: str
    text: str


class Document(NamedTuple):
    title: str
    html: Markup
    parts: list[DocumentPart]


@cache
def read_document(address: str) -> Document:
    """Return the page at an address of `list_pages`."""
    file = list_pages()[address]
    writer = _HtmlWriter(file.relative_to(DOCUMENTS).parent.as_posix())
    writer.feed(_MARKDOWN.html(file.read_text()))
    writer.close()
    parts = [
        DocumentPart(level, id_, title, " ".join("".join(words).split())) for level, id_, title, words in writer.parts
    ]
    return Document(parts[0].title, Markup("".join(writer.written)), parts)  # noqa: S704 - escaped by the writer


class _HtmlWriter(HTMLParser):
    """Writes known tags with our own attributes. Other tags are dropped, and their text is kept."""

    def __init__(self, folder: str) -> None:
        super().__init__()
        self.written: list[str] = []
        self.parts: list[tuple[int, str, str, list[str]]] = []
        self._folder = folder
        self._in_block = False
        self._opened: dict[str, int] = {}
        """Where an open heading or inline code begins: its tag depends on its text."""
        self._links: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in _PLAIN_TAGS:
            self.written.append(f"<{tag}>")
        elif _HEADING.fullmatch(tag) or (tag == "code" and not self._in_block):
            self._opened[tag] = len(self.written)
            self.written.append(f"<{tag}>")
        elif tag == "code":
            self._write_block_start(given.get("class", "").removeprefix("language-"))
        elif tag == "pre":
            self._in_block = True
        elif tag == "a":
            self._write_link(given["href"])
        elif tag == "img":
            source = posixpath.normpath(posixpath.join("/docs", self._folder, given["src"]))
            self.written.append(f'<img src="{escape(source)}" alt="{escape(given["alt"])}">')
        elif tag == "table":
            self.written.append('<div class="table-scroll" tabindex="0"><table>')
        elif tag in {"th", "td"}:
            scope = ' scope="col"' if tag == "th" else ""
            number = ' class="number"' if "right" in given.get("style", "") else ""
            self.written.append(f"<{tag}{scope}{number}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in _PLAIN_TAGS - _VOID_TAGS or tag in {"th", "td"}:
            self.written.append(f"</{tag}>")
            if tag in {"th", "td"} and self.parts:
                self.parts[-1][3].append(" ")
        elif _HEADING.fullmatch(tag):
            self._end_heading(tag)
        elif tag == "code" and not self._in_block:
            self._end_code()
        elif tag == "pre":
            self._in_block = False
            self.written.append("</code></pre></figure>")
        elif tag == "a" and self._links.pop():
            self.written.append("</a>")
        elif tag == "table":
            self.written.append("</table></div>")

    def handle_data(self, data: str) -> None:
        self.written.append(escape(data))
        if self.parts and not any(_HEADING.fullmatch(tag) for tag in self._opened):
            self.parts[-1][3].append(data)

    def _end_heading(self, tag: str) -> None:
        start = self._opened.pop(tag)
        title = unescape(_TAG.sub("", "".join(self.written[start:])))
        anchor = self._make_anchor(title)
        self.written[start] = f'<{tag} id="{anchor}">'
        self.written.append(f"</{tag}>")
        self.parts.append((int(tag[1]), anchor, title, []))

    def _make_anchor(self, title: str) -> str:
        """Return the anchor that web views of repositories give a heading."""
        name = re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        same = sum(1 for _, _, other, _ in self.parts if other.lower() == title.lower())
        return f"{name}-{same}" if same else name

    def _end_code(self) -> None:
        """End inline code. An address of this documentation becomes a link, as in `/docs/errors`."""
        start = self._opened.pop("code")
        address = "".join(self.written[start + 1 :])
        if _SERVED.fullmatch(address) and not self._links:
            self.written[start] = f'<a href="{address}"><code>'
            self.written.append("</code></a>")
        else:
            self.written.append("</code>")

    def _write_block_start(self, language: str) -> None:
        caption = escape(_CAPTIONS.get(language, language) or "Code")
        self.written.append(f'<figure class="code"><figcaption>{caption}</figcaption>')
        self.written.append(f'<pre tabindex="0" aria-label="{caption}" data-copy><code>')

    def _write_link(self, href: str) -> None:
        """Write a link to another page by its address. A file outside `docs/` is not served: only its name stays."""
        target, _, anchor = href.partition("#")
        is_relative = target and "://" not in target
        path = posixpath.normpath(posixpath.join(self._folder, target))
        self._links.append(not (is_relative and path.startswith("..")))
        if self._links[-1]:
            address = to_address(path) if is_relative else target
            address += f"#{anchor}" if anchor else ""
            self.written.append(f'<a href="{escape(address)}">')
