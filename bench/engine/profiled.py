"""`python -m bench.engine.profiled FILE`: a worker under cProfile, measured in CPU time, so that waiting costs nothing.

Only the process of the worker is profiled; its analyzer process is not part of the figures.
"""

import cProfile
import sys
import time

import sightline.worker.run  # noqa: F401 - the worker imports it on startup, which is not to be profiled
from sightline.cli.serving import worker


def main() -> None:
    profiler = cProfile.Profile(time.process_time)
    try:
        profiler.runcall(worker)
    finally:
        profiler.dump_stats(sys.argv[1])


if __name__ == "__main__":
    main()
