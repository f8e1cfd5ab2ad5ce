"""The endpoints for monitoring, without a framework: the API and the worker serve the same ones."""

import hmac
from collections.abc import Mapping

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST

from sightline.db.engine import Database, DatabaseUnavailable
from sightline.db.migrate import is_schema_current
from sightline.kit.addresses import is_loopback
from sightline.monitoring.exposition import Monitor
from sightline.settings import Settings

_CLOSED = b"Set SIGHTLINE_METRICS_TOKEN, and send it as a bearer token.\n"


class MonitoringReply(msgspec.Struct, frozen=True):
    """A response of a monitoring endpoint."""

    status: int
    body: bytes
    content_type: str = "application/json"
    headers: Mapping[str, str] = {}


def report_health() -> MonitoringReply:
    """Report that the process runs. The database is left out: restarting the process would not bring it back."""
    return _document(200, status="ok")


async def report_readiness(db: Database, *, is_stopping: bool = False) -> MonitoringReply:
    """Report whether the process can work: the database answers, has space and the newest schema."""
    if is_stopping:
        return _document(503, status="not_ready", reason="the process is stopping")
    try:
        is_current = await is_schema_current(db)
    except DatabaseUnavailable:
        return _document(503, status="degraded", reason="the database does not answer")
    if db.is_full:
        return _document(503, status="degraded", reason="the disk of the database is full")
    if not is_current:
        return _document(503, status="not_ready", reason="run: sightline migrate")
    return _document(200, status="ready")


async def report_metrics(monitor: Monitor, settings: Settings, authorization: str, peer: str | None) -> MonitoringReply:
    """Return the metrics for Prometheus to those who may read them."""
    if not may_read_metrics(settings, authorization, peer):
        body = b"" if settings.metrics_token else _CLOSED
        return MonitoringReply(401, body, "text/plain; charset=utf-8", {"WWW-Authenticate": "Bearer"})
    return MonitoringReply(200, await monitor.render(), CONTENT_TYPE_LATEST)


def may_read_metrics(settings: Settings, authorization: str, peer: str | None) -> bool:
    """Return whether a caller may read the metrics: with the token or, where none is set, from this machine alone.

    Without a token, nobody may read them if others can reach the service: behind a proxy, every caller looks local.
    """
    if settings.metrics_token is not None:
        sent = authorization.removeprefix("Bearer ").encode()
        return hmac.compare_digest(sent, settings.metrics_token.get_secret_value().encode())
    return not settings.is_public and peer is not None and is_loopback(peer)


def _document(code: int, **members: str) -> MonitoringReply:
    return MonitoringReply(code, msgspec.json.encode(members))
