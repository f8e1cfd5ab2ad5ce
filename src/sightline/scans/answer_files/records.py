"""The answers of a file, read and validated line by line: a file is never in memory as a whole."""

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec
from babel import Locale

from sightline.kit.text import has_control_characters
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.models import Source
from sightline.prompts.market_codes import clean_country, clean_language
from sightline.scans.answer_files.columns import FileLayout
from sightline.scans.answer_files.dates import AmbiguousDate, parse_time
from sightline.scans.answer_files.lines import MAX_LINE_BYTES, BadLine, RecodedLine, read_lines

MAX_NAME_LENGTH = 200
_SAMPLED_ROWS = 20
_SAMPLE_LENGTH = 90
NO_PROMPT = "\u2013"
NO_PLATFORM = "unknown"
SPREADSHEET_LIMIT = 32_767
"""Characters that Excel stores in a cell. It cuts off the rest."""
_PLATFORM_KEYS = {
    **{name.casefold(): each.key for each in PLATFORMS for name in (each.key, each.name)},
    "openai": "chatgpt",
    "chat gpt": "chatgpt",
    "ai overview": "google_ai_overviews",
    "ai overviews": "google_ai_overviews",
    "google ai overview": "google_ai_overviews",
    "ai mode": "google_ai_mode",
    "google gemini": "gemini",
    "anthropic": "claude",
    "microsoft copilot": "copilot",
    "xai": "grok",
    "le chat": "mistral",
}
_SPREADSHEET_ERRORS = frozenset(
    {"#NAME?", "#REF!", "#VALUE!", "#N/A", "#DIV/0!", "#NUM!", "#NULL!", "#ERROR!", "#WERT!", "#BEZUG!"}
)
_FORMULA_START = re.compile(r"'(?=[=+\-@])")
_ADDRESS = re.compile(r"https?://[^\s\"'<>|\\]+", re.IGNORECASE)
_NEXT_ADDRESS = re.compile(r"[,;]+(?=https?://)", re.IGNORECASE)
_BARE_ADDRESS = re.compile(r"[^\s,;|\"'<>]+\.[^\s,;|\"'<>]{2,}")
_OTHER_COUNTRIES = {"usa": "US", "uk": "GB"}


class _InvalidRecord(ValueError):
    """What is wrong with the record of one line."""


class FileAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One answer of a file, validated."""

    line: int
    """Its line, or its row in a spreadsheet, from 1."""
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
    was_recoded: bool = False
    """Whether its line is not UTF-8."""
    has_ambiguous_date: bool = False


def read_answers(path: Path, layout: FileLayout) -> Iterator[FileAnswer | BadLine]:
    """Yield every answer of the file, and a `BadLine` for each line that is not an answer.

    Blank lines are skipped. Raises `OSError` if the file cannot be read.
    """
    lines = read_lines(path, layout.encoding)
    yield from _read_csv(lines, layout) if layout.format == "csv" else _read_json_lines(lines, layout)


def read_samples(path: Path, layout: FileLayout) -> dict[str, str]:
    """Return the first value of each column that has one, shortened, for people who confirm the columns."""
    lines = ((number, line) for number, line in read_lines(path, layout.encoding) if number > layout.header_line)
    texts = (line for _, line in lines if isinstance(line, str) and line.strip())
    found: dict[str, str] = {}
    if layout.format == "csv":
        csv.field_size_limit(MAX_LINE_BYTES)
        rows: Iterator[Iterable[tuple[str, Any]]] = (
            zip(layout.names, row, strict=False) for row in csv.reader(texts, delimiter=layout.delimiter or ",")
        )
    else:
        rows = (record.items() for text in texts if isinstance(record := _decode_or_none(text), dict))
    with suppress(csv.Error):
        for row in islice(rows, _SAMPLED_ROWS):
            for name, value in row:
                shown = (
                    value if isinstance(value, str) else "" if value is None else msgspec.json.encode(value).decode()
                )
                if shown.strip() and name not in found:
                    found[name] = _cut_text(" ".join(shown.split()))
    return found


def _cut_text(text: str) -> str:
    return text if len(text) <= _SAMPLE_LENGTH else f"{text[: _SAMPLE_LENGTH - 1]}…"


def _decode_or_none(line: str) -> Any:
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None


def _read_json_lines(lines: Iterable[tuple[int, str | BadLine]], layout: FileLayout) -> Iterator[FileAnswer | BadLine]:
    for number, line in lines:
        if isinstance(line, BadLine):
            yield line
        elif line.strip():
            yield _read_record(number, line, layout)


def _read_record(number: int, line: str, layout: FileLayout) -> FileAnswer | BadLine:
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        return BadLine(number, f"The line is not valid JSON: {str(error).removeprefix('JSON is malformed: ')}.")
    if not isinstance(record, dict):
        return BadLine(number, 'A line must be one JSON object: {"id": …, "prompt": …, "platform": …, "text": …}.')
    found: dict[str, Any] = {field: record.get(name) for field, name in layout.columns.items()}
    return _build(number, found, layout, was_recoded=isinstance(line, RecodedLine))


def _read_csv(lines: Iterable[tuple[int, str | BadLine]], layout: FileLayout) -> Iterator[FileAnswer | BadLine]:
    """Yield the answers of a CSV file. Its rows are counted as a spreadsheet shows them: a blank line is a row.

    Fields may hold line breaks, so the next row cannot be found after a line that cannot be decoded: reading ends
    there.
    """
    source = _CsvLines((number, line) for number, line in lines if number > layout.header_line)
    csv.field_size_limit(MAX_LINE_BYTES)
    rows = csv.reader(source, delimiter=layout.delimiter or ",", strict=True)
    places = {field: layout.names.index(name) for field, name in layout.columns.items()}
    number = layout.header_line + 1
    try:
        for row in rows:
            if any(cell.strip() for cell in row):
                yield _read_row(number, places, row, layout, was_recoded=source.was_recoded)
            source.was_recoded = False
            number += 1
    except csv.Error as error:
        yield BadLine(number, f"The row is not valid CSV: {error}. What follows was not read.", is_final=True)
    if source.bad is not None:
        yield BadLine(number, f"{source.bad} What follows was not read.", is_final=True)


class _CsvLines:
    """The lines of a file for the CSV reader. Iteration ends at a line that cannot be decoded, stored as `bad`."""

    def __init__(self, lines: Iterable[tuple[int, str | BadLine]]) -> None:
        self._lines = iter(lines)
        self.bad: BadLine | None = None
        self.was_recoded = False

    def __iter__(self) -> "_CsvLines":
        return self

    def __next__(self) -> str:
        _, line = next(self._lines)
        if isinstance(line, BadLine):
            self.bad = line
            raise StopIteration
        self.was_recoded = self.was_recoded or isinstance(line, RecodedLine)
        return line


def _read_row(
    number: int, places: dict[Any, int], row: list[str], layout: FileLayout, *, was_recoded: bool
) -> FileAnswer | BadLine:
    if len(row) < len(layout.names) or any(cell.strip() for cell in row[len(layout.names) :]):
        return BadLine(number, f"The row has {len(row)} fields, and the first line names {len(layout.names)} columns.")
    record: dict[str, Any] = {
        field: _FORMULA_START.sub("", cell, 1) if cell.startswith("'") else cell
        for field, place in places.items()
        if (cell := row[place]).strip()
    }
    broken = next((field for field, cell in record.items() if cell.strip().upper() in _SPREADSHEET_ERRORS), None)
    if broken is not None:
        return BadLine(
            number,
            f"`{broken}` is {record[broken].strip()}: a spreadsheet took the text for a formula. Format the column as "
            "text, and export it again.",
        )
    if "sources" in record:
        record["sources"] = _split_sources(record["sources"])
    if "queries" in record:
        record["queries"] = record["queries"].splitlines()
    if "run" in record and record["run"].strip().isascii() and record["run"].strip().isdigit():
        record["run"] = int(record["run"])
    return _build(number, record, layout, was_recoded=was_recoded)


def _split_sources(cell: str) -> list[Any]:
    """Return the addresses in a cell: a JSON list, addresses with anything between them, formulas, or bare hosts."""
    if cell.lstrip().startswith("["):
        try:
            listed = msgspec.json.decode(cell)
        except (msgspec.DecodeError, RecursionError):
            listed = None
        if isinstance(listed, list):
            return listed
    found = [part for address in _ADDRESS.findall(cell) for part in _NEXT_ADDRESS.split(address)]
    if found:
        return [address.rstrip(",;.)]}") for address in found]
    return [f"https://{host}" for host in _BARE_ADDRESS.findall(cell)]


def _build(number: int, record: dict[str, Any], layout: FileLayout, *, was_recoded: bool) -> FileAnswer | BadLine:
    try:
        return _build_answer(number, record, layout, was_recoded=was_recoded)
    except _InvalidRecord as error:
        return BadLine(number, str(error))


def _build_answer(number: int, record: dict[str, Any], layout: FileLayout, *, was_recoded: bool) -> FileAnswer:
    """Validate the record of one line. Raises `_InvalidRecord`."""
    identifier = record.get("id")
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        record["id"] = str(identifier)
    text = _require_text(record, "text")
    if not text.strip():
        raise _InvalidRecord("`text` is empty.")
    known = layout.columns
    answered_at, has_ambiguous_date = _read_time(record.get("answered_at"), layout)
    return FileAnswer(
        line=number,
        id=_require_name(record, "id") if "id" in known else str(number),
        prompt=" ".join(_require_name(record, "prompt", longest=None).split()) if "prompt" in known else NO_PROMPT,
        platform=_clean_platform(_require_name(record, "platform")) if "platform" in known else NO_PLATFORM,
        text=text.replace("\0", "\ufffd"),  # as for the answers of connectors
        language=_clean_code(record, "language"),
        country=_clean_code(record, "country"),
        sources=_read_sources(record.get("sources")),
        queries=_read_queries(record.get("queries")),
        run=_read_run(record.get("run")),
        answered_at=answered_at,
        was_recoded=was_recoded,
        has_ambiguous_date=has_ambiguous_date,
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


def _clean_code(record: dict[str, Any], name: Literal["language", "country"]) -> str | None:
    if record.get(name) in (None, ""):
        return None
    clean = {"language": clean_language, "country": clean_country}[name]
    text = _require_text(record, name).strip()
    if name == "language":
        text = re.split("[-_]", text)[0] if len(text) == 5 else text  # en-US
    try:
        return clean(_list_names_of(name).get(text.casefold(), text))
    except ValueError as error:
        raise _InvalidRecord(f"`{name}` is not valid: {error}.") from error


@cache
def _list_names_of(kind: Literal["language", "country"]) -> dict[str, str]:
    """Return the codes of languages or countries by their English and German names."""
    found = {} if kind == "language" else dict(_OTHER_COUNTRIES)
    for locale in (Locale("en"), Locale("de")):
        named = locale.languages if kind == "language" else locale.territories
        found |= {name.casefold(): code for code, name in named.items() if len(code) == 2 and code.isalpha()}
    return found


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


def _read_time(value: Any, layout: FileLayout) -> tuple[datetime | None, bool]:
    """Return the time, and whether it is left out because nothing tells its day from its month."""
    try:
        return parse_time(value, layout.date_order), False
    except AmbiguousDate:
        return None, True
    except ValueError as error:
        raise _InvalidRecord(
            "`answered_at` is not a date or time such as 2026-11-16 or 2026-11-16T09:30:00Z."
        ) from error
