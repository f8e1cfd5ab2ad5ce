"""Catalogs of translated texts, compiled from the `.po` files of `sightline/locales` when a language is first used.

The pseudo-language is made of the English texts: letters with accents, a third longer and in brackets. On a page in it,
a text that is not in the catalog stands out, and so does a place that is too narrow for longer words.
"""

import io
import re
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

PSEUDO = "en-XA"
_ACCENTED = str.maketrans("aceinouyACEINOUY", "àçéîñöûýÀÇÉÎÑÖÛÝ")
_KEPT = re.compile(r"%\(\w+\)s|%%|<[^>]*>|&\w+;")  # placeholders and markup


@cache
def load_catalog(language: str) -> NullTranslations:
    """Return the catalog of a language. English has none: its texts are in the code."""
    if language == PSEUDO:
        return _PseudoTranslations()
    source = files("sightline") / "locales" / language / "LC_MESSAGES" / "sightline.po"
    if not source.is_file():
        return NullTranslations()
    compiled = io.BytesIO()
    with source.open("rb") as opened:
        write_mo(compiled, read_po(opened, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)


class _PseudoTranslations(NullTranslations):
    def gettext(self, message: str) -> str:
        return disguise(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return disguise(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:  # noqa: ARG002 - the context is no part of the text
        return disguise(message)


def disguise(message: str) -> str:
    """Return a text in the pseudo-language; placeholders and markup stay as they are."""
    parts, start = [], 0
    for kept in _KEPT.finditer(message):
        parts += [message[start : kept.start()].translate(_ACCENTED), kept.group()]
        start = kept.end()
    parts.append(message[start:].translate(_ACCENTED))
    return f"⟦{''.join(parts)}{'·' * (len(message) // 3)}⟧"
