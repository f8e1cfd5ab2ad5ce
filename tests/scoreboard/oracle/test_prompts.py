"""The statistics of each prompt equal what the oracle expects."""

import json

from hypothesis import HealthCheck, given, settings

from tests.installation import START
from tests.scoreboard.oracle import prompt_statistics
from tests.scoreboard.oracle.differences import find_differences
from tests.scoreboard.oracle.histories import examples, histories
from tests.scoreboard.oracle.stored_history import StoredHistory


@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(history=histories())
async def test_streaks_sentiment_and_co_mentioned_sources_come_from_the_prompts_own_answers(installation, history):
    stored = await StoredHistory.open(installation, history)
    try:
        await stored.process_in_order()
        rows = await stored.read_prompts()
    finally:
        await stored.close()
    for prompt_id in history.prompts:
        row = rows[prompt_id]
        assert row["consecutive_uncited"] == prompt_statistics.consecutive_uncited(history, prompt_id)
        assert row["last_scanned_at"] == prompt_statistics.last_scanned_at(history, prompt_id)
        if prompt_id in history.removed[-1]:
            continue
        assert row["period_end"] == START
        expected = prompt_statistics.prompt_sentiment(history, prompt_id, START)
        assert find_differences(expected, json.loads(row["sentiment"])) == []
        assert row["co_mentioned_brands"] == prompt_statistics.co_mentioned(history, prompt_id, START)
        assert row["named_share"] == prompt_statistics.named_share(history, prompt_id, START)
