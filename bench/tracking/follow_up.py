"""Repeats the follow-up of the same scan on two databases, in turn. It is idempotent."""

import time

from bench.comparison import Aborted
from bench.environment import BenchEnvironment
from bench.tracking.brand import Brand
from bench.tracking.databases import opened, read_settings
from bench.tracking.reads import Read, Side
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.plans.table import build_plan_table
from sightline.scans.jobs import ScanJob
from sightline.scoreboard.apply_scan import apply_scan
from sightline.scoreboard.completed_scans import uncited_platforms
from sightline.settings import Settings


async def compare_following(small: BenchEnvironment, large: BenchEnvironment, brand: Brand, *, rounds: int) -> Read:
    """Time the follow-up of the latest Daily Check inside this process, with what PostgreSQL does.

    The Full Check would be compared with one that was filled in, and those have hardly any answers.
    """
    settings = read_settings(small)
    job = ScanJob(brand.owned.workspace_id, brand.scans["daily_check"])
    took: tuple[list[float], list[float]] = ([], [])
    async with opened(small) as first, opened(large) as second:
        for number in range(rounds + 1):
            for place in (1, 0) if number % 2 else (0, 1):
                took[place].append(await _follow((first, second)[place], settings, job))
    small_side, large_side = (Side(ms[1:], None, None) for ms in took)  # the first round is a warm-up
    return Read("follow up a Daily Check", None, small_side, large_side)


async def _follow(db: Database, settings: Settings, job: ScanJob) -> float:
    began = time.perf_counter()
    done = await apply_scan(
        db, job, uncited=uncited_platforms(settings), plans=build_plan_table(settings.plans), clock=utc_now
    )
    if done is None:
        raise Aborted("the check that is to be followed up is not there")
    return 1000 * (time.perf_counter() - began)
