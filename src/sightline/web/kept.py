"""Parts of pages that were made before: whoever looks at the same rows again is shown what was made of them."""

import hashlib
from collections import OrderedDict
from threading import Lock
from typing import Any

import msgspec
from markupsafe import Markup

_MOST = 256


class Kept:
    """The ones used last. A key holds all that the part depends on, so nothing that is kept is ever out of date."""

    def __init__(self) -> None:
        self._parts: OrderedDict[bytes, Markup] = OrderedDict()
        self._lock = Lock()

    def find(self, key: bytes) -> Markup | None:
        with self._lock:
            known = self._parts.get(key)
            if known is not None:
                self._parts.move_to_end(key)
            return known

    def keep(self, key: bytes, part: Markup) -> None:
        with self._lock:
            self._parts[key] = part
            if len(self._parts) > _MOST:
                self._parts.popitem(last=False)


def key_of(*facts: Any) -> bytes:
    return hashlib.sha256(msgspec.msgpack.encode(facts)).digest()
