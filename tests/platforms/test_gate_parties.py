"""Turns at the gate: between parties, with places reserved for newcomers, on resizing and on closing."""

import asyncio
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms.gate import Gate, GateClosed
from tests.property_testing import prove


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


class Callers:
    """The callers of a gate: those inside, those waiting, and the order of admission."""

    def __init__(self, gate):
        self.gate = gate
        self.order = []
        self.inside = []
        self.waiting = {}

    async def arrive(self, name, party=None, priority=0):
        self.waiting[name] = asyncio.create_task(self._enter(name, party, priority))
        await settle()

    async def _enter(self, name, party, priority):
        place = await self.gate.for_party(party, priority).enter()
        del self.waiting[name]
        self.order.append(name)
        self.inside.append((name, party, place))

    async def leave(self, number=0, verdict="fine"):
        _, party, place = self.inside.pop(number)
        self.gate.leave(place, verdict, party=party)
        await settle()

    @property
    def parties(self):
        return Counter(party for _, party, _ in self.inside)


async def test_parties_without_calls_enter_first_then_those_with_the_least_work_left():
    callers = Callers(Gate(1, 4))
    for name in ("a1", "a2", "a3", "b1"):
        await callers.arrive(name, name[0])
    for name in ("a4", "a5", "b2", "c1", "b3", "c2"):
        await callers.arrive(name, name[0])
    for _ in range(6):
        await callers.leave()
    assert callers.order[4:] == ["c1", "c2", "a4", "b2", "a5", "b3"]


async def test_unfinished_work_elsewhere_counts_as_work_left():
    """Answers that are still analyzed and stored count: once they are done, as many more are admitted."""
    callers = Callers(Gate(1, 5))
    callers.gate.unfinished.update(huge=100, small=4)
    huge, small = [f"huge{number}" for number in range(6)], [f"small{number}" for number in range(4)]
    for name in (*huge, *small):
        await callers.arrive(name, name[:-1])
    for _ in range(5):
        await callers.leave()
    assert callers.order == [*huge[:5], *small, huge[5]]


async def test_a_party_at_its_maximum_does_not_count_as_admissible():
    callers = Callers(Gate(1, 10, share=0.8))
    for number in range(12):
        await callers.arrive(f"huge{number}", "huge")
    assert (callers.gate.waiting, callers.gate.admissible_waiting) == (4, 0)
    for number in range(5):
        await callers.arrive(f"small{number}", "small")
    assert (callers.gate.waiting, callers.gate.admissible_waiting) == (7, 3)
    await callers.leave()  # a place of the huge party, which goes to the small one
    assert (callers.gate.waiting, callers.gate.admissible_waiting) == (6, 6), "the huge party may have one more"


async def test_priority_goes_before_load():
    callers = Callers(Gate(1, 2))
    await callers.arrive("a1", "a", 10)
    await callers.arrive("a2", "a", 10)
    await callers.arrive("low", "nobody yet", 10)
    await callers.arrive("high", "a", 40)
    await callers.leave()
    await callers.leave()
    assert callers.order == ["a1", "a2", "high", "low"]


async def test_two_busy_parties_each_get_at_least_a_fifth():
    callers = Callers(Gate(1, 10))
    for number in range(30):
        await callers.arrive(f"a{number}", "a")
    for number in range(30):
        await callers.arrive(f"b{number}", "b")
    for number in range(30, 130):
        await callers.leave()
        assert number < 40 or min(callers.parties["a"], callers.parties["b"]) >= 2
        await callers.arrive(f"{'ab'[number % 2]}{number}", "ab"[number % 2])


async def test_parties_with_equally_many_waiting_calls_get_half_each():
    """Admission gives both the same number of jobs."""
    callers = Callers(Gate(1, 8))
    for number in range(30):
        for party in "ab":
            await callers.arrive(f"{party}{number}", party)
    for number in range(30, 60):
        gone = callers.inside[0][1]
        await callers.leave()
        await callers.arrive(f"{gone}{number}", gone)
    assert callers.parties == {"a": 4, "b": 4}


@pytest.mark.parametrize(
    ("places", "share", "most"), [(62, 0.8, 50), (10, 0.8, 8), (4, 0.8, 4), (1, 0.5, 1), (10, 1, 10)]
)
async def test_a_share_keeps_places_free_for_a_newcomer(places, share, most):
    callers = Callers(Gate(1, places, share=share))
    for number in range(places + 5):
        await callers.arrive(f"a{number}", "a")
    assert callers.parties["a"] == most
    for number in range(places):
        await callers.arrive(f"b{number}", "b")
    assert callers.parties["b"] == places - most, "the newcomer gets the reserved places at once"
    assert callers.gate.in_flight == places


async def test_more_places_admit_waiters_and_fewer_evict_no_caller():
    callers = Callers(Gate(1, 2))
    for number in range(8):
        await callers.arrive(str(number), "a")
    assert callers.gate.in_flight == 2
    callers.gate.window.resize(5)
    callers.gate.admit_waiting()
    await settle()
    assert callers.gate.in_flight == 5
    callers.gate.window.resize(1)
    callers.gate.admit_waiting()
    for left in (4, 3, 2, 1):
        await callers.leave()
        assert callers.gate.in_flight == left
    await callers.leave()
    assert callers.gate.in_flight == 1 and callers.order[-1] == "5", "only now is a caller admitted again"


async def test_no_caller_enters_while_there_are_no_places():
    callers = Callers(Gate(1, 3))
    await callers.arrive("inside", "a")
    callers.gate.window.resize(0)
    await callers.arrive("waits", "b")
    await callers.leave()
    assert callers.gate.in_flight == 0 and callers.order == ["inside"]
    callers.gate.window.resize(3)
    callers.gate.admit_waiting()
    await settle()
    assert callers.order == ["inside", "waits"]


async def test_resizing_never_raises_a_reduced_limit():
    gate = Gate(1, 20)
    gate.leave(await gate.enter(), "overloaded")
    assert gate.window.limit == 10
    gate.window.resize(15)
    assert gate.window.limit == 10
    gate.window.resize(30)
    assert gate.window.limit == 10
    gate.window.resize(8)
    assert gate.window.limit == 8


async def test_closing_refuses_waiters_and_leaves_admitted_callers_alone():
    gate = Gate(1, 1)
    inside = await gate.enter("a")
    waiting = [asyncio.create_task(gate.enter(party)) for party in "abc"]
    await settle()
    gate.close()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in results] == [GateClosed] * 3
    assert gate.in_flight == 1
    with pytest.raises(GateClosed):
        await gate.enter("d")
    gate.leave(inside, "fine", party="a")
    assert gate.in_flight == 0


@pytest.mark.parametrize("first", ["close", "cancel"])
async def test_a_waiter_cancelled_during_closing_leaves_nothing_behind(first):
    gate = Gate(1, 1)
    await gate.enter("a")
    waiting = asyncio.create_task(gate.enter("b"))
    await settle()
    for step in (first, {"close": "cancel", "cancel": "close"}[first]):
        gate.close() if step == "close" else waiting.cancel()
    with pytest.raises((asyncio.CancelledError, GateClosed)):
        await waiting
    assert gate.in_flight == 1


async def test_a_place_given_to_a_cancelled_party_goes_to_another_party():
    gate = Gate(1, 1)
    entered = await gate.enter("a")
    given_up = asyncio.create_task(gate.enter("b"))
    next_one = asyncio.create_task(gate.enter("c"))
    await settle()
    gate.leave(entered, "fine", party="a")
    given_up.cancel()
    assert await next_one == 0
    assert gate.in_flight == 1 and dict(gate._parties) == {"c": 1}


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["enter", "enter", "enter", "fine", "overloaded", "unsure", "cancel", "resize"]),
        st.integers(0, 12),
        st.integers(0, 2),
    ),
    max_size=60,
)


@prove
@given(st.integers(1, 10), st.sampled_from([0.5, 0.8, 1.0]), STEPS)
def test_callers_stay_within_the_limit_and_no_admissible_caller_waits(upper, share, steps):
    async def run_steps():
        callers = Callers(Gate(1, upper, share=share))
        gate, came = callers.gate, 0
        for step, number, party in steps:
            before = gate.in_flight
            if step == "enter":
                came += 1
                await callers.arrive(came, party, number % 3)
            elif step == "cancel" and callers.waiting:
                callers.waiting.pop(list(callers.waiting)[number % len(callers.waiting)]).cancel()
            elif step == "resize":
                gate.window.resize(number)
                gate.admit_waiting()
            elif callers.inside and step not in {"cancel", "enter"}:
                await callers.leave(number % len(callers.inside), step)
            await settle()
            limit = int(gate.window.limit)
            assert gate.in_flight == len(callers.inside)
            assert gate.in_flight <= max(limit, before), "no new caller was admitted above the limit"
            assert dict(gate._parties) == dict(callers.parties)
            for (_, waits), queue in gate._queues.items():
                if any(not place.done() for _, place in queue):
                    assert not gate._admits(waits, gate._clock()), "an admissible caller is waiting"
        gate.close()
        await asyncio.gather(*callers.waiting.values(), return_exceptions=True)

    asyncio.run(run_steps())
