"""Find the text of a page that is not in the catalogs: in the pseudo-language it has no brackets.

Elements with data, such as names and prompts, have `translate="no"`. A text that is in English for every reader, such
as the summary of an alert, has `lang="en"`. Charts are pictures here.
"""

import re
from html.parser import HTMLParser

from sightline.presentation.catalogs import PSEUDO
from sightline.presentation.language import LANGUAGES

IN_PSEUDO = {"Accept_Language": PSEUDO}
"""The header that asks for pages in the pseudo-language, as `open_browser` takes it."""

_VOID = {"link", "meta", "input", "br", "img", "hr"}
_NOT_READ = {"head", "script", "style", "svg", "noscript"}
_READ_ALOUD = ("aria-label", "title", "data-label", "data-name", "data-confirm", "placeholder")
_NAMES = {"Sightline", *LANGUAGES.values()}
_DATE = re.compile(r"\b\d{1,2}\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b|\b[A-Z][a-z]+day\b")


class _PageText(HTMLParser):
    """Collects the text of a page and of its labels, without data and without what is marked as English."""

    def __init__(self) -> None:
        super().__init__()
        self.text, self.labels, self._open = "", [], []

    @property
    def _is_skipped(self) -> bool:
        return any(skipped for _, skipped in self._open)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        skipped = tag in _NOT_READ or found.get("translate") == "no" or (tag != "html" and found.get("lang") == "en")
        if not (skipped or self._is_skipped):
            self.labels += [found[name] for name in _READ_ALOUD if found.get(name)]
        self.text += " "
        if tag not in _VOID:
            self._open.append((tag, skipped))

    def handle_startendtag(self, tag, attrs):
        """Ignore shapes of pictures, which have no text."""

    def handle_endtag(self, tag):
        self.text += " "
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        if not self._is_skipped:
            self.text += data


def find_untranslated(page: str) -> list[str]:
    """Return the words of a page that are in no brackets of the pseudo-language."""
    parser = _PageText()
    parser.feed(page)
    return [word for text in (parser.text, *parser.labels) for word in _list_words_outside(text)]


def _list_words_outside(text: str) -> list[str]:
    depth, outside = 0, []
    for char in text:
        depth += (char == "⟦") - (char == "⟧")
        outside.append(" " if depth or char == "⟧" else char)
    return [word for word in re.findall(r"[A-Za-z]{2,}", _DATE.sub("", "".join(outside))) if word not in _NAMES]


def find_untranslated_in_email(subject: str, text: str) -> list[str]:
    """Return the words of an e-mail that are in no brackets of the pseudo-language; addresses are data."""
    return find_untranslated(re.sub(r"\S+://\S+", "", f"{subject}\n{text}"))


async def assert_translated(browser, paths) -> None:
    """Assert that these pages, seen in the pseudo-language, have no text outside the catalogs."""
    found = {path: find_untranslated((await browser.get(path)).text) for path in paths}
    untranslated = {path: words for path, words in found.items() if words}
    assert not untranslated, untranslated
