"""`python -m bench [name …]`: runs the benchmarks named, or all of them."""

import argparse
import sys

from bench import domains
from bench.comparison import Aborted, Benchmark, compare
from bench.plan import FULL, QUICK
from bench.profiling import profile
from bench.report import print_profile, print_result, to_json
from bench.world import open_world
from sightline.db.embedded import EmbeddedError

BENCHMARKS: dict[str, Benchmark] = {benchmark.name: benchmark for benchmark in (domains.BENCHMARK,)}


def main() -> int:
    options = _parse_options()
    try:
        return _run(options)
    except KeyboardInterrupt:
        return 130


def _run(options: argparse.Namespace) -> int:
    chosen = [BENCHMARKS[name] for name in options.names or BENCHMARKS]
    plan = QUICK if options.quick else FULL
    results = []
    for benchmark in chosen:
        try:
            with open_world() as world:
                if options.profile:
                    print_profile(benchmark, profile(benchmark, world, plan))
                    continue
                result = compare(benchmark, world, plan)
        except (Aborted, EmbeddedError) as reason:
            print(f"{benchmark.name}: {reason}", file=sys.stderr)
            return 2
        results.append(result)
        if not options.json:
            print_result(result)
    if options.json and results:
        print(to_json(results))
    missed = any(not target.met for result in results for target in result.targets)
    return 1 if options.strict and missed else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures speed, as ratios in one run.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(BENCHMARKS)}; none: all of them")
    parser.add_argument("--quick", action="store_true", help="a short run: shows that it works, too short to quote")
    parser.add_argument("--json", action="store_true", help="the result as JSON instead of a table")
    parser.add_argument("--profile", action="store_true", help="where the product's own server spends its time")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a target is missed")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in BENCHMARKS]:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(BENCHMARKS)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
