"""`webhooks`: deliveries per second of one worker, compared with a bare loop that signs and posts the same bodies."""

from statistics import median, quantiles

import aiohttp
import msgspec

from bench.comparison import Target
from bench.engine.customers import open_account
from bench.engine.installation import Child, run_limited, running_fake, running_worker, wait_for_workers
from bench.environment import BenchEnvironment
from bench.plan import Plan
from bench.webhooks.customer import EVENTS, WebhookCustomer
from sightline.db.engine import Database

NAME = "webhooks"
TITLE = "Webhook deliveries of one worker, beside a bare loop that signs and posts the same bodies"
_LIMIT_SECONDS = 600


class WebhookResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    events: int
    cpu_ms_per_delivery: float | None
    """Of the worker's process."""
    recorded_seconds: list[float]
    """From the commit of the events until all deliveries are noted as succeeded."""
    ratio: float
    middle_half: tuple[float, float]
    targets: list[Target]
    """None was set."""
    throughput: dict[str, list[float]]
    """Deliveries per second, from the first to the last that the receiver saw."""


def measure(environment: BenchEnvironment, plan: Plan) -> WebhookResult:
    settings = {"SIGHTLINE_WEBHOOK_ALLOW_LOOPBACK": "1"}
    with (
        running_fake("receiver", environment, "bench.webhooks.receiver") as (_, port),
        running_worker(environment, settings) as worker,
    ):
        wait_for_workers(environment, worker)
        return run_limited(_measure(environment, port, worker, max(2, plan.rounds // 3)), _LIMIT_SECONDS, worker)


async def _measure(environment: BenchEnvironment, port: int, worker: Child, rounds: int) -> WebhookResult:
    """Measure all rounds. The first one is a warm-up and is left out."""
    db = Database(environment.database_url, pool_size=2)
    await db.open()
    speed: dict[str, list[float]] = {"worker": [], "bare": []}
    recorded: list[float] = []
    cpu: list[float] = []
    try:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            customer = WebhookCustomer(db, session, await open_account(db), port)
            await customer.register(environment.variables["SIGHTLINE_SECRET_KEY"])
            _, _, bodies = await customer.deliver()
            await customer.post_bare(bodies)
            for number in range(rounds):
                bare = await customer.post_bare(bodies) if number % 2 else None
                before = worker.cpu_seconds()
                delivered, seconds, bodies = await customer.deliver()
                after = worker.cpu_seconds()
                bare = bare or await customer.post_bare(bodies)
                speed["worker"].append(delivered.per_second)
                speed["bare"].append(bare.per_second)
                recorded.append(seconds)
                cpu.extend([] if before is None or after is None else [1000 * (after - before) / EVENTS])
    finally:
        await db.close()
    return _to_result(speed, recorded, median(cpu) if cpu else None)


def _to_result(speed: dict[str, list[float]], recorded: list[float], cpu: float | None) -> WebhookResult:
    ratios = [ours / bare for ours, bare in zip(speed["worker"], speed["bare"], strict=True)]
    low, _, high = quantiles(ratios, n=4, method="inclusive")
    return WebhookResult(NAME, TITLE, EVENTS, cpu, recorded, median(ratios), (low, high), [], speed)


def print_figures(result: WebhookResult) -> None:
    print(f"  {result.events:,} events to one endpoint\n\n  {'':<10}{'deliveries/s':>14}{'to bare':>10}{'CPU ms':>10}")
    cpu = "-" if result.cpu_ms_per_delivery is None else f"{result.cpu_ms_per_delivery:.2f}"
    print(f"  {'worker':<10}{median(result.throughput['worker']):>14,.0f}{result.ratio:>10.2f}{cpu:>10}")
    print(f"  {'bare':<10}{median(result.throughput['bare']):>14,.0f}{1:>10.2f}{'-':>10}")
    print(
        f"\n  Medians over {len(result.recorded_seconds)} alternating rounds (half of the ratios: "
        f"{result.middle_half[0]:.2f} to {result.middle_half[1]:.2f}). From commit until\n  all deliveries are noted: "
        f"{median(result.recorded_seconds):.2f} s. No target was set.\n"
    )
