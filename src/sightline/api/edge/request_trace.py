"""The span of a request, for OpenTelemetry.

Every request starts a trace of its own: a caller from outside must not decide what is recorded here.
"""

from contextlib import AbstractContextManager
from typing import Any

from sightline.api.edge.exchange import Exchange
from sightline.kit.tracing import mark_failed, start_span


def trace_request(exchange: Exchange) -> AbstractContextManager[Any]:
    """Return the span of a request. It names the operation, never a path, a key or a body."""
    method, operation = exchange.scope["method"], exchange.operation
    route = operation.full_path if operation else "unknown"
    about = {
        "http.request.method": method,
        "http.route": route,
        "sightline.operation": operation.name if operation else "unknown",
    }
    return start_span(f"{method} {route}", "server", attributes=about)


def record_response(span: Any, exchange: Exchange, status: int) -> None:
    """Add what is known only at the end. The request id may come from the client, which is authenticated by now."""
    if span is not None:
        span.set_attribute("sightline.request_id", exchange.request_id)
        span.set_attribute("http.response.status_code", status)
        if status >= 500:
            mark_failed(span, str(status))
