"""Turns at the gate: between parties, with places kept for a newcomer, while its size changes and when it closes."""

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


class Visitors:
    """Callers of a gate: who is inside, who waits, in which order they came in."""

    def __init__(self, gate):
        self.gate = gate
        self.order = []
        self.inside = []
        self.waiting = {}

    async def come(self, name, party=None, priority=0):
        self.waiting[name] = asyncio.create_task(self._enter(name, party, priority))
        await settle()

    async def _enter(self, name, party, priority):
        place = await self.gate.for_party(party, priority).enter()
        del self.waiting[name]
        self.order.append(name)
        self.inside.append((name, party, place))

    async def go(self, number=0, verdict="fine"):
        _, party, place = self.inside.pop(number)
        self.gate.leave(place, verdict, party=party)
        await settle()

    @property
    def parties(self):
        return Counter(party for _, party, _ in self.inside)


async def test_who_has_nothing_under_way_comes_first_and_then_who_has_least_left():
    here = Visitors(Gate(1, 4))
    for name in ("a1", "a2", "a3", "b1"):
        await here.come(name, name[0])
    for name in ("a4", "a5", "b2", "c1", "b3", "c2"):
        await here.come(name, name[0])
    for _ in range(6):
        await here.go()
    assert here.order[4:] == ["c1", "c2", "a4", "b2", "a5", "b3"]


async def test_who_has_much_in_hand_elsewhere_is_not_taken_for_somebody_who_is_nearly_done():
    """Answers that are being read and stored: as soon as they are, as many more are admitted."""
    here = Visitors(Gate(1, 5))
    here.gate.unfinished.update(huge=100, small=4)
    huge, small = [f"huge{number}" for number in range(6)], [f"small{number}" for number in range(4)]
    for name in (*huge, *small):
        await here.come(name, name[:-1])
    for _ in range(5):
        await here.go()
    assert here.order == [*huge[:5], *small, huge[5]]


async def test_pressing_is_who_waits_for_a_place_and_not_who_has_all_that_it_may_have():
    here = Visitors(Gate(1, 10, share=0.8))
    for number in range(12):
        await here.come(f"huge{number}", "huge")
    assert (here.gate.waiting, here.gate.admissible_waiting) == (4, 0)
    for number in range(5):
        await here.come(f"small{number}", "small")
    assert (here.gate.waiting, here.gate.admissible_waiting) == (7, 3)
    await here.go()  # one of the huge one's, which goes to the small one
    assert (here.gate.waiting, here.gate.admissible_waiting) == (6, 6), "the huge one may have one more"


async def test_priority_goes_before_load():
    here = Visitors(Gate(1, 2))
    await here.come("a1", "a", 10)
    await here.come("a2", "a", 10)
    await here.come("low", "nobody yet", 10)
    await here.come("high", "a", 40)
    await here.go()
    await here.go()
    assert here.order == ["a1", "a2", "high", "low"]


async def test_of_two_parties_that_go_on_asking_neither_has_less_than_a_fifth():
    here = Visitors(Gate(1, 10))
    for number in range(30):
        await here.come(f"a{number}", "a")
    for number in range(30):
        await here.come(f"b{number}", "b")
    for number in range(30, 130):
        await here.go()
        assert number < 40 or min(here.parties["a"], here.parties["b"]) >= 2
        await here.come(f"{'ab'[number % 2]}{number}", "ab"[number % 2])


async def test_parties_that_keep_as_much_waiting_as_each_other_get_half_each():
    """As admission does, which gives both the same number of jobs."""
    here = Visitors(Gate(1, 8))
    for number in range(30):
        for party in "ab":
            await here.come(f"{party}{number}", party)
    for number in range(30, 60):
        gone = here.inside[0][1]
        await here.go()
        await here.come(f"{gone}{number}", gone)
    assert here.parties == {"a": 4, "b": 4}


@pytest.mark.parametrize(
    ("places", "share", "most"), [(62, 0.8, 50), (10, 0.8, 8), (4, 0.8, 4), (1, 0.5, 1), (10, 1, 10)]
)
async def test_a_share_keeps_places_free_for_a_newcomer(places, share, most):
    here = Visitors(Gate(1, places, share=share))
    for number in range(places + 5):
        await here.come(f"a{number}", "a")
    assert here.parties["a"] == most
    for number in range(places):
        await here.come(f"b{number}", "b")
    assert here.parties["b"] == places - most, "the newcomer gets what was kept free, at once"
    assert here.gate.in_flight == places


async def test_more_places_let_those_in_who_wait_and_fewer_send_nobody_out():
    here = Visitors(Gate(1, 2))
    for number in range(8):
        await here.come(str(number), "a")
    assert here.gate.in_flight == 2
    here.gate.window.resize(5)
    here.gate.admit_waiting()
    await settle()
    assert here.gate.in_flight == 5
    here.gate.window.resize(1)
    here.gate.admit_waiting()
    for left in (4, 3, 2, 1):
        await here.go()
        assert here.gate.in_flight == left
    await here.go()
    assert here.gate.in_flight == 1 and here.order[-1] == "5", "only now is somebody let in again"


async def test_with_no_places_nobody_comes_in_until_there_are_some():
    here = Visitors(Gate(1, 3))
    await here.come("inside", "a")
    here.gate.window.resize(0)
    await here.come("waits", "b")
    await here.go()
    assert here.gate.in_flight == 0 and here.order == ["inside"]
    here.gate.window.resize(3)
    here.gate.admit_waiting()
    await settle()
    assert here.order == ["inside", "waits"]


async def test_a_limit_that_was_cut_stays_cut_when_the_ceiling_moves():
    gate = Gate(1, 20)
    gate.leave(await gate.enter(), "overloaded")
    assert gate.window.limit == 10
    gate.window.resize(15)
    assert gate.window.limit == 10
    gate.window.resize(30)
    assert gate.window.limit == 10
    gate.window.resize(8)
    assert gate.window.limit == 8


async def test_closing_sends_those_who_wait_away_and_keeps_those_inside():
    gate = Gate(1, 1)
    inside = await gate.enter("a")
    waiting = [asyncio.create_task(gate.enter(party)) for party in "abc"]
    await settle()
    gate.close()
    told = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in told] == [GateClosed] * 3
    assert gate.in_flight == 1
    with pytest.raises(GateClosed):
        await gate.enter("d")
    gate.leave(inside, "fine", party="a")
    assert gate.in_flight == 0


@pytest.mark.parametrize("first", ["close", "cancel"])
async def test_a_waiter_that_is_cancelled_in_the_moment_of_closing_leaves_nothing_behind(first):
    gate = Gate(1, 1)
    await gate.enter("a")
    waiting = asyncio.create_task(gate.enter("b"))
    await settle()
    for step in (first, {"close": "cancel", "cancel": "close"}[first]):
        gate.close() if step == "close" else waiting.cancel()
    with pytest.raises((asyncio.CancelledError, GateClosed)):
        await waiting
    assert gate.in_flight == 1


async def test_a_place_given_to_a_party_that_has_just_given_up_goes_to_another_party():
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
def test_never_above_the_limit_and_nobody_waits_who_could_be_let_in(upper, share, steps):
    async def live():
        here = Visitors(Gate(1, upper, share=share))
        gate, came = here.gate, 0
        for step, number, party in steps:
            before = gate.in_flight
            if step == "enter":
                came += 1
                await here.come(came, party, number % 3)
            elif step == "cancel" and here.waiting:
                here.waiting.pop(list(here.waiting)[number % len(here.waiting)]).cancel()
            elif step == "resize":
                gate.window.resize(number)
                gate.admit_waiting()
            elif here.inside and step not in {"cancel", "enter"}:
                await here.go(number % len(here.inside), step)
            await settle()
            limit = int(gate.window.limit)
            assert gate.in_flight == len(here.inside)
            assert gate.in_flight <= max(limit, before), "nobody new came in above the limit"
            assert dict(gate._parties) == dict(here.parties)
            for (_, waits), queue in gate._queues.items():
                if any(not place.done() for _, place in queue):
                    assert not gate._admits(waits, gate._clock()), "somebody waits who could be let in"
        gate.close()
        await asyncio.gather(*here.waiting.values(), return_exceptions=True)

    asyncio.run(live())
