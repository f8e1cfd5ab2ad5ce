"""What a completed check leads to: the handler of the job "insights", which follows the scoreboard's.

After a Daily Check alerts move. After a Full Check everything else is drawn anew, and the report is ordered. The free
audit is the only check that its workspace gets: it suggests competitors and leads to nothing else.
"""

from sightline.db.engine import Database
from sightline.insights.alerts.watch import watch_daily
from sightline.insights.conclude import conclude_full, draw_competitors, order_report
from sightline.kit.clock import Clock
from sightline.scans.queries import find_scan
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanJob
from sightline.scoreboard.follow import Uncited


async def draw_insights(
    db: Database, job: ScanJob, *, uncited: Uncited, clock: Clock, base_url: str, quiet: bool = False
) -> None:
    """Running it twice changes nothing, and neither does a check that is older than what was drawn from.

    Quietly, for a past that is made up: nobody gets a letter, and no report is ordered.
    """
    scan = await find_scan(db, job.workspace_id, job.scan_id)
    if scan is None or scan.status is not ScanStatus.COMPLETED:
        return
    if scan.measurement_scope == "daily_check":
        await watch_daily(db, scan, uncited=uncited, clock=clock, base_url=base_url, quiet=quiet)
    elif scan.measurement_scope == "full_check":
        await conclude_full(db, scan, uncited=uncited, clock=clock)
        if not quiet:
            await order_report(db, scan)
    elif scan.measurement_scope == "free_audit":
        await draw_competitors(db, scan, clock=clock)
