"""Limits the concurrent calls to a platform: more while all is well, half as soon as it reports overload.

`AdaptiveLimit` decides and knows neither tasks nor time; `Gate` makes callers wait for it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Literal

Verdict = Literal["fine", "overloaded", "unsure"]


class AdaptiveLimit:
    """The current limit of concurrent calls. Times are those of any monotonic clock.

    Calls that were under way when the limit was cut report the load before the cut: they do not cut it again.
    """

    def __init__(self, lower: int, upper: int) -> None:
        if not 1 <= lower <= upper:
            raise ValueError("the bounds of a window are 1 <= lower <= upper")
        self.lower = lower
        self.upper = upper
        # The operator sets a ceiling that the platform usually allows; starting low would slow every scan.
        self.limit = float(upper)
        self.held_until = float("-inf")
        self.cuts = 0  # so far; a call carries the number from its start

    def resize(self, upper: int) -> None:
        """Set a new ceiling; 0 admits nobody.

        A limit that was at the old ceiling moves with it, one that was cut stays.
        """
        if upper > self.upper and self.limit >= self.upper:
            self.limit = float(upper)
        self.upper = upper
        self.limit = min(self.limit, float(upper)) if upper else 0.0

    def admits(self, in_flight: int, now: float) -> bool:
        return in_flight + 1 <= self.limit and now >= self.held_until

    def note_success(self, in_flight: int) -> None:
        """Raise the limit by one per `limit` answers, and only if it was reached: unused places prove nothing."""
        if self.limit < self.upper and in_flight + 1 > self.limit:
            self.limit = min(float(self.upper), self.limit + 1.0 / self.limit)

    def note_overload(self, cuts_at_start: int, now: float, retry_after: float | None) -> None:
        """Halve the limit once per burst, and hold all calls back for as long as the platform asks."""
        if cuts_at_start == self.cuts:
            self.cuts += 1
            self.limit = min(float(self.upper), max(float(self.lower), self.limit / 2))
        if retry_after is not None:
            self.held_until = max(self.held_until, now + retry_after)


class GateClosed(Exception):
    """The gate was closed while a caller waited."""


class Gate:
    """Admits callers to one platform in the order in which they come, never more at once than the limit."""

    def __init__(self, lower: int, upper: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.window = AdaptiveLimit(lower, upper)
        self.in_flight = 0
        self.closed = False
        self.on_free: Callable[[], None] = lambda: None
        """Called when a place is free again."""
        self._clock = clock
        self._waiting: deque[asyncio.Future[int]] = deque()
        self._timer: asyncio.TimerHandle | None = None

    def room(self, ahead: float) -> int:
        """Return how many more callers may come: those that are admitted at once, and a share `ahead` that may wait."""
        if self._clock() < self.window.held_until:
            return 0
        return int(self.window.limit * (1 + ahead)) - self.in_flight - len(self._waiting)

    async def enter(self) -> int:
        """Wait for a place. Release it with `leave`, which needs the number that is returned here."""
        if self.closed:
            raise GateClosed
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self.admit_waiting()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self.leave(place.result(), "unsure")  # admitted in the same moment: pass the place on
            raise

    def leave(self, entered_at: int, verdict: Verdict, retry_after: float | None = None) -> None:
        if verdict == "fine":
            self.window.note_success(self.in_flight)
        elif verdict == "overloaded":
            self.window.note_overload(entered_at, self._clock(), retry_after)
        self.in_flight -= 1
        self.admit_waiting()
        self.on_free()

    def admit_waiting(self) -> None:
        now = self._clock()
        while self._waiting and self.window.admits(self.in_flight, now):
            place = self._waiting.popleft()
            if not place.done():  # else its owner gave up
                self.in_flight += 1
                place.set_result(self.window.cuts)
        if self._waiting and now < self.window.held_until:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(self.window.held_until - now, self.admit_waiting)

    def close(self) -> None:
        """Reject all waiting callers. Calls in flight continue."""
        self.closed = True
        for place in self._waiting:
            if not place.done():
                place.set_exception(GateClosed())
        self._waiting.clear()
