"""Keyset paging: the next page starts after the sort key of the last row, never at an offset.

A row that is inserted meanwhile can neither repeat nor hide a row that existed when the paging started.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

Row = TypeVar("Row")
Other = TypeVar("Other")
SortKey = tuple[str, ...]


class Slice(msgspec.Struct, Generic[Row], frozen=True):
    """One page of rows, and the sort key of the next page (None at the end)."""

    rows: list[Row]
    next_key: SortKey | None

    def map(self, change: Callable[[Row], Other]) -> "Slice[Other]":
        return Slice([change(row) for row in self.rows], self.next_key)


def cut_page(rows: list[Row], page_size: int, sort_key: Callable[[Row], SortKey]) -> Slice[Row]:
    """Cut the rows to a page. Queries fetch one row more than the page holds, to see whether there is more."""
    if len(rows) <= page_size:
        return Slice(rows, None)
    kept = rows[:page_size]
    return Slice(kept, sort_key(kept[-1]))
