"""Word lists that people can read and extend: text files in `data/`, in sections, entries separated by commas.

In some sections a line is "name: entry, entry". A line that begins with # is a comment.
"""

from functools import cache
from importlib.resources import files


@cache
def read_list(file: str, section: str) -> frozenset[str]:
    """Return the entries of a section. A line break counts as a blank, so a phrase may continue on the next line."""
    return frozenset(_entries(" ".join(_lines(file)[section])))


@cache
def read_table(file: str, section: str) -> dict[str, frozenset[str]]:
    """Return the entries of each name of a section."""
    named = (line.partition(":") for line in _lines(file)[section])
    return {name.strip(): frozenset(_entries(entries)) for name, _, entries in named}


def _entries(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",") if entry.strip()]


@cache
def _lines(file: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in files("sightline.answers").joinpath("data", f"{file}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), [])
        elif line.strip() and not line.startswith("#"):
            current.append(line)
    return sections
