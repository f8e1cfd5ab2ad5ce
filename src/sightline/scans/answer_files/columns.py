"""Which column of a file holds what: the format of a file, and the fields behind the names that exports give them.

A layout is found from the beginning of a file, shown to people for confirmation, and then used for every row.
"""

import codecs
import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec

from sightline.scans.answer_files.dates import DateOrder, find_date_order
from sightline.scans.answer_files.lines import BadLine, read_lines

Field = Literal[
    "text", "prompt", "platform", "answered_at", "country", "language", "sources", "queries", "id", "run",
]  # fmt: skip
Format = Literal["csv", "json_lines"]
MissingPart = Literal["prompt", "platform", "answered_at", "sources"]
_MISSED: tuple[MissingPart, ...] = ("prompt", "platform", "answered_at", "sources")
FIELDS: tuple[Field, ...] = (
    "text", "prompt", "platform", "answered_at", "country", "language", "sources", "queries", "id", "run",
)  # fmt: skip
# English and German, in lower case and without anything but letters and digits. The first name that a file has wins.
_NAMES: Mapping[Field, str] = {
    "text": "text answer answertext aianswer fullanswer answercontent response responsetext airesponse fullresponse "
    "responsecontent modelresponse llmresponse rawresponse output completion content antwort antworttext kiantwort "
    "antwortderki volltext",
    "prompt": "prompt prompttext question questiontext query searchquery keyword input frage fragetext fragestellung "
    "suchanfrage anfrage eingabe",
    "platform": "platform aiplatform engine aiengine aisearchengine searchengine chatbot assistant provider model "
    "aimodel llm modelname plattform kiplattform suchmaschine anbieter modell kimodell",
    "answered_at": "answeredat date datetime timestamp answerdate responsedate rundate scandate checkdate createdat "
    "created capturedat collectedat fetchedat day time datum zeitpunkt zeitstempel erstelltam abgefragtam tag",
    "country": "country countrycode answercountry location geo land ländercode laendercode standort",
    "language": "language lang languagecode locale sprache sprachcode",
    "sources": "sources source sourceurls citations citation citedurls citationurls citedsources citedpages urls links "
    "references quellen quelle quellenurls zitate belege verweise",
    "queries": "queries searchqueries websearches fanoutqueries queryfanout fanout searches suchen websuchen",
    "id": "id answerid responseid uuid antwortid",
    "run": "run runnumber repeat repetition iteration lauf durchlauf wiederholung",
}
_DELIMITERS = ",;\t|"
_OTHER_FORMATS = {
    b"\x1f\x8b": "a gzip file",
    b"PK\x03\x04": "a ZIP archive or an Excel file",
    b"\xd0\xcf\x11\xe0": "an old Excel file",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF file",
}
"""By their first bytes."""
_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_JSON_START = re.compile(r"\{|\[\s*\{")
_PEEKED_BYTES = 65_536
_PEEKED_RECORDS = 500
_HEADER_WITHIN = 10
"""Lines. Some exports begin with a title and a date."""
_NOTHING_ELSE = re.compile(r"[\W_]+")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*')


class UnreadableFile(Exception):
    """A file that is not one of answers, with a sentence that says why and what to do."""


class FileLayout(msgspec.Struct, frozen=True, kw_only=True):
    """How to read a file. `columns` has the name in the file of each field that the file has."""

    format: Format
    encoding: str
    names: tuple[str, ...]
    """The columns, or the members of the first records, as the file writes them."""
    columns: dict[Field, str]
    delimiter: str | None = None
    header_line: int = 0
    """The line that names the columns; 0 for JSON Lines."""
    date_order: DateOrder | None = None
    """Whether dates such as 03/04/2026 begin with the day; None if there are none, or if nothing tells."""

    @property
    def unit(self) -> Literal["row", "line"]:
        """Return what the answers of the file are counted in."""
        return "row" if self.format == "csv" else "line"

    @property
    def unused(self) -> tuple[str, ...]:
        """Return the columns that hold nothing that we use."""
        used = set(self.columns.values())
        return tuple(name for name in self.names if name and name not in used)

    @property
    def missing(self) -> tuple[MissingPart, ...]:
        """Return the fields that the file does not have, among those that make a difference."""
        return tuple(field for field in _MISSED if field not in self.columns)

    def choose(self, columns: Mapping[str, str]) -> "FileLayout":
        """Return the layout with other columns for some fields; an empty name means that the file does not have it.

        Raises `UnreadableFile` for an unknown field or column, and for a column that is chosen twice.
        """
        found: dict[Field, str] = dict(self.columns)
        for field, name in columns.items():
            known = next((each for each in FIELDS if each == field), None)
            if known is None:
                raise UnreadableFile(f"There is no field {field!r}. The fields are {', '.join(FIELDS)}.")
            if name and name not in self.names:
                raise UnreadableFile(f"There is no column {name!r}. The columns are {_list_names(self.names)}.")
            for other in [each for each, column in found.items() if column == name and each not in columns]:
                del found[other]
            if name:
                found[known] = name
            else:
                found.pop(known, None)
        doubled = next((name for name in found.values() if list(found.values()).count(name) > 1), None)
        if doubled is not None:
            raise UnreadableFile(f"The column {doubled!r} is chosen for two fields.")
        return msgspec.structs.replace(self, columns=found)

    def require_text(self) -> None:
        """Raise `UnreadableFile` if no column holds the answers, or if two columns have the name of a used one."""
        if "text" not in self.columns:
            raise UnreadableFile(
                f"No column holds the answers. The columns are {_list_names(self.names)}. Call the one with the "
                "answers “text”, or choose it."
            )
        doubled = next((name for name in self.columns.values() if self.names.count(name) > 1), None)
        if doubled is not None:
            raise UnreadableFile(f"Two columns are called {doubled!r}. Rename or remove one of them.")


def find_layout(path: Path, name: str = "") -> FileLayout:
    """Look at the beginning of a file. `name` is its original name, where the path has another one.

    Raises `UnreadableFile` if it is not CSV or JSON Lines, and `OSError` if it cannot be read. The answers may still be
    in no known column: `FileLayout.require_text` says so, after people have chosen.
    """
    with path.open("rb") as file:
        start = file.read(_PEEKED_BYTES)
    other = next((kind for magic, kind in _OTHER_FORMATS.items() if start.startswith(magic)), None)
    if other is not None:
        raise UnreadableFile(
            f"This is {other}. Save the answers as CSV (in Excel: Save As, CSV UTF-8) or as JSON Lines."
        )
    encoding = _find_encoding(start)
    if not start.strip(b" \t\r\n\xef\xbb\xbf\xff\xfe\0"):
        raise UnreadableFile("The file is empty.")
    if _looks_like_json(start, encoding, (name or path.name).lower()):
        return _find_json_layout(path, encoding)
    return _find_csv_layout(path, encoding)


def _find_encoding(start: bytes) -> str:
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in start:
        raise UnreadableFile("This is not a text file. Save the answers as CSV or JSON Lines, in UTF-8.")
    return "utf-8"


def _looks_like_json(start: bytes, encoding: str, name: str) -> bool:
    begins = start.decode(encoding, errors="replace").lstrip("\ufeff \t\r\n")
    return _JSON_START.match(begins) is not None or name.endswith(_JSON_ENDINGS)


def _find_json_layout(path: Path, encoding: str) -> FileLayout:
    """Return the members that the first records have, whatever else their lines are."""
    records: list[Any] = []
    for _, line in islice(read_lines(path, encoding), _PEEKED_RECORDS):
        if isinstance(line, BadLine) or not line.strip():
            continue
        if not records and line.lstrip().startswith("["):
            raise UnreadableFile(
                "The file is one JSON list. Save it as JSON Lines: one JSON object on each line, without brackets "
                "around them."
            )
        try:
            records.append(msgspec.json.decode(line))
        except (msgspec.DecodeError, RecursionError):
            records.append(None)
    names = tuple(dict.fromkeys(name for record in records if isinstance(record, dict) for name in record))
    if not names:
        # Nothing tells what the records are called, so that each bad line is named for what it is.
        names = ("id", "prompt", "platform", "text")
    columns = _recognize(names)
    return FileLayout(
        format="json_lines",
        encoding=encoding,
        names=names,
        columns=columns,
        date_order=_find_order(columns, [record for record in records if isinstance(record, dict)]),
    )


def _find_csv_layout(path: Path, encoding: str) -> FileLayout:
    best: FileLayout | None = None
    separator = None
    for number, line in islice(read_lines(path, encoding), _HEADER_WITHIN):
        if isinstance(line, BadLine):
            break
        if number == 1 and (stated := _SEPARATOR_LINE.fullmatch(line)):
            separator = stated[1]
            continue
        if not line.strip():
            continue
        delimiter = separator or max(_DELIMITERS, key=line.count)
        names = tuple(name.strip() for name in next(csv.reader([line], delimiter=delimiter), []))
        found = FileLayout(
            format="csv",
            encoding=encoding,
            names=names,
            columns=_recognize(names),
            delimiter=delimiter,
            header_line=number,
        )
        if best is None or ("text" in found.columns and len(found.columns) > len(best.columns)):
            best = found
    if best is None:
        raise UnreadableFile("The first line of the file cannot be read as text. Save the answers as CSV in UTF-8.")
    records = [dict(zip(best.names, row, strict=False)) for row in _peek_rows(path, best)]
    return msgspec.structs.replace(best, date_order=_find_order(best.columns, records))


def _peek_rows(path: Path, layout: FileLayout) -> Iterable[list[str]]:
    lines = (line for number, line in read_lines(path, layout.encoding) if number > layout.header_line)
    rows = csv.reader((line for line in lines if isinstance(line, str)), delimiter=layout.delimiter or ",")
    try:
        yield from islice(rows, _PEEKED_RECORDS)
    except csv.Error:
        return  # reading the file says where and why


def _find_order(columns: Mapping[Field, str], records: Sequence[Mapping[str, Any]]) -> DateOrder | None:
    column = columns.get("answered_at")
    return find_date_order([record.get(column) for record in records]) if column else None


def _recognize(names: Sequence[str]) -> dict[Field, str]:
    """Return the column of each field. A column that is named like two fields belongs to the first of them."""
    plain = {_NOTHING_ELSE.sub("", name).lower(): name for name in reversed(names)}
    found: dict[Field, str] = {}
    for field in FIELDS:
        alias = next((each for each in (field.replace("_", ""), *_NAMES[field].split()) if each in plain), None)
        if alias is not None and plain[alias] not in found.values():
            found[field] = plain[alias]
    return found


def _list_names(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name[:40]) for name in names[:20] if name)
    return f"{shown} and {len(names) - 20} more" if len(names) > 20 else shown or "without names"
