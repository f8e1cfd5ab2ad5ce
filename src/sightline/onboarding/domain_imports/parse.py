"""Reading the text of a CSV file as rows of domains. Pure.

The first line names the columns, in English or German, in any order. A list of domains alone needs no first line.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from sightline.onboarding.domain_imports.models import MAX_ROWS, TypedRow, TypedRows
from sightline.presentation.language import gettext, translatable, translate_everywhere
from sightline.prompts.imports.models import ImportFault
from sightline.prompts.imports.parse import BrokenTable, read_table

_COLUMNS = {
    "domain": "domain", "website": "domain", "url": "domain",
    "brand": "brand", "brand_name": "brand", "aliases": "aliases",
    "client": "client", "client_name": "client",
    "competitor": "competitors", "competitors": "competitors", "wettbewerber": "competitors",
    "country": "countries", "countries": "countries", "land": "countries", "länder": "countries",
    "language": "language", "language_code": "language",
    "prompt": "prompts", "prompts": "prompts", "tag": "tags", "tags": "tags",
}  # fmt: skip
_LABELS = {
    "domain": (translatable("Domain"),),
    "brand": (translatable("Brand"), translatable("Brand name")),
    "aliases": (translatable("Other names"),),
    "client": (translatable("Client"),),
    "competitors": (translatable("Competitors"),),
    "countries": (translatable("Countries"), translatable("Country")),
    "language": (translatable("Language"),),
    "prompts": (translatable("Prompts"), translatable("Prompt")),
    "tags": (translatable("Tags"),),
}
"""How the interface names the columns. A file may have these names in any of its languages."""
_FORMULA = re.compile(r"[=+\-@\t\r]")
_LIST = re.compile(r"[|,;\n]")
_PROMPTS = re.compile(r"[|\n]")  # a question may contain commas
_MAX_FAULTS = 50


def parse_domains(text: str) -> TypedRows:
    """Return the rows of a text with the line of each, or every fault with its line, at most fifty of them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff").split("\n")
    first = next((index for index, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return _refuse(None, gettext("Enter at least one domain. Paste one per line, or choose a file."))
    delimiter = max(",;\t", key=lines[first].count)
    names = [name.strip().strip('"').strip() for name in lines[first].split(delimiter)]
    columns = [list_columns().get(name.casefold()) for name in names]
    unused: tuple[str, ...] = ()
    if "domain" in columns:
        if repeated := {name for name in columns if name and columns.count(name) > 1}:
            message = gettext("two columns mean the same: %(names)s.", names=", ".join(sorted(repeated)))
            return _refuse(first + 1, message)
        unused = tuple(name for name, column in zip(names, columns, strict=True) if name and column is None)
        found = read_table(lines, first + 1, columns, delimiter)
    elif len(names) == 1:
        found = ((number, {"domain": line}) for number, line in enumerate(lines, start=1) if line.strip())
    else:
        return _refuse(first + 1, gettext("the first line must name the columns, and one of them must be “domain”."))
    return _read_rows(found, unused)


@cache
def list_columns() -> Mapping[str, str]:
    """Return the columns by name, in lower case."""
    return _COLUMNS | {
        name.casefold(): column
        for column, labels in _LABELS.items()
        for label in labels
        for name in translate_everywhere(label)
    }


def _read_rows(found: Iterator[tuple[int, dict[str, str]]], unused: tuple[str, ...]) -> TypedRows:
    rows: list[TypedRow] = []
    faults: list[ImportFault] = []
    try:
        for line, cells in found:
            if formulas := [name for name, cell in cells.items() if _FORMULA.match(cell.strip())]:
                message = gettext(
                    "“%(cell)s” begins with a character with which formulas begin. Spreadsheets would run it.",
                    cell=cells[formulas[0]].strip()[:60],
                )
                faults.append(ImportFault(line, message, formulas[0]))
            rows.append(_to_row(line, cells))
            if len(rows) > MAX_ROWS or len(faults) >= _MAX_FAULTS:
                break
    except BrokenTable as broken:
        faults.append(ImportFault(broken.line, gettext("a quotation mark is not closed, or a cell is too long.")))
    if len(rows) > MAX_ROWS:
        faults.append(ImportFault(None, gettext("An import can have at most %(most)s domains.", most=MAX_ROWS)))
    if not rows and not faults:
        faults.append(ImportFault(None, gettext("The file has no domains below its first line.")))
    return TypedRows(rows=() if faults else tuple(rows), faults=tuple(faults), unused_columns=unused)


def _to_row(line: int, cells: Mapping[str, str]) -> TypedRow:
    def split(name: str, separators: re.Pattern[str] = _LIST) -> tuple[str, ...]:
        return tuple(part.strip() for part in separators.split(cells.get(name, "")) if part.strip())

    return TypedRow(
        line=line,
        domain=cells.get("domain", "").strip(),
        brand=" ".join(cells.get("brand", "").split()),
        aliases=split("aliases"),
        client=" ".join(cells.get("client", "").split()),
        competitors=split("competitors"),
        countries=split("countries"),
        language=cells.get("language", "").strip(),
        prompts=split("prompts", _PROMPTS),
        tags=split("tags"),
    )


def _refuse(line: int | None, message: str) -> TypedRows:
    return TypedRows(faults=(ImportFault(line, message),))
