"""One run: build the world, run clients and nemesis, heal it, wait until nothing runs any more, and check."""

import asyncio
import contextlib
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import asyncpg
import msgspec

from chaos.checker import Violation, find_violations
from chaos.clients import ApiClient, Customer
from chaos.evidence import Evidence, describe_activity, gather_evidence, hurry_retries, is_at_rest
from chaos.history import HEALED, History
from chaos.nemesis import Nemesis
from chaos.plan import Conditions, Trouble, draw_conditions, plan_troubles
from chaos.world import World, open_world

_CUSTOMERS_PER_TENANT = 2
_DOMAINS = 3
_REST_LOOKS = 3
OUTCOME = "outcome.json"
"""The file of the outcome, next to the history and the logs."""


class Outcome(msgspec.Struct, frozen=True):
    seed: int
    violations: list[Violation]
    summary: dict[str, Any]
    oddities: list[str]
    """Errors in the logs that chaos alone does not explain. Nothing was lost, but they need a look."""


async def run_chaos(
    seed: int,
    seconds: float,
    *,
    settle: float,
    folder: Path,
    conditions: Conditions | None = None,
    troubles: Sequence[Trouble] | None = None,
) -> Outcome:
    """Run one seed. Its conditions and faults can be replaced, to test one of them."""
    conditions = draw_conditions(seed) if conditions is None else conditions
    troubles = plan_troubles(seed, seconds) if troubles is None else troubles
    fills_disk = any(trouble.kind == "fill_disk" for trouble in troubles)
    history = History()
    async with open_world(seed, conditions, fills_disk=fills_disk, keep=folder / "logs") as world:
        chance = random.Random(f"clients {seed}")
        api_client = ApiClient([api.url for api in world.apis], random.Random(f"wire {seed}"), history)
        try:
            customers = await _settle_in(world, api_client, chance)
            left = await _rage(world, customers, history, troubles, seconds, settle)
            left += await _finish(customers, history, settle)
            left += await _wait_for_rest(world.database_url, settle)
            if left:
                (folder / "activity.txt").write_text(await describe_activity(world.database_url))
        finally:
            history.save(folder / "history.jsonl")
            await api_client.close()
        evidence = await _gather(world)
        violations = [Violation("not_at_rest", what) for what in left[:20]]
        violations += find_violations(history.calls, world.receiver.messages, evidence)
        return Outcome(seed, violations, _sum_up(history, world, evidence), _read_oddities(world))


async def _settle_in(world: World, api_client: ApiClient, chance: random.Random) -> list[Customer]:
    customers = []
    for number, tenant in enumerate(world.tenants):
        group = [
            Customer(
                f"customer-{number}-{n}",
                tenant,
                api_client,
                random.Random(chance.random()),
                is_sandbox=world.platforms is None,
            )
            for n in range(_CUSTOMERS_PER_TENANT)
        ]
        names = [f"brand-{number}-{n}.com" for n in range(_DOMAINS)]
        world.receiver.secrets[tenant.workspace] = await group[0].settle_in(names, world.receiver.url(tenant.workspace))
        for customer in group[1:]:  # they share domains, so that they conflict with each other
            customer.domains = group[0].domains
        customers += group
    return customers


async def _rage(
    world: World,
    customers: list[Customer],
    history: History,
    troubles: Sequence[Trouble],
    seconds: float,
    settle: float,
) -> list[str]:
    """Run clients and nemesis, heal the world, and return who got no answer even then."""
    stopping = asyncio.Event()
    living = [asyncio.create_task(customer.live(stopping)) for customer in customers]
    nemesis = asyncio.create_task(Nemesis(world, history).strike(troubles))
    try:
        await asyncio.sleep(seconds)
        nemesis.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await nemesis
        stopping.set()
        await world.heal()
        history.heal()
        world.receiver.is_troubled = False
        # Every customer finishes what it has started: after healing, every request gets an answer.
        _, late = await asyncio.wait(living, timeout=settle)
    finally:  # also when a process does not start again, so that this failure is the one that is seen
        for task in living:
            task.cancel()
    for ended in await asyncio.gather(*living, return_exceptions=True):
        if isinstance(ended, Exception):
            raise ended
    return [f"{len(late)} customers wait for an answer"] if late else []


async def _finish(customers: list[Customer], history: History, seconds: float) -> list[str]:
    """Send every key again and recover every purchase again: neither may change anything."""
    submitted = {call.key for call in history.calls if call.kind == "submit" and call.is_accepted and call.key}
    try:
        async with asyncio.timeout(seconds):
            await asyncio.gather(*(_send_again(customer, submitted) for customer in customers))
    except TimeoutError:
        return ["not everything could be sent again in time"]
    return []


async def _send_again(customer: Customer, submitted: set[str]) -> None:
    for key in sorted(submitted & customer.bodies.keys()):
        await customer.replay(key)
    for reference in customer.references:
        await customer.recover(reference)


async def _wait_for_rest(url: str, seconds: float) -> list[str]:
    deadline = time.monotonic() + seconds
    looks = 0
    left: list[str] = []
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError, asyncpg.PostgresError):
            await hurry_retries(url)
            left = await is_at_rest(url)
            looks = 0 if left else looks + 1
            if looks == _REST_LOOKS:
                return []
        await asyncio.sleep(0.5)
    return left


async def _gather(world: World) -> Evidence:
    fell = [f"{process.name} ended with {code}" for process in world.processes for code in process.fell]
    faults = await asyncio.to_thread(_verify_books, world)
    return await gather_evidence(world.database_url, book_faults=faults, fell=fell)


def _verify_books(world: World) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-m", "sightline", "credits", "verify", "--json"],
        env=world.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return [] if done.returncode == 0 else [f"{done.stdout}{done.stderr}".strip()[-2_000:]]


_ODD = {"request_failed", "job_failed", "sweep_failed", "housekeeping_failed", "worker_crashed", "answers_not_stored"}


def _read_oddities(world: World) -> list[str]:
    found: Counter[str] = Counter()
    for process in world.processes:
        for line in process.log.read_bytes().splitlines():
            try:
                record = msgspec.json.decode(line)
            except msgspec.DecodeError:
                continue
            if isinstance(record, dict) and record.get("event") in _ODD:
                reason = str(record.get("exception", "")).strip().rpartition("\n")[2]
                found[f"{record['event']} {record.get('kind', '')}: {reason}"[:300]] += 1
            elif isinstance(record, dict) and record.get("level") in {"error", "critical"}:
                found[f"{record.get('event')}"[:300]] += 1
    return [f"{count} times: {what}" for what, count in found.most_common()]


def _sum_up(history: History, world: World, evidence: Evidence) -> dict[str, Any]:
    kinds = Counter(blow.what for blow in history.blows if blow.what not in {"note", HEALED})
    healed = next(blow.at for blow in history.blows if blow.what == HEALED)
    outcomes = Counter(
        f"{call.kind}:{call.code or call.status or call.error}" for call in history.calls if not call.healed
    )
    return {
        "scans": dict(Counter(scan.status for scan in evidence.scans)),
        "answers": sum(scan.answers for scan in evidence.scans),
        "entries": dict(Counter(entry.reason for entry in evidence.entries)),
        "checkouts": dict(Counter(attempt.status for attempt in evidence.attempts)),
        "events": len(evidence.events),
        "webhooks": dict(Counter(str(message.answered) for message in world.receiver.messages)),
        "requests": dict(outcomes.most_common()),
        "troubles": dict(kinds.most_common()),
        "rest_after": round(history.now() - healed, 1),
        "seconds": round(history.now(), 1),
    }
