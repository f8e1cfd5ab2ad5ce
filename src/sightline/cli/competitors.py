"""competitor: list, add and review the competitors of a tracked domain as the operator."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Any

import msgspec
import typer

from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.competitors import review
from sightline.competitors.models import CompetitorRow
from sightline.competitors.queries import list_all_competitors
from sightline.db.engine import Database, Transaction
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.errors import Problem
from sightline.kit.clock import utc_now
from sightline.settings import Settings

competitor_commands = typer.Typer(
    help="List, add and review the competitors of a tracked domain.", no_args_is_help=True
)

WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]
DomainId = Annotated[uuid.UUID, typer.Argument(help="Id of the tracked domain.")]
CompetitorId = Annotated[uuid.UUID, typer.Argument(help="Id of the competitor; `list` shows it.")]
Names = Annotated[
    list[str] | None,
    typer.Option("--name", help="A name by which answers may mention the competitor; can be repeated."),
]


def _run(review_one: Callable[[Transaction, datetime], Awaitable[CompetitorRow]], as_json: bool) -> None:
    """Run one review step in one transaction, and print the competitor afterwards."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            return _to_dict(await review_one(tx, utc_now()))

    row = run_on_database(action)
    print_result(
        row, as_json, lambda: out.print(f"{_competitor_label(row)} is {row['status']}.", markup=False, highlight=False)
    )


def _to_dict(row: CompetitorRow) -> dict[str, Any]:
    return msgspec.structs.asdict(row)


def _competitor_label(row: dict[str, Any]) -> str:
    return str(row["competitor_domain"] or row["found_as"])


@competitor_commands.command("list")
def list_competitors(domain_id: DomainId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """List all competitors of a domain: confirmed ones first, then suggested ones, then the others."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        if await find_tracked_domain(db, workspace, domain_id) is None:
            raise Problem("domain_not_found")
        return [_to_dict(row) for row in await list_all_competitors(db, workspace, domain_id)]

    rows = run_on_database(action)

    def print_text() -> None:
        rows_table = build_table("Id", "Status", "Domain", "Declared name", "Names", "Found as", "Source")
        for row in rows:
            rows_table.add_row(
                str(row["id"]),
                row["status"],
                row["competitor_domain"] or "",
                row["display_name"] or "",
                ", ".join(row["names"]),
                row["found_as"] or "",
                row["discovery_source"],
            )
        out.print(rows_table)

    print_result(rows, as_json, print_text)


@competitor_commands.command("add")
def add(
    domain_id: DomainId,
    competitor: Annotated[str, typer.Argument(help="Domain of the competitor.")],
    workspace: WorkspaceId,
    name: Names = None,
    as_json: AsJson = False,
) -> None:
    """Add a competitor by its domain. It is confirmed immediately."""
    _run(lambda tx, now: review.add_competitor(tx, workspace, domain_id, competitor, name or (), now=now), as_json)


@competitor_commands.command("confirm")
def confirm(
    domain_id: DomainId,
    competitor_id: CompetitorId,
    workspace: WorkspaceId,
    domain: Annotated[str | None, typer.Option(help="Domain of the competitor, if it was found by name only.")] = None,
    as_json: AsJson = False,
) -> None:
    """Confirm a suggested competitor. From now on, the brand is compared with it."""
    _run(
        lambda tx, now: review.confirm_competitor(tx, workspace, domain_id, competitor_id, domain=domain, now=now),
        as_json,
    )


@competitor_commands.command("dismiss")
def dismiss(domain_id: DomainId, competitor_id: CompetitorId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Dismiss a competitor. It is not suggested again."""
    _run(lambda tx, now: review.dismiss_competitor(tx, workspace, domain_id, competitor_id, now=now), as_json)


@competitor_commands.command("hide")
def hide(domain_id: DomainId, competitor_id: CompetitorId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Hide a confirmed competitor. It is neither listed nor compared until it is unhidden."""
    _run(lambda tx, now: review.hide_competitor(tx, workspace, domain_id, competitor_id, now=now), as_json)


@competitor_commands.command("unhide")
def unhide(domain_id: DomainId, competitor_id: CompetitorId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Unhide a competitor."""
    _run(lambda tx, now: review.unhide_competitor(tx, workspace, domain_id, competitor_id, now=now), as_json)


@competitor_commands.command("rename")
def rename(
    domain_id: DomainId,
    competitor_id: CompetitorId,
    workspace: WorkspaceId,
    name: Names = None,
    as_json: AsJson = False,
) -> None:
    """Replace the names that answers may use for a competitor. Without --name, all names are removed."""
    _run(
        lambda tx, now: review.rename_competitor(tx, workspace, domain_id, competitor_id, name or (), now=now), as_json
    )
