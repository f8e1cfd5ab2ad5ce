"""Ending trials. The workspace is on the Free plan afterwards, and none of its data is lost."""

from datetime import datetime

import structlog

from sightline.accounts.queries import end_trials_any_workspace
from sightline.audit.record import record_audit
from sightline.db.engine import Database

log = structlog.get_logger()


async def end_trials(db: Database, *, now: datetime) -> int:
    """End expired trials, and return how many there were. Running it again changes nothing."""
    async with db.transaction() as tx:
        ended = await end_trials_any_workspace(tx, now=now)
        for workspace_id in ended:
            await record_audit(tx, workspace_id, "trial_ended")
    for workspace_id in ended:
        log.info("trial_ended", workspace_id=str(workspace_id))
    return len(ended)
