"""`python -m bench.engine.profiled FILE`: a worker under cProfile. Counts CPU time: a worker that waits costs nothing.

The worker's own process alone; the one that reads answers for it is not in the figures.
"""

import cProfile
import sys
import time

import sightline.worker.run  # noqa: F401 - imported by the worker itself when it starts, which is not what we look for
from sightline.cli.serving import worker


def main() -> None:
    profiler = cProfile.Profile(time.process_time)
    try:
        profiler.runcall(worker)
    finally:
        profiler.dump_stats(sys.argv[1])


if __name__ == "__main__":
    main()
