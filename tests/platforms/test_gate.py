"""Architecture, rule 8: adaptive concurrency, which slows on 429 and Retry-After, and speeds up again.

`AdaptiveLimit` is the limit; the gate admits callers within it, first come, first served.
"""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms.gate import AdaptiveLimit, Gate, GateClosed
from sightline.platforms.models import PlatformFault
from sightline.platforms.policy import is_overload
from tests.property_testing import prove

bounds = st.tuples(st.integers(1, 40), st.integers(0, 60)).map(lambda pair: (pair[0], pair[0] + pair[1]))
notes = st.lists(
    st.one_of(
        st.tuples(st.just("fine"), st.integers(0, 60)),
        st.tuples(st.just("overload"), st.integers(0, 3), st.one_of(st.none(), st.floats(0, 100))),
    ),
    max_size=60,
)


@prove
@given(bounds, notes)
def test_the_limit_stays_within_its_bounds_whatever_happens(bounds, happened):
    window = AdaptiveLimit(*bounds)
    now = 0.0
    for note in happened:
        now += 1
        before, held = window.limit, window.held_until
        if note[0] == "fine":
            window.note_success(note[1])
            assert before <= window.limit <= before + 1
        else:
            window.note_overload(window.cuts - note[1], now, note[2])
            assert window.limit in {before, max(window.lower, before / 2)}
        assert window.lower <= window.limit <= window.upper
        assert window.held_until >= held


@prove
@given(bounds, st.integers(0, 100), st.floats(0, 50))
def test_it_admits_up_to_the_limit_and_none_during_retry_after(bounds, in_flight, wait):
    window = AdaptiveLimit(*bounds)
    assert window.admits(in_flight, 0.0) is (in_flight < window.upper)
    window.note_overload(window.cuts, 0.0, wait)
    assert not window.admits(0, wait - 0.01)
    assert window.admits(0, wait)
    assert window.admits(in_flight, wait) is (in_flight < int(window.limit))


def test_each_burst_of_overloads_halves_the_limit_once():
    window = AdaptiveLimit(2, 32)
    started = window.cuts
    for _ in range(10):
        window.note_overload(started, 0.0, None)
    assert window.limit == 16
    window.note_overload(window.cuts, 1.0, None)
    assert window.limit == 8
    for _ in range(10):
        window.note_overload(window.cuts, 2.0, None)
    assert window.limit == 2


def test_the_limit_grows_by_one_per_round_and_only_when_it_is_reached():
    window = AdaptiveLimit(1, 10)
    window.note_overload(window.cuts, 0.0, None)
    assert window.limit == 5
    for _ in range(100):
        window.note_success(3)
    assert window.limit == 5
    for _ in range(6):
        window.note_success(10)
    assert 6 <= window.limit < 6.2
    for _ in range(1_000):
        window.note_success(10)
    assert window.limit == 10


@pytest.mark.parametrize(("lower", "upper"), [(0, 5), (6, 5), (-1, -1)])
def test_invalid_bounds_are_refused(lower, upper):
    with pytest.raises(ValueError, match="bounds"):
        AdaptiveLimit(lower, upper)


@pytest.mark.parametrize(
    ("kind", "status", "overload"),
    [
        ("rate_limited", 429, True),
        ("rate_limited", 200, True),  # reported inside a 200
        ("rate_limited", None, True),
        ("unavailable", 503, True),
        ("unavailable", 529, True),
        ("unavailable", 500, False),
        ("unavailable", None, False),
        ("timeout", None, False),
        ("malformed", 200, False),
        ("no_money", 429, False),
        ("unauthorised", 503, False),
    ],
)
def test_which_faults_are_an_overload(kind, status, overload):
    assert is_overload(PlatformFault(kind, "no"), status) is overload


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


async def enter_all(gate, count, order):
    async def one(number):
        place = await gate.enter()
        order.append(number)
        return place

    tasks = [asyncio.create_task(one(number)) for number in range(count)]
    await settle()
    return tasks


async def test_callers_enter_in_order_and_never_above_the_limit():
    gate, order = Gate(1, 3), []
    tasks = await enter_all(gate, 10, order)
    for left in range(7):
        assert (order, gate.in_flight) == (list(range(3 + left)), 3)
        gate.leave(tasks[left].result(), "fine")
        await settle()
    assert order == list(range(10))


async def test_a_new_caller_does_not_overtake_a_waiting_one():
    gate, order = Gate(1, 1), []
    first = await gate.enter()
    await enter_all(gate, 1, order)
    gate.leave(first, "fine")  # the waiter gets the place before it runs
    late = asyncio.create_task(gate.enter())
    await settle()
    assert order == [0] and not late.done()
    gate.leave(0, "fine")
    assert await late == 0


async def test_a_new_caller_does_not_overtake_when_retry_after_is_over_before_its_timer():
    now = 0.0
    gate, order = Gate(1, 1, clock=lambda: now), []
    gate.leave(await gate.enter(), "overloaded", 60)
    await enter_all(gate, 1, order)
    now = 61.0
    late = asyncio.create_task(gate.enter())
    await settle()
    assert order == [0] and not late.done()
    gate.leave(1, "fine")
    assert await late == 1


async def test_all_callers_wait_until_retry_after_has_passed():
    gate, order = Gate(1, 4), []
    loop = asyncio.get_running_loop()
    entered = await gate.enter()
    gate.leave(entered, "overloaded", 0.08)
    began = loop.time()
    tasks = await enter_all(gate, 3, order)
    assert order == []
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED, timeout=1)
    assert loop.time() - began >= 0.075
    await settle()
    assert (order, gate.in_flight) == ([0, 1], 2)  # the limit was halved from four to two


async def test_cancelled_waiters_are_skipped():
    gate, order = Gate(1, 1), []
    entered = await gate.enter()
    tasks = await enter_all(gate, 4, order)
    tasks[0].cancel()
    tasks[2].cancel()
    await settle()
    gate.leave(entered, "fine")
    await settle()
    assert (order, gate.in_flight) == ([1], 1)
    gate.leave(0, "fine")
    await settle()
    assert (order, gate.in_flight) == ([1, 3], 1)


@pytest.mark.parametrize("cancel_first", [True, False])
async def test_a_place_given_to_a_cancelled_waiter_goes_to_the_next(cancel_first):
    gate, order = Gate(1, 1), []
    entered = await gate.enter()
    tasks = await enter_all(gate, 2, order)
    if cancel_first:
        tasks[0].cancel()
        gate.leave(entered, "fine")
    else:
        gate.leave(entered, "fine")
        tasks[0].cancel()
    await settle()
    assert (order, gate.in_flight) == ([1], 1)


async def test_there_is_room_for_a_few_callers_more_than_have_a_place():
    gate = Gate(1, 10)
    assert (gate.room(0), gate.room(0.2)) == (10, 12)
    tasks = await enter_all(gate, 11, [])
    assert (gate.in_flight, gate.room(0), gate.room(0.2)) == (10, -1, 1)
    gate.leave(tasks[0].result(), "fine")
    assert (gate.in_flight, gate.room(0.2)) == (10, 2), "a waiter has the place"
    gate.window.resize(0)
    assert gate.room(0.2) < 0


async def test_there_is_no_room_while_the_platform_asks_to_wait():
    now = [0.0]
    gate = Gate(1, 10, clock=lambda: now[0])
    gate.leave(await gate.enter(), "overloaded", retry_after=5)
    assert gate.room(0.2) == 0
    now[0] = 5.0
    assert gate.room(0.2) == 6, "of half as many places"


async def test_a_caller_who_leaves_makes_room():
    gate, called = Gate(1, 1), []
    entered = await gate.enter()
    gate.on_free = lambda: called.append(gate.room(0))
    gate.leave(entered, "fine")
    assert called == [1]


async def test_more_places_admit_waiters_and_fewer_evict_no_caller():
    gate, order = Gate(1, 2), []
    await enter_all(gate, 8, order)
    assert gate.in_flight == 2
    gate.window.resize(5)
    gate.admit_waiting()
    await settle()
    assert gate.in_flight == 5
    gate.window.resize(1)
    gate.admit_waiting()
    for left in (4, 3, 2, 1):
        gate.leave(0, "fine")
        await settle()
        assert gate.in_flight == left
    gate.leave(0, "fine")
    await settle()
    assert gate.in_flight == 1 and order == [0, 1, 2, 3, 4, 5], "only now is a caller admitted again"


async def test_no_caller_enters_while_there_are_no_places():
    gate, order = Gate(1, 3), []
    inside = await gate.enter()
    gate.window.resize(0)
    await enter_all(gate, 1, order)
    gate.leave(inside, "fine")
    await settle()
    assert gate.in_flight == 0 and order == []
    gate.window.resize(3)
    gate.admit_waiting()
    await settle()
    assert order == [0]


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
    inside = await gate.enter()
    waiting = [asyncio.create_task(gate.enter()) for _ in range(3)]
    await settle()
    gate.close()
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [type(each) for each in results] == [GateClosed] * 3
    assert gate.in_flight == 1
    with pytest.raises(GateClosed):
        await gate.enter()
    gate.leave(inside, "fine")
    assert gate.in_flight == 0


@pytest.mark.parametrize("first", ["close", "cancel"])
async def test_a_waiter_cancelled_during_closing_leaves_nothing_behind(first):
    gate = Gate(1, 1)
    await gate.enter()
    waiting = asyncio.create_task(gate.enter())
    await settle()
    for step in (first, {"close": "cancel", "cancel": "close"}[first]):
        gate.close() if step == "close" else waiting.cancel()
    with pytest.raises((asyncio.CancelledError, GateClosed)):
        await waiting
    assert gate.in_flight == 1


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["enter", "enter", "enter", "fine", "overloaded", "unsure", "cancel", "resize"]),
        st.integers(0, 12),
    ),
    max_size=60,
)


@prove
@given(st.integers(1, 10), STEPS)
def test_callers_enter_in_order_within_the_limit_and_none_waits_for_a_free_place(upper, steps):
    async def run_steps():
        gate = Gate(1, upper)
        waiting, inside, admitted = {}, [], []

        async def enter(caller):
            place = await gate.enter()
            del waiting[caller]
            admitted.append(caller)
            inside.append(place)

        for caller, (step, number) in enumerate(steps):
            before = gate.in_flight
            if step == "enter":
                waiting[caller] = asyncio.create_task(enter(caller))
            elif step == "cancel" and waiting:
                waiting.pop(list(waiting)[number % len(waiting)]).cancel()
            elif step == "resize":
                gate.window.resize(number)
                gate.admit_waiting()
            elif step in {"fine", "overloaded", "unsure"} and inside:
                gate.leave(inside.pop(number % len(inside)), step)
            await settle()
            limit = int(gate.window.limit)
            assert gate.in_flight == len(inside)
            assert gate.in_flight <= max(limit, before), "nobody was admitted above the limit"
            assert not waiting or gate.in_flight >= limit, "a caller waits although a place is free"
            assert admitted == sorted(admitted)
        gate.close()
        await asyncio.gather(*waiting.values(), return_exceptions=True)

    asyncio.run(run_steps())
