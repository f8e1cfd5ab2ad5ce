"""A table as a stream of lines, which PostgreSQL writes. Each batch is a statement of its own."""

from collections.abc import AsyncGenerator

from sightline.db.engine import Database
from sightline.tables.models import TableRead
from sightline.tables.queries import LineForm, copy_rows
from sightline.tables.read import list_batches


async def stream_lines(db: Database, read: TableRead, form: LineForm) -> AsyncGenerator[bytes, None]:
    """Yield the rows as CSV with a heading, or as JSON Lines."""
    if form == "csv":
        yield ",".join(column.name for column in read.table.select_columns(text=read.extent.text)).encode() + b"\n"
    async for keys in list_batches(db, read):
        if lines := await copy_rows(db, read, keys, form):
            yield lines
