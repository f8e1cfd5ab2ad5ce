"""The scoreboard of any history says what an independent reading of the texts says, whatever the order of the jobs."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.scoreboard.oracle import changes, oracle, scoreboard
from tests.scoreboard.oracle.compare import compare_boards, compare_changes, differences
from tests.scoreboard.oracle.feed import Fed, to_time
from tests.scoreboard.oracle.histories import examples, histories
from tests.scoreboard.oracle.history import History

slow = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@settings(max_examples=examples(30), **slow)
@given(history=histories())
async def test_the_scoreboard_shows_for_each_cell_the_latest_known_answer_and_what_they_amount_to(
    installation, history
):
    fed = await Fed.open(installation, history)
    try:
        await fed.follow_in_order()
        board = await fed.read("/analytics")
        base, latest = scoreboard.base_of(history.current), history.checks[-1]
        assert (board["source"], board["scan"]["id"]) == ("scoreboard", (base or latest).id)
        assert to_time(board["as_of"]) == latest.completed_at
        assert compare_boards(scoreboard.scoreboard(history), board) == []
        assert compare_changes(changes.compare(history, latest), board["headline"]) == []
        assert differences(oracle.trend(list(history.current.checks)), board["trend"]) == []
        assert [to_time(each["completed_at"]) for each in board["trend"]] == [
            c.completed_at for c in history.current.checks
        ]
        _in_order(board)
        _latest(await fed.read(), board["headline"], history)
    finally:
        await fed.close()


def _in_order(board: dict) -> None:
    places = [row["position"] for row in board["competitors"]]
    ranked = [place for place in places if place is not None]
    assert ranked == sorted(ranked)
    assert places == ranked + [None] * (len(places) - len(ranked))
    answers = [row["answers"] for row in board["sources"]]
    assert answers == sorted(answers, reverse=True)


def _latest(domain: dict, headline: dict, history) -> None:
    """The domain shows the headline of its scoreboard."""
    for metric in ("visibility_score", "brand_coverage_pct", "ai_mentions", "market_position"):
        assert domain[f"latest_{metric}"] == headline[metric]["value"], metric
    for field, scopes in (("last_full_check_at", ("full_check",)), ("last_daily_check_at", ("daily_check",))):
        times = [check.completed_at for check in history.checks if check.scope in scopes]
        assert (domain[field] and to_time(domain[field])) == max(times, default=None)


@settings(max_examples=examples(12), **slow)
@given(history=histories(most_checks=4), data=st.data())
async def test_removing_a_prompt_removes_its_cells_from_the_scoreboard_not_from_history(installation, history, data):
    tracked = [each for each in sorted(history.prompts) if each not in history.removed[-1]]
    gone = data.draw(st.sets(st.sampled_from(tracked), max_size=len(tracked) - 1)) | history.removed[-1]
    fed = await Fed.open(installation, history)
    try:
        await fed.follow_in_order()
        before = [await fed.read("/analytics", scan_id=check.id) for check in history.checks]
        await fed.set_removed(frozenset(gone))
        after = History(history.checks, (*history.removed[:-1], frozenset(gone)))
        await fed.change_cells()
        board = await fed.read("/analytics")
        assert compare_boards(scoreboard.scoreboard(after), board) == []
        assert compare_changes(changes.compare(history, history.checks[-1]), board["headline"]) == []
        assert [await fed.read("/analytics", scan_id=check.id) for check in history.checks] == before
    finally:
        await fed.close()


@settings(max_examples=examples(10), **slow)
@given(history=histories(most_checks=5), data=st.data())
async def test_followed_in_any_order_and_twice_the_outcome_is_the_same(installation, history, data):
    order = data.draw(st.permutations(history.checks))
    again = data.draw(st.lists(st.sampled_from(history.checks), max_size=3))
    fed = await Fed.open(installation, history)
    try:
        await fed.follow_in_order()
        before = await _everything(fed)
        other = await Fed.open(installation, history)
        try:
            await other.set_removed(history.removed[-1])
            for check in (*order, *again):
                await other.follow(check)
            assert differences(before, await _everything(other)) == []
        finally:
            await other.close()
    finally:
        await fed.close()


async def _everything(fed: Fed) -> dict:
    boards = [await fed.read("/analytics", scan_id=check.id) for check in fed.history.checks]
    found = [await fed.read("/analytics"), *boards]
    for board in found:
        del board["domain_id"], board["scan"]["domain_id"]
    domain = {key: value for key, value in (await fed.read()).items() if key != "id"}
    gone = fed.history.removed[-1]  # what is no longer tracked is no longer refreshed
    fields = ("consecutive_uncited", "last_scanned_at", "sentiment", "co_mentioned_brands", "named_share", "daily")
    prompts = {
        key: {field: row[field] for field in fields}
        for key, row in (await fed.read_prompts()).items()
        if key not in gone
    }
    return {"boards": found, "domain": domain, "prompts": prompts}
