"""user, plan, console, bootstrap-token: users, plans of workspaces, and the Console API's switch."""

import uuid
from typing import Annotated, Any

import typer

from sightline.accounts import members, passwords, users, workspaces
from sightline.accounts.models import Role, User
from sightline.accounts.operators import grant as operators
from sightline.accounts.operators.queries import list_operators
from sightline.accounts.queries import (
    find_member,
    find_workspace,
    list_users_any_workspace,
    list_workspaces_any_workspace,
)
from sightline.accounts.second_factor.manage import reset_factors
from sightline.accounts.security_emails import enqueue_password_changed
from sightline.accounts.sign_in.email_change import store_address
from sightline.accounts.sign_in.sessions import change_password
from sightline.accounts.users import clean_email, create_user
from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.db.engine import Database, Reader
from sightline.kit.clock import utc_now
from sightline.kit.shell_command import format_command
from sightline.onboarding.bootstrap import create_token
from sightline.plans.table import DEFAULT_PLAN, Plan
from sightline.settings import Settings
from sightline.usage.console_switch import set_console_enabled

user_commands = typer.Typer(
    help="Add and list users, and change roles, operators and how they sign in.", no_args_is_help=True
)
plan_commands = typer.Typer(help="Show and set the plans of workspaces.", no_args_is_help=True)

Email = Annotated[str, typer.Argument(help="E-mail address of the user.")]
WorkspaceId = Annotated[uuid.UUID, typer.Option("--workspace", help="Id of the workspace.")]
Password = Annotated[
    str, typer.Option("--password", prompt=True, hide_input=True, help="If left out, you are asked for it.")
]


async def _read_user(db: Reader, email: str) -> User:
    user = await users.find_user(db, email)
    if user is None:
        fail(f"There is no user {email}. To list all users, run: {format_command('user', 'list')}")
    return user


@user_commands.command("add")
def add_user(
    email: Email,
    password: Password,
    name: Annotated[str, typer.Option(help="Display name.")] = "",
    workspace: Annotated[uuid.UUID | None, typer.Option(help="Workspace to join. Default: a new workspace.")] = None,
    workspace_name: Annotated[str, typer.Option(help="Name of the new workspace.")] = "",
    role: Annotated[Role, typer.Option(help="Role in the workspace to join.")] = Role.EDITOR,
    plan: Annotated[Plan, typer.Option(help="Plan of the new workspace.")] = DEFAULT_PLAN,
    as_json: AsJson = False,
) -> None:
    """Add a user, as the owner of a new workspace or as a member of an existing one."""

    async def action(db: Database, _: Settings) -> dict[str, str]:
        now, address = utc_now(), clean_email(email)
        passwords.require_strong_now(password, email=address)
        password_hash = passwords.hash_now(password)
        async with db.transaction() as tx:
            user = await create_user(tx, address, name, password_hash, now=now)
            if user is None:
                fail(f"{address} already exists. To list all users, run: {format_command('user', 'list')}")
            if workspace is None:
                created = await workspaces.create_workspace(tx, user, workspace_name or user.name, plan, now=now)
                return {"user_id": str(user.id), "workspace_id": str(created.id), "role": "owner"}
            if await find_workspace(tx, workspace) is None:
                fail(f"There is no workspace {workspace}. To list them, run: {format_command('plan', 'show')}")
            await members.set_member_role(tx, workspace, user.id, role, billing=False, now=now)
            return {"user_id": str(user.id), "workspace_id": str(workspace), "role": role}

    result = run_on_database(action)
    print_result(
        result, as_json, lambda: out.print(f"{email} is {result['role']} of workspace {result['workspace_id']}.")
    )


@user_commands.command("list")
def list_users(as_json: AsJson = False) -> None:
    """List all users with their workspaces."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        found = await list_users_any_workspace(db)
        named = {user.id for user in await list_operators(db)}
        return [
            {"id": user.id, "email": user.email, "name": user.name, "operator": user.id in named, "member": lines}
            for user, lines in found
        ]

    rows = run_on_database(action)

    def print_text() -> None:
        rows_table = build_table("E-mail", "Name", "Operator", "Member as")
        for row in rows:
            rows_table.add_row(row["email"], row["name"], "yes" if row["operator"] else "", "\n".join(row["member"]))
        out.print(rows_table)

    print_result(rows, as_json, print_text)


@user_commands.command("password")
def set_password(email: Email, password: Password, as_json: AsJson = False) -> None:
    """Set a new password and end all sessions of the user."""

    async def action(db: Database, settings: Settings) -> None:
        passwords.require_strong_now(password, email=users.normalize_email(email))
        password_hash = passwords.hash_now(password)
        async with db.transaction() as tx:
            user = await _read_user(tx, email)
            await change_password(tx, user.id, password_hash)
            await enqueue_password_changed(tx, settings, user, now=utc_now())

    run_on_database(action)
    message = f"Changed the password of {email}. All sessions have ended."
    print_result({"email": email, "changed": True}, as_json, lambda: out.print(message))


@user_commands.command("email")
def change_email(
    email: Email,
    new: Annotated[str, typer.Argument(help="The new e-mail address.")],
    as_json: AsJson = False,
) -> None:
    """Change the e-mail address of a user who cannot open e-mails to the old one, and end all sessions."""

    async def action(db: Database, settings: Settings) -> str:
        address = clean_email(new)
        async with db.transaction() as tx:
            user = await _read_user(tx, email)
            if await users.find_user(tx, address) is not None:
                fail(f"{address} already has an account. To list all users, run: {format_command('user', 'list')}")
            await store_address(tx, settings, user.id, address, now=utc_now())
        return address

    address = run_on_database(action)
    message = f"Changed {email} to {address}. All sessions have ended."
    print_result({"email": address, "changed": True}, as_json, lambda: out.print(message, highlight=False))


@user_commands.command("reset-factors")
def reset_user_factors(email: Email, as_json: AsJson = False) -> None:
    """Remove the second factors of a user who has lost them, and end all sessions. The password still applies."""

    async def action(db: Database, settings: Settings) -> bool:
        async with db.transaction() as tx:
            user = await _read_user(tx, email)
            return await reset_factors(tx, settings, user.id, "reset", now=utc_now())

    changed = run_on_database(action)
    message = f"Removed the second factors of {email}." if changed else f"{email} has no second factor."
    print_result({"email": email, "changed": changed}, as_json, lambda: out.print(message, highlight=False))


@user_commands.command("role")
def set_role(
    email: Email,
    role: Annotated[Role, typer.Argument(help="The new role.")],
    workspace: WorkspaceId,
    billing: Annotated[
        bool | None, typer.Option("--billing/--no-billing", help="Billing permission. Default: unchanged.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Set a user's role in a workspace. A user who is not a member is added."""

    async def action(db: Database, _: Settings) -> dict[str, Any]:
        async with db.transaction() as tx:
            user = await _read_user(tx, email)
            if await find_workspace(tx, workspace) is None:
                fail(f"There is no workspace {workspace}. To list them, run: {format_command('plan', 'show')}")
            known = await find_member(tx, workspace, user.id)
            may_bill = known is not None and known.billing if billing is None else billing
            await members.set_member_role(tx, workspace, user.id, role, billing=may_bill, now=utc_now())
        return {"email": user.email, "workspace_id": workspace, "role": role, "billing": may_bill}

    result = run_on_database(action)
    print_result(result, as_json, lambda: out.print(f"{email} is now {role} of {workspace}."))


@user_commands.command("operator")
def set_operator(
    email: Email,
    remove: Annotated[bool, typer.Option("--remove", help="Remove this right instead.")] = False,
    as_json: AsJson = False,
) -> None:
    """Make a user an operator of this installation. Operators connect platforms on the pages under /operator."""

    async def action(db: Database, _: Settings) -> tuple[str, bool]:
        async with db.transaction() as tx:
            user = await _read_user(tx, email)
            if remove:
                return user.email, await operators.remove_operator(tx, user.id)
            return user.email, await operators.grant_operator(tx, user.id, now=utc_now())

    address, changed = run_on_database(action)
    state = "no longer an operator" if remove else "an operator"
    if not changed:
        state = "not an operator" if remove else "already an operator"
    print_result(
        {"email": address, "operator": not remove, "changed": changed},
        as_json,
        lambda: out.print(f"{address} is {state} of this installation.", highlight=False),
    )


@user_commands.command("remove")
def remove_user(email: Email, workspace: WorkspaceId, as_json: AsJson = False) -> None:
    """Remove a user from a workspace. API keys that this user created for it stop working immediately."""

    async def action(db: Database, _: Settings) -> bool:
        async with db.transaction() as tx:
            user = await _read_user(tx, email)
            return await members.end_membership(tx, workspace, user.id)

    if not run_on_database(action):
        fail(f"{email} is not a member of {workspace}.")
    removed = {"email": email, "workspace_id": workspace, "removed": True}
    print_result(removed, as_json, lambda: out.print(f"Removed {email} from {workspace}."))


@plan_commands.command("show")
def show_plans(as_json: AsJson = False) -> None:
    """List all workspaces with their plans."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        found = await list_workspaces_any_workspace(db)
        return [{"id": w.id, "name": w.name, "plan": w.plan, "created_at": w.created_at} for w in found]

    rows = run_on_database(action)

    def print_text() -> None:
        rows_table = build_table("Workspace", "Name", "Plan")
        for row in rows:
            rows_table.add_row(str(row["id"]), row["name"], row["plan"])
        out.print(rows_table)

    print_result(rows, as_json, print_text)


@plan_commands.command("set")
def set_plan(
    workspace: Annotated[uuid.UUID, typer.Argument(help="Id of the workspace.")],
    plan: Annotated[Plan, typer.Argument(help="The new plan.")],
    as_json: AsJson = False,
) -> None:
    """Set the plan of a workspace."""

    async def action(db: Database, _: Settings) -> bool:
        async with db.transaction() as tx:
            return await workspaces.set_plan(tx, workspace, plan, now=utc_now())

    if not run_on_database(action):
        fail(f"There is no workspace {workspace}. To list them, run: {format_command('plan', 'show')}")
    print_result({"id": workspace, "plan": plan}, as_json, lambda: out.print(f"{workspace} is on the plan {plan}."))


def bootstrap_token(as_json: AsJson = False) -> None:
    """Create a one-time link for creating an owner with a workspace. Older unused links stop working."""

    async def action(db: Database, settings: Settings) -> dict[str, str]:
        async with db.transaction() as tx:
            token = await create_token(tx, now=utc_now())
        return {"token": token, "url": f"{settings.public_url}/welcome?token={token}"}

    result = run_on_database(action)
    print_result(result, as_json, lambda: out.print(result["url"], highlight=False))


def switch_console(
    state: Annotated[str, typer.Argument(help="on or off")],
    as_json: AsJson = False,
) -> None:
    """Switch the Console API on or off for all workspaces. While it is off, it responds with 503 `service_disabled`."""
    if state not in {"on", "off"}:
        fail(f"There is no state {state!r}. Use on or off.")

    async def action(db: Database, _: Settings) -> None:
        async with db.transaction() as tx:
            await set_console_enabled(tx, enabled=state == "on")

    run_on_database(action)
    print_result({"enabled": state == "on"}, as_json, lambda: out.print(f"The Console API is {state}."))
