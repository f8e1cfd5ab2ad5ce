"""Where the product's own server spends its time: cProfile around the whole process, under full load."""

import pstats
from pathlib import Path

import msgspec

from bench.comparison import Aborted, Benchmark
from bench.environment import BenchEnvironment
from bench.load import LoadFailed, saturate
from bench.plan import Plan
from bench.process import ServerFailed, running

_TOP = 25
_PACKAGES = ("site-packages/", "src/")


class Line(msgspec.Struct, frozen=True):
    function: str
    calls: float
    own_us: float
    total_us: float


class Profile(msgspec.Struct, frozen=True):
    """Time per request. It includes the profiler's own cost: read it as shares, as small functions look too slow."""

    requests: int
    us: float
    lines: list[Line]


def profile(benchmark: Benchmark, environment: BenchEnvironment, plan: Plan) -> Profile:
    name, module = next(iter(benchmark.servers.items()))
    file = environment.folder / "profile"
    try:
        requests = benchmark.prepare(environment, plan).as_bytes()
        with running(name, module, environment, profile=file) as server:
            load = saturate(server.port, requests, plan.rounds * plan.seconds)
    except (ServerFailed, LoadFailed) as error:
        raise Aborted(str(error)) from error
    return read_profile(file, load.requests)


def read_profile(file: Path, requests: int) -> Profile:
    stats = pstats.Stats(str(file)).stats  # type: ignore[attr-defined]
    per_request = 1e6 / requests
    lines = [
        Line(_name(where), calls / requests, own * per_request, total * per_request)
        for where, (_, calls, own, total, _) in stats.items()
    ]
    lines.sort(key=lambda line: line.own_us, reverse=True)
    return Profile(requests, sum(line.own_us for line in lines), lines[:_TOP])


def _name(where: tuple[str, int, str]) -> str:
    file, line, function = where
    for package in _PACKAGES:
        file = file.rpartition(package)[2]
    return function if file == "~" else f"{file}:{line} {function}"
