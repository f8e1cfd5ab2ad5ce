"""The tables of a sealed month and their columns, and writing them as Parquet. It needs the extra `sealed`."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from sightline.tables.models import ColumnType
from sightline.tables.queries import find_stored_columns

if TYPE_CHECKING:  # pyarrow takes a tenth of a second to import, and is an extra
    import pyarrow as pa

SealedTable = Literal["answers", "facts", "mentions", "citations", "cells"]
SealedColumn = tuple[str, ColumnType | Literal["texts"]]

_GROUP_ROWS = 2_000
"""A read opens only the groups whose checks it wants, so a group is about one check."""

_SCAN: Sequence[SealedColumn] = (
    ("domain_id", "uuid"),
    ("scan_id", "uuid"),
    ("scope", "text"),
    ("answers_source", "text"),
    ("measured_at", "timestamp"),
)
_PROMPT: Sequence[SealedColumn] = (
    ("prompt", "text"),
    ("language", "text"),
    ("country", "text"),
    ("branded", "boolean"),
)


def _list_stored(name: str) -> list[SealedColumn]:
    return [(each.name, each.type) for each in find_stored_columns(name)]


COUNTS = ("valid", "no_surface", "failed", "mentioned", "cited")
COLUMNS: Mapping[SealedTable, Sequence[SealedColumn]] = {
    "answers": (
        *_SCAN,
        *_PROMPT,
        *_list_stored("answers"),
        ("prompt_index", "integer"),
        ("text", "text"),
        ("record", "text"),
    ),
    "facts": (
        ("domain_id", "uuid"),
        ("scan_id", "uuid"),
        ("answer_id", "uuid"),
        ("prompt_id", "uuid"),
        ("platform", "text"),
        ("latency_ms", "integer"),
        ("labels", "texts"),
        ("words", "texts"),
    ),
    "mentions": (*_SCAN, *_PROMPT, *_list_stored("mentions")),
    "citations": (*_SCAN, *_PROMPT, *_list_stored("citations")),
    "cells": (
        *_SCAN,
        *_PROMPT,
        ("prompt_id", "uuid"),
        ("platform", "text"),
        ("surface", "text"),
        *((each, "integer") for each in COUNTS),
        ("visibility", "number"),
    ),
}
"""The columns of each file. Those of answers, mentions and citations are those of the tables for analysts."""


class SealedFile(msgspec.Struct, frozen=True):
    """What was written, to compare with what is read back."""

    rows: int
    bytes: int
    sha256: str


class SealedWriter:
    """Writes the files of one seal into a folder, a group of rows at a time. It blocks: call it in a thread."""

    def __init__(self, folder: Path) -> None:
        from pyarrow.parquet import ParquetWriter

        self.paths: dict[str, Path] = {name: folder / f"{name}.parquet" for name in COLUMNS}
        self._writers = {
            name: ParquetWriter(self.paths[name], _build_schema(columns), compression="zstd")
            for name, columns in COLUMNS.items()
        }
        self._waiting: dict[SealedTable, list[Sequence[Any]]] = {name: [] for name in COLUMNS}

    def write(self, name: SealedTable, rows: Sequence[Sequence[Any]]) -> None:
        """Write rows, whose values are in the order of the columns."""
        waiting = self._waiting[name]
        waiting += rows
        if len(waiting) >= _GROUP_ROWS:
            self._write_group(name)

    def close(self) -> dict[str, SealedFile]:
        """Complete all files, and return what is in them."""
        for name, writer in self._writers.items():
            self._write_group(name)
            writer.close()
        return {name: _describe(path) for name, path in self.paths.items()}

    def _write_group(self, name: SealedTable) -> None:
        import pyarrow as pa

        rows, self._waiting[name] = self._waiting[name], []
        if not rows:
            return
        schema = _build_schema(COLUMNS[name])
        arrays = [pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), schema, strict=True)]
        self._writers[name].write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=len(rows))


def count_rows(file: Any) -> int:
    """Return how many rows a Parquet file has, from its end."""
    from pyarrow.parquet import ParquetFile

    return int(ParquetFile(file).metadata.num_rows)


def _describe(path: Path) -> SealedFile:
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return SealedFile(count_rows(path), path.stat().st_size, digest)


def _build_schema(columns: Sequence[SealedColumn]) -> "pa.Schema":
    import pyarrow as pa

    types = {
        "uuid": pa.string(),
        "text": pa.string(),
        "texts": pa.list_(pa.string()),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "timestamp": pa.timestamp("us", tz="UTC"),
    }
    return pa.schema([(name, types[kind]) for name, kind in columns])
