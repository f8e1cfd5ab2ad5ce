"""The ASGI application of a worker: `/healthz`, `/readyz` and `/metrics`, and nothing else."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from sightline.db.engine import Database
from sightline.monitoring.endpoints import MonitoringReply, report_health, report_metrics, report_readiness
from sightline.monitoring.exposition import Monitor
from sightline.settings import Settings

_Message = MutableMapping[str, Any]
AsgiApp = Callable[
    [MutableMapping[str, Any], Callable[[], Awaitable[_Message]], Callable[[_Message], Awaitable[None]]],
    Awaitable[None],
]


def build_monitoring_app(settings: Settings, db: Database, is_stopping: Callable[[], bool]) -> AsgiApp:
    """Return the application. It needs neither the framework nor the edge, so a worker stays small."""
    monitor = Monitor(db, settings.data_dir)

    async def respond(scope: MutableMapping[str, Any]) -> MonitoringReply:
        if scope["method"] not in {"GET", "HEAD"}:
            return MonitoringReply(405, b"", "text/plain", {"Allow": "GET, HEAD"})
        if scope["path"] == "/healthz":
            return report_health()
        if scope["path"] == "/readyz":
            return await report_readiness(db, is_stopping=is_stopping())
        if scope["path"] == "/metrics":
            authorization = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1")
            peer = scope["client"][0] if scope.get("client") else None
            return await report_metrics(monitor, settings, authorization, peer)
        return MonitoringReply(404, b"", "text/plain")

    async def app(scope: Any, _: Any, send: Callable[[_Message], Awaitable[None]]) -> None:
        reply = await respond(scope)
        headers = {
            "Content-Type": reply.content_type,
            "Content-Length": str(len(reply.body)),
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            **reply.headers,
        }
        encoded = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": reply.status, "headers": encoded})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else reply.body})

    return app
