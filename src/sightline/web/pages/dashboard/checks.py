"""The checks of a domain: the list, one of them, its progress while it runs, and Retry scan."""

from typing import Any

from litestar import Response
from litestar.params import FromPath

from sightline.accounts.models import Role
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.scans.read_tracked import list_checks, read_check
from sightline.scans.scheduling.first import may_retry, retry_first_check
from sightline.scans.scheduling.models import check_rules
from sightline.scans.schemas.scan import LABELS, to_scan
from sightline.scans.stored import ScanRow, Scope
from sightline.web.frame import Place, acting, go_to, reading, show
from sightline.web.pages.dashboard.places import enter_domain
from sightline.web.pages.dashboard.words import say_freshness, say_time
from sightline.web.paging import page_through
from sightline.web.streams import stream_progress
from sightline.web.visits import Asked, require_own_form, require_role

_PAGE = 50
_SCOPES: tuple[Scope, ...] = ("full_check", "daily_check", "free_audit")
STATUS = {
    "pending": "waiting",
    "running": "running",
    "completed": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
}
_DONE = {"retried": "The check has started again. It is free of charge."}


@reading("/w/{workspace:str}/d/{domain:str}/checks")
async def checks(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    place = await enter_domain(request, workspace, domain)
    return await _show_checks(place, request)


async def _show_checks(place: Place, request: Asked, problem: Problem | None = None) -> Response[str]:
    assert place.domain is not None
    db, actor = place.visit.app_context.db, place.actor
    params = request.query_params
    scope = next((each for each in _SCOPES if each == params.get("scope")), None)
    chosen = {"scope": str(scope)} if scope else {}
    paging = page_through(request, place, "checks", **chosen)
    rows = await list_checks(db, actor, place.domain.id, after=paging.after_time_and_id, page_size=_PAGE, scope=scope)
    return show(
        place,
        "app/checks.html",
        here="checks",
        title="Checks",
        freshness=say_freshness(place.domain, place.visit.now),
        rows=[(row, to_scan(row)) for row in rows.rows],
        scope=scope,
        scopes=[(each, LABELS[each]) for each in _SCOPES],
        filters=chosen,
        next_cursor=paging.next_cursor(rows),
        is_first=paging.is_first,
        retry=place.may_edit and await is_retry_offered(place),
        status_words=STATUS,
        say_time=say_time,
        done=_DONE.get(params.get("done", "")),
        problem=problem,
        status=200 if problem is None else problem.kind.status,
    )


async def is_retry_offered(place: Place) -> bool:
    """By the plan of now: after a downgrade the button would only be refused."""
    assert place.domain is not None
    app_context, actor = place.visit.app_context, place.actor
    return await may_retry(
        app_context.db, actor.workspace_id, place.domain.id, actor.plan, rules=check_rules(app_context.settings)
    )


@acting("/w/{workspace:str}/d/{domain:str}/checks/retry")
async def retry(request: Asked, workspace: FromPath[str], domain: FromPath[str]) -> Response[str]:
    """Retry scan: the one check that a person may start, and only when the first one failed."""
    require_own_form(request)
    place = await enter_domain(request, workspace, domain)
    require_role(place.actor, Role.EDITOR)
    assert place.domain is not None
    app_context, now = place.visit.app_context, place.visit.now
    try:
        async with app_context.db.transaction() as tx:
            rules = check_rules(app_context.settings)
            scan = await retry_first_check(tx, place.actor.workspace_id, place.domain.id, rules=rules, now=now)
    except Problem as problem:
        return await _show_checks(place, request, problem)
    return go_to(f"{place.path('checks', str(scan.id))}?done=retried")


async def find_check(place: Place, scan_id: str) -> ScanRow:
    """One of another domain of the workspace is not there either."""
    assert place.domain is not None
    scan = await read_check(place.visit.app_context.db, place.actor, parse_id(scan_id))
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
    return stream_progress(place.visit.app_context.db, scan)
