"""The board of any single scan (`analytics?scan_id=`) equals what the oracle expects."""

from hypothesis import HealthCheck, given, settings

from tests.scoreboard.oracle import comparisons, oracle, scoreboard
from tests.scoreboard.oracle.differences import compare_boards, compare_changes
from tests.scoreboard.oracle.histories import examples, histories
from tests.scoreboard.oracle.stored_history import StoredHistory, to_time


@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(history=histories(max_scans=4))
async def test_every_number_of_a_past_scan_comes_from_that_scan_alone(installation, history):
    stored = await StoredHistory.open(installation, history)
    try:
        await stored.process_in_order()
        for scan in history.scans:
            board = await stored.read("/analytics", scan_id=scan.id)
            assert (board["source"], board["scan"]["id"]) == ("scan", scan.id)
            assert to_time(board["as_of"]) == scan.completed_at
            expected = {**oracle.expect_scan(scan), "prompts": scoreboard.scan_prompts(scan)}
            assert compare_boards(expected, board) == []
            assert compare_changes(comparisons.compare(history, scan), board["headline"]) == []
    finally:
        await stored.close()
