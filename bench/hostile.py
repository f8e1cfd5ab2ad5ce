"""`hostile`: what a well-behaved tenant notices while others attack the same server process."""

import http.client
import json
import math
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import msgspec

from bench.attack.orders import BOOTSTRAPS, IMPORTED_PROMPTS, PARTIES, SLOW_HEADERS, STREAMS, AttackingWorkspace, Orders
from bench.attack.parties import format_wrong_import, format_wrong_preview
from bench.attack.setup import WORKSPACES, Scene, set_up
from bench.comparison import Aborted, Target
from bench.engine.installation import Child, run_limited, running_api, running_fake
from bench.engine.targets import to_target
from bench.environment import BenchEnvironment
from bench.load import LoadFailed, pace
from bench.plan import Plan
from bench.process import Server, ServerFailed
from bench.tracking.databases import create_database

NAME = "hostile"
TITLE = (
    f"A page of one tenant, while others send {BOOTSTRAPS} bootstraps at once, {SLOW_HEADERS} slow headers, "
    f"{STREAMS:,} streams of {WORKSPACES} workspaces,\ntests of a slow webhook, large wrong "
    f"bodies, and imports of {IMPORTED_PROMPTS} prompts, to one process"
)
_RATE = 20
_CONNECTIONS = 8
_TIMES, _ENOUGH_MS = 3, 50.0
_WRONG_BODIES = {"preview": format_wrong_preview, "import": format_wrong_import}
_WRONG_BODIES_SENT, _WRONG_BODY_MS = 30, 50.0
_BEGIN_SECONDS = 2
_LIMIT_SECONDS = 300
# Limits are as in production, but for the tenant, who reads more often than a person does. Scans do not end.
_SETTINGS = {
    "SIGHTLINE_SESSION_RATE_PER_MINUTE": "1000000",
    "SIGHTLINE_WEBHOOK_ALLOW_LOOPBACK": "1",
    "SIGHTLINE_SANDBOX_LATENCY_MS": "3000000",
    "SIGHTLINE_ASK_TIMEOUT": "3600",
    "SIGHTLINE_ASK_DEADLINE": "3600",
    "SIGHTLINE_LOG_LEVEL": "warning",
}
_AS_IN_PRODUCTION = (
    "SIGHTLINE_CONSOLE_RATE_PER_MINUTE",
    "SIGHTLINE_CONSOLE_RATE_PER_MONTH",
    "SIGHTLINE_HTTP_CONNECTIONS_PER_ADDRESS",
)


class HostileFigures(msgspec.Struct, frozen=True):
    """The tenant's 99th percentile in milliseconds, round by round; null where responses failed or were missing."""

    version: str
    alone_ms: list[float | None]
    attacked_ms: list[float | None]
    wrong_body_ms: dict[str, float]
    """CPU time of the server for one wrong body of the largest size that it reads."""
    errors: list[str]
    answers: dict[str, dict[str, int]]
    """What each party of attackers was answered, by status."""

    @property
    def alone(self) -> float:
        return median(_or_endless(self.alone_ms))

    @property
    def attacked(self) -> float:
        return median(_or_endless(self.attacked_ms))

    @property
    def limit(self) -> float:
        return _ENOUGH_MS if math.isinf(self.alone) else max(_TIMES * self.alone, _ENOUGH_MS)

    @property
    def is_met(self) -> bool:
        return not self.errors and self.attacked <= self.limit


class HostileResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    figures: list[HostileFigures]
    targets: list[Target]


def measure(environment: BenchEnvironment, plan: Plan, *, before: Path | None = None) -> HostileResult:
    """Measure this version and, where a checkout is given, the one before it with its own code."""
    versions = {"before": before, "now": None} if before else {"now": None}
    figures = [_measure(environment, plan, version, checkout) for version, checkout in versions.items()]
    now = figures[-1]
    # A round with errors has no time, which is none of the time allowed.
    within = [0.0 if attacked is None else now.limit / attacked for attacked in now.attacked_ms]
    target = to_target("the allowed time", "the tenant's p99 under attack", 1.0, within)
    if now.errors:
        target = msgspec.structs.replace(target, got=0.0)
    bounded = _WRONG_BODY_MS / max(now.wrong_body_ms.values())
    return HostileResult(NAME, TITLE, figures, [target, to_target("50 ms", "the CPU of a wrong body", 1.0, [bounded])])


def _measure(environment: BenchEnvironment, plan: Plan, version: str, checkout: Path | None) -> HostileFigures:
    own = run_limited(create_database(environment, f"hostile_{version}"), _LIMIT_SECONDS)
    for limit in _AS_IN_PRODUCTION:
        own.variables.pop(limit)
    settings = {**_SETTINGS, **({"PYTHONPATH": str(checkout / "src")} if checkout else {})}
    with (
        running_fake("receiver", own, "bench.attack.receiver") as (_, receiver_port),
        running_api(own, settings, command="serve") as (server, port),
    ):
        _print_progress(f"{version}: {WORKSPACES + 1} workspaces")
        scene = run_limited(set_up(own.database_url, port, receiver_port), _LIMIT_SECONDS, server)
        return _alternate(scene, server, port, plan, version)


def _alternate(scene: Scene, server: Child, port: int, plan: Plan, version: str) -> HostileFigures:
    seconds = 4 * plan.paced_seconds
    orders = Orders(port, seconds, scene.workspaces, scene.webhook_key, scene.webhook_id)
    measured = Server("serve", port, server.pid)
    _read_pages(scene, port, plan.warm_up_seconds, HostileFigures("", [], [], {}, [], {}))
    wrong = {name: _measure_wrong_body(measured, build, scene) for name, build in _WRONG_BODIES.items()}
    figures = HostileFigures(version, [], [], wrong, [], {party: {} for party in PARTIES})
    for number in range(plan.engine_rounds):
        figures.alone_ms.append(_read_pages(scene, port, seconds, figures))
        with _attacking(orders, figures):
            time.sleep(_BEGIN_SECONDS)
            figures.attacked_ms.append(_read_pages(scene, port, seconds, figures))
        figures_of_round = (_to_ms(value[-1]) for value in map(_or_endless, (figures.alone_ms, figures.attacked_ms)))
        _print_progress(f"{version}, round {number + 1} of {plan.engine_rounds}: " + " and ".join(figures_of_round))
        _wait_until_calm(measured)
    return figures


def _measure_wrong_body(server: Server, build: Callable[[AttackingWorkspace], bytes], scene: Scene) -> float:
    """Return the CPU time of the server for a request with a wrong body, in milliseconds."""
    before = server.cpu_seconds()
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        for number in range(_WRONG_BODIES_SENT):
            connection.sendall(build(scene.workspaces[-1 - number % 10]))
            response = http.client.HTTPResponse(connection)
            response.begin()
            if response.status != 422:
                raise Aborted(f"a wrong body was answered with {response.status}")
            response.read()
    after = server.cpu_seconds()
    assert before is not None and after is not None
    return 1000 * (after - before) / _WRONG_BODIES_SENT


def _read_pages(scene: Scene, port: int, seconds: float, figures: HostileFigures) -> float | None:
    """Return the 99th percentile of a round in milliseconds, or None with the error noted."""
    try:
        latencies = pace(port, [scene.page] * _CONNECTIONS, seconds, _RATE)
    except (LoadFailed, OSError) as error:
        figures.errors.append(str(error).splitlines()[0] if str(error) else type(error).__name__)
        _print_progress(figures.errors[-1])
        return None
    return 1000 * sorted(latencies)[math.ceil(0.99 * len(latencies)) - 1]


@contextmanager
def _attacking(orders: Orders, figures: HostileFigures) -> Iterator[None]:
    encoded = msgspec.json.encode(orders).decode()
    attackers = {
        party: subprocess.Popen(
            [sys.executable, "-m", "bench.attack.parties", party, encoded], stdout=subprocess.PIPE, text=True
        )
        for party in PARTIES
    }
    try:
        for attacker in attackers.values():
            assert attacker.stdout is not None
            attacker.stdout.readline()
        yield
    finally:
        for attacker in attackers.values():
            attacker.terminate()
        for party, attacker in attackers.items():
            printed, _ = attacker.communicate(timeout=_LIMIT_SECONDS)
            if attacker.returncode != 0:
                raise Aborted(f"the attackers {party!r} ended with {attacker.returncode}")
            figures.answers[party] = dict(Counter(figures.answers[party]) + Counter(json.loads(printed)))


def _wait_until_calm(server: Server) -> None:
    """Wait until what the attackers left behind is done, so that the next round alone is one."""
    deadline, calm = time.monotonic() + _LIMIT_SECONDS, 0
    while calm < 10:
        if time.monotonic() > deadline:
            raise ServerFailed("the server did not recover from an attack")
        started = time.perf_counter()
        try:
            status, _, _ = server.get("/readyz", {})
        except OSError:
            status = 0
        calm = calm + 1 if status == 200 and time.perf_counter() - started < 0.25 else 0
        time.sleep(0.1)


def print_figures(result: HostileResult) -> None:
    print(f"  {'':<10}{'p99 alone':>12}{'attacked':>12}{'allowed':>12}{'errors':>9}")
    for each in result.figures:
        verdict = "pass" if each.is_met else "FAIL"
        row = "".join(f"{_to_ms(value):>12}" for value in (each.alone, each.attacked, each.limit))
        print(f"  {each.version:<10}{row}{len(each.errors):>9}   {verdict}")
    rounds = len(result.figures[0].alone_ms)
    print(
        f"\n  ms from the time a request was due, {_RATE} a second; medians of {rounds} alternating rounds. Allowed: "
        f"{_TIMES} times\n  the p99 alone, or {_ENOUGH_MS:.0f} ms if that is more, and no errors.\n"
    )
    for each in result.figures:
        costs = ", ".join(f"{name} {value:.1f} ms" for name, value in each.wrong_body_ms.items())
        print(f"  {each.version}: CPU of a wrong body of the largest size: {costs}; allowed {_WRONG_BODY_MS:.0f} ms")
        for error, count in Counter(each.errors).items():
            print(f"  {each.version}: {count} times: {error}")
        for party, answers in each.answers.items():
            counts = ", ".join(f"{status}: {count:,}" for status, count in sorted(answers.items()))
            print(f"  {each.version}: {party} got {counts or 'no answer'}")
    print()


def _or_endless(values: list[float | None]) -> list[float]:
    return [math.inf if value is None else value for value in values]


def _to_ms(value: float) -> str:
    return "-" if math.isinf(value) else f"{value:.1f}"


def _print_progress(sentence: str) -> None:
    """Print progress to standard error; standard output holds the result alone."""
    print(sentence, file=sys.stderr, flush=True)
