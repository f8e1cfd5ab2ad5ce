"""The same reads of the same domain on two databases, in turn. They differ only in what else is stored."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from statistics import median
from typing import Any

import msgspec

from bench.comparison import Aborted, Question
from bench.engine.cpu import postgres_cpu_seconds
from bench.engine.installation import Child, running_api
from bench.environment import BenchEnvironment
from bench.load import LoadFailed, saturate
from bench.plan import Plan
from bench.process import Server
from bench.tracking.brand import Brand

_SECONDS = 0.4
_WARM_UP_SECONDS = 0.5
# A check a day: the trend goes back a year.
_LEAST_POINTS = 360


class Side(msgspec.Struct, frozen=True):
    """One read on one of the two databases, round by round."""

    ms: list[float]
    api_cpu_ms: float | None
    """Per request, as the next."""
    postgresql_cpu_ms: float | None


class Read(msgspec.Struct, frozen=True):
    name: str
    kilobytes: float | None
    small: Side
    large: Side

    @property
    def ratios(self) -> list[float]:
        return [small / large for small, large in zip(self.small.ms, self.large.ms, strict=True)]

    @property
    def growth(self) -> float:
        return 1 / median(self.ratios)


class _Running(msgspec.Struct, frozen=True):
    environment: BenchEnvironment
    api: Child
    server: Server


class _Turn(msgspec.Struct, frozen=True):
    requests: int
    seconds: float
    api_cpu: float | None
    postgresql_cpu: float | None


def list_paths(brand: Brand) -> Mapping[str, str]:
    domain = f"/api/v1/ext/domains/{brand.owned.domain_id}"
    return {
        "scoreboard": f"{domain}/analytics",
        "one check": f"{domain}/analytics?scan_id={brand.scans['full_check']}",
        "prompts": f"{domain}/prompts",
        "checks": f"{domain}/scans",
    }


def compare_reads(small: BenchEnvironment, large: BenchEnvironment, brand: Brand, plan: Plan) -> list[Read]:
    with ExitStack() as stack:
        sides = [_start(stack, environment, name) for environment, name in ((small, "small"), (large, "large"))]
        try:
            return [_compare(name, path, sides, brand, plan) for name, path in list_paths(brand).items()]
        except LoadFailed as error:
            raise Aborted(str(error)) from error


def _start(stack: ExitStack, environment: BenchEnvironment, name: str) -> _Running:
    api, port = stack.enter_context(running_api(environment, {}))
    return _Running(environment, api, Server(name, port, api.pid))


def _compare(name: str, path: str, sides: list[_Running], brand: Brand, plan: Plan) -> Read:
    question = Question(path, [{"X-API-Key": brand.owned.key}])
    size = _require_same(name, sides, question)
    requests = question.as_bytes()
    for side in sides:
        saturate(side.server.port, requests, _WARM_UP_SECONDS)
    turns: dict[str, list[_Turn]] = {side.server.name: [] for side in sides}
    for number in range(plan.rounds):
        for side in reversed(sides) if number % 2 else sides:
            turns[side.server.name].append(_take_turn(side, requests))
    return Read(name, size / 1000, *(_to_side(turns[side.server.name]) for side in sides))


def _require_same(name: str, sides: list[_Running], question: Question) -> int:
    """Abort unless both responses are the same."""
    answers = [_get(side, question) for side in sides]
    if answers[0] != answers[1]:
        raise Aborted(f"{name}: the two databases give different answers")
    data = answers[0]["data"]
    if isinstance(data, dict) and len(data["trend"]) < _LEAST_POINTS:
        raise Aborted(f"{name}: the trend has only {len(data['trend'])} points")
    return len(json.dumps(data, separators=(",", ":")))


def _get(side: _Running, question: Question) -> dict[str, Any]:
    status, _, body = side.server.get(question.path, question.headers[0])
    if status != 200:
        raise Aborted(f"GET {question.path} was answered with {status}: {body[:600].decode(errors='replace')}")
    answer: dict[str, Any] = json.loads(body)
    return {key: value for key, value in answer.items() if key == "data"}


def _take_turn(side: _Running, requests: list[bytes]) -> _Turn:
    """Measure on one connection, so that a request waits for no other."""
    before = side.api.cpu_seconds(), postgres_cpu_seconds(side.environment)
    load = saturate(side.server.port, requests, _SECONDS)
    after = side.api.cpu_seconds(), postgres_cpu_seconds(side.environment)
    return _Turn(load.requests, load.seconds, *(_less(*both) for both in zip(after, before, strict=True)))


def _less(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before


def _to_side(turns: list[_Turn]) -> Side:
    requests = sum(turn.requests for turn in turns)
    return Side(
        [1000 * turn.seconds / turn.requests for turn in turns],
        _per_request([turn.api_cpu for turn in turns], requests),
        _per_request([turn.postgresql_cpu for turn in turns], requests),
    )


def _per_request(seconds: list[float | None], requests: int) -> float | None:
    """Average over all rounds, because the clock of CPU time ticks every ten milliseconds."""
    known = [each for each in seconds if each is not None]
    return 1000 * sum(known) / requests if len(known) == len(seconds) else None
