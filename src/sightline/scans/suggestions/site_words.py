"""What a site says about itself on its home page: title, description and language. Pure."""

import re

import msgspec
from selectolax.lexbor import LexborHTMLParser

from sightline.answers.language import detect_language
from sightline.domains.page_declarations import cut_declarations
from sightline.kit.text import is_visible

_MAX_TITLE, _MAX_DESCRIPTION = 300, 600
_UNREADABLE = "\ufffd"
_MAX_UNREADABLE = 0.05  # of the characters of a text: more, and it was read in the wrong encoding
_ENOUGH_LETTERS = 60  # fewer say little about the language
_LANGUAGE = re.compile(r"\s*([a-zA-Z]{2,3})(?:[-_].*)?\s*")
_TITLES = ("og:title", "twitter:title")
_DESCRIPTIONS = ("description", "og:description", "twitter:description")
_READ = frozenset({*_TITLES, *_DESCRIPTIONS})


class SiteWords(msgspec.Struct, frozen=True):
    """The words of a home page. A language that is not known is None."""

    title: str = ""
    description: str = ""
    language: str | None = None


def parse_site_words(html: str) -> SiteWords | None:
    """Return the words of the page, or None if it has neither title nor description."""
    tree = LexborHTMLParser(cut_declarations(html))
    declared: dict[str, str] = {}
    for tag in tree.css("meta[content]"):
        for key in {(tag.attributes.get(name) or "").strip().lower() for name in ("name", "property")} & _READ:
            if key not in declared and (text := _tidy(tag.attributes["content"] or "", _MAX_DESCRIPTION)):
                declared[key] = text
    heading = tree.css_first("head title") or tree.css_first("h1")
    title = _tidy(heading.text() if heading else "", _MAX_TITLE)
    title = title or next((declared[key][:_MAX_TITLE] for key in _TITLES if key in declared), "")
    description = next((declared[key] for key in _DESCRIPTIONS if key in declared), "")
    if not title and not description:
        return None
    root = tree.css_first("html")
    language = _find_language(f"{title}. {description}", root.attributes if root else {})
    return SiteWords(title, description, language)


def _find_language(text: str, attributes: dict[str, str | None]) -> str | None:
    """Return the language of the words if there are enough; else what the page declares, which is often wrong."""
    if sum(map(str.isalpha, text)) >= _ENOUGH_LETTERS:
        return detect_language(text)
    match = _LANGUAGE.fullmatch(attributes.get("lang") or "")
    return match[1].lower() if match else None


def _tidy(text: str, longest: int) -> str:
    """Return the text on one line without invisible characters, cut at a word; nothing if it cannot be read."""
    begin = text[: 4 * longest]
    words = " ".join("".join(each for each in begin if each.isspace() or is_visible(each)).split())
    if words.count(_UNREADABLE) > _MAX_UNREADABLE * len(words):
        return ""
    return words if len(words) <= longest else words[:longest].rpartition(" ")[0] or words[:longest]
