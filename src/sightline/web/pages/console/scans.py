"""Scans: the list, one of them while it runs and afterwards, and cancelling it."""

import asyncio

from litestar.params import FromPath, FromQuery
from litestar.response import Stream

from sightline.accounts.models import Role
from sightline.credits.ledger import rules_of
from sightline.domains.register import list_domains
from sightline.errors import Problem
from sightline.kit.counting import count
from sightline.kit.ids import parse_id
from sightline.reports.words import platform_name
from sightline.scans import cancel, read_scans
from sightline.scans.progress import read_progress
from sightline.scans.states import ScanStatus
from sightline.scans.stored import decode_prompts
from sightline.web.frame import Place, go_to
from sightline.web.pages.console.places import (
    Shown,
    enter,
    enter_by_form,
    looking,
    sending,
    show_page,
    streaming,
)
from sightline.web.pages.console.results import show_results
from sightline.web.pages.console.words import STATUSES, say_time
from sightline.web.paging import page_through
from sightline.web.streams import stream_progress
from sightline.web.visits import Asked

MOST_IN_CHOICE = 200


@looking("/scans")
async def scans(request: Asked, workspace: FromPath[str], domain: FromQuery[str] = "") -> Shown:
    place = await enter(request, workspace)
    db, filters = place.visit.app_context.db, {"domain": domain} if domain else {}
    paging = page_through(request, place, "scans", **filters)
    found = await read_scans.list_scans(
        db, place.actor, domain_id=domain or None, after=paging.after_time_and_id, page_size=paging.size
    )
    known = await list_domains(db, place.actor, after=None, page_size=MOST_IN_CHOICE)
    return show_page(
        place,
        request,
        "scans.html",
        here="scans",
        title="Scans",
        scans=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        filters=filters,
        chosen=domain,
        registered=known.rows,
        statuses=STATUSES,
        say_time=say_time,
    )


@looking("/scans/{scan:str}")
async def scan_detail(request: Asked, workspace: FromPath[str], scan: FromPath[str]) -> Shown:
    return await _show_scan(await enter(request, workspace), request, scan)


async def _show_scan(place: Place, request: Asked, scan: str, problem: Problem | None = None) -> Shown:
    db = place.visit.app_context.db
    row = await read_scans.read_scan(db, place.actor, parse_id(scan))
    results = None
    if row.status is ScanStatus.COMPLETED:
        _, stored = await read_scans.read_results(db, place.actor, row.id)
        results = await asyncio.to_thread(show_results, row, stored)
    return show_page(
        place,
        request,
        "scan.html",
        here="scans",
        title=f"Scan of {row.domain}",
        problem=problem,
        scan=row,
        prompts=decode_prompts(row.prompts or "[]"),
        results=results,
        progress=await read_progress(db, row) if row.status.is_active else [],
        statuses=STATUSES,
        say_time=say_time,
        platform_name=platform_name,
        count=count,
    )


@streaming("/scans/{scan:str}/events")
async def scan_events(request: Asked, workspace: FromPath[str], scan: FromPath[str]) -> Stream:
    place = await enter(request, workspace)
    db = place.visit.app_context.db
    row = await read_scans.read_scan(db, place.actor, parse_id(scan))
    return stream_progress(db, row)


@sending("/scans/{scan:str}/cancel")
async def cancel_scan(request: Asked, workspace: FromPath[str], scan: FromPath[str]) -> Shown:
    """Sent twice, the second finds the scan ended and says so."""
    place = await enter_by_form(request, workspace, needs=Role.EDITOR)
    app_context = place.visit.app_context
    try:
        async with app_context.db.transaction() as tx:
            await cancel.cancel_scan(
                tx, place.actor, parse_id(scan), rules=rules_of(app_context.settings), now=place.visit.now
            )
    except Problem as problem:
        if problem.code == "scan_not_found":
            raise
        return await _show_scan(place, request, scan, problem)
    return go_to(f"{place.console('scans', scan)}?done=cancelled")


PAGES = (scans, scan_detail, scan_events, cancel_scan)
