"""audit: the audit log of a workspace, or that of the installation."""

import uuid
from typing import Annotated, Any

import msgspec
import typer

from sightline.audit import read
from sightline.audit.models import GROUP_LABELS, INSTALLATION_ID, AuditFilter
from sightline.audit.schemas import to_audit_row
from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.db.engine import Database
from sightline.settings import Settings


def audit(
    workspace: Annotated[
        uuid.UUID | None,
        typer.Argument(help="Id of the workspace. Default: entries about the installation, such as platforms."),
    ] = None,
    group: Annotated[str | None, typer.Option(help=f"Only one of {', '.join(GROUP_LABELS)}.")] = None,
    by: Annotated[uuid.UUID | None, typer.Option(help="Only what this person or key did.")] = None,
    since: Annotated[str | None, typer.Option(help="Only from this day or time on, such as 2026-11-01.")] = None,
    before: Annotated[str | None, typer.Option(help="Only before this day or time.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="Maximum number of entries.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show who did what, newest first."""
    if group is not None and group not in GROUP_LABELS:
        fail(f"--group must be one of {', '.join(GROUP_LABELS)}.")

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        wanted = AuditFilter(
            group=group, by=by, since=read.parse_time(since, "since"), before=read.parse_time(before, "before")
        )
        found = await read.list_entries(db, workspace or INSTALLATION_ID, wanted, after=None, page_size=limit)
        return [msgspec.to_builtins(to_audit_row(row)) for row in found.rows]

    rows = run_on_database(action)

    def print_text() -> None:
        table = build_table("When", "Who", "What", "Name", "Details")
        for row in rows:
            actor = row["actor"]
            details = ", ".join(f"{name}={value}" for name, value in row["details"].items())
            who = actor["name"] or str(actor["id"] or actor["type"])
            table.add_row(row["recorded_at"], who, row["action"], row["name"] or "", details)
        out.print(table)

    print_result({"entries": rows}, as_json, print_text)
