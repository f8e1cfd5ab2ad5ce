"""Pages by position, never by offset: the next page starts after the last row's sort key.

A row that is inserted meanwhile sorts before the first page or not at all among the old ones, so it can neither
repeat nor hide a row that was there when the paging began.
"""

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

Row = TypeVar("Row")
Other = TypeVar("Other")
SortKey = tuple[str, ...]


class Slice(msgspec.Struct, Generic[Row], frozen=True):
    """One page of rows, and the sort key to go on from (None: there is no more)."""

    rows: list[Row]
    next_key: SortKey | None

    def map(self, change: Callable[[Row], Other]) -> "Slice[Other]":
        return Slice([change(row) for row in self.rows], self.next_key)


def cut_page(rows: list[Row], page_size: int, sort_key: Callable[[Row], SortKey]) -> Slice[Row]:
    """Queries ask for one row more than the page holds; its presence says that there is more."""
    if len(rows) <= page_size:
        return Slice(rows, None)
    kept = rows[:page_size]
    return Slice(kept, sort_key(kept[-1]))
