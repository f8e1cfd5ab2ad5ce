"""The pages of the documentation, and their order, which `docs/README.md` lists."""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

DOCUMENTS = Path(__file__).parents[2] / "documents"
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_DECISION = re.compile(r"/docs/adr/\d{4}-[a-z0-9-]+")
MOVED = {
    "/docs/guides/data-api-answers": "/docs/guides/data-api#read-an-answer",
    "/docs/guides/data-api-figures": "/docs/guides/data-api#read-the-scoreboard-or-one-check",
    "/docs/guides/data-api-insights": "/docs/guides/data-api#read-alerts-themes-recommendations-and-opportunities",
    "/docs/guides/data-api-prompts": "/docs/guides/data-api#add-a-prompt",
    "/docs/reference/tables": "/docs/api/table-columns",
    "/docs/contribute/tables": "/docs/contribute/where-things-are#who-writes-a-table",
}
"""Where the content of removed pages is now."""
_ENTRY = re.compile(r"^- \[([^\]]+)\]\(([^)]+)\): (.+(?:\n  .+)*)", re.MULTILINE)


class PageEntry(NamedTuple):
    title: str
    address: str
    summary: str


class Section(NamedTuple):
    title: str
    pages: list[PageEntry]


@cache
def read_contents() -> list[Section]:
    """Return the sections of the table of contents. Files outside `docs/` are for people with the repository."""
    parts = _SECTION.split((DOCUMENTS / "README.md").read_text())[1:]
    return [
        Section(
            title,
            [
                PageEntry(name, to_address(target), " ".join(summary.split()))
                for name, target, summary in _ENTRY.findall(listed)
                if not target.startswith("..")
            ],
        )
        for title, listed in zip(parts[::2], parts[1::2], strict=True)
    ]


@cache
def list_pages() -> dict[str, Path]:
    """Return the file of every page by its address."""
    return {to_address(file.relative_to(DOCUMENTS).as_posix()): file for file in sorted(DOCUMENTS.rglob("*.md"))}


def find_successor(address: str) -> str | None:
    """Return where the content of a removed page, or of its Markdown, is now. The index has a line for decisions."""
    page = address.removesuffix(".md")
    found, mark, anchor = ("/docs/adr" if _DECISION.fullmatch(page) else MOVED.get(page, "")).partition("#")
    return f"{found}{address[len(page) :]}{mark}{anchor}" if found else None


@cache
def list_pictures() -> dict[str, Path]:
    """Return the file of every picture by its address."""
    found = (file for ending in ("svg", "webp") for file in DOCUMENTS.rglob(f"*.{ending}"))
    return {f"/docs/{file.relative_to(DOCUMENTS).as_posix()}": file for file in found}


def to_address(path: str) -> str:
    """Return the address of a file below `docs/`: `guides/webhooks.md` is at `/docs/guides/webhooks`."""
    page = path.removesuffix(".md").removesuffix("README").rstrip("/")
    return f"/docs/{page}" if page else "/docs"
