"""Live progress of a scan for a page: server-sent events that end with the scan."""

from datetime import datetime

from starlette.responses import StreamingResponse

from sightline.accounts.sign_in import sessions
from sightline.db.engine import DatabaseUnavailable
from sightline.errors import Problem
from sightline.scans.stored import ScanRow
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.render import HEADERS


def stream_progress(request: PageRequest, ctx: PageContext, scan: ScanRow) -> StreamingResponse:
    """Stream `platforms` and `progress` events whenever something changes, then `end`.

    Every event is complete, so a browser that reconnects has missed nothing. The limits are those of the API.
    """
    app_context = ctx.app_context

    async def is_allowed(now: datetime) -> bool:
        try:
            known = await sessions.read_session(app_context.db, ctx.signed_in.session_digest, now=now)
        except Problem:
            return False
        except DatabaseUnavailable:
            return True
        client_id = None if ctx.domain is None else ctx.domain.client_id
        found = (each for each in known.workspaces if each.workspace_id == scan.workspace_id)
        return any(each.find_role(client_id) is not None for each in found)

    give_back = app_context.stream_places.take(ctx.signed_in.session_digest, scan.workspace_id)
    events = app_context.feeds.follow(scan, last_id=request.headers.get("last-event-id"), by_platform=True)
    return StreamingResponse(
        app_context.stream_places.limit_stream(events, give_back, clock=app_context.clock, is_allowed=is_allowed),
        status_code=200,
        media_type="text/event-stream",
        # Without the header, proxies would buffer the events and send them all at the end.
        headers={**HEADERS, "Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
