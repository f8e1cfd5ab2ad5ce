"""A bounded cache of rendered page fragments, so that the same rows are rendered once."""

import hashlib
from threading import Lock
from typing import Any

import msgspec
from cachetools import LRUCache
from markupsafe import Markup

from sightline.presentation.dates import current_time_zone

_MAX_FRAGMENTS = 256


class FragmentCache:
    """The most recently used fragments, safe to use from several threads.

    A key covers everything that the fragment depends on, so an entry never goes stale.
    """

    def __init__(self, max_fragments: int = _MAX_FRAGMENTS) -> None:
        self._fragments: LRUCache[bytes, Markup] = LRUCache(max_fragments)
        self._lock = Lock()

    def get(self, key: bytes) -> Markup | None:
        with self._lock:
            return self._fragments.get(key)

    def put(self, key: bytes, fragment: Markup) -> None:
        with self._lock:
            self._fragments[key] = fragment


def fragment_key(*inputs: Any) -> bytes:
    """Return a digest of everything that a fragment is rendered from, the reader's time zone included."""
    return hashlib.sha256(msgspec.msgpack.encode((current_time_zone(), inputs))).digest()
