"""Endpoints for monitoring: health, readiness, version and metrics."""

import hmac
from typing import Any

from litestar import Response, get
from litestar.connection import Request
from litestar.datastructures import State
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from sightline import __version__
from sightline.db.engine import DatabaseUnavailable
from sightline.db.migrate import is_schema_current


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def health() -> dict[str, str]:
    """Report that the process runs. The database is left out: restarting the process would not bring it back."""
    return {"status": "ok"}


@get("/readyz", include_in_schema=False)
async def readiness(state: State) -> Response[dict[str, str]]:
    """Report whether the process can serve requests: the database answers, has space and the newest schema."""
    try:
        is_current = await is_schema_current(state.app_context.db)
    except DatabaseUnavailable:
        return Response({"status": "degraded", "reason": "the database does not answer"}, status_code=503)
    if state.app_context.db.is_full:
        return Response({"status": "degraded", "reason": "the disk of the database is full"}, status_code=503)
    if not is_current:
        return Response({"status": "not_ready", "reason": "run: sightline migrate"}, status_code=503)
    return Response({"status": "ready"})


@get("/version", include_in_schema=False, sync_to_thread=False)
def version() -> dict[str, str]:
    return {"name": "sightline", "version": __version__, "api": "v1"}


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def metrics(request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """Return the metrics for Prometheus, without names. SIGHTLINE_METRICS_TOKEN protects them with a token."""
    token = state.app_context.settings.metrics_token
    if token is not None:
        sent = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(sent.encode(), token.get_secret_value().encode()):
            return Response(b"", status_code=401, headers={"WWW-Authenticate": "Bearer"})
    return Response(generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})
