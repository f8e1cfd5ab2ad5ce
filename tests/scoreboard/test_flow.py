"""A tracked domain from its setup to its scoreboard, through the real worker."""

from tests.running_worker import working
from tests.tracked_domains import PROMPTS, Tracker


async def test_the_first_full_check_runs_as_soon_as_setup_completes_and_makes_the_scoreboard(installation):
    async with Tracker.open(installation) as tracker:
        made = await tracker.track()
        assert made.first_check.measurement_scope == "full_check"
        async with working(installation, sandbox_latency_ms=0):
            board = await tracker.wait_for_board(made.domain.id, made.first_check.id)
        assert board["source"] == "scoreboard"
        assert board["scan"]["id"] == str(made.first_check.id)
        assert {prompt["prompt"] for prompt in board["prompts"]} == set(PROMPTS)
        assert board["planned"] == len(PROMPTS) * len(board["platforms"])
        assert board["headline"]["market_position"]["denominator"] == 3
        assert board["sentiment"] is not None
        assert len(board["trend"]) == 1
        domain = await tracker.read(f"/domains/{made.domain.id}")
        assert domain["latest_visibility_score"] == board["headline"]["visibility_score"]["value"]
        assert domain["last_full_check_at"] == board["as_of"]
        assert domain["next_check_scope"] == "daily_check"
