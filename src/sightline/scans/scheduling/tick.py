"""One round of the scheduler, every few seconds."""

from datetime import datetime

from sightline.db.engine import Database
from sightline.plans.table import build_plan_table
from sightline.scans.scheduling.due_checks import start_due_checks_any_workspace
from sightline.scans.scheduling.end_trials import end_trials
from sightline.scans.scheduling.resume import resume_checks_any_workspace
from sightline.settings import Settings


async def tick(db: Database, settings: Settings, *, now: datetime) -> int:
    """Run one round, and return how many checks were started. Trials end first: no check starts on an expired plan.

    It is safe in any number of processes at once, after any pause, and after a crash at any moment.
    """
    await end_trials(db, now=now)
    await resume_checks_any_workspace(db, build_plan_table(settings.plans), now=now)
    return await start_due_checks_any_workspace(db, settings, now=now)
