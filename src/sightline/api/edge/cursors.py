"""Cursors: the sort key of a page's last row, signed and bound to one list of one workspace with its filters."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.api.edge.envelope import Page, PageMeta, T
from sightline.api.edge.query import read_parameters
from sightline.db.keyset import Slice, SortKey
from sightline.errors import Problem, invalid_field
from sightline.kit.signing import Signer

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
_PURPOSE = b"cursor"
_decode_key = msgspec.json.Decoder(tuple[str, ...]).decode


def sign_cursor(key: SortKey, context: bytes, signing_key: bytes) -> str:
    return Signer(_PURPOSE, signing_key).sign(msgspec.json.encode(key), context)


def open_cursor(text: str, context: bytes, *signing_keys: bytes) -> SortKey:
    """Return the sort key inside. Refused with 400: a damaged cursor, and one of another list, workspace or filter."""
    content = Signer(_PURPOSE, *signing_keys).open(text, context)
    if content is None:
        raise Problem("invalid_cursor")
    return _decode_key(content)


class Paging:
    """Where a list request starts and how many rows it asks for; builds the page's envelope from them."""

    def __init__(self, size: int, after: SortKey | None, context: bytes, signing_key: bytes) -> None:
        self.size = size
        self._after = after
        self._context = context
        self._signing_key = signing_key

    @property
    def is_first(self) -> bool:
        return self._after is None

    @property
    def after(self) -> SortKey | None:
        """Return the sort key as the list wrote it, for lists that do not sort by a time and an id."""
        return self._after

    @property
    def after_time_and_id(self) -> tuple[datetime, uuid.UUID] | None:
        """Return the sort key of lists that sort by a time and then by id."""
        return None if self._after is None else (datetime.fromisoformat(self._after[0]), uuid.UUID(self._after[1]))

    def next_cursor(self, rows: Slice[T]) -> str | None:
        """Return the cursor of the next page; None at the end of the list."""
        key = rows.next_key
        return None if key is None else sign_cursor(key, self._context, self._signing_key)

    def page(self, rows: Slice[T]) -> Page[T]:
        cursor = self.next_cursor(rows)
        return Page(rows.rows, PageMeta(has_more=cursor is not None, next_cursor=cursor))


def describe_list(list_name: str, actor: Actor, filters: Mapping[str, str]) -> bytes:
    """Return what a cursor is bound to: the list, the workspace, the mode and the filters."""
    return msgspec.json.encode([list_name, str(actor.workspace_id), actor.livemode, filters], order="sorted")


def read_paging(query: str, context: bytes, *, sized: bool, signing_keys: Sequence[bytes]) -> Paging:
    """Read `cursor` and, where the list takes it, `page_size`. Every other parameter is ignored."""
    parameters = read_parameters(query)
    size = _parse_page_size(parameters["page_size"]) if sized and "page_size" in parameters else DEFAULT_PAGE_SIZE
    after = open_cursor(parameters["cursor"], context, *signing_keys) if "cursor" in parameters else None
    return Paging(size, after, context, signing_keys[0])


def _parse_page_size(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_PAGE_SIZE:
        return int(text)
    raise invalid_field("page_size", f"must be an integer from 1 to {MAX_PAGE_SIZE}", "range")
