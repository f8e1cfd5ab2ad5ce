"""What a scheduler does every few seconds."""

from datetime import datetime

from sightline.db.engine import Database
from sightline.plans.table import build_plan_table
from sightline.scans.scheduling.arm import arm_domains_any_workspace
from sightline.scans.scheduling.start import start_due_checks_any_workspace
from sightline.scans.scheduling.trial import end_trials
from sightline.settings import Settings


async def tick(db: Database, settings: Settings, *, now: datetime) -> int:
    """How many checks were started. Trials end first, so that nothing is started on a plan that is over.

    Safe in any number of processes at once, after any pause, and at any moment of a crash.
    """
    await end_trials(db, now=now)
    await arm_domains_any_workspace(db, build_plan_table(settings.plans), now=now)
    return await start_due_checks_any_workspace(db, settings, now=now)
