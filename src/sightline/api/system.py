"""Endpoints for monitoring: health, readiness, version and metrics."""

import msgspec
from starlette.responses import Response

from sightline import __version__
from sightline.api.site_routes import SiteRequest, read
from sightline.monitoring.endpoints import MonitoringReply, report_health, report_metrics, report_readiness


@read("/healthz")
async def health(_: SiteRequest) -> Response:
    return _to_response(report_health())


@read("/readyz")
async def readiness(request: SiteRequest) -> Response:
    return _to_response(await report_readiness(request.app.state.app_context.db))


@read("/version")
async def version(_: SiteRequest) -> Response:
    found = {"name": "sightline", "version": __version__, "api": "v1"}
    return Response(msgspec.json.encode(found), media_type="application/json")


@read("/metrics")
async def metrics(request: SiteRequest) -> Response:
    """Return the metrics for Prometheus, without names, to those who may read them."""
    state = request.app.state
    authorization = request.headers.get("authorization", "")
    peer = request.client.host if request.client else None
    return _to_response(await report_metrics(state.monitor, state.app_context.settings, authorization, peer))


def _to_response(reply: MonitoringReply) -> Response:
    return Response(reply.body, status_code=reply.status, media_type=reply.content_type, headers=dict(reply.headers))
