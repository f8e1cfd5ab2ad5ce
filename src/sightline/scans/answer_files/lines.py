"""The lines of a text file, in bounded memory, whatever its encoding."""

from collections.abc import Iterator
from pathlib import Path

MAX_LINE_BYTES = 4_000_000
FALLBACK = "cp1252"
"""The encoding of Western European Windows. A line that is not UTF-8 is most often this."""


class BadLine(Exception):
    """A line or row that is not an answer. `number` counts from 1. After a final one, nothing can be read."""

    def __init__(self, number: int, message: str, *, is_final: bool = False) -> None:
        super().__init__(message)
        self.number = number
        self.is_final = is_final


class RecodedLine(str):
    """A line that is not UTF-8, read in the fallback encoding."""

    __slots__ = ()


def read_lines(path: Path, encoding: str) -> Iterator[tuple[int, str | BadLine]]:
    """Yield each line with its number. A line that is too long is never held in memory as a whole."""
    yield from _read_utf16(path) if encoding == "utf-16" else _read_bytes(path)


def _read_bytes(path: Path) -> Iterator[tuple[int, str | BadLine]]:
    number = 0
    with path.open("rb") as file:
        while line := file.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                while (rest := file.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                    pass
                yield number, _too_long(number)
            else:
                yield number, _decode(number, line)


def _decode(number: int, line: bytes) -> str | BadLine:
    try:
        return line.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError as error:
        try:
            return RecodedLine(line.decode(FALLBACK))
        except UnicodeDecodeError:
            return BadLine(number, f"The line is not UTF-8: byte {error.start + 1} of it cannot be decoded.")


def _read_utf16(path: Path) -> Iterator[tuple[int, str | BadLine]]:
    longest = MAX_LINE_BYTES // 2
    number = 0
    with path.open(encoding="utf-16", errors="replace", newline="\n") as file:
        while line := file.readline(longest + 1):
            number += 1
            if len(line) > longest and not line.endswith("\n"):
                while (rest := file.readline(longest)) and not rest.endswith("\n"):
                    pass
                yield number, _too_long(number)
            else:
                yield number, line


def _too_long(number: int) -> BadLine:
    return BadLine(number, f"The line is longer than {MAX_LINE_BYTES:,} bytes.")
