"""The checks of a domain: the list, one of them, its progress while it runs, and Retry scan."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from litestar import Response
from litestar.params import FromPath
from litestar.response import Stream

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.scans import queries
from sightline.scans.outward import LABELS, show_scan
from sightline.scans.progress import follow_scan
from sightline.scans.read_tracked import list_checks, read_check
from sightline.scans.scheduling.first import may_retry, retry_first_check
from sightline.scans.scheduling.models import check_rules
from sightline.scans.stored import ScanRow, Scope
from sightline.web.frame import Place, acting, go_to, reading, show
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.words import say_freshness, say_time
from sightline.web.render import HEADERS
from sightline.web.visits import Asked, require_own_form, require_role

_PAGE = 50
# A browser takes up a line that has ended by itself, and is then asked anew who it is.
_LONGEST_LINE = 600.0
_SCOPES: tuple[Scope, ...] = ("full_check", "daily_check", "free_audit")
STATUS = {
    "pending": "waiting",
    "running": "running",
    "completed": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
}
_DONE = {"retried": "The check has started again. It is free of charge."}


class _LineIsOver(Exception):
    """The line has been open for long enough."""


@reading("/w/{workspace:str}/d/{domain:str}/checks")
async def checks(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    return await _show_checks(place, request.query_params)


async def _show_checks(place: Place, params: Mapping[str, Any], problem: Problem | None = None) -> Response[str]:
    assert place.domain is not None
    db, actor = place.visit.wiring.db, place.actor
    scope = next((each for each in _SCOPES if each == params.get("scope")), None)
    rows = await list_checks(db, actor, place.domain.id, after=_read_position(params), page_size=_PAGE, scope=scope)
    chosen = {"scope": scope} if scope else {}
    older = rows.next_key and f"?{urlencode({**chosen, 'before': rows.next_key[0], 'id': rows.next_key[1]})}"
    return show(
        place,
        "app/checks.html",
        here="checks",
        title="Checks",
        freshness=say_freshness(place.domain),
        rows=[(row, show_scan(row)) for row in rows.rows],
        scope=scope,
        scopes=[(each, LABELS[each]) for each in _SCOPES],
        is_first_page="before" not in params,
        older=older,
        retry=place.may_edit and await may_retry(db, actor.workspace_id, place.domain.id),
        status_words=STATUS,
        say_time=say_time,
        done=_DONE.get(params.get("done", "")),
        problem=problem,
        status=200 if problem is None else problem.kind.status,
    )


def _read_position(params: Mapping[str, Any]) -> queries.SortKey | None:
    """Where the page before ended. What cannot be read is the beginning."""
    scan_id = parse_id(str(params.get("id", "")))
    try:
        moment = datetime.fromisoformat(str(params.get("before", "")))
    except ValueError:
        return None
    return None if scan_id is None or moment.tzinfo is None else (moment, scan_id)


@acting("/w/{workspace:str}/d/{domain:str}/checks/retry")
async def retry(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """Retry scan: the one check that a person may start, and only when the first one failed."""
    require_own_form(request)
    place = await enter_domain(request, workspace, domain)
    require_role(place.actor, Role.EDITOR)
    assert place.domain is not None
    wiring, now = place.visit.wiring, place.visit.now
    try:
        async with wiring.db.transaction() as tx:
            rules = check_rules(wiring.settings)
            scan = await retry_first_check(tx, place.actor.workspace_id, place.domain.id, rules=rules, now=now)
    except Problem as problem:
        return await _show_checks(place, {}, problem)
    return go_to(f"{place.path('checks', str(scan.id))}?done=retried")


async def find_check(place: Place, scan_id: str) -> ScanRow:
    """One of another domain of the workspace is not there either."""
    assert place.domain is not None
    scan = await read_check(place.visit.wiring.db, place.actor, parse_id(scan_id))
    if scan.domain_id != place.domain.id:
        raise Problem("scan_not_found")
    return scan


@reading("/w/{workspace:str}/d/{domain:str}/checks/{scan_id:str}/progress")
async def progress(
    request: Asked, workspace: FromPath[str], domain: FromPath[str], scan_id: FromPath[str]
) -> Response[Any]:
    """Server-sent events of one check. The line ends with the check, or after some minutes."""
    place = await enter_domain(request, workspace, domain)
    scan = await find_check(place, scan_id)
    # Proxies would gather the events and send them all at the end.
    headers = {**HEADERS, "Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Stream(_follow(place, scan), media_type="text/event-stream", headers=headers)


async def _follow(place: Place, scan: ScanRow) -> AsyncGenerator[bytes, None]:
    waited = 0.0

    async def pause(seconds: float) -> None:
        nonlocal waited
        waited += seconds
        if waited > _LONGEST_LINE:
            raise _LineIsOver
        await asyncio.sleep(seconds)

    events = follow_scan(place.visit.wiring.db, scan, sleep=pause)
    try:
        async for event in events:
            yield event
    except _LineIsOver:
        return
    finally:
        await events.aclose()
