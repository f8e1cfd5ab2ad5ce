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
def test_it_admits_exactly_up_to_the_limit_and_nobody_while_held(bounds, in_flight, wait):
    window = AdaptiveLimit(*bounds)
    assert window.admits(in_flight, 0.0) is (in_flight < window.upper)
    window.note_overload(window.cuts, 0.0, wait)
    assert not window.admits(0, wait - 0.01)
    assert window.admits(0, wait)
    assert window.admits(in_flight, wait) is (in_flight < int(window.limit))


def test_a_burst_halves_once_and_the_next_burst_again():
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


def test_it_grows_by_one_in_a_round_and_only_when_the_limit_is_reached():
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
def test_bounds_that_make_no_sense(lower, upper):
    with pytest.raises(ValueError, match="bounds"):
        AdaptiveLimit(lower, upper)


@pytest.mark.parametrize(
    ("kind", "status", "overload"),
    [
        ("rate_limited", 429, True),
        ("rate_limited", 200, True),  # said inside of an answer
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
def test_what_fewer_calls_at_once_would_have_helped(kind, status, overload):
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


async def test_first_come_first_served_and_never_too_many():
    gate, order = Gate(1, 3), []
    tasks = await enter_all(gate, 10, order)
    for left in range(7):
        assert (order, gate.in_flight) == (list(range(3 + left)), 3)
        gate.leave(tasks[left].result(), "fine")
        await settle()
    assert order == list(range(10))


async def test_who_has_left_steps_aside_for_those_who_are_let_in_and_goes_on_one_by_one():
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
    # The next three have their places before the second of the first three goes on.
    assert seen.index("in 5") < seen.index("on 1") and seen.index("in 8") < seen.index("on 3")
    assert sorted(seen) == sorted(f"{way} {number}" for way in ("in", "on") for number in range(9))


async def pass_all(gate, parties):
    """How each came through, in the order of being let in; whoever is in leaves when all the others have settled."""
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


async def test_who_has_least_left_to_do_is_done_first():
    order = await pass_all(Gate(1, 10), "h" * 40 + "s" * 8)
    assert order.startswith("h" * 10 + "s" * 8), "from the first free place on all are the small one's"


async def test_but_nobody_has_less_than_a_fifth():
    gate, order = Gate(1, 10), "h" * 40 + "s" * 30
    admit_waiting = await pass_all(gate, order)
    assert set(admit_waiting[10:20]) == {"h", "s"} and admit_waiting[10:20].count("s") >= 8
    assert admit_waiting[20:40].count("h") >= 4


async def test_nobody_steps_aside_where_nobody_waits():
    gate, seen = Gate(1, 3), []
    asyncio.get_running_loop().call_soon(seen.append, "others")
    gate.leave(await gate.enter(), "fine")
    await gate.yield_turn()
    assert seen == []


async def test_who_is_cancelled_aside_keeps_nobody_waiting():
    gate = Gate(1, 1)
    await enter_all(gate, 2, [])
    first, second, third = (asyncio.create_task(gate.yield_turn()) for _ in range(3))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.wait_for(asyncio.gather(first, third), 5)
    await asyncio.wait_for(gate.yield_turn(), 5)
    assert second.cancelled()


def test_a_gate_tells_how_many_places_one_party_may_have():
    assert [Gate(1, upper, share=0.8).max_per_party for upper in (1, 4, 5, 31, 62)] == [1, 4, 4, 25, 50]
    assert Gate(1, 31).max_per_party == 31


async def test_a_gate_counts_who_waits():
    gate, order = Gate(1, 2), []
    await enter_all(gate, 5, order)
    assert (gate.in_flight, gate.waiting) == (2, 3)


async def test_somebody_new_does_not_pass_those_who_wait():
    gate, order = Gate(1, 1), []
    first = await gate.enter()
    await enter_all(gate, 1, order)
    gate.leave(first, "fine")  # the place is given to the one who waits, before they run
    late = asyncio.create_task(gate.enter())
    await settle()
    assert order == [0] and not late.done()
    gate.leave(0, "fine")
    assert await late == 0


async def test_nor_when_the_time_is_up_and_the_alarm_has_not_rung_yet():
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


async def test_everybody_waits_until_retry_after_has_passed():
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
    assert (order, gate.in_flight) == ([0, 1], 2)  # four were halved to two


async def test_who_gives_up_waiting_leaves_no_hole():
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
async def test_a_place_given_to_somebody_who_has_just_given_up_goes_to_the_next(cancel_first):
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
def test_whatever_callers_do_places_add_up(upper, steps):
    async def live():
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

    asyncio.run(live())
