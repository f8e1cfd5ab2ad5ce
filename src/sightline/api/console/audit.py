"""The audit log of the workspace, as JSON and as CSV."""

from sightline.accounts.models import Role
from sightline.api.edge.envelope import Page
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, Resource
from sightline.api.edge.responses import Stream
from sightline.audit import read
from sightline.audit.models import ACTION_GROUPS, GROUP_LABELS, INSTALLATION_GROUP, AuditFilter
from sightline.audit.record import record_export
from sightline.audit.schemas import AuditRow, to_audit_row
from sightline.kit.examples import Example
from sightline.kit.ids import parse_id

RESOURCE = Resource(
    "console",
    "Audit log",
    "Who did what in the workspace, and when.",
    {"audit": "The audit log of the workspace"},
)

_GROUPS = tuple(group for group in GROUP_LABELS if group != INSTALLATION_GROUP)
_ACTIONS = tuple(action for action, group in ACTION_GROUPS.items() if group != INSTALLATION_GROUP)
_FILTERS = (
    Filter("group", "Only actions of this group.", _GROUPS),
    Filter("action", "Only this action.", _ACTIONS),
    Filter("by", "Only what the person or key with this id did.", format="uuid"),
    Filter("since", "Only entries from this time on, such as `2026-11-01T00:00:00Z`.", format="date-time"),
    Filter("before", "Only entries before this time.", format="date-time"),
)


def _read_filter(exchange: Exchange) -> AuditFilter:
    given = exchange.filters
    return AuditFilter(
        group=given.get("group"),
        action=given.get("action"),
        by=parse_id(given.get("by", "")),
        since=read.parse_time(given.get("since"), "since"),
        before=read.parse_time(given.get("before"), "before"),
    )


@RESOURCE.operation(
    "GET",
    "/audit",
    summary="List audit entries",
    sdk="audit.list",
    scope="audit",
    role=Role.ADMIN,
    live_only=True,
    paged=True,
    page_size=True,
    filters=_FILTERS,
    verify_filter=read.require_filter_value,
    saves_copy=False,
)
async def list_audit_entries(exchange: Exchange) -> Page[AuditRow]:
    """List who did what in the workspace, newest first.

    The log has sign-ins and refused ones, and changes of members, roles, keys, platforms, corrections, exports, share
    links, payments and plans, also by operators. Entries are never changed. They are deleted after the operator's
    retention time, 730 days by default. Requires the role admin and the scope `audit`. Live and test mode share the
    log, so a test key cannot read it.
    """
    paging = exchange.paging("console.audit")
    rows = await read.list_entries(
        exchange.db,
        exchange.actor.workspace_id,
        _read_filter(exchange),
        after=paging.after_time_and_id,
        page_size=paging.size,
    )
    return paging.page(rows.map(to_audit_row))


@RESOURCE.operation(
    "GET",
    "/audit.csv",
    summary="Export the audit log",
    sdk="audit.csv",
    scope="audit",
    role=Role.ADMIN,
    live_only=True,
    filters=_FILTERS,
    verify_filter=read.require_filter_value,
    stream_media_type="text/csv; charset=utf-8",
    saves_copy=False,
)
async def export_audit_log(exchange: Exchange) -> Stream:
    """Stream the audit log as CSV (RFC 4180), newest first, with the same filters. The export is an entry itself.

    Text that a spreadsheet would treat as a formula is prefixed with an apostrophe.
    """
    wanted, workspace_id = _read_filter(exchange), exchange.actor.workspace_id
    await record_export(exchange.app_context.db, workspace_id, "audit_exported")
    exchange.respond_with(content_disposition=f'attachment; filename="{read.name_csv(exchange.now)}"')
    return Stream(read.write_csv(exchange.db, workspace_id, wanted))


# Examples

EXAMPLES = {"export_audit_log": Example(",".join(read.CSV_COLUMNS) + "\r\n")}
