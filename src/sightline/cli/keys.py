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
from sightline.cli.context import AsJson, build_table, fail, out, print_result, run_on_database
from sightline.db.engine import Database
from sightline.kit.clock import to_iso_or_none, utc_now
from sightline.settings import Settings

key_commands = typer.Typer(help="API keys: mint, list, revoke.", no_args_is_help=True)

WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]


class Kind(StrEnum):
    CONSOLE_LIVE = "console-live"
    CONSOLE_TEST = "console-test"
    DATA = "data"


@key_commands.command("mint")
def mint(
    workspace: WorkspaceId,
    member: Annotated[str, typer.Option(help="E-mail of the member on whose behalf the key acts.")],
    kind: Annotated[Kind, typer.Option(help="Which API the key is for.")] = Kind.CONSOLE_LIVE,
    name: Annotated[str, typer.Option(help="Name of the key.")] = "Minted by the operator",
    write: Annotated[bool, typer.Option("--write", help="Data keys: add the scope write.")] = False,
    as_json: AsJson = False,
) -> None:
    """Mint an API key. It is printed once and cannot be shown again."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            user = await find_user(tx, member)
            if user is None or await find_member(tx, workspace, user.id) is None:
                fail(f"{member} is not a member of {workspace}. `sightline user list` shows all members.")
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

    result = run_on_database(action)
    print_result(
        result, as_json, lambda: out.print(f"{result['key']}\n\nCopy it now: it is not shown again.", highlight=False)
    )


@key_commands.command("list")
def list_keys(workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """List the newest keys of a workspace (at most 200), revoked keys included."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        found = await issue.list_keys(db, build_operator_actor(workspace), after=None, page_size=200)
        return [msgspec.to_builtins(to_key(key)) for key in found.rows]

    rows = run_on_database(action)

    def print_text() -> None:
        rows_table = build_table("Id", "Name", "Opens", "Ends in", "Last used", "Revoked")
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

    print_result(rows, as_json, print_text)


@key_commands.command("revoke")
def revoke(
    key_id: Annotated[uuid.UUID, typer.Argument(help="Id of the key.")], workspace: WorkspaceId, as_json: AsJson = False
) -> None:
    """Revoke a key. The next request with it is refused."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            key = await issue.revoke_key(tx, build_operator_actor(workspace), key_id, now=utc_now())
        return {"id": key.id, "revoked_at": to_iso_or_none(key.revoked_at)}

    result = run_on_database(action)
    print_result(result, as_json, lambda: out.print(f"{key_id} is revoked."))
