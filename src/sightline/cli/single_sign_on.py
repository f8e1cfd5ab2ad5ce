"""sso: the e-mail domains of workspaces for single sign-on, and the way in when an identity provider is down."""

import uuid
from typing import Annotated, Any

import typer

from sightline.accounts.queries import find_workspace
from sightline.accounts.single_sign_on import providers, queries
from sightline.accounts.single_sign_on.sign_in import build_return_address
from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.kit.shell_command import format_command
from sightline.settings import Settings

sso_commands = typer.Typer(
    help="Assign e-mail domains to workspaces for single sign-on, and end its requirement.", no_args_is_help=True
)

Domain = Annotated[str, typer.Argument(help="Domain of e-mail addresses, such as acme.com.")]
WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]


@sso_commands.command("list")
def list_domains(as_json: AsJson = False) -> None:
    """List the assigned e-mail domains with their workspaces."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        return [
            {
                "domain": domain,
                "workspace_id": str(workspace_id),
                "workspace": name,
                "has_provider": has_provider,
                "required": required,
            }
            for domain, workspace_id, name, has_provider, required in await queries.list_domains_any_workspace(db)
        ]

    rows = run_on_database(action)

    def print_text() -> None:
        table = build_table("Domain", "Workspace", "Id", "Provider", "Required")
        for row in rows:
            marks = ["yes" if row[name] else "" for name in ("has_provider", "required")]
            table.add_row(row["domain"], row["workspace"], row["workspace_id"], *marks)
        out.print(table)

    print_result({"domains": rows}, as_json, print_text)


@sso_commands.command("assign")
def assign_domain(domain: Domain, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Let a workspace sign in the people of an e-mail domain. First make sure that the domain belongs to it."""

    async def action(db: Database, settings: Settings) -> str:
        async with db.transaction() as tx:
            if await find_workspace(tx, workspace) is None:
                fail(f"There is no workspace {workspace}. To list them, run: {format_command('plan', 'show')}")
            owner = await providers.assign_domain(tx, workspace, domain, now=utc_now())
        if owner != workspace:
            fail(f"{domain} is assigned to workspace {owner}. To end that: {format_command('sso', 'unassign', domain)}")
        return build_return_address(settings, workspace)

    address = run_on_database(action)
    message = f"Workspace {workspace} can sign in people of {domain}. Its return address is {address}"
    result = {"domain": domain, "workspace_id": str(workspace), "return_address": address}
    print_result(result, as_json, lambda: out.print(message, highlight=False))


@sso_commands.command("unassign")
def unassign_domain(domain: Domain, as_json: AsJson = False) -> None:
    """End the assignment of an e-mail domain. Its people sign in with their passwords; open sessions continue."""

    async def action(db: Database, _: Settings) -> uuid.UUID | None:
        async with db.transaction() as tx:
            return await providers.unassign_domain(tx, domain)

    workspace = run_on_database(action)
    message = f"{domain} was assigned to workspace {workspace}." if workspace else f"{domain} was not assigned."
    result = {"domain": domain, "workspace_id": str(workspace) if workspace else None}
    print_result(result, as_json, lambda: out.print(message, highlight=False))


@sso_commands.command("unrequire")
def end_requirement(workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Let members of a workspace sign in with passwords again, such as while its identity provider is down."""

    async def action(db: Database, _: Settings) -> bool:
        async with db.transaction() as tx:
            return await providers.end_requirement(tx, workspace)

    changed = run_on_database(action)
    message = "Members can sign in with passwords." if changed else "The workspace does not require single sign-on."
    print_result({"workspace_id": str(workspace), "changed": changed}, as_json, lambda: out.print(message))
