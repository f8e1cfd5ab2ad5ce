"""How many calls a platform gets at once: more while all is well, half as soon as it says that it is too much.

`Window` decides and knows neither tasks nor time; `Gate` makes callers wait for it.
"""

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Hashable
from typing import Literal, Protocol

import msgspec

Verdict = Literal["fine", "overloaded", "unsure"]

_FIFTH = 5


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

    def resize(self, upper: int) -> None:
        """A new ceiling; 0 lets nobody in. A limit that stood at the old one goes with it, one that was cut stays."""
        if upper > self.upper and self.limit >= self.upper:
            self.limit = float(upper)
        self.upper = upper
        self.limit = min(self.limit, float(upper)) if upper else 0.0

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
            self.limit = min(float(self.upper), max(float(self.lower), self.limit / 2))
        if retry_after is not None:
            self.held_until = max(self.held_until, now + retry_after)


class Entrance(Protocol):
    """What a question needs of a gate: to be let in, and to say how it went."""

    async def enter(self) -> int: ...
    def leave(self, entered_at: int, verdict: Verdict, retry_after: float | None = None) -> None: ...
    async def step_aside(self) -> None: ...


class GateClosed(Exception):
    """Whoever waited at the gate is not let in any more."""


class Gate:
    """Lets callers to one platform through, never more at once than the window says.

    Parties take turns. Of equal priority each has a fifth of the places before anybody has more: first who has fewest.
    Of the rest comes first who has least left, for it is done soonest; and then who came first. What a party has left
    is what it has in hand, where that is told, and else what is under way and waits.
    With a `share` below one a party never has all places: the rest is kept for one that comes later, and has a small
    wish.
    """

    def __init__(
        self, lower: int, upper: int, *, share: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.window = Window(lower, upper)
        self.in_flight = 0
        self.in_hand: Counter[Hashable] = Counter()
        """Of each party what it has begun and not ended, before the gate and behind it; kept by whoever does it."""
        self.closed = False
        self._share = share
        self._clock = clock
        self._parties: Counter[Hashable] = Counter()
        self._queues: dict[tuple[int, Hashable], deque[tuple[int, asyncio.Future[int]]]] = {}
        self._came = 0
        self._alarm: asyncio.TimerHandle | None = None
        self._aside: deque[asyncio.Future[None]] = deque()

    @property
    def waiting(self) -> int:
        return sum(map(len, self._queues.values()))

    @property
    def pressing(self) -> int:
        """Of those who wait, who would be let in if there were a place: their party has less than it may have."""
        return sum(len(queue) for (_, party), queue in self._queues.items() if self._parties[party] < self.most_of_one)

    @property
    def most_of_one(self) -> int:
        """Places that a single party may have."""
        limit = int(self.window.limit)
        return limit - int(limit * (1 - self._share) + 1e-9)

    def for_party(self, party: Hashable, priority: int = 0) -> Entrance:
        return _Door(self, party, priority)

    async def enter(self, party: Hashable = None, priority: int = 0) -> int:
        """Waits for a place. Every place is given back by `leave`, with the number that is returned here."""
        if self.closed:
            raise GateClosed
        if not self._queues and self._admits(party, self._clock()):
            self._take(party)
            return self.window.cuts
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._came += 1
        self._queues.setdefault((priority, party), deque()).append((self._came, place))
        self.let_in()  # sets the alarm where time alone opens the gate
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self.leave(place.result(), "unsure", party=party)  # given in the same moment: pass it on
            raise

    def leave(
        self, entered_at: int, verdict: Verdict, retry_after: float | None = None, *, party: Hashable = None
    ) -> None:
        if verdict == "fine":
            self.window.note_fine(self.in_flight)
        elif verdict == "overloaded":
            self.window.note_overload(entered_at, self._clock(), retry_after)
        self.in_flight -= 1
        self._parties[party] -= 1
        if not self._parties[party]:
            del self._parties[party]
        if self._queues:
            self.let_in()

    async def step_aside(self) -> None:
        """After leaving: whoever was let in goes first, and who has left goes on one by one.

        Answers that come together would otherwise all be dealt with before the first of the places is used again. Where
        nobody waits, nobody has to.
        """
        if not self._queues and not self._aside:
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._aside.append(turn)
        if len(self._aside) == 1:
            self._call_next()
        await turn

    def _call_next(self) -> None:
        """In the next round of the event loop, so that calls and answers come in between."""
        asyncio.get_running_loop().call_soon(self._let_go)

    def _let_go(self) -> None:
        turn = self._aside.popleft()
        if not turn.done():  # else its owner was cancelled
            turn.set_result(None)
        if self._aside:
            self._call_next()

    def close(self) -> None:
        """Sends everybody away who waits; who is inside stays."""
        self.closed = True
        for queue in self._queues.values():
            for _, place in queue:
                if not place.done():
                    place.set_exception(GateClosed())
        self._queues.clear()

    def let_in(self) -> None:
        now = self._clock()
        while (key := self._next(now)) is not None:
            queue = self._queues[key]
            _, place = queue.popleft()
            if not queue:
                del self._queues[key]
            if not place.done():  # else its owner has given up
                self._take(key[1])
                place.set_result(self.window.cuts)
        if self._queues and now < self.window.held_until:
            if self._alarm is not None:
                self._alarm.cancel()
            self._alarm = asyncio.get_running_loop().call_later(self.window.held_until - now, self.let_in)

    def _next(self, now: float) -> tuple[int, Hashable] | None:
        able = [key for key in self._queues if self._admits(key[1], now)]
        return min(able, key=self._turn) if able else None

    def _turn(self, key: tuple[int, Hashable]) -> tuple[int, bool, int, int]:
        priority, party = key
        busy, queue = self._parties[party], self._queues[key]
        is_served = busy >= max(1, int(self.window.limit) // _FIFTH)
        left = max(self.in_hand[party], busy + len(queue))
        return -priority, is_served, left if is_served else busy, queue[0][0]

    def _admits(self, party: Hashable, now: float) -> bool:
        if not self.window.admits(self.in_flight, now):
            return False
        return self._parties[party] < self.most_of_one

    def _take(self, party: Hashable) -> None:
        self.in_flight += 1
        self._parties[party] += 1


class _Door(msgspec.Struct, frozen=True):
    """The gate as one party sees it."""

    gate: Gate
    party: Hashable
    priority: int

    async def enter(self) -> int:
        return await self.gate.enter(self.party, self.priority)

    def leave(self, entered_at: int, verdict: Verdict, retry_after: float | None = None) -> None:
        self.gate.leave(entered_at, verdict, retry_after, party=self.party)

    async def step_aside(self) -> None:
        await self.gate.step_aside()
