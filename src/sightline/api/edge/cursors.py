"""Cursors: the sort key of a page's last row, signed and bound to one list of one workspace with its filters."""

import base64
import binascii
import hmac
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.api.edge.envelope import Page, PageMeta, T
from sightline.api.edge.query import read_parameters
from sightline.db.keyset import Slice, SortKey
from sightline.errors import Problem, invalid_field

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
_SIGNATURE_BYTES = 16
_decode_key = msgspec.json.Decoder(tuple[str, ...]).decode


def sign_cursor(key: SortKey, context: bytes, signing_key: bytes) -> str:
    payload = msgspec.json.encode(key)
    return _encode(_sign(payload, context, signing_key) + payload)


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def open_cursor(text: str, context: bytes, *signing_keys: bytes) -> SortKey:
    """Return the sort key inside. Refused with 400: a damaged cursor, and one of another list, workspace or filter."""
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise Problem("invalid_cursor") from error
    signature, payload = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
    if _encode(raw) != text:  # base64 can write the same bytes in several ways; only ours is valid
        raise Problem("invalid_cursor")
    if not any(hmac.compare_digest(signature, _sign(payload, context, key)) for key in signing_keys):
        raise Problem("invalid_cursor")
    return _decode_key(payload)


def _sign(payload: bytes, context: bytes, signing_key: bytes) -> bytes:
    return hmac.digest(signing_key, b"cursor\0%d\0" % len(context) + context + payload, "sha256")[:_SIGNATURE_BYTES]


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


def read_paging(
    query: str,
    list_name: str,
    workspace_id: uuid.UUID,
    *,
    livemode: bool,
    sized: bool,
    signing_keys: Sequence[bytes],
    filters: Mapping[str, str] | None = None,
) -> Paging:
    """Read `cursor` and, where the list takes it, `page_size`. Every other parameter is ignored."""
    context = msgspec.json.encode([list_name, str(workspace_id), livemode, filters or {}], order="sorted")
    parameters = read_parameters(query)
    size = _parse_page_size(parameters["page_size"]) if sized and "page_size" in parameters else DEFAULT_PAGE_SIZE
    after = open_cursor(parameters["cursor"], context, *signing_keys) if "cursor" in parameters else None
    return Paging(size, after, context, signing_keys[0])


def _parse_page_size(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_PAGE_SIZE:
        return int(text)
    raise invalid_field("page_size", f"must be an integer from 1 to {MAX_PAGE_SIZE}", "range")
