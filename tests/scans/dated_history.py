"""Full Checks of two months, with ids of the test clock, and what follows from a new alias."""

from sightline.domains.recomputations.request import RecomputeJob
from sightline.domains.tracking.change import BrandChanges, change_tracked_domain
from sightline.scans.partitions import make_partitions
from sightline.scans.running.analyzers import InProcessAnalyzer
from sightline.scoreboard.recompute.run import recompute_domain
from tests.scan_history import UNCITED
from tests.web.dashboard.dashboard_history import DashboardHistory, answer_by_platform


def answer_later(prompt, platform):
    """Answer as before, and name Acme on Gemini, too."""
    return answer_by_platform(prompt, "chatgpt" if platform == "gemini" else platform)


async def open_history(installation):
    """Return three Full Checks: one in a month of its own, two in the month before the clock's."""
    db, clock = installation.db, installation.clock
    while clock().day != 20:
        clock.advance(days=1)
    async with db.transaction() as tx:
        await make_partitions(tx, now=clock())
    dashboard = await DashboardHistory.open(installation, answer_by_platform)
    clock.advance(days=40)
    dashboard.scans.append(await dashboard.history.run_full_check(answer_by_platform))
    clock.advance(days=6)
    dashboard.scans.append(await dashboard.history.run_full_check(answer_later))
    await db.execute("INSERT INTO answer_payloads SELECT workspace_id, scan_id, id, 'sent' FROM answers")
    return dashboard


async def add_alias(installation, history, alias):
    db, clock = installation.db, installation.clock
    async with db.transaction() as tx:
        changes = BrandChanges(aliases=[alias])
        await change_tracked_domain(tx, history.workspace_id, history.domain_id, changes, now=clock())
    job_id = await db.fetchval("SELECT id FROM jobs WHERE kind = 'domain.recompute'")
    await recompute_domain(
        db,
        RecomputeJob(history.workspace_id, history.domain_id, "brand_changed"),
        job_id=job_id,
        analyzer=InProcessAnalyzer("model"),
        uncited=UNCITED,
        clock=clock,
    )
    return await db.fetchrow("SELECT status, scans_total, scans_done, scans_expired FROM recomputations")
