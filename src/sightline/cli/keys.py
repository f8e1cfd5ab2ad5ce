"""key: create, list, rotate and revoke API keys as the operator."""

import uuid
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer

from sightline.accounts.models import build_operator_actor
from sightline.accounts.queries import find_member
from sightline.accounts.users import find_user
from sightline.api_keys import issue
from sightline.api_keys.schemas import to_key
from sightline.api_keys.scopes import CONSOLE_SCOPES
from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.db.engine import Database
from sightline.kit.clock import to_iso_or_none, utc_now
from sightline.kit.shell_command import format_command
from sightline.settings import Settings

key_commands = typer.Typer(help="Create, list, rotate and revoke API keys.", no_args_is_help=True)

KeyId = Annotated[uuid.UUID, typer.Argument(help="Id of the key.")]
WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]


class Kind(StrEnum):
    CONSOLE_LIVE = "console-live"
    CONSOLE_TEST = "console-test"
    DATA = "data"


@key_commands.command("mint", hidden=True)
@key_commands.command("create")
def create(
    workspace: WorkspaceId,
    member: Annotated[
        str, typer.Option(help="E-mail address of the member who owns the key. The key acts with this member's role.")
    ],
    kind: Annotated[Kind, typer.Option(help="Which API the key is for.")] = Kind.CONSOLE_LIVE,
    name: Annotated[str, typer.Option(help="Name of the key.")] = "Created by the operator",
    write: Annotated[bool, typer.Option("--write", help="Data keys: add the scope write.")] = False,
    scope: Annotated[
        list[str] | None,
        typer.Option(help=f"Console keys: {', '.join(CONSOLE_SCOPES)}. Can be repeated. Default: all."),
    ] = None,
    expires_in_days: Annotated[int | None, typer.Option(min=1, max=3650, help="Days until the key expires.")] = None,
    address: Annotated[
        list[str] | None, typer.Option(help="Address or network that the key works from; can be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Create an API key. It is printed once and cannot be shown again."""
    now = utc_now()

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            user = await find_user(tx, member)
            if user is None or await find_member(tx, workspace, user.id) is None:
                fail(f"{member} is not a member of {workspace}. To list members, run: {format_command('user', 'list')}")
            new = issue.NewKey(
                name=name,
                kind="data" if kind is Kind.DATA else "console",
                livemode=kind is not Kind.CONSOLE_TEST,
                scopes=[*(["write"] if write else []), *(scope or [])],
                expires_at=None if expires_in_days is None else now + timedelta(days=expires_in_days),
                allowed_addresses=address or [],
            )
            key, secret = await issue.mint_key(tx, workspace, user.id, new, now=now)
        return {
            "id": str(key.id),
            "key": secret,
            "kind": kind,
            "scopes": key.scopes,
            "expires_at": to_iso_or_none(key.expires_at),
            "allowed_addresses": [str(network) for network in key.allowed_addresses],
        }

    result = run_on_database(action)
    print_result(
        result, as_json, lambda: out.print(f"{result['key']}\n\nCopy it now. It is not shown again.", highlight=False)
    )


@key_commands.command("list")
def list_keys(workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """List the newest keys of a workspace (at most 200), including revoked keys."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        found = await issue.list_keys(db, build_operator_actor(workspace), after=None, page_size=200)
        return [msgspec.to_builtins(to_key(key)) for key in found.rows]

    rows = run_on_database(action)

    def print_text() -> None:
        rows_table = build_table("Id", "Name", "Opens", "Ends in", "Last used", "Expires", "Revoked")
        for row in rows:
            opens = f"{row['kind']} {row['mode']} {' '.join(row['scopes'])}".strip()
            rows_table.add_row(
                str(row["id"]),
                row["name"],
                opens,
                row["last_four"],
                row["last_used_at"] or "never",
                row["expires_at"] or "",
                row["revoked_at"] or "",
            )
        out.print(rows_table)

    print_result(rows, as_json, print_text)


@key_commands.command("revoke")
def revoke(
    key_id: KeyId,
    workspace: WorkspaceId,
    keep_children: Annotated[
        bool, typer.Option("--keep-children", help="Do not revoke the keys that this key created.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Revoke a key and the keys that it created. Further requests with these keys are refused."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            key = await issue.revoke_key(
                tx, build_operator_actor(workspace), key_id, keep_children=keep_children, now=utc_now()
            )
        return {"id": key.id, "revoked_at": to_iso_or_none(key.revoked_at)}

    result = run_on_database(action)
    print_result(result, as_json, lambda: out.print(f"{key_id} is revoked."))


@key_commands.command("rotate")
def rotate(key_id: KeyId, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Give a key a new secret, which is printed once. The previous secret works for another 24 hours."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            key, secret = await issue.rotate_key(tx, build_operator_actor(workspace), key_id, now=utc_now())
        return {
            "id": str(key.id),
            "key": secret,
            "previous_key_expires_at": to_iso_or_none(key.previous_ends_at),
        }

    result = run_on_database(action)
    text = f"{result['key']}\n\nCopy it now. It is not shown again. The previous secret works for 24 hours."
    print_result(result, as_json, lambda: out.print(text, highlight=False))


@key_commands.command("revoke-all")
def revoke_all(workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Revoke every key of a workspace. Further requests with these keys are refused."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            count = await issue.revoke_all_keys(tx, build_operator_actor(workspace), now=utc_now())
        return {"revoked": count}

    result = run_on_database(action)
    print_result(result, as_json, lambda: out.print(f"Keys revoked: {result['revoked']}."))
