"""The results of a tracked domain's check survive a crash: one scoreboard, one report, no duplicates."""

import msgspec
import pytest

from tests.running_worker import until
from tests.tracked_domains import Tracker

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]  # each test starts the whole service twice
POINTS = [
    "before_finish_commit",
    "after_finish_commit",
    "before_follow_commit",
    "after_follow_commit",
    "before_report_commit",
    "after_report_commit",
]


@pytest.mark.parametrize("point", POINTS)
async def test_a_first_check_has_one_scoreboard_and_one_report_if_the_service_crashes(scenario, point):
    async with Tracker.open(scenario.installation) as tracker:
        made = await tracker.track()
        with scenario.serving(test_crash_at=point) as process:
            await scenario.wait_for_crash(process)
        db = scenario.installation.db
        with scenario.serving():
            await until(lambda: db.fetchval("SELECT count(*) FROM reports"), seconds=60)
        board = await tracker.read(f"/domains/{made.domain.id}/analytics")
        assert board["planned"] == board["valid"] + sum(
            row["no_surface"] + row["failed"] + row["unanswered"] for row in board["platforms"]
        )
        assert board["scan"]["id"] == str(made.first_check.id)
        assert await db.fetchval("SELECT count(*) FROM reports") == 1
        assert await db.fetchval("SELECT count(*) FROM scans") == 1
        assert await db.fetchval("SELECT count(*) FROM prompt_checks") == len(board["prompts"])
        assert await db.fetchval("SELECT count(*) FROM cells") == board["planned"]
        assert await db.fetchval("SELECT shown = revision FROM scoreboards")
        assert await db.fetchval("SELECT count(*) FROM events WHERE type = 'report.ready'") == 1
        stored = await db.fetchval("SELECT board FROM scoreboards")
        assert msgspec.json.decode(stored)["headline"] == board["headline"]
