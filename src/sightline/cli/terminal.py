"""The console to which every command prints what people read."""

from typing import IO, Any, cast

from rich.console import Console

from sightline.presentation.direction_controls import show_direction_controls


class _ShowingFile:
    """A text file that writes visible marks instead of direction controls."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> int:
        return self._file.write(show_direction_controls(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


class Terminal(Console):
    """A console that shows direction controls in names and answers as visible marks."""

    @property
    def file(self) -> IO[str]:
        return cast("IO[str]", _ShowingFile(super().file))

    @file.setter
    def file(self, new_file: IO[str]) -> None:
        self._file = new_file
