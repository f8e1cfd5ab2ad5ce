"""Reading pasted text or the text of a CSV file as prompts. Pure.

If the first line names the columns, the text is a table; otherwise every line is one prompt, with or without commas.
Cells that were copied from a spreadsheet have tabs between them, and need no names of columns.
"""

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice

from sightline.errors import Problem
from sightline.presentation.language import gettext, translatable, translate_everywhere
from sightline.presentation.numbers import format_number
from sightline.prompts.identity import MAX_LENGTH, MIN_LENGTH, clean_prompt
from sightline.prompts.imports.models import MAX_PROMPTS, ImportDefaults, ImportedPrompt, ImportFault, ParsedImport
from sightline.prompts.market_names import read_country, read_language
from sightline.prompts.tags.names import clean_tags, split_tags

_COLUMNS = {
    "text": "text", "prompt": "text", "prompts": "text", "question": "text", "keyword": "text",
    "country": "country", "market": "country", "country_iso_2": "country",
    "language": "language", "language_code": "language",
    "tags": "tags", "tag": "tags",
    "pinned": "pinned", "pin": "pinned", "user_pinned": "pinned",
}  # fmt: skip
_LABELS = {
    "text": (translatable("Prompt"), translatable("Prompts"), translatable("Text"), translatable("Question")),
    "country": (translatable("Country"),),
    "language": (translatable("Language"),),
    "tags": (translatable("Tags"), translatable("Tag")),
    "pinned": (translatable("Pinned"),),
}
"""How the interface names the columns. A file may have these names in any of its languages."""
_ORDER = ("text", "country", "language", "tags", "pinned")
_YES, _NO = frozenset({"yes", "true", "1", "x", "y", "pinned"}), frozenset({"", "no", "false", "0", "n"})
_MAX_FAULTS = 50
GUARDED = re.compile(r"'(?=[=+\-@\t\r])")  # the apostrophe that our own export puts before a formula

Row = tuple[int, dict[str, str]]


class BrokenTable(Exception):
    """A table whose quotes do not match from a line on."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


def parse_import(text: str, defaults: ImportDefaults) -> ParsedImport:
    """Return the prompts of a text with the line of each, or every fault with its line, at most fifty of them."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff").split("\n")
    unused, rows = _read_rows(lines)
    prompts: list[ImportedPrompt] = []
    faults: list[ImportFault] = []
    try:
        for line, cells in rows:
            found = _read_row(line, cells, defaults)
            faults += found.faults
            prompts += found.prompts
            if len(prompts) > MAX_PROMPTS or len(faults) >= _MAX_FAULTS:
                break
    except BrokenTable as broken:
        faults.append(ImportFault(broken.line, gettext("a quotation mark is not closed, or a cell is too long.")))
    if len(prompts) > MAX_PROMPTS:
        most = format_number(MAX_PROMPTS)
        message = gettext("An import can have at most %(most)s prompts. Each country counts.", most=most)
        faults.append(ImportFault(None, message))
    if not prompts and not faults:
        faults.append(ImportFault(None, gettext("Enter at least one prompt. Paste one per line, or choose a file.")))
    if faults:
        return ParsedImport(faults=tuple(faults[:_MAX_FAULTS]), unused_columns=unused)
    return ParsedImport(prompts=tuple(prompts), unused_columns=unused)


def _read_rows(lines: Sequence[str]) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the unknown columns, and the rows."""
    first = next((index for index, line in enumerate(lines) if line.strip()), 0)
    header = lines[first] if lines else ""
    delimiter = max(",;\t", key=header.count)
    names = [name.strip().strip('"').strip() for name in header.split(delimiter)]
    columns = [_list_columns().get(name.casefold()) for name in names]
    if "text" in columns:
        unused = tuple(name for name, column in zip(names, columns, strict=True) if name and column is None)
        return unused, read_table(lines, first + 1, columns, delimiter)
    if any("\t" in line for line in lines):
        return (), read_table(lines, first, list(_ORDER), "\t")
    return (), ((number, {"text": _unquote(line)}) for number, line in enumerate(lines, start=1) if line.strip())


@cache
def _list_columns() -> Mapping[str, str]:
    """Return the columns by name: those of our exports and APIs, and those of the interface in all of its languages."""
    return _COLUMNS | {
        name.casefold(): column
        for column, labels in _LABELS.items()
        for label in labels
        for name in translate_everywhere(label)
    }


@cache
def _list_yes_and_no() -> tuple[frozenset[str], frozenset[str]]:
    return _YES | {*translate_everywhere(translatable("yes"))}, _NO | {*translate_everywhere(translatable("no"))}


def _unquote(line: str) -> str:
    """Return a line without the quotation marks that a spreadsheet puts around a cell with a comma."""
    cell = line.strip().rstrip(",;").rstrip()
    if len(cell) > 1 and cell[0] == cell[-1] == '"' and '"' not in cell[1:-1].replace('""', ""):
        return cell[1:-1].replace('""', '"')
    return line


def read_table(lines: Sequence[str], start: int, columns: Sequence[str | None], delimiter: str) -> Iterator[Row]:
    """Yield the cells of each row by column. The line of a row is its first one: cells may contain line breaks."""
    reader = csv.reader((f"{line}\n" for line in islice(lines, start, None)), delimiter=delimiter, strict=True)
    line = start + 1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise BrokenTable(line) from error
        if row is None:
            return
        if any(cell.strip() for cell in row):
            yield line, {name: cell for name, cell in zip(columns, row, strict=False) if name is not None}
        line = start + reader.line_num + 1


def _read_row(line: int, cells: Mapping[str, str], defaults: ImportDefaults) -> ParsedImport:
    faults: list[ImportFault] = []
    country = language = None
    tags: tuple[str, ...] = ()
    written = {name: cell.strip() for name, cell in cells.items()}
    try:
        country = read_country(written.get("country", ""))
    except ValueError as error:
        faults.append(ImportFault(line, f"{error}."))
    try:
        language = read_language(written.get("language", "") or defaults.language_code)
    except ValueError as error:
        faults.append(ImportFault(line, f"{error}."))
    try:
        tags = clean_tags([*split_tags(written.get("tags", "")), *defaults.tags])
    except ValueError as error:
        faults.append(ImportFault(line, f"{error}."))
    pinned, (yes, no) = written.get("pinned", "").casefold(), _list_yes_and_no()
    if pinned not in yes | no:
        message = gettext("“%(text)s” is not a valid value for pinned. Enter yes or no.", text=pinned[:60])
        faults.append(ImportFault(line, message))
    text = " ".join(GUARDED.sub("", written.get("text", ""), count=1).split())
    try:
        clean_prompt(text, None, None)
    except Problem:
        message = gettext("a prompt must have %(least)s to %(most)s characters.", least=MIN_LENGTH, most=MAX_LENGTH)
        faults.append(ImportFault(line, message))
    if faults:
        return ParsedImport(faults=tuple(faults))
    markets = (country,) if country or not defaults.countries else defaults.countries
    prompts = [clean_prompt(text, each, language) for each in markets]
    return ParsedImport(
        prompts=tuple(
            ImportedPrompt(line=line, prompt=each, identity=each.identity, tags=tags, pinned=pinned in yes)
            for each in prompts
        )
    )
