"""Callers who are not recognized: how often an address may be refused before it is turned away at once.

Counts are kept in the memory of one process. Their number is bounded: the least recent addresses are forgotten.
"""

from datetime import datetime, timedelta

from cachetools import LRUCache

from sightline.kit.addresses import address_group
from sightline.usage.rate_limit import Allowance, LocalRateWindows

REFUSALS = frozenset(
    {
        "key_missing",
        "key_invalid",
        "key_revoked",
        "key_expired",
        "wrong_key_kind",
        "address_not_allowed",
        "session_required",
        "session_expired",
    }
)
"""The problems of callers who are not recognized."""
_EXEMPT_FOR = timedelta(minutes=5)
_CAPACITY = 20_000


class AnonymousLimit:
    """Counts refusals by address. Credentials that this process has recognized lately are exempt from the limit."""

    def __init__(self, per_minute: int) -> None:
        self._per_minute = per_minute
        self._windows = LocalRateWindows()
        self._recognized: LRUCache[tuple[bytes, str], datetime] = LRUCache(_CAPACITY)

    def count(self, address: str, *, now: datetime) -> tuple[Allowance, bool]:
        """Count a request of the address; return what it has left, and whether it was within the limit."""
        return self._windows.count(address_group(address), self._per_minute, now=now)

    def read(self, address: str, *, now: datetime) -> tuple[Allowance, bool]:
        """Return what the address has left, and whether a further request would be within the limit."""
        return self._windows.read(address_group(address), self._per_minute, now=now)

    def note_recognized(self, credential: bytes, purpose: str, *, now: datetime) -> None:
        """Exempt a credential from the limit. `credential` is a digest; a key is recognized for one API only."""
        self._recognized[credential, purpose] = now

    def forget(self, credential: bytes, purpose: str) -> None:
        self._recognized.pop((credential, purpose), None)

    def is_exempt(self, credential: bytes, purpose: str, *, now: datetime) -> bool:
        recognized_at = self._recognized.get((credential, purpose))
        return recognized_at is not None and now - recognized_at <= _EXEMPT_FOR
