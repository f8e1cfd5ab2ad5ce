"""Any check, read by itself (`analytics?scan_id=`), says what an independent reading of the texts says."""

from hypothesis import HealthCheck, given, settings

from tests.scoreboard.oracle import changes, oracle, scoreboard
from tests.scoreboard.oracle.compare import compare_boards, compare_changes
from tests.scoreboard.oracle.feed import Fed, to_time
from tests.scoreboard.oracle.histories import examples, histories


@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(history=histories(most_checks=4))
async def test_every_number_of_a_past_check_comes_from_that_one_check_alone(installation, history):
    fed = await Fed.open(installation, history)
    try:
        await fed.follow_in_order()
        for check in history.checks:
            board = await fed.read("/analytics", scan_id=check.id)
            assert (board["source"], board["scan"]["id"]) == ("scan", check.id)
            assert to_time(board["as_of"]) == check.completed_at
            expected = {**oracle.one_check(check), "prompts": scoreboard.prompts_of_check(check)}
            assert compare_boards(expected, board) == []
            assert compare_changes(changes.compare(history, check), board["headline"]) == []
    finally:
        await fed.close()
