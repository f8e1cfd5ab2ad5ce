"""`sightline export`: the tables of a domain as a folder of Parquet files."""

import uuid
from pathlib import Path
from typing import Annotated

import typer

from sightline.audit.record import record_export
from sightline.cli.context import (
    AsJson,
    build_table,
    fail_with_unknown_domain,
    out,
    print_result,
    run_on_database,
)
from sightline.cli.failures import fail
from sightline.db.engine import Database
from sightline.domains.tracking.queries import find_workspace_of_domain_any_workspace
from sightline.scans.payloads.object_store import open_payload_stores
from sightline.scans.sealed.read import read_sealed_rows
from sightline.scans.sealed.store import open_sealed_months
from sightline.settings import Settings
from sightline.tables.folder import FolderError, WrittenMonth, export_folder
from sightline.tables.models import TableSource
from sightline.tables.parquet import require_parquet


def export(
    domain: Annotated[uuid.UUID, typer.Argument(help="Id of the tracked domain.")],
    folder: Annotated[Path, typer.Option("--to", help="Folder to write to, or to bring up to date.")],
    text: Annotated[bool, typer.Option("--text", help="Include the texts of answers.")] = False,
    as_json: AsJson = False,
) -> None:
    """Write the tables of a domain as monthly Parquet files. Run it again to bring the folder up to date."""
    written: list[WrittenMonth] = []

    async def action(db: Database, settings: Settings) -> None:
        require_parquet()
        workspace_id = await find_workspace_of_domain_any_workspace(db, domain)
        if workspace_id is None:
            fail_with_unknown_domain(domain)
        sealed = open_sealed_months(settings, open_payload_stores(settings))
        read_sealed = read_sealed_rows(db, sealed, workspace_id)
        source = TableSource(workspace_id=workspace_id, domain_id=domain, read_sealed=read_sealed)
        await record_export(db, workspace_id, "table_exported", domain_id=domain, table="all", format="parquet")
        await export_folder(db, source, folder, text=text, report=written.append)

    try:
        run_on_database(action)
    except FolderError as error:
        fail(str(error))
    print_result(written, as_json, lambda: _print_months(written, folder))


def _print_months(written: list[WrittenMonth], folder: Path) -> None:
    if not written:
        out.print(f"{folder} is up to date: nothing changed since the last export.", highlight=False)
        return
    table = build_table("Table", "Month", "Rows")
    for month in written:
        table.add_row(month.table, month.month, f"{month.rows:,}")
    out.print(table)
