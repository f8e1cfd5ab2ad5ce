"""Cursors: the sort key of a page's last row, signed, and bound to one list of one workspace with its filters."""

import base64
import binascii
import hmac
import uuid
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import parse_qs

import msgspec

from sightline.api.edge.envelope import Page, PageMeta, T
from sightline.db.keyset import Slice, SortKey
from sightline.errors import Problem, invalid_field

DEFAULT_PAGE_SIZE = 50
MAXIMUM_PAGE_SIZE = 200
_SIGNATURE = 16
_read_key = msgspec.json.Decoder(tuple[str, ...]).decode


def sign_cursor(key: SortKey, context: bytes, signing_key: bytes) -> str:
    payload = msgspec.json.encode(key)
    return _to_text(_signature(payload, context, signing_key) + payload)


def _to_text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def open_cursor(text: str, context: bytes, signing_key: bytes) -> SortKey:
    """The sort key inside; a damaged cursor, or one of another list, workspace or filter, is refused alike."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem("invalid_cursor") from error
    signature, payload = raw[:_SIGNATURE], raw[_SIGNATURE:]
    if _to_text(raw) != text:  # base64 has several spellings of the same bytes; only ours is valid
        raise Problem("invalid_cursor")
    if not hmac.compare_digest(signature, _signature(payload, context, signing_key)):
        raise Problem("invalid_cursor")
    return _read_key(payload)


def _signature(payload: bytes, context: bytes, signing_key: bytes) -> bytes:
    return hmac.digest(signing_key, b"cursor\0%d\0" % len(context) + context + payload, "sha256")[:_SIGNATURE]


class Paging:
    """Where a list request wants to start and how much it wants; makes the page's envelope afterwards."""

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
        """The sort key as the list wrote it, for lists that sort by something else than a time and an id."""
        return self._after

    @property
    def after_time_and_id(self) -> tuple[datetime, uuid.UUID] | None:
        """For lists that sort by a time and then by id."""
        return None if self._after is None else (datetime.fromisoformat(self._after[0]), uuid.UUID(self._after[1]))

    def next_cursor(self, rows: Slice[T]) -> str | None:
        """Where the list goes on; None at its end."""
        key = rows.next_key
        return None if key is None else sign_cursor(key, self._context, self._signing_key)

    def page(self, rows: Slice[T]) -> Page[T]:
        cursor = self.next_cursor(rows)
        return Page(rows.rows, PageMeta(has_more=cursor is not None, next_cursor=cursor))


def read_paging(
    query: str,
    list_name: str,
    workspace_id: uuid.UUID,
    *,
    livemode: bool,
    sized: bool,
    signing_key: bytes,
    filters: Mapping[str, str] | None = None,
) -> Paging:
    """Reads `cursor` and, where the list takes it, `page_size`; every other parameter is ignored."""
    context = msgspec.json.encode([list_name, str(workspace_id), livemode, filters or {}], order="sorted")
    if not query:
        return Paging(DEFAULT_PAGE_SIZE, None, context, signing_key)
    given = parse_qs(query, keep_blank_values=True)
    size = _page_size(given["page_size"][-1]) if sized and "page_size" in given else DEFAULT_PAGE_SIZE
    after = open_cursor(given["cursor"][-1], context, signing_key) if "cursor" in given else None
    return Paging(size, after, context, signing_key)


def _page_size(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAXIMUM_PAGE_SIZE:
        return int(text)
    raise invalid_field("page_size", f"must be an integer from 1 to {MAXIMUM_PAGE_SIZE}", "range")
