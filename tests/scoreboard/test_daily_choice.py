"""The prompts of Daily Checks are those of the latest Full Check, in whichever order checks are processed."""

from sightline.scans.jobs import ScanJob
from sightline.scoreboard.apply_scan import apply_scan
from tests.scan_history import UNCITED, ScanHistory


async def test_a_check_of_the_sandbox_that_is_processed_late_changes_no_daily_prompt(installation):
    history = await ScanHistory.open(installation, "best anvil")
    made_up = await history.store_scan("full_check", lambda prompt, platform: "Acme is a sound choice.")
    await history.add_prompt("quiet anvil")
    installation.clock.advance(days=1)
    live = await history.store_scan("full_check", lambda prompt, platform: "Acme is a sound choice.")
    await installation.db.execute("UPDATE scans SET answers_source = 'live' WHERE id = $1", live)
    for scan_id in (live, made_up):
        job = ScanJob(history.workspace_id, scan_id)
        await apply_scan(
            installation.db, job, uncited=UNCITED, plans=installation.app_context.plans, clock=installation.clock
        )
        assert [row["daily"] for row in await history.rows("prompts")] == [True, True]
