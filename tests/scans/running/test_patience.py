"""A scheduled check waits for a platform that is down; a check that somebody waits for fails at once."""

import asyncio
import uuid
from datetime import timedelta

import msgspec
import pytest

from sightline.jobs import worker
from sightline.jobs.queue import claim_jobs, enqueue
from sightline.scans.queries import drop_lanes
from sightline.scans.running import engine
from sightline.scans.running.admission import admit
from sightline.scans.running.answer import postpone_cell
from sightline.scans.running.cells import CellJob, build_cell_job
from sightline.scans.running.queries import (
    lock_lanes_any_workspace,
    mark_admitted_any_workspace,
)
from sightline.scans.running.sweeping.queries import find_lost_cells_any_workspace
from sightline.scans.running.sweeping.sweep import sweep_scans
from sightline.scans.states import Priority
from tests.running_worker import until, working
from tests.scans.running.provider import SLOTS, build_keywords, live_console

HOUR = timedelta(hours=1)
SCHEDULED = [Priority.FULL, Priority.DAILY]


@pytest.fixture(autouse=True)
def polls_often(monkeypatch):
    """Let a worker notice soon that a lane may resume, and let it sweep often."""
    # Workers look for work once a second.
    monkeypatch.setattr(worker, "IDLE_SECONDS", 0.05)
    # Workers sweep every few seconds.
    monkeypatch.setattr(engine, "SWEEP_SECONDS", 0.05)


async def submit(installation, console, *, priority=Priority.DAILY, prompts=4, name="best crm"):
    """Submit a check and give it a priority, before a worker starts it. Return its id."""
    keywords = build_keywords(prompts, name)
    domain = await console.domain(f"{name.replace(' ', '-')}.com")
    scan = await console.submit(domain, keywords=keywords, platforms=["chatgpt"])
    await installation.db.execute("UPDATE scans SET priority = $2 WHERE id::text = $1", scan["id"], priority)
    return scan["id"]


async def read_lane(installation, scan_id):
    return await installation.db.fetchrow("SELECT * FROM scan_lanes WHERE scan_id::text = $1", scan_id)


async def wait_for_hold(installation, scan_id, *, holds):
    """Wait until the lane is held for the n-th time and all of its admitted cells are postponed, and return it."""

    async def is_held():
        lane = await read_lane(installation, scan_id)
        if lane is None or lane["holds"] != holds:
            return None
        return lane if len(lane["postponed"]) == lane["admitted"] - lane["settled"] else None

    return await until(is_held)


# With a worker and a platform


@pytest.mark.parametrize("priority", SCHEDULED)
async def test_a_scheduled_check_waits_for_its_platform_and_then_completes_with_all_answers(
    live_installation, live, provider, priority
):
    db, clock = live_installation.db, live_installation.clock
    scan_id = await submit(live_installation, live, priority=priority)
    provider.outage = "server_error"
    async with working(live_installation):
        for holds, seconds in ((1, 15), (2, 30), (3, 60)):
            lane = await wait_for_hold(live_installation, scan_id, holds=holds)
            assert lane["resume_at"] == clock() + timedelta(seconds=seconds)
            scan = await live.scan(scan_id)
            assert (scan["status"], scan["answers_completed"], scan["answers_failed"]) == ("running", 0, 0)
            assert provider.asked.total() == 4 * holds
            clock.advance(seconds=seconds)
        await wait_for_hold(live_installation, scan_id, holds=4)
        provider.outage = None
        clock.advance(seconds=120)
        ended = await live.ended(scan_id)
    assert (ended["status"], ended["answers_completed"], ended["answers_failed"]) == ("completed", 4, 0)
    rows = await db.fetch("SELECT prompt_index FROM answers ORDER BY prompt_index")
    assert [row[0] for row in rows] == [0, 1, 2, 3]
    assert provider.asked == dict.fromkeys(build_keywords(4), 5)


async def test_nothing_of_a_held_lane_is_asked_before_it_resumes(live_installation, live, provider):
    scan_id = await submit(live_installation, live, prompts=20)
    provider.outage = "server_error"
    async with working(live_installation):
        await wait_for_hold(live_installation, scan_id, holds=1)
        await asyncio.sleep(0.3)  # a round of admission that had begun before the hold is over
        asked = provider.asked.total()
        provider.outage = None
        live_installation.clock.advance(seconds=14)
        await asyncio.sleep(0.3)  # several rounds of admission and of the sweeper
        assert SLOTS <= asked == provider.asked.total()
        assert await live_installation.db.fetchval("SELECT count(*) FROM jobs WHERE kind LIKE 'cell.%'") == 0
        live_installation.clock.advance(seconds=1)
        assert (await live.ended(scan_id))["answers_completed"] == 20
    assert provider.asked.total() == asked + 20


@pytest.mark.parametrize("fault", ["rate_limited", "overloaded", "server_error", "timeout"])
async def test_a_platform_that_throttles_errs_or_hangs_is_waited_for(live_installation, live, provider, fault):
    scan_id = await submit(live_installation, live, prompts=2)
    if fault == "timeout":
        provider.held.clear()
    else:
        provider.outage = fault
    async with working(live_installation, ask_timeout=0.2):
        await wait_for_hold(live_installation, scan_id, holds=1)
        assert (await live.scan(scan_id))["answers_failed"] == 0


@pytest.mark.parametrize("fault", ["unauthorised", "no_money"])
async def test_a_rejected_key_or_an_exhausted_quota_fails_a_scheduled_check_at_once(
    live_installation, live, provider, fault
):
    scan_id = await submit(live_installation, live)
    provider.outage = fault
    async with working(live_installation):
        ended = await live.ended(scan_id)
    assert (ended["status"], ended["answers_failed"]) == ("failed", 4)
    assert provider.asked == dict.fromkeys(build_keywords(4), 1)


@pytest.mark.parametrize("priority", [Priority.CONSOLE, Priority.FIRST])
async def test_a_check_that_somebody_waits_for_fails_at_once(live_installation, live, provider, priority):
    scan_id = await submit(live_installation, live, priority=priority)
    provider.outage = "server_error"
    async with working(live_installation):
        ended = await live.ended(scan_id)
    assert (ended["status"], ended["answers_failed"]) == ("failed", 4)
    assert provider.asked == dict.fromkeys(build_keywords(4), 1)


async def test_after_two_hours_the_cells_of_a_scheduled_check_fail(live_installation, live, provider):
    scan_id = await submit(live_installation, live)
    provider.outage = "server_error"
    async with working(live_installation):
        await wait_for_hold(live_installation, scan_id, holds=1)
        live_installation.clock.advance(hours=2, seconds=-1)
        await wait_for_hold(live_installation, scan_id, holds=2)
        live_installation.clock.advance(seconds=30)
        ended = await live.ended(scan_id)
    assert (ended["status"], ended["answers_completed"], ended["answers_failed"]) == ("failed", 0, 4)
    assert provider.asked == dict.fromkeys(build_keywords(4), 3)


async def test_without_patience_a_scheduled_check_fails_at_once(live_installation, live, provider):
    scan_id = await submit(live_installation, live)
    provider.outage = "server_error"
    async with working(live_installation, scan_patience=0):
        assert (await live.ended(scan_id))["answers_failed"] == 4


async def test_postponed_cells_leave_the_platform_to_another_workspace(live_installation, live, provider):
    """The platform fails for one workspace only, whose cells would fill all slots and all that waits for them."""
    scheduled = await submit(live_installation, live, prompts=20, name="scheduled")
    provider.faults = dict.fromkeys(build_keywords(20, "scheduled"), 500)
    async with live_console(live_installation) as other, working(live_installation):
        postponed = (await wait_for_hold(live_installation, scheduled, holds=1))["postponed"]
        console_check = await submit(live_installation, other, priority=Priority.CONSOLE, prompts=10, name="other")
        ended = await other.ended(console_check)
    assert (ended["status"], ended["answers_completed"]) == ("completed", 10)
    lane = await read_lane(live_installation, scheduled)
    # A round of admission that had begun before the hold may postpone a few cells more, but asks none again.
    assert (lane["holds"], lane["postponed"][: len(postponed)]) == (1, postponed)
    assert set(provider.asked.values()) == {1}
    assert len(postponed) >= SLOTS


async def test_a_check_that_is_cancelled_while_it_waits_leaves_nothing_behind(live_installation, live, provider):
    scan_id = await submit(live_installation, live)
    provider.outage = "server_error"
    async with working(live_installation):
        await wait_for_hold(live_installation, scan_id, holds=1)
        assert (await live.post(f"/scans/{scan_id}/cancel")).json()["data"]["status"] == "cancelled"
        live_installation.clock.advance(seconds=15)
        await asyncio.sleep(0.3)  # several rounds of admission and of the sweeper
    assert provider.asked.total() == 4
    assert await live_installation.db.fetchval("SELECT count(*) FROM scan_lanes") == 0
    assert await live_installation.db.fetchval("SELECT count(*) FROM jobs WHERE kind LIKE 'cell.%'") == 0


# The lane, without a worker


class HeldLane:
    """A running scan whose first cells are admitted and claimed, and what a worker does with them."""

    def __init__(self, installation):
        self.installation = installation
        self.db = installation.db
        self.clock = installation.clock

    async def open(self, console, *, cells=6, admitted=3, priority=Priority.DAILY):
        scan_id = await submit(self.installation, console, priority=priority, prompts=cells)
        await self.db.execute("DELETE FROM jobs")
        await self.db.execute("UPDATE scans SET status = 'running', started_at = $1", self.clock())
        row = await self.db.fetchrow("SELECT workspace_id, id FROM scans")
        self.workspace_id, self.scan_id = row
        await self.db.execute(
            """INSERT INTO scan_lanes (workspace_id, scan_id, platform, lane, priority, cells, admitted, started_at)
               VALUES ($1, $2, 'chatgpt', 'sandbox.chatgpt', $3, $4, $5, $6)""",
            *row,
            priority,
            cells,
            admitted,
            self.clock(),
        )
        assert scan_id == str(self.scan_id)
        self.worker_id = uuid.uuid4()
        await self.db.execute("INSERT INTO workers VALUES ($1, now())", self.worker_id)
        await enqueue(self.db, *(build_cell_job("sandbox.chatgpt", self.cell(index)) for index in range(admitted)))
        self.jobs = await claim_jobs(self.db, self.worker_id, {"cell.sandbox.chatgpt": 100})
        return self

    def cell(self, index):
        return CellJob(self.workspace_id, self.scan_id, "chatgpt", index)

    async def admit(self, slots=10):
        """Admit cells for so many free slots, and return their jobs."""
        return await admit(self.db, self.worker_id, {"sandbox.chatgpt": slots}, clock=self.clock)

    async def postpone(self, job, index):
        await postpone_cell(self.db, self.cell(index), job, now=self.clock())

    async def read(self):
        return await read_lane(self.installation, str(self.scan_id))

    async def count_jobs(self):
        return await self.db.fetchval("SELECT count(*) FROM jobs WHERE kind LIKE 'cell.%'")

    async def sweep(self):
        await sweep_scans(self.db, deadline=HOUR, patience=2 * HOUR, clock=self.clock)


@pytest.fixture
async def lane(installation, console):
    return await HeldLane(installation).open(console)


async def test_a_postponed_cell_waits_in_its_lane_and_has_no_job(lane):
    await lane.postpone(lane.jobs[0], 0)
    row = await lane.read()
    assert (row["postponed"], row["admitted"], row["settled"]) == ([0], 3, 0)
    assert await lane.count_jobs() == 2


async def test_a_lane_is_held_for_15_seconds_then_twice_as_long_up_to_ten_minutes(installation, console):
    lane = await HeldLane(installation).open(console, cells=1, admitted=1)
    (job,) = lane.jobs
    for seconds in (15, 30, 60, 120, 240, 480, 600, 600, 600):
        await lane.postpone(job, 0)
        assert (await lane.read())["resume_at"] == lane.clock() + timedelta(seconds=seconds)
        lane.clock.advance(seconds=seconds - 1)
        assert await lane.admit() == []
        lane.clock.advance(seconds=1)
        (job,) = await lane.admit()


async def test_a_lane_can_be_held_any_number_of_times(installation, console):
    """SIGHTLINE_SCAN_PATIENCE has no upper limit: two days are 288 holds of ten minutes."""
    lane = await HeldLane(installation).open(console, cells=1, admitted=1)
    await lane.db.execute("UPDATE scan_lanes SET holds = 300")
    await lane.postpone(lane.jobs[0], 0)
    assert (await lane.read())["resume_at"] == lane.clock() + timedelta(minutes=10)


async def test_cells_that_fail_while_the_lane_is_held_do_not_prolong_the_hold(lane):
    await lane.postpone(lane.jobs[0], 0)
    resume_at = (await lane.read())["resume_at"]
    lane.clock.advance(seconds=10)
    await lane.postpone(lane.jobs[1], 1)
    await lane.postpone(lane.jobs[2], 2)
    row = await lane.read()
    assert (row["holds"], row["resume_at"], row["postponed"]) == (1, resume_at, [0, 1, 2])


async def test_postponed_cells_are_admitted_before_those_that_were_never_asked(lane):
    for index in (2, 0, 1):
        await lane.postpone(lane.jobs[index], index)
    lane.clock.advance(seconds=15)
    jobs = await lane.admit(4)
    assert [msgspec.json.decode(job.payload, type=CellJob).prompt_index for job in jobs] == [2, 0, 1, 3]
    row = await lane.read()
    assert (row["postponed"], row["admitted"]) == ([], 4)


async def test_postponed_cells_for_which_there_is_no_slot_yet_stay_postponed(lane):
    for index in (0, 1):
        await lane.postpone(lane.jobs[index], index)
    lane.clock.advance(seconds=15)
    assert len(await lane.admit(1)) == 1
    assert (await lane.read())["postponed"] == [1]


async def test_a_cell_that_is_postponed_while_the_lane_is_being_admitted_is_not_lost(lane):
    await lane.postpone(lane.jobs[0], 0)
    lane.clock.advance(seconds=15)
    async with lane.db.transaction() as tx:
        (seen,) = await lock_lanes_any_workspace(tx, lane.worker_id, {"sandbox.chatgpt": 9}, now=lane.clock())
        await lane.postpone(lane.jobs[1], 1)
        assert await mark_admitted_any_workspace(tx, [(seen, 0), (seen, 3)]) == [(seen, 0), (seen, 3)]
    row = await lane.read()
    assert (row["postponed"], row["admitted"]) == ([1], 4)


async def test_the_sweeper_gives_no_job_to_a_postponed_cell(lane):
    for index in (0, 1):
        await lane.postpone(lane.jobs[index], index)
    await lane.db.execute("DELETE FROM jobs")  # so that the third cell is lost
    assert await find_lost_cells_any_workspace(lane.db) == [("sandbox.chatgpt", lane.cell(2))]
    await lane.sweep()
    assert await lane.count_jobs() == 1


async def test_postponing_changes_nothing_when_another_worker_has_taken_over_the_job(lane):
    before = await lane.read()
    await lane.db.execute("UPDATE jobs SET worker_id = gen_random_uuid()")
    await lane.postpone(lane.jobs[0], 0)
    assert await lane.read() == before
    await lane.db.execute("UPDATE jobs SET worker_id = NULL")
    await lane.postpone(lane.jobs[0], 0)
    assert await lane.read() == before
    assert await lane.count_jobs() == 3


async def test_postponing_a_cell_of_a_scan_that_has_ended_removes_its_job(lane):
    async with lane.db.transaction() as tx:
        await drop_lanes(tx, lane.workspace_id, lane.scan_id)
    await lane.postpone(lane.jobs[0], 0)
    assert await lane.read() is None
    assert await lane.count_jobs() == 2


# Deadlines


async def end_after(lane, **duration):
    """Advance the clock, sweep, and return how many answers have failed."""
    lane.clock.advance(**duration)
    await lane.sweep()
    return await lane.db.fetchval("SELECT answers_failed FROM scans")


@pytest.mark.parametrize("priority", SCHEDULED)
async def test_the_deadline_of_a_scheduled_scan_is_later_by_its_patience(installation, console, priority):
    lane = await HeldLane(installation).open(console, priority=priority)
    assert await end_after(lane, hours=3) == 0
    assert await end_after(lane, seconds=1) == 6


@pytest.mark.parametrize("priority", [Priority.CONSOLE, Priority.FIRST])
async def test_the_deadline_of_other_scans_does_not_change(installation, console, priority):
    lane = await HeldLane(installation).open(console, priority=priority)
    assert await end_after(lane, hours=1) == 0
    assert await end_after(lane, seconds=1) == 6


async def test_nothing_of_a_scan_that_ran_out_of_time_is_under_way_or_admitted_again(lane):
    """Its lanes stay until it is finished. Until then its postponed cells must not count, and must not be asked."""
    for index in (0, 1):
        await lane.postpone(lane.jobs[index], index)
    assert await end_after(lane, hours=3, seconds=1) == 6
    assert await lane.db.fetchval("SELECT sum(admitted - settled - cardinality(postponed)) FROM scan_lanes") == 0
    assert await lane.admit() == []
