"""The audit log of a workspace, for its admins: a page with filters, and the CSV file."""

from datetime import datetime, timedelta

from msgspec import json
from starlette.responses import Response, StreamingResponse

from sightline.accounts.models import Role
from sightline.accounts.queries import list_members
from sightline.audit import read
from sightline.audit.models import ACTION_LABELS, GROUP_LABELS, INSTALLATION_GROUP, AuditFilter
from sightline.audit.record import record_export
from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext
from sightline.web.layout import render_page
from sightline.web.page_context import PageContext, open_workspace
from sightline.web.page_requests import PageRequest
from sightline.web.paging import read_list_paging
from sightline.web.render import HEADERS
from sightline.web.routing import page, stream

_FILTERS = ("group", "by", "since", "until")


@page("/w/{workspace}/audit")
async def audit_page(request: PageRequest, workspace: str) -> Response:
    ctx = await open_workspace(request, workspace, needs=Role.ADMIN)
    chosen = _read_choices(request)
    paging = read_list_paging(request, ctx, "audit", **chosen)
    found = await read.list_entries(
        ctx.db,
        ctx.actor.workspace_id,
        _build_filter(chosen),
        after=paging.after_time_and_id,
        page_size=paging.size,
    )
    return render_page(
        ctx,
        "app/audit.html",
        section="members",
        title=gettext("Audit log"),
        entries=found.rows,
        next_cursor=paging.next_cursor(found),
        is_first=paging.is_first,
        chosen=chosen,
        groups={group: label for group, label in GROUP_LABELS.items() if group != INSTALLATION_GROUP},
        actions=ACTION_LABELS,
        people=await list_members(ctx.db, ctx.actor.workspace_id),
        describe=_describe,
        days=ctx.app_context.settings.audit_retention_days,
    )


@stream("/w/{workspace}/audit.csv")
async def download_audit(request: PageRequest, workspace: str) -> StreamingResponse:
    ctx: PageContext = await open_workspace(request, workspace, needs=Role.ADMIN)
    workspace_id = ctx.actor.workspace_id
    await record_export(ctx.db, workspace_id, "audit_exported")
    return StreamingResponse(
        read.write_csv(ctx.db, workspace_id, _build_filter(_read_choices(request))),
        media_type="text/csv",
        headers={
            **HEADERS,
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="{read.name_csv(ctx.now)}"',
        },
    )


def _read_choices(request: PageRequest) -> dict[str, str]:
    """Return the filters of the query. What none of them can have is left out: an edited address fails nothing."""
    given = {name: request.query_params.get(name, "").strip() for name in _FILTERS}
    if given["group"] not in GROUP_LABELS:
        given["group"] = ""
    if parse_id(given["by"]) is None:
        given["by"] = ""
    for name in ("since", "until"):
        if _read_day(given[name]) is None:
            given[name] = ""
    return given


def _build_filter(chosen: dict[str, str]) -> AuditFilter:
    until = _read_day(chosen["until"])
    return AuditFilter(
        group=chosen["group"] or None,
        by=parse_id(chosen["by"]),
        since=_read_day(chosen["since"]),
        before=None if until is None else until + timedelta(days=1),
    )


def _read_day(text: str) -> datetime | None:
    try:
        return read.parse_time(text[:10] or None, "since")
    except Problem:
        return None


def _describe(details: dict[str, object]) -> list[tuple[str, str]]:
    """Return the details of an entry as names and values. The id of a person is left out: the entry has their name."""
    return [
        (name, ", ".join(map(str, value)) if isinstance(value, list) else json.encode(value).decode().strip('"'))
        for name, value in details.items()
        if name != "user_id" and value is not None
    ]
