"""Who may have how many cells under way: no huge scan starves a small one, and nothing waits for ever."""

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


def lane(workspace=0, *, cells=50, admitted=0, settled=0, priority=40, minutes=0, name=LANE, scan=None):
    return Lane(
        WORKSPACES[workspace],
        scan or uuid.uuid4(),
        name.partition(".")[2],
        name,
        priority,
        cells,
        admitted,
        settled,
        NOW - timedelta(minutes=minutes),
    )


@st.composite
def lanes(draw):
    made = []
    for number in range(draw(st.integers(0, 8))):
        cells = draw(st.integers(1, 60))
        admitted = draw(st.integers(0, cells))
        made.append(
            lane(
                draw(st.integers(0, 4)),
                cells=cells,
                admitted=admitted,
                settled=draw(st.integers(0, admitted)),
                priority=draw(st.sampled_from([10, 20, 30, 40])),
                minutes=draw(st.integers(-1, 50)),
                name=draw(st.sampled_from([LANE, "sandbox.grok"])),
                scan=uuid.UUID(int=1000 + number),
            )
        )
    return made


def admit(given, places):
    return admit_cells(given, dict.fromkeys((LANE, "sandbox.grok"), places), now=NOW)


@prove
@given(lanes(), st.integers(1, 25))
def test_never_more_than_two_per_place_except_the_part_of_each_workspace(given_lanes, places):
    grants = admit(given_lanes, places)
    for name in (LANE, "sandbox.grok"):
        before = sum(each.under_way for each in given_lanes if each.lane == name)
        of_workspace = Counter()
        for each in given_lanes:
            if each.lane == name:
                of_workspace[each.workspace_id] += each.under_way
        mine = [grant for grant in grants if grant.lane.lane == name]
        after = Counter(of_workspace)
        for grant in mine:
            after[grant.lane.workspace_id] += grant.count
        given_now = sum(grant.count for grant in mine)
        # Whatever is above the two per place was given to workspaces that stay within their part.
        part = max(1, places // 5, places * 2 // max(1, len(of_workspace)))
        within = sum(max(0, min(after[key], part) - of_workspace[key]) for key in after)
        assert given_now <= max(0, places * 2 - before) + within


@prove
@given(lanes(), st.integers(1, 25))
def test_a_workspace_with_nothing_under_way_always_gets_at_least_one(given_lanes, places):
    grants = admit(given_lanes, places)
    for name in (LANE, "sandbox.grok"):
        for workspace in WORKSPACES:
            own = [each for each in given_lanes if each.lane == name and each.workspace_id == workspace]
            if any(each.waiting for each in own) and not sum(each.under_way for each in own):
                assert any(grant.lane in own for grant in grants)


@prove
@given(lanes(), st.integers(1, 25))
def test_grants_never_exceed_what_waits_and_places_are_not_left_empty(given_lanes, places):
    grants = admit(given_lanes, places)
    assert len({grant.lane.scan_id for grant in grants}) == len(grants)
    for grant in grants:
        assert 0 < grant.count <= grant.lane.waiting
    for name in (LANE, "sandbox.grok"):
        group = [each for each in given_lanes if each.lane == name]
        given_now = sum(grant.count for grant in grants if grant.lane.lane == name)
        under_way = sum(each.under_way for each in group)
        waiting = sum(each.waiting for each in group)
        assert given_now >= min(waiting, max(0, places * 2 - under_way))


@prove
@given(lanes(), st.integers(1, 25))
def test_the_cells_of_a_lane_become_jobs_in_the_order_of_the_prompts(given_lanes, places):
    for grant in admit(given_lanes, places):
        cells = [cell for _, cell in grant.jobs()]
        assert [cell.prompt_index for cell in cells] == list(
            range(grant.lane.admitted, grant.lane.admitted + grant.count)
        )
        assert {(cell.workspace_id, cell.scan_id) for cell in cells} == {(grant.lane.workspace_id, grant.lane.scan_id)}


@prove
@given(lanes(), st.integers(1, 25))
def test_jobs_are_express_until_their_workspace_has_its_part_under_way(given_lanes, places):
    for name in (LANE, "sandbox.grok"):
        under_way, express, granted = Counter(), Counter(), Counter()
        group = [each for each in given_lanes if each.lane == name]
        for each in group:
            under_way[each.workspace_id] += each.under_way
        highest = max((each.priority for each in group), default=0)
        foremost = {each.workspace_id for each in group if each.waiting and each.priority == highest}
        fifth = max(1, places // 5)
        even = max(fifth, places * 2 // max(1, len(under_way)))
        for grant in admit(given_lanes, places):
            if grant.lane.lane == name:
                kinds = [kind for kind, _ in grant.jobs()]
                assert kinds == sorted(kinds, key=lambda kind: not kind.endswith(".express")), "the first ones are"
                assert set(kinds) <= {f"cell.{name}", f"cell.{name}.express"}
                express[grant.lane.workspace_id] += sum(kind.endswith(".express") for kind in kinds)
                granted[grant.lane.workspace_id] += grant.count
        for workspace, count in granted.items():
            part = even if workspace in foremost else fifth
            within = min(count, max(0, part - under_way[workspace]))
            assert express[workspace] == (within if len(under_way) > 1 else 0)


@prove
@given(lanes(), st.integers(1, 25))
def test_admitting_again_after_the_grants_gives_nothing_more(given_lanes, places):
    granted = {grant.lane.scan_id: grant.count for grant in admit(given_lanes, places)}
    after = [
        lane(
            WORKSPACES.index(each.workspace_id),
            cells=each.cells,
            admitted=each.admitted + granted.get(each.scan_id, 0),
            settled=each.settled,
            priority=each.priority,
            name=each.lane,
            scan=each.scan_id,
        )
        for each in given_lanes
    ]
    assert admit(after, places) == []


def counts(given_lanes, places=10):
    found = {grant.lane.scan_id: grant.count for grant in admit(given_lanes, places)}
    return [found.get(each.scan_id, 0) for each in given_lanes]


def test_the_workspace_with_least_under_way_comes_first():
    assert counts([lane(0, admitted=10), lane(1, admitted=0)]) == [0, 10]
    assert counts([lane(0, admitted=6), lane(1, admitted=4)]) == [4, 6]


def test_a_workspace_with_many_scans_has_no_more_than_one_with_a_single_scan():
    assert counts([lane(0), lane(0), lane(0), lane(1)]) == [10, 0, 0, 10]


def test_of_a_workspaces_scans_the_one_with_least_to_do_comes_first():
    """They end one after the other rather than all at the end, and a small one does not wait for a huge one."""
    assert counts([lane(0, cells=100), lane(0, cells=5), lane(0, cells=30)]) == [0, 5, 15]


def test_a_huge_scan_that_has_run_for_long_does_not_pass_a_new_one_by():
    """Minutes count for who gets nothing. A scan that is served has no claim to more because it takes long."""
    old, new = lane(0, cells=500, admitted=100, settled=90, minutes=25), lane(1, cells=10)
    assert counts([old, new]) == [0, 10]


def test_who_comes_later_has_an_even_part_at_once_where_nobody_comes_before_it():
    huge, small = lane(0, cells=400, admitted=20), lane(1, cells=9)
    assert counts([huge, small]) == [0, 9]
    assert counts([huge, lane(1, cells=30)]) == [0, 10], "half of the twenty jobs of ten places"
    assert counts([huge, *(lane(number, cells=30) for number in range(1, 5))]) == [0, 4, 4, 4, 4]


def test_what_a_newcomer_gets_is_express_and_nothing_of_a_workspace_alone():
    def express(*given_lanes):
        found = {grant.lane.scan_id: grant.express for grant in admit(given_lanes, 10)}
        return [found.get(each.scan_id, 0) for each in given_lanes]

    assert express(lane(0, cells=400), lane(0, cells=9)) == [0, 0]
    assert express(lane(0, cells=400, admitted=20), lane(1, cells=9)) == [0, 9]
    assert express(lane(0, priority=40), lane(1, priority=10)) == [10, 2], "who comes before has its even part"


def test_priority_comes_first_until_waiting_has_made_up_for_it():
    console, daily = lane(0, priority=40), lane(1, priority=10)
    assert counts([console, daily]) == [20, 2], "nobody waits for the daily one, which has its express fifth"
    old = lane(1, priority=10, minutes=30)
    assert counts([lane(0, priority=40, admitted=19), old])[1] >= 1
    first = admit_cells([lane(0, priority=40, cells=1), lane(0, priority=10, minutes=31, cells=1)], {LANE: 1}, now=NOW)
    assert [grant.lane.priority for grant in first] == [10, 40], "half an hour makes up for the highest priority"


def test_an_unknown_lane_has_one_place():
    assert sum(counts([lane(0, name="live.new")])) == 2


def test_a_clock_that_is_behind_does_no_harm():
    assert counts([lane(0, minutes=-5), lane(1)]) == [10, 10]
