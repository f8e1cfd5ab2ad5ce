"""The scoreboard of any history equals what the oracle expects, in whatever order its scans are processed."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.scoreboard.oracle import comparisons, oracle, scoreboard
from tests.scoreboard.oracle.differences import compare_boards, compare_changes, find_differences
from tests.scoreboard.oracle.histories import examples, histories
from tests.scoreboard.oracle.raw_history import RawHistory
from tests.scoreboard.oracle.stored_history import StoredHistory, to_time

slow = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=examples(30), **slow)
@given(history=histories())
async def test_the_scoreboard_shows_for_each_cell_the_latest_known_answer_and_what_they_amount_to(
    installation, history
):
    stored = await StoredHistory.open(installation, history)
    try:
        await stored.process_in_order()
        board = await stored.read("/analytics")
        base, latest = scoreboard.find_base(history.current), history.scans[-1]
        assert (board["source"], board["scan"]["id"]) == ("scoreboard", (base or latest).id)
        assert to_time(board["as_of"]) == latest.completed_at
        assert compare_boards(scoreboard.scoreboard(history), board) == []
        assert compare_changes(_compare_latest(history), board["headline"]) == []
        assert find_differences(oracle.trend(list(history.current.scans)), board["trend"]) == []
        assert [to_time(each["completed_at"]) for each in board["trend"]] == [
            c.completed_at for c in history.current.scans
        ]
        _assert_sorted(board)
        _assert_latest_figures(await stored.read(), board["headline"], history)
    finally:
        await stored.close()


def _compare_latest(history) -> dict:
    """Compare the latest scan; against competitors the Full Check that the board is based on, if there is one."""
    base, own = scoreboard.find_base(history.current), comparisons.compare_own(history, history.scans[-1])
    return own if base is None else {**own, **comparisons.compare_market(history, base)}


def _assert_sorted(board: dict) -> None:
    places = [row["position"] for row in board["competitors"]]
    ranked = [place for place in places if place is not None]
    assert ranked == sorted(ranked)
    assert places == ranked + [None] * (len(places) - len(ranked))
    answers = [row["answers"] for row in board["sources"]]
    assert answers == sorted(answers, reverse=True)


def _assert_latest_figures(domain: dict, headline: dict, history) -> None:
    """Assert that the domain shows the headline of its scoreboard."""
    for metric in ("visibility_score", "brand_coverage_pct", "ai_mentions", "market_position"):
        assert domain[f"latest_{metric}"] == headline[metric]["value"], metric
    for field, scopes in (("last_full_check_at", ("full_check",)), ("last_daily_check_at", ("daily_check",))):
        times = [scan.completed_at for scan in history.scans if scan.scope in scopes]
        assert (domain[field] and to_time(domain[field])) == max(times, default=None)


@settings(max_examples=examples(12), **slow)
@given(history=histories(max_scans=4), data=st.data())
async def test_removing_a_prompt_removes_its_cells_from_the_scoreboard_not_from_history(installation, history, data):
    tracked = [each for each in sorted(history.prompts) if each not in history.removed[-1]]
    gone = data.draw(st.sets(st.sampled_from(tracked), max_size=len(tracked) - 1)) | history.removed[-1]
    stored = await StoredHistory.open(installation, history)
    try:
        await stored.process_in_order()
        before = [await stored.read("/analytics", scan_id=scan.id) for scan in history.scans]
        await stored.set_removed(frozenset(gone))
        after = RawHistory(history.scans, (*history.removed[:-1], frozenset(gone)))
        await stored.rebuild()
        board = await stored.read("/analytics")
        assert compare_boards(scoreboard.scoreboard(after), board) == []
        assert compare_changes(_compare_latest(history), board["headline"]) == []
        assert [await stored.read("/analytics", scan_id=scan.id) for scan in history.scans] == before
    finally:
        await stored.close()


@settings(max_examples=examples(10), **slow)
@given(history=histories(max_scans=5), data=st.data())
async def test_scans_processed_in_any_order_and_twice_have_the_same_outcome(installation, history, data):
    order = data.draw(st.permutations(history.scans))
    again = data.draw(st.lists(st.sampled_from(history.scans), max_size=3))
    stored = await StoredHistory.open(installation, history)
    try:
        await stored.process_in_order()
        before = await _everything(stored)
        other = await StoredHistory.open(installation, history)
        try:
            await other.set_removed(history.removed[-1])
            for scan in (*order, *again):
                await other.process(scan)
            assert find_differences(before, await _everything(other)) == []
        finally:
            await other.close()
    finally:
        await stored.close()


async def _everything(stored: StoredHistory) -> dict:
    boards = [await stored.read("/analytics", scan_id=scan.id) for scan in stored.history.scans]
    found = [await stored.read("/analytics"), *boards]
    for board in found:
        del board["domain_id"], board["scan"]["domain_id"]
    domain = {key: value for key, value in (await stored.read()).items() if key != "id"}
    gone = stored.history.removed[-1]  # what is no longer tracked is no longer refreshed
    fields = ("consecutive_uncited", "last_scanned_at", "sentiment", "co_mentioned_brands", "named_share", "daily")
    prompts = {
        key: {field: row[field] for field in fields}
        for key, row in (await stored.read_prompts()).items()
        if key not in gone
    }
    return {"boards": found, "domain": domain, "prompts": prompts}
