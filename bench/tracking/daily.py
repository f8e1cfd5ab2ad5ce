"""What tracked scans cost, from the moment they are due until their follow-up is done, by a real worker.

The platforms answer at once. One domain alone shows what each step costs, because its steps come one after the other;
several domains together show the throughput.
"""

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Literal

import msgspec

from bench.comparison import Aborted
from bench.engine.cpu import postgres_cpu_seconds
from bench.engine.installation import Child, run_limited, running_fake, running_worker, wait_for_workers
from bench.engine.settings import platform_settings
from bench.environment import BenchEnvironment
from bench.tracking.brand import TrackedDomain, set_up_domain
from bench.tracking.databases import opened, read_settings
from sightline.competitors import site_job
from sightline.db.engine import Database
from sightline.domains.schemas import CompetitorInput
from sightline.insights.generate import REPORT_JOB
from sightline.kit.clock import utc_now
from sightline.onboarding.sandbox_end.leave import leave_sandbox
from sightline.onboarding.setup import SetupInput, complete_setup
from sightline.prompts.volumes import lookup
from sightline.scans.jobs import FOLLOW_JOB
from sightline.scans.scheduling.due_checks import start_due_checks_any_workspace
from sightline.scans.scheduling.models import build_check_rules
from sightline.scoreboard.apply_scan import INSIGHTS_JOB
from sightline.settings import Settings

Scope = Literal["full_check", "daily_check"]
Step = Literal["answers", "follow", "insights", "report"]
STEPS: tuple[Step, ...] = ("answers", "follow", "insights", "report")
_JOBS: Mapping[str, Step] = {FOLLOW_JOB: "follow", INSIGHTS_JOB: "insights", REPORT_JOB: "report"}
_SINCE_ANCHOR: Mapping[Scope, timedelta] = {"full_check": timedelta(days=7), "daily_check": timedelta(days=1)}
_POLL_SECONDS = 0.01
_LIMIT_SECONDS = 300

Cpu = dict[str, float]


class Cost(msgspec.Struct, frozen=True):
    """Some scans of one scope, started together."""

    scope: Scope
    checks: int
    answers: int
    completed: float
    """Seconds from the moment that they were due until all were completed; the next: until all were followed up."""
    followed: float
    cpu: Cpu
    """Seconds by process."""
    steps: Mapping[Step, Cpu]
    """The same by step, of one check alone."""


class Load(msgspec.Struct, frozen=True):
    domains: int
    alone: list[Cost]
    together: list[Cost]
    bytes_per_answer: float
    """What the database grew by, with all that hangs on an answer."""


class _Site(msgspec.Struct, frozen=True):
    db: Database
    settings: Settings
    domains: Sequence[TrackedDomain]
    cpu: Callable[[], Cpu]


class _Seen(msgspec.Struct, frozen=True):
    completed: int
    steps: frozenset[Step]
    """Jobs that wait or run."""


def measure_load(environment: BenchEnvironment, *, domains: int, prompts: int, rounds: int) -> Load:
    with running_fake("platform", environment, "bench.engine.platform", "0") as (_, port):
        settings = six_platform_settings(port)
        owned = run_limited(set_up_domains(environment, settings, domains, prompts), _LIMIT_SECONDS)
        with running_worker(environment, settings) as worker:
            wait_for_workers(environment, worker)
            return run_limited(_measure(environment, settings, owned, worker, rounds), _LIMIT_SECONDS, worker)


def measure_full_checks(environment: BenchEnvironment, *, prompts: int, latency_ms: int, rounds: int) -> list[Cost]:
    """Measure Full Checks of one domain on one platform that answers after the given time. The first is a warm-up."""
    with running_fake("platform", environment, "bench.engine.platform", str(latency_ms)) as (_, port):
        connected = ("SIGHTLINE_PLATFORM_CONCURRENCY", "SIGHTLINE_OPENAI_API_KEY", "SIGHTLINE_OPENAI_BASE_URL")
        settings = {name: value for name, value in platform_settings(port).items() if name in connected}
        settings["SIGHTLINE_PLANS"] = "{}"
        owned = run_limited(set_up_domains(environment, settings, 1, prompts), _LIMIT_SECONDS)
        with running_worker(environment, settings) as worker:
            wait_for_workers(environment, worker)
            work = _repeat_full_checks(environment, settings, owned, worker, rounds)
            return run_limited(work, _LIMIT_SECONDS, worker)


async def _repeat_full_checks(
    environment: BenchEnvironment, given: Mapping[str, str], owned: Sequence[TrackedDomain], worker: Child, rounds: int
) -> list[Cost]:
    def cpu() -> Cpu:
        seconds = worker.cpu_seconds()
        return {} if seconds is None else {"worker": seconds}

    async with opened(environment, connections=4) as db:
        site = _Site(db, read_settings(environment, given), owned, cpu)
        await _watch(site, [row[0] for row in await db.fetch("SELECT id FROM scans")])
        return [await _run(site, "full_check", owned) for _ in range(rounds)]


def six_platform_settings(port: int) -> Mapping[str, str]:
    """Return those of the benchmark `engine`, and Grok, which uses the format of ChatGPT."""
    url = f"http://127.0.0.1:{port}"
    return {
        **platform_settings(port),
        "SIGHTLINE_XAI_API_KEY": "k",
        "SIGHTLINE_XAI_BASE_URL": f"{url}/xai",
        "SIGHTLINE_PLANS": "{}",
    }


async def set_up_domains(
    environment: BenchEnvironment, given: Mapping[str, str], domains: int, prompts: int
) -> list[TrackedDomain]:
    settings, now = read_settings(environment, given), utc_now()
    rules = build_check_rules(settings)
    done = []
    async with opened(environment) as db:
        await leave_sandbox(db, settings, now=now)  # otherwise the worker does it, and starts first live checks
        for number in range(domains):
            async with db.transaction() as tx:
                owned = await set_up_domain(tx, f"brand{number}.com", rules.plans, now=now)
                await complete_setup(
                    tx, owned.workspace_id, owned.domain_id, _setup(number, prompts), rules=rules, now=now
                )
                done.append(owned)
        # Both ask somebody outside: the competitors' sites, and who knows how often a question is asked.
        await db.fetch("DELETE FROM jobs WHERE kind = ANY($1::text[])", [site_job.JOB, lookup.JOB])
    return done


def _setup(number: int, prompts: int) -> SetupInput:
    return SetupInput(
        brand_name="Acme",
        language_code="en",
        competitors=[CompetitorInput("globex.com", "Globex"), CompetitorInput("initech.com", "Initech")],
        prompts=[f"best crm for teams of {number} {place}" for place in range(prompts)],
    )


async def _measure(
    environment: BenchEnvironment, given: Mapping[str, str], owned: Sequence[TrackedDomain], worker: Child, rounds: int
) -> Load:
    def cpu() -> Cpu:
        used = {"worker": worker.cpu_seconds(), "postgresql": postgres_cpu_seconds(environment)}
        return {name: seconds for name, seconds in used.items() if seconds is not None}

    async with opened(environment, connections=4) as db:
        site = _Site(db, read_settings(environment, given), owned, cpu)
        first = [row[0] for row in await db.fetch("SELECT id FROM scans")]
        await _watch(site, first)  # the first check of each is the warm-up
        size = await _read_size(db)
        alone, together = [], []
        for _ in range(rounds):
            for scope in _SINCE_ANCHOR:
                alone.append(await _run(site, scope, owned[:1]))
                together.append(await _run(site, scope, owned))
        grown = await _read_size(db) - size
    answers = sum(cost.answers for cost in (*alone, *together))
    return Load(len(owned), alone, together, grown / answers)


async def _run(site: _Site, scope: Scope, owned: Sequence[TrackedDomain]) -> Cost:
    await asyncio.sleep(0.5)  # what is tidied up after a check belongs to no round
    before, began = site.cpu(), time.perf_counter()
    ids = await _start(site, scope, owned)
    moments = await _watch(site, ids)
    completed, _ = moments["answers"]
    followed, after = max(moments.values(), key=lambda moment: moment[0])
    answers = await _count_answers(site.db, ids, scope)
    steps: dict[Step, Cpu] = {}
    then = before
    for step in (step for step in STEPS if step in moments):
        steps[step] = _less(moments[step][1], then)
        then = moments[step][1]
    return Cost(scope, len(ids), answers, completed - began, followed - began, _less(after, before), steps)


async def _start(site: _Site, scope: Scope, owned: Sequence[TrackedDomain]) -> list[uuid.UUID]:
    """Start the scans that are due. The worker's scheduler may start them first."""
    now, ids = utc_now(), [each.domain_id for each in owned]
    await site.db.fetch(
        """UPDATE domains SET anchor_at = $2::timestamptz - $3::interval, next_check_at = $2, next_check_scope = $4
           WHERE id = ANY($1::uuid[])""",
        ids,
        now,
        _SINCE_ANCHOR[scope],
        scope,
    )
    await start_due_checks_any_workspace(site.db, site.settings, now=now)
    rows = await site.db.fetch(
        "SELECT id FROM scans WHERE domain_id = ANY($1::uuid[]) AND created_at >= $2 AND measurement_scope = $3",
        ids,
        now,
        scope,
    )
    if len(rows) != len(owned):
        raise Aborted(f"{len(rows)} checks were started instead of {len(owned)}")
    return [row[0] for row in rows]


async def _watch(site: _Site, ids: Sequence[uuid.UUID]) -> dict[Step, tuple[float, Cpu]]:
    """Record when each step was done in all of these scans, and the CPU time at that moment."""
    ended: dict[Step, tuple[float, Cpu]] = {}
    begun: set[Step] = {"answers"}
    while True:
        seen = await _look(site.db, ids)
        begun |= seen.steps
        moment = time.perf_counter(), site.cpu()
        if seen.completed == len(ids):
            # A step orders the next one before it ends: what is ordered shows that the one before is done.
            ordered = max((STEPS.index(step) for step in seen.steps), default=len(STEPS))
            for step in STEPS[:ordered]:
                if step in begun:
                    ended.setdefault(step, moment)
            if not seen.steps:
                return ended
        await asyncio.sleep(_POLL_SECONDS)


async def _look(db: Database, ids: Sequence[uuid.UUID]) -> _Seen:
    keys = [f"{name}:{scan_id}" for name in ("follow", "insights", "report") for scan_id in ids]
    row = await db.fetchrow(
        """SELECT count(*) FILTER (WHERE status = 'completed'),
                   count(*) FILTER (WHERE status IN ('failed', 'cancelled')), coalesce(sum(answers_failed), 0),
                   ARRAY(SELECT kind FROM jobs WHERE key = ANY($2::text[])),
                   (SELECT count(*) FROM jobs WHERE failed_at IS NOT NULL)
            FROM scans WHERE id = ANY($1::uuid[])""",
        ids,
        keys,
    )
    completed, ended, failed, waiting, held = row
    if ended or failed or held:
        raise Aborted(f"{ended} checks did not complete, {failed} answers failed, {held} jobs failed")
    return _Seen(completed, frozenset(_JOBS[kind] for kind in waiting))


async def _count_answers(db: Database, ids: Sequence[uuid.UUID], scope: Scope) -> int:
    total, follow_ups = await db.fetchrow(
        """SELECT sum(answers_completed), (SELECT count(*) FROM scan_results WHERE scan_id = ANY($1::uuid[])
                                                                               AND board IS NOT NULL)
           FROM scans WHERE id = ANY($1::uuid[])""",
        ids,
    )
    reports = await db.fetchval("SELECT count(*) FROM reports WHERE scan_id = ANY($1::uuid[])", ids)
    if follow_ups != len(ids) or (scope == "full_check" and reports != len(ids)):
        raise Aborted(f"{follow_ups} boards and {reports} reports of {len(ids)} checks")
    found: int = total
    return found


async def _read_size(db: Database) -> int:
    size: int = await db.fetchval("SELECT pg_database_size(current_database())")
    return size


def _less(after: Cpu, before: Cpu) -> Cpu:
    return {name: after[name] - before[name] for name in after if name in before}
