"""Result files and the page that shows them.

`python -m bench --save` writes a file for each benchmark that it measured, with the commit and the machine, and the
page from all files. `python -m bench.results` writes only the page.
"""

import os
import platform
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import msgspec

_ROOT = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "results"
PAGE = _ROOT / "docs" / "operate" / "benchmarks.md"
_SOURCE = "Measured "


class ResultFile(msgspec.Struct, frozen=True):
    """What a section of the page shows. Its file is named after the section."""

    heading: str
    """The section whose tables these are: how its heading begins."""
    commit: str | None
    """None for figures from before results named their commit."""
    date: str | None
    machine: str | None
    tables: list[list[str]]
    """The lines of each table, in Markdown, in the order of the section."""

    def describe(self) -> str:
        return f"{_SOURCE}at commit `{(self.commit or '')[:8]}` ({self.date}) on {self.machine}."


class NotCommitted(Exception):
    pass


def save_result(name: str, tables: list[list[str]]) -> None:
    """Write the tables of a benchmark to its file and to the page. Refused: code that is not committed."""
    made = ResultFile(f"`{name}`", find_commit(), f"{datetime.now(UTC):%-d %b %Y}", _describe_machine(), tables)
    (FOLDER / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n")
    PAGE.write_text(render_page(PAGE.read_text(), read_results()))


def find_commit() -> str:
    """Return the commit of the code."""
    changed = _git("status", "--porcelain", "--", "src", "bench", "requirements", ":!bench/results")
    if changed:
        raise NotCommitted("results name the commit of the code, so commit your changes first")
    return _git("rev-parse", "HEAD")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _describe_machine() -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores ({platform.machine()}), Python {platform.python_version()}"


def read_results() -> list[ResultFile]:
    return [msgspec.json.decode(file.read_bytes(), type=ResultFile) for file in sorted(FOLDER.glob("*.json"))]


def render_page(page: str, results: Iterable[ResultFile]) -> str:
    """Return the page with the tables of the results, and below each section's last table where they come from."""
    for result in results:
        head, mark, rest = page.partition(f"\n## {result.heading}")
        if not mark:
            raise LookupError(f"the page has no section {result.heading!r}")
        body, following, after = rest.partition("\n## ")
        page = head + mark + _render_section(body, result) + following + after
    return page


def _render_section(body: str, result: ResultFile) -> str:
    """Put each table in the place of the one before it; where their number has changed, all in the first place."""
    tables = ["\n".join(lines) for lines in result.tables]
    blocks = [block for block in body.rstrip("\n").split("\n\n") if not block.startswith(_SOURCE)]
    places = [place for place, block in enumerate(blocks) if block.startswith("|")]
    if len(places) == len(tables):
        for place, table in zip(places, tables, strict=True):
            blocks[place] = table
        after = places[-1] + 1
    else:
        blocks = [block for block in blocks if not block.startswith("|")]
        after = (places[0] if places else len(blocks)) + len(tables)
        blocks[after - len(tables) : after - len(tables)] = tables
    if result.commit is not None:
        blocks.insert(after, result.describe())
    return "\n\n".join(blocks) + body[len(body.rstrip("\n")) :]


def to_table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """Return a table whose first column is text and whose others are numbers."""
    names = list(columns)
    lines = [names, ["---", *["---:"] * (len(names) - 1)], *map(list, rows)]
    return ["| " + " | ".join(cells) + " |" if "---" not in cells else "|" + "|".join(cells) + "|" for cells in lines]


if __name__ == "__main__":
    PAGE.write_text(render_page(PAGE.read_text(), read_results()))
    sys.stdout.write(f"{PAGE.relative_to(_ROOT)} shows {len(read_results())} result files.\n")
