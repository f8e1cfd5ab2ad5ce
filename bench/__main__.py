"""`python -m bench [name …]`: runs the benchmarks named, or all of them."""

import argparse
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from bench import (
    admission,
    analyze,
    ask,
    compression,
    domains,
    engine,
    full_check,
    hostile,
    ledger,
    pages,
    phrases,
    sentiment,
    tracking,
    webhooks,
)
from bench.comparison import Aborted, Benchmark, compare
from bench.environment import BenchEnvironment, open_environment
from bench.page_tables import build_tables
from bench.plan import FULL, QUICK, Plan
from bench.process import ServerFailed
from bench.profiling import profile
from bench.report import AnyResult, print_profile, print_result, to_json
from bench.results import NotCommitted, find_commit, save_result
from sightline.db.embedded import EmbeddedError

BENCHMARKS: dict[str, Benchmark] = {
    benchmark.name: benchmark for benchmark in (domains.BENCHMARK, compression.BENCHMARK)
}
# These need no server of the product's, and no database.
ALONE: dict[str, Callable[[Plan], AnyResult]] = {
    ask.NAME: ask.measure,
    analyze.NAME: analyze.measure,
    sentiment.NAME: sentiment.measure,
    phrases.NAME: phrases.measure,
}
# These run the product as an operator does, and have rounds of their own.
WHOLE: dict[str, Callable[[BenchEnvironment, Plan], AnyResult]] = {
    admission.NAME: admission.measure,
    engine.NAME: engine.measure,
    full_check.NAME: full_check.measure,
    hostile.NAME: hostile.measure,
    ledger.NAME: ledger.measure,
    pages.NAME: pages.measure,
    tracking.NAME: tracking.measure,
    webhooks.NAME: webhooks.measure,
}
NAMES = (*BENCHMARKS, *ALONE, *WHOLE)
# Parts of a benchmark, for work on one of them. They run only when they are named.
PARTS: dict[str, Callable[[BenchEnvironment, Plan], AnyResult]] = {
    f"{engine.NAME}-{part}": partial(engine.measure, parts=(part,)) for part in engine.PARTS
}


def main() -> int:
    options = _parse_options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: no server is left behind
    try:
        return _run(options)
    except NotCommitted as reason:
        print(reason, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


def _run(options: argparse.Namespace) -> int:
    plan = QUICK if options.quick else FULL
    if options.save:
        find_commit()  # refused now, and not after half an hour
    results: list[AnyResult] = []
    for name in options.names or NAMES:
        try:
            if options.profile:
                _profile(name, plan)
                continue
            results.append(_measure(name, plan, options.before))
        except (Aborted, EmbeddedError, ServerFailed) as reason:
            print(f"{name}: {reason}", file=sys.stderr)
            return 2
        tables = build_tables(results[-1])
        if options.save:
            save_result(name, tables)
        if not options.json:
            print_result(results[-1])
    if options.json and results:
        print(to_json(results))
    missed = any(not target.met for result in results for target in result.targets)
    return 1 if options.strict and missed else 0


def _measure(name: str, plan: Plan, before: Path | None) -> AnyResult:
    if name in ALONE:
        return ALONE[name](plan)
    with open_environment() as environment:
        if name in BENCHMARKS:
            return compare(BENCHMARKS[name], environment, plan)
        if name == hostile.NAME:
            return hostile.measure(environment, plan, before=before)
        return {**WHOLE, **PARTS}[name](environment, plan)


def _profile(name: str, plan: Plan) -> None:
    if name not in BENCHMARKS and name != engine.NAME:
        print(f"{name}: there is no server of the product's to profile", file=sys.stderr)
        return
    with open_environment() as environment:
        if name == engine.NAME:
            print_profile(f"{engine.TITLE}: the worker", engine.profile(environment, plan), per="answer")
        else:
            benchmark = BENCHMARKS[name]
            title = f"{benchmark.title}: the server {next(iter(benchmark.servers))!r}"
            print_profile(title, profile(benchmark, environment, plan))


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures speed, as ratios in one run.")
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"{', '.join(NAMES)} (default: all), {', '.join(PARTS)}"
    )
    parser.add_argument("--quick", action="store_true", help="a short run: shows that it works, too short to quote")
    parser.add_argument(
        "--before", type=Path, metavar="CHECKOUT", help="hostile: measure the code of another checkout first"
    )
    parser.add_argument("--json", action="store_true", help="the result as JSON instead of a table")
    parser.add_argument("--profile", action="store_true", help="where the product's own server spends its time")
    parser.add_argument("--save", action="store_true", help="write bench/results and docs/operate/benchmarks.md")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a target is missed")
    options = parser.parse_args()
    if options.save and (options.quick or options.profile or not {*options.names} <= {*NAMES}):
        parser.error("--save is for whole benchmarks in their full form")
    if unknown := [name for name in options.names if name not in {*NAMES, *PARTS}]:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are: {', '.join((*NAMES, *PARTS))}")
    return options


if __name__ == "__main__":
    sys.exit(main())
