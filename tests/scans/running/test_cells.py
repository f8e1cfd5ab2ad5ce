"""Which cells become jobs next: evenly across workspaces, within a workspace by priority and then by age."""

import uuid
from collections import Counter
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from sightline.scans.running.cells import Lane
from sightline.scans.running.fairness import admit_cells
from tests.property_testing import prove

NOW = datetime(2026, 11, 15, 9, 30, tzinfo=UTC)
WORKSPACES = [uuid.UUID(int=number) for number in range(1, 6)]
LANE = "live.chatgpt"
LANES = (LANE, "sandbox.grok")


def lane(
    workspace=0,
    *,
    cells=50,
    admitted=0,
    under_way=0,
    postponed=(),
    priority=40,
    minutes=0,
    name=LANE,
    scan=None,
):
    return Lane(
        workspace_id=WORKSPACES[workspace],
        scan_id=scan or uuid.uuid4(),
        platform=name.partition(".")[2],
        lane=name,
        priority=priority,
        cells=cells,
        admitted=admitted,
        postponed=list(postponed),
        started_at=NOW - timedelta(minutes=minutes),
        under_way=under_way,
    )


@st.composite
def lanes(draw):
    made = []
    under_way = {(key, name): draw(st.integers(0, 12)) for key in range(5) for name in LANES}
    for number in range(draw(st.integers(0, 8))):
        cells = draw(st.integers(1, 60))
        admitted = draw(st.integers(0, cells))
        postponed = draw(st.lists(st.integers(0, admitted - 1), unique=True, max_size=5)) if admitted else []
        workspace, name = draw(st.integers(0, 4)), draw(st.sampled_from(LANES))
        made.append(
            lane(
                workspace,
                cells=cells,
                admitted=admitted,
                under_way=under_way[workspace, name],
                postponed=postponed,
                priority=draw(st.sampled_from([10, 20, 30, 40])),
                minutes=draw(st.integers(-1, 50)),
                name=name,
                scan=uuid.UUID(int=1000 + number),
            )
        )
    return made


def admit(given_lanes, slots=10):
    return admit_cells(given_lanes, dict.fromkeys(LANES, slots))


def split_by_platform(given_lanes, admitted):
    """Yield the lanes of each platform with the cells that were admitted from them, in order."""
    for name in LANES:
        group = [each for each in given_lanes if each.lane == name]
        yield group, [(each, index) for each, index in admitted if each.lane == name]


def count_under_way(group):
    return Counter({each.workspace_id: each.under_way for each in group})


@prove
@given(lanes(), st.integers(0, 25))
def test_as_many_cells_are_admitted_as_there_are_free_slots(given_lanes, slots):
    for group, admitted in split_by_platform(given_lanes, admit(given_lanes, slots)):
        assert len(admitted) == min(sum(len(each.waiting(100)) for each in group), slots)


@prove
@given(lanes(), st.integers(1, 25))
def test_each_cell_goes_to_the_workspace_with_the_fewest_under_way(given_lanes, slots):
    """Replayed one by one, so the order of the result is the order of admission."""
    for group, admitted in split_by_platform(given_lanes, admit(given_lanes, slots)):
        under_way, waiting = count_under_way(group), Counter()
        for each in group:
            waiting[each.workspace_id] += len(each.waiting(100))
        for each, _ in admitted:
            assert under_way[each.workspace_id] == min(under_way[key] for key, count in waiting.items() if count)
            under_way[each.workspace_id] += 1
            waiting[each.workspace_id] -= 1


@prove
@given(lanes(), st.integers(1, 25))
def test_within_a_workspace_scans_are_admitted_by_priority_and_then_by_age(given_lanes, slots):
    for group, admitted in split_by_platform(given_lanes, admit(given_lanes, slots)):
        for workspace_id in WORKSPACES:
            order = [(-each.priority, each.started_at) for each, _ in admitted if each.workspace_id == workspace_id]
            assert order == sorted(order)
            admitted_now = Counter(each.scan_id for each, _ in admitted)
            passed_over = [
                (-each.priority, each.started_at)
                for each in group
                if each.workspace_id == workspace_id and admitted_now[each.scan_id] < len(each.waiting(100))
            ]
            assert not order or not passed_over or order[-1] <= min(passed_over), "no scan was passed over"


@prove
@given(lanes(), st.integers(1, 25))
def test_the_cells_of_a_lane_are_admitted_in_order_and_postponed_ones_first(given_lanes, slots):
    admitted = admit(given_lanes, slots)
    for each in given_lanes:
        indexes = [index for other, index in admitted if other is each]
        assert indexes == [*each.postponed, *range(each.admitted, each.cells)][: len(indexes)]


def count_admitted(*given_lanes, slots=10):
    found = Counter(each.scan_id for each, _ in admit(given_lanes, slots))
    return [found[each.scan_id] for each in given_lanes]


def test_the_workspace_with_the_fewest_under_way_is_first():
    assert count_admitted(lane(0, under_way=10), lane(1)) == [0, 10]
    assert count_admitted(lane(0, under_way=6), lane(1, under_way=4)) == [4, 6]


def test_a_workspace_with_many_scans_gets_no_more_than_one_with_a_single_scan():
    assert count_admitted(lane(0, minutes=1), lane(0), lane(0), lane(1), slots=20) == [10, 0, 0, 10]


def test_two_workspaces_take_turns():
    small, huge = lane(0, cells=3), lane(1, cells=400, minutes=5)
    admitted = [("small" if each is small else "huge", index) for each, index in admit([small, huge], 8)]
    turns = [(name, index) for index in range(3) for name in ("huge", "small")]
    assert admitted == [*turns, ("huge", 3), ("huge", 4)]


def test_a_small_scan_gets_the_next_free_slots_behind_a_huge_one():
    huge = lane(0, cells=400, admitted=112, under_way=12, minutes=25)
    assert count_admitted(huge, lane(1, cells=9), slots=0) == [0, 0], "all slots are used"
    assert count_admitted(huge, lane(1, cells=9), slots=5) == [0, 5]


def test_priority_decides_within_a_workspace_and_does_not_enlarge_its_share():
    assert count_admitted(lane(0, priority=10, minutes=60), lane(0, priority=40)) == [0, 10]
    assert count_admitted(lane(0, priority=40), lane(1, priority=10)) == [5, 5]


def test_priority_and_then_age_decide_between_workspaces_with_equally_many_under_way():
    daily, new, old = lane(0, priority=10, minutes=60), lane(1, priority=40), lane(2, priority=40, minutes=1)
    assert [each for each, _ in admit([daily, new, old], 3)] == [old, new, daily]


def test_nothing_is_admitted_from_a_lane_in_which_the_worker_has_no_free_slot():
    assert count_admitted(lane(0, name="live.new")) == [0]


def test_a_start_in_the_future_does_no_harm():
    """The clocks of two machines may differ."""
    assert count_admitted(lane(0, minutes=-5), lane(1)) == [5, 5]
