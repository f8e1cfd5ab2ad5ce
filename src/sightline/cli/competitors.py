"""competitor: review the competitors of a tracked domain as the operator."""

import uuid
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Any

import msgspec
import typer

from sightline.cli.context import out, run_on_database, show, table
from sightline.competitors import review
from sightline.competitors.models import CompetitorRow
from sightline.db.engine import Database, Transaction
from sightline.domains.tracking.read import find_tracked_domain
from sightline.errors import Problem
from sightline.kit.clock import utc_now
from sightline.settings import Settings

competitors = typer.Typer(help="Competitors of a tracked domain: list, add, review.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]
DomainId = Annotated[uuid.UUID, typer.Argument(help="Id of the tracked domain.")]
CompetitorId = Annotated[uuid.UUID, typer.Argument(help="Id of the competitor; `list` shows it.")]
Names = Annotated[list[str] | None, typer.Option("--name", help="A name that answers may use; may be repeated.")]


def _run(review_one: Callable[[Transaction, datetime], Awaitable[CompetitorRow]], as_json: bool) -> None:
    """One step in one transaction, then what has become of the competitor."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            return _shape(await review_one(tx, utc_now()))

    row = run_on_database(action)
    show(row, as_json, lambda: out.print(f"{_called(row)} is {row['status']}.", markup=False, highlight=False))


def _shape(row: CompetitorRow) -> dict[str, Any]:
    shaped: dict[str, Any] = msgspec.to_builtins(row)
    return shaped


def _called(row: dict[str, Any]) -> str:
    return str(row["competitor_domain"] or row["found_as"])


@competitors.command("list")
def list_competitors(domain_id: DomainId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """All competitors of a domain in every state: confirmed ones first, then suggestions."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        if await find_tracked_domain(db, workspace, domain_id) is None:
            raise Problem("domain_not_found")
        return [_shape(row) for row in await review.list_all_competitors(db, workspace, domain_id)]

    rows = run_on_database(action)

    def human() -> None:
        rows_table = table("Id", "Status", "Domain", "Declared name", "Names", "Found as", "Source")
        for row in rows:
            rows_table.add_row(
                row["id"],
                row["status"],
                row["competitor_domain"] or "",
                row["display_name"] or "",
                ", ".join(row["names"]),
                row["found_as"] or "",
                row["discovery_source"],
            )
        out.print(rows_table)

    show(rows, as_json, human)


@competitors.command("add")
def add(
    domain_id: DomainId,
    competitor: Annotated[str, typer.Argument(help="Domain of the competitor.")],
    workspace: WorkspaceId,
    name: Names = None,
    as_json: AsJson = False,
) -> None:
    """Add a competitor by its domain; it is confirmed at once."""
    _run(lambda tx, now: review.add_competitor(tx, workspace, domain_id, competitor, name or (), now=now), as_json)


@competitors.command("confirm")
def confirm(
    domain_id: DomainId,
    competitor_id: CompetitorId,
    workspace: WorkspaceId,
    domain: Annotated[str | None, typer.Option(help="Its domain, where it was found by name alone.")] = None,
    as_json: AsJson = False,
) -> None:
    """Confirm a suggestion: from now on the domain is measured against it."""
    _run(
        lambda tx, now: review.confirm_competitor(tx, workspace, domain_id, competitor_id, domain=domain, now=now),
        as_json,
    )


@competitors.command("dismiss")
def dismiss(domain_id: DomainId, competitor_id: CompetitorId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Dismiss a competitor: it is never suggested again."""
    _run(lambda tx, now: review.dismiss_competitor(tx, workspace, domain_id, competitor_id, now=now), as_json)


@competitors.command("hide")
def hide(domain_id: DomainId, competitor_id: CompetitorId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Hide a confirmed competitor: neither listed nor measured until it is brought back."""
    _run(lambda tx, now: review.hide_competitor(tx, workspace, domain_id, competitor_id, now=now), as_json)


@competitors.command("unhide")
def unhide(domain_id: DomainId, competitor_id: CompetitorId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Bring a hidden competitor back."""
    _run(lambda tx, now: review.unhide_competitor(tx, workspace, domain_id, competitor_id, now=now), as_json)


@competitors.command("rename")
def rename(
    domain_id: DomainId,
    competitor_id: CompetitorId,
    workspace: WorkspaceId,
    name: Names = None,
    as_json: AsJson = False,
) -> None:
    """Set the names to look for, instead of those given before; without --name there are none."""
    _run(
        lambda tx, now: review.rename_competitor(tx, workspace, domain_id, competitor_id, name or (), now=now), as_json
    )
