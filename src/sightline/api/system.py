"""Addresses for machines that watch the service: health, readiness, version, metrics."""

import hmac
from typing import Any

from litestar import Response, get
from litestar.connection import Request
from litestar.datastructures import State
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from sightline import __version__
from sightline.db.engine import DatabaseUnavailable
from sightline.db.migrate import newest_revision


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def health() -> dict[str, str]:
    """The process runs and answers. Says nothing of the database: restarting us would not bring it back."""
    return {"status": "ok"}


@get("/readyz", include_in_schema=False)
async def readiness(state: State) -> Response[dict[str, str]]:
    """Whether this process can do everything: the database answers and has the newest schema."""
    try:
        revision = await state.app_context.db.fetchval("SELECT version_num FROM alembic_version")
    except DatabaseUnavailable:
        return Response({"status": "degraded", "reason": "the database does not answer"}, status_code=503)
    if revision < newest_revision():  # a newer one is fine: the next version is being rolled out
        return Response({"status": "not_ready", "reason": "run: sightline migrate"}, status_code=503)
    return Response({"status": "ready"})


@get("/version", include_in_schema=False, sync_to_thread=False)
def version() -> dict[str, str]:
    return {"name": "sightline", "version": __version__, "api": "v1"}


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def metrics(request: Request[Any, Any, State], state: State) -> Response[bytes]:
    """For Prometheus. Counts only, no names; asks for a token when SIGHTLINE_METRICS_TOKEN is set."""
    token = state.app_context.settings.metrics_token
    if token is not None:
        given = request.headers.get("authorization", "").removeprefix("Bearer ")
        if not hmac.compare_digest(given.encode(), token.get_secret_value().encode()):
            return Response(b"", status_code=401, headers={"WWW-Authenticate": "Bearer"})
    return Response(generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})
