"""Endpoints for monitoring: health, readiness, version and metrics."""

from typing import Any

from litestar import Response, get
from litestar.connection import Request
from litestar.datastructures import State

from sightline import __version__
from sightline.monitoring.endpoints import MonitoringReply, report_health, report_metrics, report_readiness


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def health() -> Response[bytes]:
    return _to_response(report_health())


@get("/readyz", include_in_schema=False)
async def readiness(state: State) -> Response[bytes]:
    return _to_response(await report_readiness(state.app_context.db))


@get("/version", include_in_schema=False, sync_to_thread=False)
def version() -> dict[str, str]:
    return {"name": "sightline", "version": __version__, "api": "v1"}


@get("/metrics", include_in_schema=False)
async def metrics(request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """Return the metrics for Prometheus, without names, to those who may read them."""
    authorization = request.headers.get("authorization", "")
    peer = request.client.host if request.client else None
    return _to_response(await report_metrics(state.monitor, state.app_context.settings, authorization, peer))


def _to_response(reply: MonitoringReply) -> Response[bytes]:
    return Response(reply.body, status_code=reply.status, media_type=reply.content_type, headers=dict(reply.headers))
