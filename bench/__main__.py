"""`python -m bench [name …]`: runs the benchmarks named, or all of them."""

import argparse
import sys

from bench import asking, domains, reading
from bench.comparison import Aborted, Benchmark, compare
from bench.plan import FULL, QUICK
from bench.process import ServerFailed
from bench.profiling import profile
from bench.report import AnyResult, print_profile, print_result, to_json
from bench.world import open_world
from sightline.db.embedded import EmbeddedError

BENCHMARKS: dict[str, Benchmark] = {benchmark.name: benchmark for benchmark in (domains.BENCHMARK,)}
# These need no server of the product's, and no database.
ALONE = {asking.NAME: asking.measure, reading.NAME: reading.measure}
NAMES = (*BENCHMARKS, *ALONE)


def main() -> int:
    options = _parse_options()
    try:
        return _run(options)
    except KeyboardInterrupt:
        return 130


def _run(options: argparse.Namespace) -> int:
    plan = QUICK if options.quick else FULL
    results: list[AnyResult] = []
    for name in options.names or NAMES:
        try:
            if name in ALONE:
                if options.profile:
                    print(f"{name}: there is no server of the product's to profile", file=sys.stderr)
                    continue
                results.append(ALONE[name](plan))
            else:
                with open_world() as world:
                    if options.profile:
                        print_profile(BENCHMARKS[name], profile(BENCHMARKS[name], world, plan))
                        continue
                    results.append(compare(BENCHMARKS[name], world, plan))
        except (Aborted, EmbeddedError, ServerFailed) as reason:
            print(f"{name}: {reason}", file=sys.stderr)
            return 2
        if not options.json:
            print_result(results[-1])
    if options.json and results:
        print(to_json(results))
    missed = any(not target.met for result in results for target in result.targets)
    return 1 if options.strict and missed else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measures speed, as ratios in one run.")
    parser.add_argument("names", nargs="*", metavar="name", help=f"of {', '.join(NAMES)}; none: all of them")
    parser.add_argument("--quick", action="store_true", help="a short run: shows that it works, too short to quote")
    parser.add_argument("--json", action="store_true", help="the result as JSON instead of a table")
    parser.add_argument("--profile", action="store_true", help="where the product's own server spends its time")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a target is missed")
    options = parser.parse_args()
    if unknown := [name for name in options.names if name not in NAMES]:
        parser.error(f"there is no benchmark {unknown[0]!r}; there are: {', '.join(NAMES)}")
    return options


if __name__ == "__main__":
    sys.exit(main())
