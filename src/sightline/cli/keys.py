"""key: mint, list and revoke API keys as the operator."""

import uuid
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer

from sightline.accounts.actors import build_operator_actor
from sightline.accounts.members import find_member
from sightline.accounts.users import find_user
from sightline.api_keys import issue
from sightline.api_keys.schemas import to_key
from sightline.cli.context import fail, out, run_on_database, show, table
from sightline.db.engine import Database
from sightline.kit.clock import to_iso_or_none, utc_now
from sightline.settings import Settings

keys = typer.Typer(help="API keys: mint, list, revoke.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]


class Kind(StrEnum):
    CONSOLE_LIVE = "console-live"
    CONSOLE_TEST = "console-test"
    DATA = "data"


@keys.command("mint")
def mint(
    workspace: WorkspaceId,
    member: Annotated[str, typer.Option(help="E-mail of the member in whose name the key acts.")],
    kind: Annotated[Kind, typer.Option(help="What the key opens.")] = Kind.CONSOLE_LIVE,
    name: Annotated[str, typer.Option(help="A name to know it by.")] = "Minted by the operator",
    write: Annotated[bool, typer.Option("--write", help="Data keys: add the scope write.")] = False,
    as_json: AsJson = False,
) -> None:
    """Mint a key. It is printed once and can never be shown again."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            user = await find_user(tx, member)
            if user is None or await find_member(tx, workspace, user.id) is None:
                fail(f"{member} is no member of {workspace}. `sightline user list` shows who is.")
            key, secret = await issue.mint_key(
                tx,
                workspace,
                user.id,
                name=name,
                kind="data" if kind is Kind.DATA else "console",
                livemode=kind is not Kind.CONSOLE_TEST,
                scopes=["write"] if write else [],
                now=utc_now(),
            )
        return {"id": str(key.id), "key": secret, "kind": kind, "scopes": key.scopes}

    made = run_on_database(action)
    show(made, as_json, lambda: out.print(f"{made['key']}\n\nKeep it now: it is not shown again.", highlight=False))


@keys.command("list")
def list_keys(workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """The newest keys of a workspace (at most 200), revoked ones included."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        found = await issue.list_keys(db, build_operator_actor(workspace), after=None, page_size=200)
        return [msgspec.to_builtins(to_key(key)) for key in found.rows]

    rows = run_on_database(action)

    def human() -> None:
        rows_table = table("Id", "Name", "Opens", "Ends in", "Last used", "Revoked")
        for row in rows:
            opens = f"{row['kind']} {row['mode']} {' '.join(row['scopes'])}".strip()
            rows_table.add_row(
                str(row["id"]),
                row["name"],
                opens,
                row["last_four"],
                row["last_used_at"] or "never",
                row["revoked_at"] or "",
            )
        out.print(rows_table)

    show(rows, as_json, human)


@keys.command("revoke")
def revoke(
    key_id: Annotated[uuid.UUID, typer.Argument(help="Id of the key.")], workspace: WorkspaceId, as_json: AsJson = False
) -> None:
    """Revoke a key: the next request with it is refused."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            key = await issue.revoke_key(tx, build_operator_actor(workspace), key_id, now=utc_now())
        return {"id": key.id, "revoked_at": to_iso_or_none(key.revoked_at)}

    result = run_on_database(action)
    show(result, as_json, lambda: out.print(f"{key_id} is revoked."))
