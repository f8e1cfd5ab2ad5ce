"""Housekeeping sets right what a clock ahead of time has left in the queue."""

from sightline.jobs.queue import LONGEST_DELAY
from sightline.webhooks.deliveries.retry import RETRY_DELAYS
from sightline.worker.housekeeping import run_housekeeping


async def test_a_job_that_waits_longer_than_any_delay_runs_now(installation):
    await installation.db.execute(
        """INSERT INTO jobs (kind, payload, priority, run_after)
           VALUES ('scan.finish', '{}', 0, now() + interval '40 days'),
                  ('webhook.deliver', '{}', 0, now() + interval '11 hours')"""
    )
    await run_housekeeping(installation.db, installation.app_context.settings, now=installation.clock())
    due = await installation.db.fetch("SELECT kind FROM jobs WHERE run_after <= now()")
    assert [row[0] for row in due] == ["scan.finish"]


def test_no_retry_waits_that_long():
    assert max(RETRY_DELAYS) * 1.1 < LONGEST_DELAY
