"""Servers side by side: alternating rounds, and ratios of what was measured a moment apart.

On a machine that others use too, absolute figures move by tens of percent within a minute. The ratio of two servers in
the same round moves far less, and the median over rounds forgets the round in which something else ran.
"""

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from statistics import median

import msgspec

from bench.load import LoadFailed, pace, saturate
from bench.plan import Plan
from bench.process import Server, ServerFailed, running
from bench.world import World

# Latency is asked at a load that every server carries with room to spare; beyond that it measures the queue.
_SHARE_OF_BASE = 0.6
_SHARE_OF_SLOWEST = 0.6


class Aborted(Exception):
    """The benchmark cannot go on; the sentence is for the person who runs it."""


class Question(msgspec.Struct, frozen=True):
    """What is sent: one ready request for each connection. With several keys no counter is fought over."""

    path: str
    headers: list[dict[str, str]]

    def as_bytes(self) -> list[bytes]:
        return [_to_bytes(self.path, headers) for headers in self.headers]


class Goal(msgspec.Struct, frozen=True):
    server: str
    other: str
    at_least: float


class Benchmark(msgspec.Struct, frozen=True):
    name: str
    title: str
    servers: dict[str, str]
    """Name and module. The first is the product's own, the one that is profiled."""
    base: str
    """The server to which the others are put in relation."""
    prepare: Callable[[World, Plan], Question]
    verify: Callable[[dict[str, Server], Question], None]
    """Raises Aborted unless the servers do the same."""
    goals: tuple[Goal, ...]


class Figures(msgspec.Struct, frozen=True):
    server: str
    requests_per_second: float
    ratio_to_base: float
    cpu_ms_per_request: float | None
    p50_ms: float
    p99_ms: float


class Target(msgspec.Struct, frozen=True):
    server: str
    other: str
    at_least: float
    got: float
    lowest: float
    highest: float

    @property
    def met(self) -> bool:
        return self.got >= self.at_least


class Result(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    base: str
    rate: float
    """Requests per second in the latency rounds."""
    figures: list[Figures]
    targets: list[Target]
    throughput: dict[str, list[float]]
    """Requests per second, round by round."""


class _Round(msgspec.Struct, frozen=True):
    per_second: float
    cpu_ms: float | None


def compare(benchmark: Benchmark, world: World, plan: Plan) -> Result:
    try:
        question = benchmark.prepare(world, plan)
        with ExitStack() as stack:
            servers = {
                name: stack.enter_context(running(name, module, world)) for name, module in benchmark.servers.items()
            }
            benchmark.verify(servers, question)
            return _measure(benchmark, servers, question.as_bytes(), plan)
    except (ServerFailed, LoadFailed) as error:
        raise Aborted(str(error)) from error


def _measure(benchmark: Benchmark, servers: dict[str, Server], requests: list[bytes], plan: Plan) -> Result:
    for server in servers.values():
        saturate(server.port, requests, plan.warm_up_seconds)
    rounds: dict[str, list[_Round]] = {name: [] for name in servers}
    for server in _turns(servers, plan.rounds):
        rounds[server.name].append(_throughput(server, requests, plan.seconds))
    speed = {name: [one.per_second for one in of_server] for name, of_server in rounds.items()}
    typical = {name: median(of_server) for name, of_server in speed.items()}
    rate = min(_SHARE_OF_BASE * typical[benchmark.base], _SHARE_OF_SLOWEST * min(typical.values()))
    waits: dict[str, list[tuple[float, float]]] = {name: [] for name in servers}
    for server in _turns(servers, plan.paced_rounds):
        paced = pace(server.port, requests, plan.seconds, rate)
        waits[server.name].append((paced.percentile(0.5), paced.percentile(0.99)))
    return Result(
        benchmark=benchmark.name,
        title=benchmark.title,
        base=benchmark.base,
        rate=rate,
        figures=[
            Figures(
                server=name,
                requests_per_second=typical[name],
                ratio_to_base=median(_ratios(speed[name], speed[benchmark.base])),
                cpu_ms_per_request=_median_or_none(one.cpu_ms for one in rounds[name]),
                p50_ms=1000 * median(p50 for p50, _ in waits[name]),
                p99_ms=1000 * median(p99 for _, p99 in waits[name]),
            )
            for name in servers
        ],
        targets=[_to_target(goal, speed) for goal in benchmark.goals],
        throughput=speed,
    )


def _turns(servers: dict[str, Server], rounds: int) -> Iterable[Server]:
    """Each round starts with another server, so that none is always the one after a rest."""
    order = list(servers.values())
    for number in range(rounds):
        first = number % len(order)
        yield from order[first:] + order[:first]


def _throughput(server: Server, requests: list[bytes], seconds: float) -> _Round:
    before = server.cpu_seconds()
    load = saturate(server.port, requests, seconds)
    after = server.cpu_seconds()
    cpu = None if before is None or after is None else 1000 * (after - before) / load.requests
    return _Round(load.per_second, cpu)


def _ratios(ours: list[float], theirs: list[float]) -> list[float]:
    return [mine / other for mine, other in zip(ours, theirs, strict=True)]


def _to_target(goal: Goal, speed: dict[str, list[float]]) -> Target:
    ratios = _ratios(speed[goal.server], speed[goal.other])
    return Target(goal.server, goal.other, goal.at_least, median(ratios), min(ratios), max(ratios))


def _median_or_none(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _to_bytes(path: str, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}\r\n".encode()
