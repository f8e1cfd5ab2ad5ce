"""Servers side by side: alternating rounds, and ratios of what was measured a moment apart.

On a machine that others use too, absolute figures move by tens of percent within a minute. The ratio of two servers in
the same round moves far less, and the median over rounds forgets the round in which something else ran.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from statistics import median, quantiles
from types import MappingProxyType

import msgspec

from bench.environment import BenchEnvironment
from bench.load import LoadFailed, pace, saturate
from bench.plan import Plan
from bench.process import Server, ServerFailed, running

# Latency is asked at a load that every server carries with room to spare; beyond that it measures the queue.
_SHARE_OF_BASE = 0.6
_SHARE_OF_SLOWEST = 0.6


class Aborted(Exception):
    """The benchmark cannot continue. The message is for the person who runs it."""


class Question(msgspec.Struct, frozen=True):
    """One ready request for each connection. With several keys, no counter is contended."""

    path: str
    headers: list[dict[str, str]]

    def as_bytes(self, more_headers: Mapping[str, str] = MappingProxyType({})) -> list[bytes]:
        return [_to_bytes(self.path, {**headers, **more_headers}) for headers in self.headers]


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
    prepare: Callable[[BenchEnvironment, Plan], Question]
    verify: Callable[[dict[str, Server], Question], None]
    """Raises Aborted unless the servers do the same."""
    goals: tuple[Goal, ...]
    headers: dict[str, dict[str, str]] = {}
    """More headers for the requests to a server, by its name."""


class Figures(msgspec.Struct, frozen=True):
    server: str
    requests_per_second: float
    ratio_to_base: float
    cpu_ms_per_request: float | None
    """Of the server's process. Suffers least from what else the machine does."""
    cpu_ratio_to_base: float | None
    p50_ms: float
    p99_ms: float


class Target(msgspec.Struct, frozen=True):
    server: str
    other: str
    at_least: float
    got: float
    middle_half: tuple[float, float]
    """Where the middle half of the rounds lies: how far the figure can be trusted."""

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


def compare(benchmark: Benchmark, environment: BenchEnvironment, plan: Plan) -> Result:
    try:
        question = benchmark.prepare(environment, plan)
        with ExitStack() as stack:
            servers = {
                name: stack.enter_context(running(name, module, environment))
                for name, module in benchmark.servers.items()
            }
            benchmark.verify(servers, question)
            requests = {name: question.as_bytes(benchmark.headers.get(name, {})) for name in servers}
            return _measure(benchmark, servers, requests, plan)
    except (ServerFailed, LoadFailed) as error:
        raise Aborted(str(error)) from error


def _measure(benchmark: Benchmark, servers: dict[str, Server], requests: dict[str, list[bytes]], plan: Plan) -> Result:
    _print_progress(f"measuring {', '.join(servers)}: {plan.rounds} rounds of {plan.seconds} s each, then latency")
    for server in servers.values():
        saturate(server.port, requests[server.name], plan.warm_up_seconds)
    rounds: dict[str, list[_Round]] = {name: [] for name in servers}
    for server in _turns(servers, plan.rounds):
        rounds[server.name].append(_throughput(server, requests[server.name], plan.seconds))
    speed = {name: [one.per_second for one in of_server] for name, of_server in rounds.items()}
    typical = {name: median(of_server) for name, of_server in speed.items()}
    rate = min(_SHARE_OF_BASE * typical[benchmark.base], _SHARE_OF_SLOWEST * min(typical.values()))
    waits: dict[str, list[float]] = {name: [] for name in servers}
    for server in _turns(servers, plan.paced_rounds):
        waits[server.name] += pace(server.port, requests[server.name], plan.paced_seconds, rate)
    cpu = {name: [one.cpu_ms for one in of_server] for name, of_server in rounds.items()}
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
                cpu_ms_per_request=_if_known(median, cpu[name]),
                cpu_ratio_to_base=_if_known(lambda *both: median(_ratios(*both)), cpu[name], cpu[benchmark.base]),
                p50_ms=1000 * _percentile(waits[name], 50),
                p99_ms=1000 * _percentile(waits[name], 99),
            )
            for name in servers
        ],
        targets=[_to_target(goal, speed) for goal in benchmark.goals],
        throughput=speed,
    )


def _turns(servers: dict[str, Server], rounds: int) -> Iterable[Server]:
    """Return the servers in alternating order, so that none always follows the same one."""
    order = list(servers.values())
    for number in range(rounds):
        yield from reversed(order) if number % 2 else order


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
    return Target(goal.server, goal.other, goal.at_least, median(ratios), _middle_half(ratios))


def _middle_half(values: list[float]) -> tuple[float, float]:
    lower, _, upper = quantiles(values, n=4, method="inclusive")
    return lower, upper


def _percentile(values: list[float], share: int) -> float:
    return quantiles(values, n=100, method="inclusive")[share - 1]


def _if_known(figure: Callable[..., float], *series: list[float | None]) -> float | None:
    """Return nothing without /proc, which CPU times are read from."""
    return None if any(value is None for values in series for value in values) else figure(*series)


def _print_progress(sentence: str) -> None:
    """Print progress to standard error; standard output holds the result alone."""
    print(sentence, file=sys.stderr, flush=True)


def _to_bytes(path: str, headers: dict[str, str]) -> bytes:
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{lines}\r\n".encode()
