"""The script that pg_restore writes from a dump, in pieces: SQL, and between it the rows of one table at a time."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable

import msgspec

from sightline.backups.models import BackupError

_MAX_SQL_BYTES = 67_108_864
_NAME = rb'(?:[a-z_][a-z0-9_$]*|"(?:[^"\n]|"")+")'
_NAMES = re.compile(_NAME)
_COPY = re.compile(
    rb"^COPY (?P<schema>%b)\.(?P<table>%b) (?:\((?P<columns>%b(?:, %b)*)\))? FROM stdin;\n"
    % (_NAME, _NAME, _NAME, _NAME),
    re.MULTILINE,
)
_END_OF_ROWS = re.compile(rb"^\\\.\n", re.MULTILINE)
# pg_restore forbids psql other commands of its own with these lines. Nothing else here understands them.
_RESTRICTIONS = re.compile(rb"^\\(?:un)?restrict [0-9A-Za-z]+\n", re.MULTILINE)


class TableRows(msgspec.Struct, frozen=True):
    """The table and the columns whose rows follow in the script."""

    schema: str
    table: str
    columns: list[str]


class DumpScript:
    """Reads the script. Call `read_sql`, then `read_rows` if rows follow, until none do."""

    def __init__(self, read: Callable[[], Awaitable[bytes]]) -> None:
        self._read, self._buffer = read, b""

    async def read_sql(self) -> tuple[str, TableRows | None]:
        """Return the statements before the next rows, and what the rows are; None at the end of the script."""
        searched = 0
        while (found := _COPY.search(self._buffer, searched)) is None:
            searched = self._buffer.rfind(b"\n") + 1
            if len(self._buffer) > _MAX_SQL_BYTES:
                raise BackupError("The dump in the backup has more SQL than a database of Sightline needs.")
            chunk = await self._read()
            if not chunk:
                sql, self._buffer = self._buffer, b""
                return _decode(_RESTRICTIONS.sub(b"", sql)), None
            self._buffer += chunk
        sql, self._buffer = self._buffer[: found.start()], self._buffer[found.end() :]
        rows = TableRows(_unquote(found["schema"]), _unquote(found["table"]), _split_names(found["columns"]))
        return _decode(_RESTRICTIONS.sub(b"", sql)), rows

    async def read_rows(self) -> AsyncIterator[bytes]:
        """Yield whole lines up to the end of the rows. Raises `BackupError` if the script ends before it."""
        while (found := _END_OF_ROWS.search(self._buffer)) is None:
            end = self._buffer.rfind(b"\n") + 1
            lines, self._buffer = self._buffer[:end], self._buffer[end:]
            if lines:
                yield lines
            chunk = await self._read()
            if not chunk:
                raise BackupError("The dump in the backup is damaged: the rows of a table have no end.")
            self._buffer += chunk
        lines, self._buffer = self._buffer[: found.start()], self._buffer[found.end() :]
        yield lines


def _split_names(listed: bytes | None) -> list[str]:
    return [_unquote(name) for name in _NAMES.findall(listed or b"")]


def _unquote(name: bytes) -> str:
    return _decode(name[1:-1].replace(b'""', b'"') if name.startswith(b'"') else name)


def _decode(sql: bytes) -> str:
    try:
        return sql.decode()
    except UnicodeDecodeError as error:
        raise BackupError(f"The dump in the backup is damaged: its SQL cannot be read: {error}.") from error
