"""Limits the concurrent calls to a platform: more while all is well, half as soon as it reports overload.

`AdaptiveLimit` decides and knows neither tasks nor time; `Gate` makes callers wait for it.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable
from typing import Literal, Protocol

import msgspec

Verdict = Literal["fine", "overloaded", "unsure"]

_FIFTH = 5  # of the places belong to each party first


class AdaptiveLimit:
    """The current limit of concurrent calls. Times are those of any monotonic clock.

    Calls that were under way when the limit was cut report the load before the cut: they do not cut it again.
    """

    __slots__ = ("cuts", "held_until", "limit", "lower", "upper")

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


class Entrance(Protocol):
    """What `ask` needs of a gate: to enter, and to report how the call went."""

    async def enter(self) -> int: ...
    def leave(self, entered_at: int, verdict: Verdict, retry_after: float | None = None) -> None: ...
    async def yield_turn(self) -> None: ...


class GateClosed(Exception):
    """The gate was closed while a caller waited."""


class Gate:
    """Admits callers to one platform, never more at once than the limit.

    Parties take turns. Among equal priorities, each party gets a fifth of the places before any party gets more, and
    the party with the fewest comes first. Then comes the party with the least work left, because it finishes soonest,
    then the one that arrived first. The work left is what is `unfinished`, if that is reported, else what is in flight
    and waiting.

    With a `share` below one, a party never has all places: the rest is reserved for a later one with little work.
    """

    def __init__(
        self, lower: int, upper: int, *, share: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.window = AdaptiveLimit(lower, upper)
        self.in_flight = 0
        self.unfinished: Counter[Hashable] = Counter()
        """The unfinished work of each party, before the gate and behind it, counted by the caller."""
        self.closed = False
        self._share = share
        self._clock = clock
        self._parties: Counter[Hashable] = Counter()
        self._queues: dict[tuple[int, Hashable], deque[tuple[int, asyncio.Future[int]]]] = {}
        self._arrivals = 0
        self._timer: asyncio.TimerHandle | None = None
        self._yielding: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        return sum(map(len, self._queues.values()))

    @property
    def admissible_waiting(self) -> int:
        """Return how many waiting callers would be admitted if there were a place: their party is below its maximum."""
        return sum(
            len(queue) for (_, party), queue in self._queues.items() if self._parties[party] < self.max_per_party
        )

    @property
    def max_per_party(self) -> int:
        """Return the number of places that a single party may have."""
        limit = int(self.window.limit)
        return limit - int(limit * (1 - self._share) + 1e-9)

    def for_party(self, party: Hashable, priority: int = 0) -> Entrance:
        return _PartyGate(self, party, priority)

    async def enter(self, party: Hashable = None, priority: int = 0) -> int:
        """Wait for a place. It must be given back by `leave`, with the number that is returned here."""
        if self.closed:
            raise GateClosed
        if not self._queues and self._admits(party, self._clock()):
            self._take(party)
            return self.window.cuts
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._arrivals += 1
        self._queues.setdefault((priority, party), deque()).append((self._arrivals, place))
        self.admit_waiting()  # sets the timer if only time opens the gate
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self.leave(place.result(), "unsure", party=party)  # admitted in the same moment: pass the place on
            raise

    def leave(
        self, entered_at: int, verdict: Verdict, retry_after: float | None = None, *, party: Hashable = None
    ) -> None:
        if verdict == "fine":
            self.window.note_success(self.in_flight)
        elif verdict == "overloaded":
            self.window.note_overload(entered_at, self._clock(), retry_after)
        self.in_flight -= 1
        self._parties[party] -= 1
        if not self._parties[party]:
            del self._parties[party]
        if self._queues:
            self.admit_waiting()

    async def yield_turn(self) -> None:
        """Let admitted callers go first after leaving, and continue one by one.

        Otherwise answers that arrive together would all be processed before the first of their places is used again.
        Returns at once if nobody waits.
        """
        if not self._queues and not self._yielding:
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._yielding.append(turn)
        if len(self._yielding) == 1:
            self._call_next()
        await turn

    def _call_next(self) -> None:
        """Resume the next one in the next iteration of the event loop, so that calls and answers come in between."""
        asyncio.get_running_loop().call_soon(self._resume_next)

    def _resume_next(self) -> None:
        turn = self._yielding.popleft()
        if not turn.done():  # else its owner was cancelled
            turn.set_result(None)
        if self._yielding:
            self._call_next()

    def close(self) -> None:
        """Reject everybody who waits. Calls in flight stay."""
        self.closed = True
        for queue in self._queues.values():
            for _, place in queue:
                if not place.done():
                    place.set_exception(GateClosed())
        self._queues.clear()

    def admit_waiting(self) -> None:
        now = self._clock()
        while (key := self._next(now)) is not None:
            queue = self._queues[key]
            _, place = queue.popleft()
            if not queue:
                del self._queues[key]
            if not place.done():  # else its owner gave up
                self._take(key[1])
                place.set_result(self.window.cuts)
        if self._queues and now < self.window.held_until:
            if self._timer is not None:
                self._timer.cancel()
            self._timer = asyncio.get_running_loop().call_later(self.window.held_until - now, self.admit_waiting)

    def _next(self, now: float) -> tuple[int, Hashable] | None:
        able = [key for key in self._queues if self._admits(key[1], now)]
        return min(able, key=self._precedence) if able else None

    def _precedence(self, key: tuple[int, Hashable]) -> tuple[int, bool, int, int]:
        priority, party = key
        busy, queue = self._parties[party], self._queues[key]
        is_served = busy >= max(1, int(self.window.limit) // _FIFTH)
        left = max(self.unfinished[party], busy + len(queue))
        return -priority, is_served, left if is_served else busy, queue[0][0]

    def _admits(self, party: Hashable, now: float) -> bool:
        if not self.window.admits(self.in_flight, now):
            return False
        return self._parties[party] < self.max_per_party

    def _take(self, party: Hashable) -> None:
        self.in_flight += 1
        self._parties[party] += 1


class _PartyGate(msgspec.Struct, frozen=True):
    """The gate as one party sees it."""

    gate: Gate
    party: Hashable
    priority: int

    async def enter(self) -> int:
        return await self.gate.enter(self.party, self.priority)

    def leave(self, entered_at: int, verdict: Verdict, retry_after: float | None = None) -> None:
        self.gate.leave(entered_at, verdict, retry_after, party=self.party)

    async def yield_turn(self) -> None:
        await self.gate.yield_turn()
