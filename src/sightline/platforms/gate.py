"""How many calls a platform gets at once: more while all is well, half as soon as it says that it is too much.

`Window` decides and knows neither tasks nor time; `Gate` makes callers wait for it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Literal

Verdict = Literal["fine", "overloaded", "unsure"]


class Window:
    """The decisions. Times are those of any clock that never goes back.

    Calls that were under way when the limit was cut tell of the load before the cut: they do not cut it again.
    """

    __slots__ = ("cuts", "held_until", "limit", "lower", "upper")

    def __init__(self, lower: int, upper: int) -> None:
        if not 1 <= lower <= upper:
            raise ValueError("the bounds of a window are 1 <= lower <= upper")
        self.lower = lower
        self.upper = upper
        # The operator's ceiling is a promise that the platform usually bears it; starting low would slow every check.
        self.limit = float(upper)
        self.held_until = float("-inf")
        self.cuts = 0  # so far; a call remembers the number from its start

    def admits(self, in_flight: int, now: float) -> bool:
        return in_flight + 1 <= self.limit and now >= self.held_until

    def note_fine(self, in_flight: int) -> None:
        """One more per round of `limit` answers, and only if the limit was reached: unused room proves nothing."""
        if self.limit < self.upper and in_flight + 1 > self.limit:
            self.limit = min(float(self.upper), self.limit + 1.0 / self.limit)

    def note_overload(self, cuts_at_start: int, now: float, retry_after: float | None) -> None:
        """Halves the limit once per burst, and holds everybody back for as long as the platform asks."""
        if cuts_at_start == self.cuts:
            self.cuts += 1
            self.limit = max(float(self.lower), self.limit / 2)
        if retry_after is not None:
            self.held_until = max(self.held_until, now + retry_after)


class Gate:
    """Lets callers to one platform through, first come, first served, never more at once than the window says."""

    def __init__(self, lower: int, upper: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.window = Window(lower, upper)
        self.in_flight = 0
        self._clock = clock
        self._waiting: deque[asyncio.Future[int]] = deque()
        self._alarm: asyncio.TimerHandle | None = None

    async def enter(self) -> int:
        """Waits for a place. Every place is given back by `leave`, with the number that is returned here."""
        if not self._waiting and self.window.admits(self.in_flight, self._clock()):
            self.in_flight += 1
            return self.window.cuts
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._let_in()  # sets the alarm where time alone opens the gate
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # the place was given in the same moment: pass it on
                self.leave(place.result(), "unsure")
            raise

    def leave(self, entered_at: int, verdict: Verdict, retry_after: float | None = None) -> None:
        if verdict == "fine":
            self.window.note_fine(self.in_flight)
        elif verdict == "overloaded":
            self.window.note_overload(entered_at, self._clock(), retry_after)
        self.in_flight -= 1
        if self._waiting:
            self._let_in()

    def _let_in(self) -> None:
        now = self._clock()
        while self._waiting and self.window.admits(self.in_flight, now):
            place = self._waiting.popleft()
            if not place.done():  # else its owner has given up
                self.in_flight += 1
                place.set_result(self.window.cuts)
        if self._waiting and now < self.window.held_until:
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm = asyncio.get_running_loop().call_later(self.window.held_until - now, self._let_in)
