"""Open event streams: how many there may be, how long they last, and that their caller is still allowed to read."""

import weakref
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from datetime import datetime, timedelta

import msgspec

from sightline.errors import retry_later
from sightline.kit.clock import Clock

_RECHECK_AFTER = timedelta(minutes=1)
_RETRY_SECONDS = 30


class StreamLimits(msgspec.Struct, frozen=True):
    """How many streams may be open at the same time, and for how many seconds each."""

    per_key: int
    per_workspace: int
    per_process: int
    lifetime: int


class StreamPlaces:
    """Counts the open streams of this process by key or session, by workspace, and in all."""

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self._open: Counter[Hashable] = Counter()

    def take(self, key: Hashable, workspace: Hashable) -> Callable[[], None]:
        """Take a place and return what gives it back. Refused: too many streams of one of the three (429)."""
        limits = self._limits
        subjects = (
            (("key", key), limits.per_key, "for each key or session"),
            (("workspace", workspace), limits.per_workspace, "for each workspace"),
            (("process",), limits.per_process, "in this process"),
        )
        for subject, limit, scope in subjects:
            if self._open[subject] >= limit:
                detail = f"At most {limit} event streams {scope} may be open at a time. Close one and try again."
                raise retry_later("rate_limited", _RETRY_SECONDS, detail)
        taken = [subject for subject, _, _ in subjects]
        self._open.update(taken)

        def give_back() -> None:
            while taken:
                subject = taken.pop()
                self._open[subject] -= 1
                if not self._open[subject]:
                    del self._open[subject]

        return give_back

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
        weakref.finalize(limited, give_back)  # a stream that was never begun has no end, either
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
