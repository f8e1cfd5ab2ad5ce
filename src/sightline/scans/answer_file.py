"""Files of answers that somebody already has: JSON Lines, or CSV with the same columns.

A file is read line by line and never as a whole. Every line is validated, and each error has its line number.
"""

import csv
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import msgspec

from sightline.kit.text import has_control_characters
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.models import Source
from sightline.prompts.market_codes import clean_country, clean_language

MAX_LINE_BYTES = 4_000_000
MAX_NAME_LENGTH = 200
REQUIRED = ("id", "prompt", "platform", "text")
COLUMNS = (*REQUIRED, "language", "country", "sources", "queries", "run", "answered_at")
_DELIMITERS = ",;\t"
_OTHER_FORMATS = {
    b"\x1f\x8b": "a gzip file",
    b"PK\x03\x04": "a ZIP archive or an Excel file",
    b"PAR1": "a Parquet file",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}
"""By their first bytes."""
_PLATFORM_KEYS = {name.casefold(): each.key for each in PLATFORMS for name in (each.key, each.name)}


class BadLine(Exception):
    """A line that is not an answer. `number` counts from 1."""

    def __init__(self, number: int, message: str) -> None:
        super().__init__(message)
        self.number = number


class _InvalidRecord(ValueError):
    """What is wrong with the record of one line."""


class FileAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of a file, validated."""

    line: int
    id: str
    prompt: str
    platform: str
    text: str
    language: str | None = None
    country: str | None = None
    sources: tuple[Source, ...] | None = None
    """None if the file does not say which pages the answer cites."""
    queries: tuple[str, ...] = ()
    """What the platform searched for."""
    run: int | None = None
    answered_at: datetime | None = None


def find_other_format(path: Path) -> str | None:
    """Return what a file is, if its first bytes are those of another format. Raises `OSError`."""
    with path.open("rb") as file:
        start = file.read(4)
    return next((name for magic, name in _OTHER_FORMATS.items() if start.startswith(magic)), None)


def read_answers(path: Path) -> Iterator[FileAnswer | BadLine]:
    """Yield every answer of the file, and a `BadLine` for each line that is not an answer.

    Blank lines are skipped. Raises `OSError` if the file cannot be read.
    """
    with path.open("rb") as file:
        lines = _read_lines(file)
        yield from _read_csv(lines) if path.suffix.lower() == ".csv" else _read_json_lines(lines)


def _read_lines(file: IO[bytes]) -> Iterator[tuple[int, str | BadLine]]:
    """Yield each line with its number. A line that is too long is never held in memory as a whole."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield number, BadLine(number, f"The line is longer than {MAX_LINE_BYTES:,} bytes.")
            continue
        try:
            yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            yield number, BadLine(number, f"The line is not UTF-8: byte {error.start + 1} of it cannot be decoded.")


def _read_json_lines(lines: Iterable[tuple[int, str | BadLine]]) -> Iterator[FileAnswer | BadLine]:
    for number, line in lines:
        if isinstance(line, BadLine):
            yield line
        elif line.strip():
            yield _read_record(number, line)


def _read_record(number: int, line: str) -> FileAnswer | BadLine:
    try:
        return _build_answer(number, msgspec.json.decode(line))
    except _InvalidRecord as error:
        return BadLine(number, str(error))
    except (msgspec.DecodeError, RecursionError) as error:
        return BadLine(number, f"The line is not valid JSON: {str(error).removeprefix('JSON is malformed: ')}.")


def _read_csv(lines: Iterable[tuple[int, str | BadLine]]) -> Iterator[FileAnswer | BadLine]:
    """Yield the answers of a CSV file. Its first line names the columns; the number of a row is that of its first line.

    Fields may hold line breaks, so the next row cannot be found after a line that cannot be decoded: reading ends
    there.
    """
    source = _CsvLines(lines)
    header = next(source, None)
    if header is None:
        yield source.bad or BadLine(1, "The file is empty.")
        return
    delimiter = max(_DELIMITERS, key=header.count)
    names = [name.strip().lower() for name in next(csv.reader([header], delimiter=delimiter), [])]
    if (fault := _find_header_fault(names)) is not None:
        yield BadLine(1, fault)
        return
    csv.field_size_limit(MAX_LINE_BYTES)
    rows = csv.reader(source, delimiter=delimiter, strict=True)
    number = 2
    try:
        for row in rows:
            if any(cell.strip() for cell in row):
                yield _read_row(number, names, row)
            number = source.number + 1
    except csv.Error as error:
        yield BadLine(number, f"The row is not valid CSV: {error}. What follows was not read.")
    if source.bad is not None:
        yield BadLine(source.bad.number, f"{source.bad} What follows was not read.")


class _CsvLines:
    """The lines of a file for the CSV reader. Iteration ends at a line that cannot be decoded, stored as `bad`."""

    def __init__(self, lines: Iterable[tuple[int, str | BadLine]]) -> None:
        self._lines = iter(lines)
        self.number = 0
        self.bad: BadLine | None = None

    def __iter__(self) -> "_CsvLines":
        return self

    def __next__(self) -> str:
        number, line = next(self._lines)
        if isinstance(line, BadLine):
            self.bad = line
            raise StopIteration
        self.number = number
        return line


def _find_header_fault(names: list[str]) -> str | None:
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        return f"The first line must name the columns {', '.join(REQUIRED)}; missing: {', '.join(missing)}."
    doubled = sorted({name for name in names if name in COLUMNS and names.count(name) > 1})
    return f"The first line names a column twice: {', '.join(doubled)}." if doubled else None


def _read_row(number: int, names: list[str], row: list[str]) -> FileAnswer | BadLine:
    if len(row) != len(names):
        return BadLine(number, f"The row has {len(row)} fields, and the first line names {len(names)} columns.")
    record: dict[str, Any] = {name: cell for name, cell in zip(names, row, strict=True) if cell.strip()}
    if "sources" in record:
        record["sources"] = [{"url": url} for url in record["sources"].split()]
    if "queries" in record:
        record["queries"] = record["queries"].splitlines()
    if "run" in record and record["run"].strip().isascii() and record["run"].strip().isdigit():
        record["run"] = int(record["run"])
    try:
        return _build_answer(number, record)
    except _InvalidRecord as error:
        return BadLine(number, str(error))


def _build_answer(number: int, record: Any) -> FileAnswer:
    """Validate the record of one line. Raises `_InvalidRecord`; members that we do not know are ignored."""
    if not isinstance(record, dict):
        raise _InvalidRecord('A line must be one JSON object: {"id": …, "prompt": …, "platform": …, "text": …}.')
    identifier = record.get("id")
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        record["id"] = str(identifier)
    text = _require_text(record, "text")
    if not text.strip():
        raise _InvalidRecord("`text` is empty.")
    return FileAnswer(
        line=number,
        id=_require_name(record, "id"),
        prompt=" ".join(_require_name(record, "prompt", longest=None).split()),
        platform=_clean_platform(_require_name(record, "platform")),
        text=text.replace("\0", "\ufffd"),  # as for the answers of connectors
        language=_clean_code(record, "language"),
        country=_clean_code(record, "country"),
        sources=_read_sources(record.get("sources")),
        queries=_read_queries(record.get("queries")),
        run=_read_run(record.get("run")),
        answered_at=_read_time(record.get("answered_at")),
    )


def _require_text(record: dict[str, Any], name: str) -> str:
    value = record.get(name)
    if value is None:
        raise _InvalidRecord(f"`{name}` is missing.")
    if not isinstance(value, str):
        raise _InvalidRecord(f"`{name}` must be a text.")
    return value


def _require_name(record: dict[str, Any], name: str, *, longest: int | None = MAX_NAME_LENGTH) -> str:
    value = _require_text(record, name).strip()
    if not value:
        raise _InvalidRecord(f"`{name}` is empty.")
    if longest is not None and len(value) > longest:
        raise _InvalidRecord(f"`{name}` has more than {longest} characters.")
    if has_control_characters(value):
        raise _InvalidRecord(f"`{name}` contains control characters.")
    return value


def _clean_platform(name: str) -> str:
    """Return the key of a platform that Sightline knows by this key or name; any other name stays as it is."""
    return _PLATFORM_KEYS.get(name.casefold(), name)


def _clean_code(record: dict[str, Any], name: str) -> str | None:
    if record.get(name) in (None, ""):
        return None
    clean = {"language": clean_language, "country": clean_country}[name]
    try:
        return clean(_require_text(record, name))
    except ValueError as error:
        raise _InvalidRecord(f"`{name}` is not valid: {error}.") from error


def _read_sources(value: Any) -> tuple[Source, ...] | None:
    if value is None:
        return None
    if not isinstance(value, list):
        raise _InvalidRecord("`sources` must be a list of objects with `url` and `title`.")
    return tuple(_read_source(each, place) for place, each in enumerate(value))


def _read_source(value: Any, place: int) -> Source:
    record = {"url": value} if isinstance(value, str) else value
    if not isinstance(record, dict) or not isinstance(record.get("url"), str) or not record["url"].strip():
        raise _InvalidRecord(f"`sources[{place}]` has no `url`.")
    if record.get("title") is not None and not isinstance(record["title"], str):
        raise _InvalidRecord(f"`sources[{place}].title` must be a text.")
    return Source(record["url"].strip(), record.get("title") or None)


def _read_queries(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise _InvalidRecord("`queries` must be a list of texts.")
    return tuple(each.strip() for each in value if each.strip())


def _read_run(value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _InvalidRecord("`run` must be a whole number from 0.")
    return value


def _read_time(value: Any) -> datetime | None:
    if value in (None, ""):
        return None
    try:
        found = datetime.fromisoformat(value)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (TypeError, ValueError, OverflowError) as error:
        raise _InvalidRecord(
            "`answered_at` is not a date or time such as 2026-11-16 or 2026-11-16T09:30:00Z."
        ) from error
