"""Everything that follows a completed check, run at once and in this process: for demonstration data."""

from functools import partial

from sightline.db.engine import Database
from sightline.insights.generate import generate_insights
from sightline.kit.clock import Clock
from sightline.plans.table import build_plan_table
from sightline.reports.weekly.write import write_report
from sightline.scans.editor_platform import open_sandbox_editor
from sightline.scans.jobs import ScanJob
from sightline.scoreboard.apply_scan import apply_scan
from sightline.scoreboard.completed_scans import uncited_platforms
from sightline.settings import Settings


async def follow_up_in_process(db: Database, settings: Settings, job: ScanJob, *, clock: Clock) -> None:
    """Do what the jobs after a completed check do, without notifying anyone."""
    open_editor = partial(open_sandbox_editor, settings)
    plans, uncited, base_url = build_plan_table(settings.plans), uncited_platforms(settings), settings.public_url
    await apply_scan(db, job, uncited=uncited, plans=plans, clock=clock)
    await generate_insights(
        db, job, uncited=uncited, clock=clock, base_url=base_url, open_editor=open_editor, quiet=True
    )
    await write_report(db, job, clock=clock, base_url=base_url, quiet=True)
