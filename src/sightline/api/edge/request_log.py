"""One log line and two metrics per request. The line has ids only: never a key, a cookie, a password or a body.

Lines of callers who are turned away have the level debug, so that nobody fills the log; the metrics count them.
"""

import time

import structlog
from prometheus_client import Counter, Histogram

from sightline.api.edge.exchange import Exchange
from sightline.api.edge.responses import ApiResponse, StreamedResponse

log = structlog.get_logger()

_REQUESTS = Counter("sightline_requests_total", "API requests", ["operation", "status"])
_SECONDS = Histogram(
    "sightline_request_seconds",
    "Time from the first byte of a request to its answer",
    ["operation"],
    buckets=(0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
_DEGRADED = Counter("sightline_degraded_reads", "Reads that were answered from a saved copy, or as an empty list.")


def record_request(exchange: Exchange, response: ApiResponse | StreamedResponse, started: float) -> None:
    seconds = time.perf_counter() - started
    operation = exchange.operation.name if exchange.operation else "unknown"
    _REQUESTS.labels(operation, response.status).inc()
    _SECONDS.labels(operation).observe(seconds)
    if exchange.degraded and response.status == 200:
        _DEGRADED.inc()
    if exchange.workspace_id is not None and exchange.key_id is not None:
        exchange.app_context.usage.count(exchange.workspace_id, exchange.key_id, response.status, now=exchange.now)
    actor = exchange.actor_or_none
    emit = log.debug if exchange.turned_away else log.info
    emit(
        "request",
        request_id=exchange.request_id,
        method=exchange.scope["method"],
        route=exchange.operation.full_path if exchange.operation else None,
        status=response.status,
        duration_ms=round(seconds * 1000, 2),
        workspace_id=str(actor.workspace_id) if actor else _text(exchange.workspace_id),
        key_id=_text(exchange.key_id),
        degraded=exchange.degraded or None,
    )


def _text(value: object) -> str | None:
    return None if value is None else str(value)
