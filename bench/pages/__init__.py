"""`pages`: what the app's pages cost compared with the endpoints for the same facts, and how large they are."""

import logging
import sys
import time
from statistics import median

import msgspec
import structlog

from bench.comparison import Aborted, Target
from bench.engine.installation import Child, run_limited, running_api
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.load import LoadFailed, saturate
from bench.pages.brand import PROMPTS, Visited, build
from bench.pages.weights import Weight, weigh
from bench.plan import Plan
from bench.process import Server
from bench.tracking.databases import copy_database

NAME = "pages"
TITLE = f"Pages compared with their API endpoints: {PROMPTS} prompts on 6 platforms"
_ANSWERS = 1_000_000
_MAX_CPU_MS = 60
_SECONDS = 0.4
_WARM_UP_SECONDS = 1.0
_LIMIT_SECONDS = 600
_IDLE_SECONDS, _IDLE_SHARE = 1.0, 0.1  # of a core
_UNLIMITED = {f"SIGHTLINE_{name}_RATE_PER_MINUTE": "1000000" for name in ("SESSION", "DATA")}


class Pair(msgspec.Struct, frozen=True):
    """One page and its endpoint, round by round, on one connection."""

    name: str
    page_ms: list[float]
    twin_ms: list[float]
    page_cpu_ms: float | None
    """Per request, of the server's process; as the next."""
    twin_cpu_ms: float | None
    page_kb: float
    twin_kb: float

    @property
    def ratios(self) -> list[float]:
        return [twin / page for page, twin in zip(self.page_ms, self.twin_ms, strict=True)]

    @property
    def times(self) -> float:
        return 1 / median(self.ratios)


class PagesResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    pairs: list[Pair]
    weights: list[Weight]
    targets: list[Target]


def measure(environment: BenchEnvironment, plan: Plan) -> PagesResult:
    # Standard output holds the result alone, and parts of the product run in this process.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    own = run_limited(copy_database(environment, "pages"), _LIMIT_SECONDS)
    answers = int(_ANSWERS * plan.share)
    prompts = PROMPTS if plan.share == 1 else PROMPTS // 10
    _print_progress(f"a week of checks of {prompts} prompts, and {answers:,} answers")
    visited = run_limited(build(own, prompts=prompts, answers=answers), _LIMIT_SECONDS)
    with running_api(own, _UNLIMITED) as (api, port):
        server = Server("api", port, api.pid)
        _wait_for_warm_up(api)
        _print_progress("pages and endpoints, in turn")
        try:
            pairs = [_compare(name, *paths, api, server, visited, plan) for name, paths in visited.pairs.items()]
            weights = weigh(server, visited)
        except LoadFailed as error:
            raise Aborted(str(error)) from error
    cpu = {pair.name: pair.page_cpu_ms for pair in pairs if pair.page_cpu_ms is not None}
    targets = []
    if cpu:
        slowest = max(cpu, key=cpu.__getitem__)
        targets.append(to_target(f"{_MAX_CPU_MS} ms", f"the CPU of {slowest}", 1.0, [_MAX_CPU_MS / cpu[slowest]]))
    return PagesResult(NAME, TITLE, pairs, weights, targets)


def _wait_for_warm_up(api: Child) -> None:
    """Wait until the server has loaded what all pages need, which it begins once it listens."""
    used, before = api.cpu_seconds(), None
    while used is not None and (before is None or used - before > _IDLE_SHARE * _IDLE_SECONDS):
        time.sleep(_IDLE_SECONDS)
        used, before = api.cpu_seconds(), used


def _compare(name: str, page: str, twin: str, api: Child, server: Server, visited: Visited, plan: Plan) -> Pair:
    sizes, requests = [], []
    for question in (visited.ask(page), visited.ask(twin)):
        status, _, body = server.get(question.path, question.headers[0])
        if status != 200:
            raise Aborted(f"GET {question.path} was answered with {status}: {body[:600].decode(errors='replace')}")
        sizes.append(len(body) / 1000)
        requests.append(question.as_bytes())
        saturate(server.port, requests[-1], min(_WARM_UP_SECONDS, plan.warm_up_seconds))
    ms: list[list[float]] = [[], []]
    cpu, counts = [0.0, 0.0], [0, 0]
    for number in range(plan.rounds):
        for side in (1, 0) if number % 2 else (0, 1):
            before = api.cpu_seconds()
            load = saturate(server.port, requests[side], min(_SECONDS, plan.seconds))
            cpu[side] += (api.cpu_seconds() or 0) - (before or 0)
            counts[side] += load.requests
            ms[side].append(1000 * load.seconds / load.requests)
    each = [1000 * seconds / count if seconds else None for seconds, count in zip(cpu, counts, strict=True)]
    return Pair(name, *ms, *each, *sizes)


def print_figures(result: PagesResult) -> None:
    head = f"{'CPU ms: page':>15}{'twin':>8}{'kB: page':>10}{'twin':>9}"
    print(f"  {'':<12}{'page ms':>9}{'twin ms':>9}{'times':>8}{head}")
    for pair in result.pairs:
        page_cpu, twin_cpu = (
            "-" if value is None else f"{value:.2f}" for value in (pair.page_cpu_ms, pair.twin_cpu_ms)
        )
        print(
            f"  {pair.name:<12}{median(pair.page_ms):>9.2f}{median(pair.twin_ms):>9.2f}{pair.times:>8.2f}"
            f"{page_cpu:>15}{twin_cpu:>8}{pair.page_kb:>10.1f}{pair.twin_kb:>9.1f}"
        )
    rounds = len(result.pairs[0].page_ms)
    print(f"\n  ms per request on one connection, medians over {rounds} alternating rounds; `times` within a round.\n")
    print(f"  {'':<28}{'kB':>8}{'gzip kB':>9}")
    for weight in result.weights:
        print(f"  {weight.name:<28}{weight.kb:>8.1f}{weight.gzip_kb:>9.1f}")
    print()


def _print_progress(sentence: str) -> None:
    """Print progress to standard error; standard output holds the result alone."""
    print(sentence, file=sys.stderr, flush=True)
