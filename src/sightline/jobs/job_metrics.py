"""Prometheus metrics of the jobs that this process runs."""

from functools import cache
from typing import Literal

from prometheus_client import Counter, Histogram

Outcome = Literal["done", "put_back", "failed", "held"]

_RUNS = Counter(
    "sightline_job_runs",
    "Runs of jobs by outcome: done, put back without a failure, failed, or held after too many failures.",
    ["kind", "outcome"],
)
_SECONDS = Histogram(
    "sightline_job_seconds",
    "Time of one run of a job.",
    ["kind"],
    buckets=(0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300),
)
# Looking up a counter by its labels takes longer than counting.
_runs, _seconds = cache(_RUNS.labels), cache(_SECONDS.labels)


def count_run(kind: str, outcome: Outcome, seconds: float) -> None:
    _runs(kind, outcome).inc()
    _seconds(kind).observe(seconds)
