"""What checks say of each prompt is what an independent reading of the texts says."""

import json

from hypothesis import HealthCheck, given, settings

from tests.installation import START
from tests.scoreboard.oracle import statistics
from tests.scoreboard.oracle.compare import differences
from tests.scoreboard.oracle.feed import Fed
from tests.scoreboard.oracle.histories import examples, histories


@settings(max_examples=examples(20), deadline=None, suppress_health_check=list(HealthCheck))
@given(history=histories())
async def test_runs_sentiment_and_the_sources_beside_the_brand_are_those_of_the_prompts_own_answers(
    installation, history
):
    fed = await Fed.open(installation, history)
    try:
        await fed.follow_in_order()
        rows = await fed.read_prompts()
    finally:
        await fed.close()
    for prompt_id in history.prompts:
        row = rows[prompt_id]
        assert row["consecutive_uncited"] == statistics.consecutive_uncited(history, prompt_id)
        assert row["last_scanned_at"] == statistics.last_scanned_at(history, prompt_id)
        if prompt_id in history.removed[-1]:
            continue
        assert row["period_end"] == START
        expected = statistics.prompt_sentiment(history, prompt_id, START)
        assert differences(expected, json.loads(row["sentiment"])) == []
        assert row["co_mentioned_brands"] == statistics.co_mentioned(history, prompt_id, START)
        assert row["named_share"] == statistics.named_share(history, prompt_id, START)
