"""One trace from a request to the webhook that it causes, as a collector on the loopback interface receives it."""

import asyncio
import gzip
import sys

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from prometheus_client import REGISTRY
from structlog.testing import capture_logs

from sightline.kit import tracing
from sightline.kit.logging import add_trace_ids
from tests.fakes.receiver import Receiver
from tests.installation import Installation
from tests.running_worker import Console, until, working

PROMPT = "which crm suits a zebra farm"


def decode_spans(collector):
    """Return the received spans by id, and the bytes that were sent."""
    bodies = [gzip.decompress(each.body) if each.headers.get("content-encoding") else each.body for each in collector]
    exports = [ExportTraceServiceRequest.FromString(body) for body in bodies]
    spans = [span for export in exports for group in export.resource_spans for scope in group.scope_spans
             for span in scope.spans]  # fmt: skip
    return {span.span_id: span for span in spans}, b"".join(bodies)


def list_ancestors(spans, span):
    names = []
    while span is not None:
        names.append(span.name)
        span = spans.get(span.parent_span_id)
    return names


@pytest.fixture
async def collector(monkeypatch):
    async with Receiver() as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url(""))
        assert tracing.configure_tracing("sightline-test", "1")
        yield receiver
        tracing.stop_tracing()


def read_counts():
    """Return what this process has counted of the work of a scan."""
    chatgpt = {"platform": "chatgpt", "source": "sandbox"}
    series = {
        "calls": ("sightline_platform_calls_total", {**chatgpt, "outcome": "ok"}),
        "timed calls": ("sightline_platform_call_seconds_count", chatgpt),
        "answers": ("sightline_answers_stored_total", {"platform": "chatgpt", "status": "ok"}),
        "jobs": ("sightline_job_runs_total", {"kind": "scan.finish", "outcome": "done"}),
        "webhooks": ("sightline_webhook_attempt_seconds_count", {"outcome": "ok"}),
    }
    return {name: REGISTRY.get_sample_value(*each) or 0 for name, each in series.items()}


async def test_a_trace_leads_from_the_request_to_the_webhook(database_url, tmp_path, collector):
    before = read_counts()
    async with (
        Installation.open(database_url, tmp_path, webhook_allow_loopback=True, sandbox_latency_ms=0) as installation,
        Receiver() as customer,
    ):
        tenant = await installation.tenant()
        async with Console(installation, tenant.test) as console, working(installation):
            made = await console.post("/webhooks", {"url": customer.url(), "event_types": ["scan.completed"]})
            assert made.status_code == 201, made.text
            domain = await console.domain()
            await console.submit(domain, platforms=["chatgpt"], keywords=[PROMPT])

            async def delivered():
                return customer.received

            await until(delivered)
    await asyncio.to_thread(tracing.stop_tracing)
    spans, sent = decode_spans(collector.received)
    _, trace_id, span_id, _ = customer.received[0].headers["traceparent"].split("-")
    webhook = spans[bytes.fromhex(span_id)]
    ancestors = list_ancestors(spans, webhook)
    assert ancestors == [
        "send webhook",
        "job webhook.deliver",
        "job event",
        "job scan.finish",
        "job cell.sandbox.chatgpt",
        "job scan.start",
        "POST /api/v1/console/scans",
    ]
    trace = [span for span in spans.values() if span.trace_id.hex() == trace_id]
    assert "ask chatgpt" in {span.name for span in trace}
    counted = {name: value - before[name] for name, value in read_counts().items()}
    assert counted == {"calls": 1, "timed calls": 1, "answers": 1, "jobs": 1, "webhooks": 1}
    gate = REGISTRY.get_sample_value("sightline_platform_gate_limit", {"platform": "chatgpt", "source": "sandbox"})
    assert gate is not None
    for secret in (PROMPT, tenant.test, customer.url(), "acme.com"):
        assert secret.encode() not in sent


async def test_the_span_of_a_request_has_the_request_id_of_the_response(installation, collector):
    tenant = await installation.tenant()
    async with Console(installation, tenant.test) as console:
        response = await console.get("/domains", headers={"X-Request-Id": "find-me"})
    assert response.headers["x-request-id"] == "find-me"
    await asyncio.to_thread(tracing.stop_tracing)
    spans, _ = decode_spans(collector.received)
    ((request_id,),) = [
        [each.value.string_value for each in span.attributes if each.key == "sightline.request_id"]
        for span in spans.values()
    ]
    assert request_id == "find-me"


async def test_an_exception_leaves_its_type_alone_and_logs_have_the_trace(collector):
    line = {}

    def fail():
        with tracing.start_span("job x"):
            line.update(add_trace_ids(None, "info", {"event": "x"}))
            raise ValueError("the zebra's password")

    with pytest.raises(ValueError, match="zebra"):
        fail()
    await asyncio.to_thread(tracing.stop_tracing)
    spans, sent = decode_spans(collector.received)
    (ended,) = spans.values()
    assert (line["trace_id"], line["span_id"]) == (ended.trace_id.hex(), ended.span_id.hex())
    assert ended.status.message == "ValueError" and b"zebra" not in sent


async def test_an_exception_passes_through_a_span_that_is_not_sampled(collector, monkeypatch):
    tracing.stop_tracing()
    monkeypatch.setenv("OTEL_TRACES_SAMPLER", "always_off")
    assert tracing.configure_tracing("sightline-test", "1")
    with pytest.raises(KeyError), tracing.start_span("job x"):
        raise KeyError
    assert tracing.current_traceparent() is None, "the span is no longer the current one"
    await asyncio.to_thread(tracing.stop_tracing)
    assert not collector.received


async def test_without_an_endpoint_or_without_the_extra_nothing_is_traced(monkeypatch):
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    assert not tracing.configure_tracing("sightline-test", "1")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    # As where the extra is not installed.
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with capture_logs() as logs:
        assert not tracing.configure_tracing("sightline-test", "1")
    assert logs[0]["event"] == "tracing_not_installed"
    with tracing.start_span("job x") as span:
        assert span is None and tracing.current_traceparent() is None
