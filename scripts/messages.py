"""Collect the texts that people read into the catalogs: `make messages`.

It writes the template `sightline.pot`, and brings each language's `sightline.po` up to date: new texts are added
without a translation, and texts that are gone are removed.
"""

import re
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_python
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "sightline"
LOCALES = SOURCE / "locales"
TEMPLATE = LOCALES / "sightline.pot"
_MARKED = re.compile(rb"\b(?:gettext|ngettext|pgettext|translatable)\(")
_OPTIONS = {"**/templates/**.html": {"trimmed": "true", "newstyle_gettext": "true"}}
_KEYWORDS = {"gettext": None, "_": None, "translatable": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2)}


def _extract_from_code(opened: BinaryIO, *how: Any, **options: Any) -> Iterable[Any]:
    """Extract the texts of a module, if it has any: most have none, and parsing takes long."""
    is_marked = _MARKED.search(opened.read()) is not None
    opened.seek(0)
    return extract_python(opened, *how, **options) if is_marked else ()


_METHODS: Any = [("**/templates/**.html", "jinja2"), ("**.py", _extract_from_code)]


def collect_messages() -> Catalog:
    """Return every text of templates and code, each with the files that have it."""
    catalog = Catalog(header_comment="# Texts of Sightline.", charset="utf-8", fuzzy=False)
    found = extract_from_dir(SOURCE, _METHODS, _OPTIONS, keywords=_KEYWORDS, comment_tags=["Translators:"])
    for path, _, message, comments, context in found:
        catalog.add(message, locations=[(path, 0)], auto_comments=comments, context=context)
    return catalog


def find_catalogs() -> list[Path]:
    return sorted(LOCALES.glob("*/LC_MESSAGES/sightline.po"))


def read_catalog(path: Path) -> Catalog:
    with path.open("rb") as opened:
        return read_po(opened, locale=path.parts[-3])


def format_catalog(catalog: Catalog) -> bytes:
    """Return a catalog as a file. Its header has what `gettext` needs: no dates, which would change with every run."""
    written = BytesIO()
    write_po(written, catalog, width=100, sort_output=True, include_lineno=False)
    head, _, texts = written.getvalue().partition(b"\n\n")
    kept = (b"#", b"msg", b'"Language: ', b'"MIME-', b'"Content-', b'"Plural-')
    return b"\n".join(line for line in head.split(b"\n") if line.startswith(kept)) + b"\n\n" + texts


def is_translated(message: Message) -> bool:
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


def main() -> None:
    template = collect_messages()
    LOCALES.mkdir(exist_ok=True)
    TEMPLATE.write_bytes(format_catalog(template))
    for path in find_catalogs():
        catalog = read_catalog(path)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        path.write_bytes(format_catalog(catalog))
        missing = sum(not is_translated(message) for message in catalog if message.id)
        print(f"{path.parts[-3]}: {len(catalog)} texts, {missing} without a translation")


if __name__ == "__main__":
    main()
