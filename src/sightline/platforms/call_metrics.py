"""What this process counts of its calls to platforms, for Prometheus."""

from functools import cache

from prometheus_client import Counter, Gauge, Histogram

from sightline.platforms.gate import Gate
from sightline.platforms.models import Connector, FaultKind

_LABELS = ["platform", "source"]
_CALLS = Counter(
    "sightline_platform_calls",
    "Calls to platforms by outcome: ok, no_surface (no AI answer was shown), cancelled, or the kind of failure.",
    [*_LABELS, "outcome"],
)
_SECONDS = Histogram(
    "sightline_platform_call_seconds",
    "Time of one call to a platform, to the last byte of its answer.",
    _LABELS,
    buckets=(0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120),
)
_COST = Counter("sightline_platform_cost_dollars", "Known cost of calls to platforms in US dollars.", ["platform"])
_LIMIT = Gauge(
    "sightline_platform_gate_limit",
    "Calls that this worker may have in flight on a platform now. It falls when the platform reports overload.",
    _LABELS,
)
_IN_FLIGHT = Gauge("sightline_platform_calls_in_flight", "Calls of this worker that are in flight.", _LABELS)
# Looking up a counter by its labels takes longer than counting.
_calls, _seconds, _cost = cache(_CALLS.labels), cache(_SECONDS.labels), cache(_COST.labels)


def count_call(
    connector: Connector, seconds: float, outcome: FaultKind | str, *, cost_usd: float | None = None
) -> None:
    """Count one call that was sent."""
    source = "sandbox" if connector.surface == "sandbox" else "live"
    _calls(connector.platform, source, outcome).inc()
    _seconds(connector.platform, source).observe(seconds)
    if cost_usd is not None and cost_usd > 0:
        _cost(connector.platform).inc(cost_usd)


def watch_gate(lane: str, gate: Gate) -> None:
    """Report the limit of the gate of a lane, such as `live.chatgpt`, from now on."""
    source, _, platform = lane.partition(".")
    _LIMIT.labels(platform, source).set_function(lambda: gate.window.limit)
    _IN_FLIGHT.labels(platform, source).set_function(lambda: gate.in_flight)
