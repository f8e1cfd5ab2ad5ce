"""Architecture, rule 8: adaptive concurrency, which slows on 429 and Retry-After, and speeds up again."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms.gate import AdaptiveLimit, Gate
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


async def test_callers_that_left_yield_to_those_admitted_and_continue_one_by_one():
    gate, seen = Gate(1, 3), []

    async def pass_through(number):
        place = await gate.enter()
        seen.append(f"in {number}")
        await asyncio.sleep(0)
        gate.leave(place, "fine")
        await gate.yield_turn()
        seen.append(f"on {number}")
        await asyncio.sleep(0)

    await asyncio.gather(*(pass_through(number) for number in range(9)))
    # The next three are admitted before the second of the first three continues.
    assert seen.index("in 5") < seen.index("on 1") and seen.index("in 8") < seen.index("on 3")
    assert sorted(seen) == sorted(f"{way} {number}" for way in ("in", "on") for number in range(9))


async def pass_all(gate, parties):
    """Return the parties in the order of admission. A caller leaves once all others have settled."""
    order, inside = [], []

    async def one(party):
        place = await gate.enter(party)
        order.append(party)
        inside.append((party, place))

    tasks = [asyncio.create_task(one(party)) for party in parties]
    await settle()
    while inside:
        party, place = inside.pop(0)
        gate.leave(place, "fine", party=party)
        await settle()
    await asyncio.gather(*tasks)
    return "".join(order)


async def test_the_party_with_the_least_work_left_finishes_first():
    order = await pass_all(Gate(1, 10), "h" * 40 + "s" * 8)
    assert order.startswith("h" * 10 + "s" * 8), "every free place goes to the small party"


async def test_every_waiting_party_gets_at_least_a_fifth():
    gate, order = Gate(1, 10), "h" * 40 + "s" * 30
    admitted = await pass_all(gate, order)
    assert set(admitted[10:20]) == {"h", "s"} and admitted[10:20].count("s") >= 8
    assert admitted[20:40].count("h") >= 4


async def test_without_waiters_no_turn_is_yielded():
    gate, seen = Gate(1, 3), []
    asyncio.get_running_loop().call_soon(seen.append, "others")
    gate.leave(await gate.enter(), "fine")
    await gate.yield_turn()
    assert seen == []


async def test_a_caller_cancelled_while_yielding_blocks_no_other():
    gate = Gate(1, 1)
    await enter_all(gate, 2, [])
    first, second, third = (asyncio.create_task(gate.yield_turn()) for _ in range(3))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait_for(asyncio.gather(first, third), 5)
    await asyncio.wait_for(gate.yield_turn(), 5)
    assert second.cancelled()


def test_the_number_of_places_that_one_party_may_have():
    assert [Gate(1, upper, share=0.8).max_per_party for upper in (1, 4, 5, 31, 62)] == [1, 4, 4, 25, 50]
    assert Gate(1, 31).max_per_party == 31


async def test_waiting_callers_are_counted():
    gate, order = Gate(1, 2), []
    await enter_all(gate, 5, order)
    assert (gate.in_flight, gate.waiting) == (2, 3)


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


@prove
@given(
    st.integers(1, 5),
    st.lists(st.tuples(st.sampled_from(["enter", "fine", "overloaded", "cancel"]), st.integers(0, 9)), max_size=40),
)
def test_the_count_of_places_is_right_after_any_steps(upper, steps):
    async def run_steps():
        gate = Gate(1, upper)
        inside, waiting = [], []
        for step, number in steps:
            if step == "enter":
                waiting.append(asyncio.create_task(gate.enter()))
            elif step == "cancel" and waiting:
                waiting.pop(number % len(waiting)).cancel()
            elif step in {"fine", "overloaded"} and inside:
                gate.leave(inside.pop(number % len(inside)), step)
            await settle()
            inside += [task.result() for task in waiting if task.done()]
            waiting = [task for task in waiting if not task.done()]
            assert gate.in_flight == len(inside) <= upper
            assert not waiting or not gate.window.admits(len(inside), 0.0)
        while waiting:
            gate.leave(inside.pop(), "fine")
            await settle()
            inside += [task.result() for task in waiting if task.done()]
            waiting = [task for task in waiting if not task.done()]

    asyncio.run(run_steps())
