"""An editor whose requests and replies are files in a folder: for batches, for any model, and for judging.

Each request is a text file, `names-0123456789abcdef.txt`. Its reply is the file with the same name that ends in
`.json`. The themes of the edition are written to `themes.json`. To continue them in another
edition, put that file into its folder as `codebook.json`.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from sightline.insights.editor.requests import EditorRequest
from sightline.insights.editor.sorting import CodebookTheme

_CODEBOOK, _THEMES = "codebook.json", "themes.json"
_LARGEST_REPLY = 1_000_000  # bytes


class FolderEditor:
    """Writes requests that have no reply yet, and reads the replies that lie next to them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.missing: list[Path] = []
        """The requests that have no reply yet."""

    async def can_ask(self, requests: Sequence[EditorRequest]) -> bool:  # noqa: ARG002 - the port's
        return True

    async def ask(self, requests: Sequence[EditorRequest]) -> list[str | None]:
        """Return the replies that exist.

        What is asked next depends on them: while some are missing, nothing more is written.
        """
        is_open = not self.missing
        self._folder.mkdir(parents=True, exist_ok=True)
        return [self._find_reply(request, is_open) for request in requests]

    def _find_reply(self, request: EditorRequest, is_open: bool) -> str | None:
        question = self._folder / f"{request.key}.txt"
        reply = question.with_suffix(".json")
        if reply.is_file() and reply.stat().st_size <= _LARGEST_REPLY:
            return reply.read_text(encoding="utf-8", errors="replace")
        if is_open:
            question.write_text(request.text + "\n", encoding="utf-8")
            self.missing.append(question)
        return None

    def read_codebook(self) -> tuple[CodebookTheme, ...]:
        """Return the themes of the edition before; none the first time. Raise ValueError if the file is damaged."""
        path = self._folder / _CODEBOOK
        if not path.is_file():
            return ()
        return msgspec.json.decode(path.read_bytes(), type=tuple[CodebookTheme, ...])

    def write_themes(self, codebook: Sequence[CodebookTheme]) -> None:
        written = self._folder / f"{_THEMES}.new"
        written.write_bytes(msgspec.json.format(msgspec.json.encode(codebook), indent=1) + b"\n")
        written.replace(self._folder / _THEMES)
