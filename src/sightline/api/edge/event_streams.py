"""Open event streams: how many there may be, how long they last, and that their caller is still allowed to read."""

import uuid
import weakref
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from datetime import datetime, timedelta

import msgspec
from cachetools import LRUCache

from sightline.errors import retry_later
from sightline.kit.clock import Clock, start_of_minute
from sightline.usage.rate_limit import Allowance

_RECHECK_AFTER = timedelta(minutes=1)
_RETRY_SECONDS = 30
_REMEMBER_REFUSAL_FOR = timedelta(seconds=5)
_REFUSED_CAPACITY = 20_000


class StreamLimits(msgspec.Struct, frozen=True):
    """How many streams may be open at the same time, and for how many seconds each."""

    per_key: int
    per_workspace: int
    per_process: int
    lifetime: int


STREAM_LIMITS = StreamLimits(per_key=10, per_workspace=50, per_process=1_000, lifetime=600)
"""Of one process. Clients open a new stream when one ends."""


class RefusedCaller(msgspec.Struct, frozen=True):
    """The recognized key of a caller who had too many streams."""

    key_id: uuid.UUID
    workspace_id: uuid.UUID
    allowance: Allowance | None
    refused_at: datetime


class RefusedCallers:
    """Remembers for five seconds who had too many streams, so that the database is not asked who they are again."""

    def __init__(self) -> None:
        self._callers: LRUCache[tuple[bytes, str], RefusedCaller] = LRUCache(_REFUSED_CAPACITY)

    def note(self, credential: bytes, address: str, caller: RefusedCaller) -> None:
        """Remember a caller. `credential` is a digest; from another address it may not be allowed at all."""
        self._callers[credential, address] = caller

    def find(self, credential: bytes, address: str, *, now: datetime) -> RefusedCaller | None:
        """Return a caller refused in the last five seconds and in this minute, for which the allowance holds."""
        caller = self._callers.get((credential, address))
        if caller is None or now - caller.refused_at > _REMEMBER_REFUSAL_FOR:
            return None
        return caller if start_of_minute(now) == start_of_minute(caller.refused_at) else None


class StreamPlaces:
    """Counts the open streams of this process by key or session, by workspace, and in total."""

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self._open: Counter[Hashable] = Counter()

    def take(self, key: Hashable, workspace: Hashable) -> Callable[[], None]:
        """Take a place and return a function that releases it. Refused: too many streams by any of the counts (429)."""
        self.require_place(key, workspace)
        taken: list[Hashable] = [("key", key), ("workspace", workspace), ("process",)]
        self._open.update(taken)

        def give_back() -> None:
            while taken:
                subject = taken.pop()
                self._open[subject] -= 1
                if not self._open[subject]:
                    del self._open[subject]

        return give_back

    def require_place(self, key: Hashable, workspace: Hashable) -> None:
        """Refuse where a further stream would be one too many (429)."""
        limits = self._limits
        for subject, limit, scope in (
            (("key", key), limits.per_key, "for each key or session"),
            (("workspace", workspace), limits.per_workspace, "for each workspace"),
            (("process",), limits.per_process, "in this process"),
        ):
            if self._open[subject] >= limit:
                detail = f"At most {limit} event streams {scope} may be open at a time. Close one and try again."
                raise retry_later("rate_limited", _RETRY_SECONDS, detail)

    def limit_stream(
        self,
        events: AsyncGenerator[bytes, None],
        give_back: Callable[[], None],
        *,
        clock: Clock,
        is_allowed: Callable[[datetime], Awaitable[bool]],
    ) -> AsyncGenerator[bytes, None]:
        """Return the events until the stream is too old or its caller is no longer allowed to read them.

        A client goes on with a new stream and the last id that it has seen, and is authenticated again.
        """
        limited = _limit(events, give_back, timedelta(seconds=self._limits.lifetime), clock, is_allowed)
        weakref.finalize(limited, give_back)  # a stream that was never started does not run its cleanup
        return limited


async def _limit(
    events: AsyncGenerator[bytes, None],
    give_back: Callable[[], None],
    lifetime: timedelta,
    clock: Clock,
    is_allowed: Callable[[datetime], Awaitable[bool]],
) -> AsyncGenerator[bytes, None]:
    opened = checked = clock()
    try:
        async for event in events:
            now = clock()
            if now - checked >= _RECHECK_AFTER:
                if not await is_allowed(now):
                    return
                checked = now
            yield event
            if now - opened >= lifetime:
                return
    finally:
        give_back()
        await events.aclose()
