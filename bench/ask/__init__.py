"""`ask`: what a question costs compared with a bare HTTP call, and how close many questions come to the ideal time."""

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

import aiohttp
import msgspec
import uvloop

from bench.ask.server import SLOW, SLOW_SECONDS
from bench.comparison import Aborted, Target
from bench.environment import BenchEnvironment
from bench.plan import Plan
from bench.process import Server, running
from sightline.http.session import open_session
from sightline.platforms.ask import PlatformClient, ask
from sightline.platforms.connectors import CONNECTORS
from sightline.platforms.gate import Gate
from sightline.platforms.models import Connector, PlatformConnection, Question
from sightline.platforms.policy import Policy
from sightline.platforms.pricing import Prices
from sightline.platforms.transport import NetworkTransport

NAME = "ask"
TITLE = "Questions to a platform: `ask`, beside a bare aiohttp call for the same bytes"
_AT_LEAST = 0.6
QUESTIONS, _AT_ONCE = 1_000, 50
IDEAL_SECONDS = QUESTIONS / _AT_ONCE * SLOW_SECONDS
_NO_SLOWER_THAN = 1.1
_PLAIN = CONNECTORS["deepseek", "deepseek"]
_SOURCED = CONNECTORS["chatgpt", "openai"]
_QUESTION = Question("best crm for a company of five people", country="DE", language="de")

Call = Callable[[], Awaitable[None]]


class AskResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    figures: dict[str, dict[str, float]]
    """Calls per second and CPU milliseconds per call (of the client's process)."""
    many_seconds: dict[str, list[float]]
    """How long the many questions took, run by run; the bare calls behind a semaphore."""
    targets: list[Target]
    throughput: dict[str, list[float]]


def measure(plan: Plan) -> AskResult:
    with _folder() as environment, running("platform", "bench.ask.server", environment) as server:
        return uvloop.run(_measure(server, plan))


@contextmanager
def _folder() -> Iterator[BenchEnvironment]:
    """Yield a temporary folder. No database is needed, and settings of this shell are left out."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIGHTLINE_")}
    with tempfile.TemporaryDirectory(prefix="sightline-bench-") as folder:
        yield BenchEnvironment(Path(folder), "", {**environment, "SIGHTLINE_DATA_DIR": folder})


async def _measure(server: Server, plan: Plan) -> AskResult:
    async with open_session() as session, aiohttp.ClientSession() as plain:
        calls = {
            "ask": _ask(session, _PLAIN, server, "", plan.connections),
            "bare": _bare(plain, _PLAIN, server),
            "ask, with sources": _ask(session, _SOURCED, server, "", plan.connections),
            "bare, with sources": _bare(plain, _SOURCED, server),
        }
        for call in calls.values():
            await _saturate(call, plan.warm_up_seconds, plan.connections)
        speed: dict[str, list[float]] = {name: [] for name in calls}
        cpu: dict[str, list[float]] = {name: [] for name in calls}
        for number in range(plan.rounds):
            for name in reversed(calls) if number % 2 else calls:
                per_second, cpu_ms = await _saturate(calls[name], plan.seconds, plan.connections)
                speed[name].append(per_second)
                cpu[name].append(cpu_ms)
        at_once = asyncio.Semaphore(_AT_ONCE)
        slow = {
            "ask": _ask(session, _PLAIN, server, SLOW, _AT_ONCE),
            "bare": _behind(at_once, _bare(plain, _PLAIN, server, SLOW)),
        }
        many: dict[str, list[float]] = {name: [] for name in slow}
        for _ in range(plan.paced_rounds):
            for name, call in slow.items():
                many[name].append(await _call_many(call))
    close_to_ideal = [IDEAL_SECONDS / seconds for seconds in many["ask"]]
    ratios = [ours / theirs for ours, theirs in zip(speed["ask"], speed["bare"], strict=True)]
    return AskResult(
        benchmark=NAME,
        title=TITLE,
        figures={
            name: {"calls_per_second": median(speed[name]), "cpu_ms_per_call": median(cpu[name])} for name in calls
        },
        many_seconds=many,
        targets=[
            _to_target("ask", "bare", _AT_LEAST, ratios),
            _to_target("ideal time", "ask", round(1 / _NO_SLOWER_THAN, 3), close_to_ideal),
        ],
        throughput=speed,
    )


def _to_target(name: str, other: str, at_least: float, ratios: list[float]) -> Target:
    lower, upper = quantiles(ratios, n=4, method="inclusive")[::2] if len(ratios) > 1 else (ratios[0], ratios[0])
    return Target(name, other, at_least, median(ratios), (lower, upper))


def _connect(connector: Connector, server: Server, path: str) -> PlatformConnection:
    return PlatformConnection(
        platform=connector.platform,
        vendor=connector.vendor,
        base_url=f"http://127.0.0.1:{server.port}{path}",
        secret="k",
        model="asked",
    )


def _ask(session: aiohttp.ClientSession, connector: Connector, server: Server, path: str, at_once: int) -> Call:
    connection = _connect(connector, server, path)
    client = PlatformClient(
        connector=connector,
        connection=connection,
        transport=NetworkTransport(session),
        gate=Gate(1, at_once),
        policy=Policy(attempts=1, prices={connector.platform: Prices(1, 5, 0)}),
    )
    cited = 9 if connector.cites else 0

    async def call() -> None:
        outcome = await ask(client, _QUESTION)
        if outcome.status != "ok" or len(outcome.answer.cited) != cited or outcome.cost_usd is None:
            raise Aborted(f"a question failed: {outcome.fault}")

    return call


def _bare(session: aiohttp.ClientSession, connector: Connector, server: Server, path: str = "") -> Call:
    """Send the same bytes to the same place and decode the JSON, without checks, retries or a record."""
    request = connector.request(_QUESTION, _connect(connector, server, path))

    async def call() -> None:
        async with session.post(request.url, data=request.body, headers=request.headers) as response:
            msgspec.json.decode(await response.read())

    return call


async def _saturate(call: Call, seconds: float, connections: int) -> tuple[float, float]:
    """Return calls per second with this many always in flight, and CPU milliseconds per call."""
    done = 0
    end = time.perf_counter() + seconds

    async def repeat() -> None:
        nonlocal done
        while time.perf_counter() < end:
            await call()
            done += 1

    began, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(repeat() for _ in range(connections)))
    return done / (time.perf_counter() - began), 1000 * (time.process_time() - cpu) / done


def _behind(places: asyncio.Semaphore, call: Call) -> Call:
    async def wait_and_call() -> None:
        async with places:
            await call()

    return wait_and_call


async def _call_many(call: Call) -> float:
    """Start all calls at once: only the gate or semaphore limits the number in flight."""
    began = time.perf_counter()
    await asyncio.gather(*(call() for _ in range(QUESTIONS)))
    return time.perf_counter() - began


def print_figures(result: AskResult) -> None:
    print(f"  {'':<20}{'calls/s':>10}{'CPU ms/call':>14}")
    for name, figures in result.figures.items():
        print(f"  {name:<20}{figures['calls_per_second']:>10.0f}{figures['cpu_ms_per_call']:>14.3f}")
    print(
        f"\n  {QUESTIONS:,} questions, {_AT_ONCE} at once, {SLOW_SECONDS * 1000:.0f} ms each: "
        f"{median(result.many_seconds['ask']):.2f} s; bare: {median(result.many_seconds['bare']):.2f} s; "
        f"ideal: {IDEAL_SECONDS:.2f} s\n"
    )
