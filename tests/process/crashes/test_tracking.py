"""The results of a tracked domain's check survive a crash: one scoreboard, one report, no duplicates."""

import msgspec
import pytest

from sightline.accounts.models import build_operator_actor
from sightline.scans.corrections.record import correct_answer
from sightline.scans.corrections.schemas import CorrectionInput
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


async def test_a_correction_is_recomputed_if_the_service_crashes_in_between(scenario):
    db = scenario.installation.db
    async with Tracker.open(scenario.installation) as tracker:
        made = await tracker.track()
        with scenario.serving():
            await until(lambda: db.fetchval("SELECT count(*) FROM reports"), seconds=60)
        answers = await tracker.read(f"/scans/{made.first_check.id}/answers")
        named = [each for each in answers if each["mentioned"]]
        place = named[0]["brands"][0]["occurrences"][0]
        wrong = CorrectionInput(
            scan_id=str(made.first_check.id),
            answer_id=named[0]["id"],
            kind="not_this_brand",
            start=place["start"],
            end=place["end"],
            text=named[0]["text"][place["start"] : place["end"]],
        )
        actor = build_operator_actor(tracker.workspace_id, user_id=tracker.tenant.owner.id)
        async with db.transaction() as tx:
            await correct_answer(tx, actor, made.domain.id, wrong, now=scenario.installation.clock())
        with scenario.serving(test_crash_at="after_check_reread") as process:
            await scenario.wait_for_crash(process)
        assert await db.fetchval("SELECT status FROM recomputations") == "running"
        with scenario.serving():
            await until(
                lambda: db.fetchval("SELECT NOT EXISTS (SELECT FROM jobs WHERE kind = 'domain.recompute')"), seconds=60
            )
        corrected = await tracker.read(f"/scans/{made.first_check.id}/answers/{named[0]['id']}")
        assert place["start"] not in [each["start"] for each in corrected["brands"][0]["occurrences"]]
        assert await db.fetchval("SELECT count(*) FROM corrections") == 1
        assert await db.fetchval("SELECT status FROM recomputations") == "done"
