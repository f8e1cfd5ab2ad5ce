"""Traces with OpenTelemetry, where the extra `otel` is installed and an endpoint is configured. Otherwise free of cost.

Spans are few and written by hand: requests, jobs, calls to platforms and webhooks. Their attributes are ids and names
of ours: never a key, a prompt, an answer, an address of a customer or the text of an error.
"""

import os
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

import structlog

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

log = structlog.get_logger()

SpanKind = Literal["internal", "server", "client", "producer", "consumer"]
Attribute = str | int | bool

_ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
_OFF: AbstractContextManager[None] = nullcontext()
_HEADER = "traceparent"


class _State:
    """The tracer of this process, if there is one."""

    tracer: "Tracer | None" = None
    provider: "TracerProvider | None" = None


def configure_tracing(service: str, version: str) -> bool:
    """Send spans to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names. Return False if nothing is sent.

    Everything else is configured by the variables of OpenTelemetry, such as OTEL_TRACES_SAMPLER. A collector that does
    not answer costs nothing but the spans: they are sent by a thread, and dropped when too many wait.
    """
    if _State.tracer is not None or not any(os.environ.get(name) for name in _ENDPOINTS):
        return _State.tracer is not None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        log.warning("tracing_not_installed", remedy="install the extra otel, or unset OTEL_EXPORTER_OTLP_ENDPOINT")
        return False
    name = os.environ.get("OTEL_SERVICE_NAME") or service
    resource = Resource.create({"service.name": name, "service.version": version})
    _State.provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    _State.provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _State.tracer = _State.provider.get_tracer("sightline", version)
    return True


def stop_tracing() -> None:
    """Send what waits, for a few seconds at most, and stop."""
    if _State.provider is not None:
        _State.provider.force_flush(5_000)
        _State.provider.shutdown()
    _State.tracer = _State.provider = None


def start_span(
    name: str,
    kind: SpanKind = "internal",
    *,
    parent: str | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> "AbstractContextManager[Span | None]":
    """Return a span as a context manager: a child of `parent`, a `traceparent`, or of the current span.

    It yields None while tracing is off. An exception marks the span as failed with its type alone.
    """
    if _State.tracer is None:
        return _OFF
    return _open_span(_State.tracer, name, kind, parent, attributes)


def _open_span(
    tracer: "Tracer", name: str, kind: SpanKind, parent: str | None, attributes: Mapping[str, Attribute] | None
) -> "AbstractContextManager[Span]":
    from opentelemetry.trace import SpanKind as Kind

    return _SafeSpan(
        tracer.start_as_current_span(
            name,
            context=_read_parent(parent),
            kind=Kind[kind.upper()],
            attributes=attributes,
            record_exception=False,
            set_status_on_exception=False,
        )
    )


class _SafeSpan(AbstractContextManager["Span"]):
    """A span that records the type of an exception, and not its message, which may quote what a customer sent."""

    def __init__(self, opened: "AbstractContextManager[Span]") -> None:
        self._opened = opened

    def __enter__(self) -> "Span":
        self._span = self._opened.__enter__()
        return self._span

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # A span that is not sampled does not record, and has no status.
        if kind is not None and self._span.is_recording() and self._span.status.is_ok:  # type: ignore[attr-defined]
            mark_failed(self._span, kind.__name__)
        self._opened.__exit__(kind, error, trace)


def mark_failed(span: "Span | None", reason: str) -> None:
    """Mark a span as failed. The reason is a code or the name of a type."""
    if span is None:
        return
    from opentelemetry.trace import Status, StatusCode

    span.set_attribute("error.type", reason)
    span.set_status(Status(StatusCode.ERROR, reason))


def _read_parent(traceparent: str | None) -> Any:
    """Return the context of a `traceparent`. One that cannot be read is ignored, as W3C says."""
    if traceparent is None:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({_HEADER: traceparent})


def current_traceparent() -> str | None:
    """Return the current trace context as W3C writes it; None while tracing is off or outside any span."""
    if _State.tracer is None:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get(_HEADER)


def current_trace_ids() -> dict[str, str]:
    """Return the ids of the current trace and span for a log line; nothing while tracing is off."""
    traceparent = current_traceparent()
    if traceparent is None:
        return {}
    _, trace_id, span_id, _ = traceparent.split("-")
    return {"trace_id": trace_id, "span_id": span_id}
