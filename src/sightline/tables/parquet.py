"""A table as Parquet, in row groups that are written as they are read. It needs the extra `parquet`."""

import asyncio
import io
from collections.abc import AsyncGenerator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sightline.db.engine import Reader
from sightline.errors import Problem
from sightline.tables.models import Column, ColumnType, TableRead
from sightline.tables.queries import fetch_rows
from sightline.tables.read import list_batches

if TYPE_CHECKING:  # pyarrow takes a tenth of a second to import, and is an extra
    import pyarrow as pa

_GROUP_ROWS = 8_192


def require_parquet() -> None:
    """Refuse where the library is not installed (406)."""
    if find_spec("pyarrow") is None:
        raise Problem("format_unavailable")


async def stream_parquet(db: Reader, read: TableRead) -> AsyncGenerator[bytes, None]:
    """Yield a Parquet file. Rows are sorted by check. A table without rows is a file with columns alone."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    columns = read.table.select_columns(text=read.extent.text)
    sink = _Sink()
    writer = ParquetWriter(sink, _build_schema(columns), compression="zstd")
    group: list[pa.RecordBatch] = []
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as thread:  # one: pyarrow keeps memory for each thread that it has ever run in
        async for keys in list_batches(db, read):
            rows = await fetch_rows(db, read, keys)
            if rows:
                group.append(await loop.run_in_executor(thread, _to_batch, columns, rows))
            if sum(batch.num_rows for batch in group) >= _GROUP_ROWS:
                await loop.run_in_executor(thread, writer.write_table, pa.Table.from_batches(group))
                group = []
                yield sink.take()
        if group:
            await loop.run_in_executor(thread, writer.write_table, pa.Table.from_batches(group))
    writer.close()
    yield sink.take()


def count_rows(path: Path) -> int:
    """Return how many rows a Parquet file has."""
    from pyarrow.parquet import read_metadata

    return int(read_metadata(path).num_rows)


def _build_schema(columns: Sequence[Column]) -> "pa.Schema":
    import pyarrow as pa

    types: Mapping[ColumnType, pa.DataType] = {
        "uuid": pa.string(),
        "text": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "boolean": pa.bool_(),
        "date": pa.date32(),
        "timestamp": pa.timestamp("us", tz="UTC"),
    }
    return pa.schema([(column.name, types[column.type]) for column in columns])


def _to_batch(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> "pa.RecordBatch":
    import pyarrow as pa

    schema = _build_schema(columns)
    arrays = [pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


class _Sink(io.RawIOBase):
    """Collects what the writer has written, until it is sent."""

    def __init__(self) -> None:
        self._written = bytearray()
        self._position = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._written += data
        self._position += len(data)
        return len(data)

    def tell(self) -> int:
        return self._position

    def take(self) -> bytes:
        written = bytes(self._written)
        self._written.clear()
        return written
