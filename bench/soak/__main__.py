"""`python -m bench.soak --minutes 60`: exits with 1 if a working table or an index grows."""

import argparse
import logging
import signal
import sys
from pathlib import Path

import structlog

import bench.soak
from bench.comparison import Aborted
from bench.environment import open_environment
from bench.process import ServerFailed
from bench.soak.findings import judge, print_findings
from bench.soak.run import run_soak


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: no server is left behind
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    options = _parse_options()
    try:
        with open_environment() as environment:
            findings = judge(run_soak(environment, minutes=options.minutes, file=options.samples))
    except (Aborted, ServerFailed) as reason:
        print(reason, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print_findings(findings)
    return 1 if findings.growing else 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=bench.soak.__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="how long the load lasts")
    parser.add_argument("--samples", type=Path, metavar="FILE", help="write every sample as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
