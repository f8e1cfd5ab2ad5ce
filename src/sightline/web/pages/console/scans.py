"""Scans: the list, one while it runs and afterwards, and cancelling it."""

import asyncio

from starlette.responses import StreamingResponse

from sightline.accounts.models import Role
from sightline.credits.ledger import build_credit_rules
from sightline.domains.register import list_domains
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext
from sightline.scans import cancel, console_scans
from sightline.scans.progress import read_progress
from sightline.scans.states import ScanStatus
from sightline.scans.stored import decode_prompts
from sightline.web.page_context import PageContext
from sightline.web.page_requests import PageRequest
from sightline.web.pages.console.console_page import (
    PageResponse,
    console_form_action,
    console_page,
    console_stream,
    open_console,
    render_console_page,
)
from sightline.web.pages.console.results import present_results
from sightline.web.pages.dashboard.checks import STATUS_TEXTS
from sightline.web.paging import read_list_paging
from sightline.web.routing import redirect
from sightline.web.streams import stream_progress

MAX_DOMAIN_CHOICES = 200


@console_page("/scans")
async def scans_page(request: PageRequest, workspace: str, domain: str = "") -> PageResponse:
    ctx = await open_console(request, workspace)
    db, filters = ctx.db, {"domain": domain} if domain else {}
    paging = read_list_paging(request, ctx, "scans", **filters)
    found = await console_scans.list_scans(
        db, ctx.actor, domain_id=domain or None, after=paging.after_time_and_id, page_size=paging.size
    )
    known = await list_domains(db, ctx.actor, after=None, page_size=MAX_DOMAIN_CHOICES)
    return render_console_page(
        ctx,
        request,
        "scans.html",
        section="scans",
        title=gettext("Scans"),
        scans=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        filters=filters,
        chosen=domain,
        registered=known.rows,
        statuses=STATUS_TEXTS,
    )


@console_page("/scans/{scan}")
async def scan_page(request: PageRequest, workspace: str, scan: str) -> PageResponse:
    return await _render_scan(await open_console(request, workspace), request, scan)


async def _render_scan(
    ctx: PageContext, request: PageRequest, scan: str, problem: Problem | None = None
) -> PageResponse:
    db = ctx.db
    row = await console_scans.read_scan(db, ctx.actor, parse_id(scan))
    results = None
    if row.status is ScanStatus.COMPLETED:
        _, stored = await console_scans.read_results(db, ctx.actor, row.id)
        results = await asyncio.to_thread(present_results, row, stored)
    return render_console_page(
        ctx,
        request,
        "scan.html",
        section="scans",
        title=gettext("Scan of %(domain)s", domain=row.domain),
        problem=problem,
        scan=row,
        prompts=decode_prompts(row.prompts or "[]"),
        results=results,
        progress=await read_progress(db, row) if row.status.is_active else [],
        statuses=STATUS_TEXTS,
    )


@console_stream("/scans/{scan}/events")
async def stream_scan_progress(request: PageRequest, workspace: str, scan: str) -> StreamingResponse:
    ctx = await open_console(request, workspace)
    return stream_progress(request, ctx, await console_scans.read_scan(ctx.db, ctx.actor, parse_id(scan)))


@console_form_action("/scans/{scan}/cancel")
async def cancel_scan(request: PageRequest, workspace: str, scan: str) -> PageResponse:
    """Cancel a scan. Sent again, the form is refused because the scan has ended."""
    ctx = await open_console(request, workspace, needs=Role.EDITOR)
    app_context = ctx.app_context
    try:
        async with app_context.db.transaction() as tx:
            cancelled = await cancel.cancel_scan(
                tx, ctx.actor, parse_id(scan), rules=build_credit_rules(app_context.settings), now=ctx.now
            )
    except Problem as problem:
        if problem.code == "scan_not_found":
            raise
        return await _render_scan(ctx, request, scan, problem)
    done = "cancelled" if cancelled.started_at is None else "cancelled_running"
    return redirect(f"{ctx.console('scans', scan)}?done={done}")
