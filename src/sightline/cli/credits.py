"""credits: balances, grants, spend caps, the ledger and its verification, purchases and packs."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
import typer

from sightline.accounts.models import build_operator_actor
from sightline.accounts.queries import find_workspace
from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.cli.reconciliations import reconciliation_commands
from sightline.credits import ledger, packs, queries, spend, verify
from sightline.credits.checkout.start import set_purchases_enabled
from sightline.credits.ledger import build_credit_rules
from sightline.credits.models import REASONS, Pack
from sightline.credits.schemas import to_entry
from sightline.db.engine import Database, Transaction
from sightline.kit.clock import utc_now
from sightline.kit.shell_command import format_command
from sightline.settings import Settings

credit_commands = typer.Typer(
    help="Manage credits: balances, grants, the ledger, spending limits and packs.", no_args_is_help=True
)
pack_commands = typer.Typer(help="List, add, change and retire the packs of credits for sale.", no_args_is_help=True)
credit_commands.add_typer(pack_commands, name="packs")
credit_commands.add_typer(reconciliation_commands, name="reconciliations")

WorkspaceId = Annotated[uuid.UUID, typer.Argument(help="Id of the workspace.")]
TestCredits = Annotated[bool, typer.Option("--test", help="Test credits instead of live ones.")]
Note = Annotated[
    str, typer.Option(min=1, help="Description of the ledger entry, which members of the workspace can read.")
]
PricingId = Annotated[int, typer.Argument(help="`pricing_id` of the pack.")]
_MAX_AMOUNT = 1_000_000_000


def _in_workspace(workspace: uuid.UUID, action: Callable[[Transaction, Settings], Awaitable[Any]]) -> Any:
    """Run an action in one transaction on a workspace. A workspace that does not exist fails."""

    async def run(db: Database, settings: Settings) -> Any:
        async with db.transaction() as tx:
            if await find_workspace(tx, workspace) is None:
                fail(f"There is no workspace {workspace}. To list them, run: {format_command('plan', 'show')}")
            return await action(tx, settings)

    return run_on_database(run)


@credit_commands.command("balance")
def show_balance(workspace: WorkspaceId, test: TestCredits = False, as_json: AsJson = False) -> None:
    """Show the balance of a workspace, and what it has spent this month."""

    async def action(tx: Transaction, settings: Settings) -> dict[str, Any]:
        now, rules = utc_now(), build_credit_rules(settings)
        balance = await ledger.read_balance(tx, ledger.CreditAccount(workspace, not test, rules), now=now)
        spent = await spend.read_spend(tx, workspace, livemode=not test, now=now, default_cap=settings.spend_cap_cents)
        return {"workspace_id": workspace, "livemode": not test, "balance": balance, **msgspec.to_builtins(spent)}

    found = _in_workspace(workspace, action)
    print_result(
        found,
        as_json,
        lambda: out.print(
            f"{found['balance']} credits. Spent this month: {_format_dollars(found['current_month_spend_cents'])} "
            f"of {_format_dollars(found['spend_cap_cents'])}."
        ),
    )


@credit_commands.command("grant")
def grant(
    workspace: WorkspaceId,
    amount: Annotated[int, typer.Argument(min=1, max=_MAX_AMOUNT, help="Number of credits.")],
    test: TestCredits = False,
    note: Note = "Granted by the operator",
    as_json: AsJson = False,
) -> None:
    """Grant credits to a workspace. Running the command twice grants the credits twice."""

    async def action(tx: Transaction, settings: Settings) -> dict[str, Any]:
        rules = build_credit_rules(settings)
        balance = await ledger.grant_credits(
            tx, ledger.CreditAccount(workspace, not test, rules), amount, note=note, now=utc_now()
        )
        return {"workspace_id": workspace, "livemode": not test, "delta": amount, "balance": balance}

    result = _in_workspace(workspace, action)
    print_result(result, as_json, lambda: out.print(f"{amount} credits granted. The balance is {result['balance']}."))


# A negative number looks like an option, so unknown options are read as arguments.
@credit_commands.command("adjust", context_settings={"ignore_unknown_options": True})
def adjust(
    workspace: WorkspaceId,
    delta: Annotated[
        int, typer.Argument(min=-_MAX_AMOUNT, max=_MAX_AMOUNT, help="Credits to add; a negative number subtracts.")
    ],
    note: Note,
    test: TestCredits = False,
    as_json: AsJson = False,
) -> None:
    """Correct a balance, but not below zero. State the reason in the note."""

    async def action(tx: Transaction, settings: Settings) -> dict[str, Any]:
        rules = build_credit_rules(settings)
        balance = await ledger.adjust_credits(
            tx, ledger.CreditAccount(workspace, not test, rules), delta, note=note, now=utc_now()
        )
        return {"workspace_id": workspace, "livemode": not test, "delta": delta, "balance": balance}

    result = _in_workspace(workspace, action)
    print_result(result, as_json, lambda: out.print(f"Adjusted by {delta:+d}. The balance is {result['balance']}."))


@credit_commands.command("ledger")
def show_ledger(
    workspace: WorkspaceId,
    test: TestCredits = False,
    reason: Annotated[str | None, typer.Option(help=f"Only one of {', '.join(REASONS)}.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="Maximum number of rows.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List the newest ledger entries of a workspace."""
    if reason is not None and reason not in REASONS:
        fail(f"--reason must be one of {', '.join(REASONS)}.")

    async def action(tx: Transaction, settings: Settings) -> list[dict[str, Any]]:
        operator = build_operator_actor(workspace, livemode=not test)
        found = await ledger.list_entries(
            tx,
            ledger.CreditAccount(operator.workspace_id, operator.livemode, build_credit_rules(settings)),
            reason=reason,
            after=None,
            page_size=limit,
            now=utc_now(),
        )
        return [msgspec.to_builtins(to_entry(row)) for row in found.rows]

    rows = _in_workspace(workspace, action)

    def print_text() -> None:
        rows_table = build_table("When", "Credits", "Reason", "Description", "Payment")
        for row in rows:
            signed = f"{row['delta']:+d}"
            rows_table.add_row(
                row["created_at"], signed, row["reason"], row["description"], row["payment_reference"] or ""
            )
        out.print(rows_table)

    print_result(rows, as_json, print_text)


@credit_commands.command("verify")
def verify_books(as_json: AsJson = False) -> None:
    """Verify that balances, ledger entries, scans and purchases agree. Exits with 1 and lists the differences."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        return [msgspec.to_builtins(fault) for fault in await verify.verify_ledgers_any_workspace(db)]

    faults = run_on_database(action)

    def print_text() -> None:
        if not faults:
            out.print("The ledger is consistent.")
            return
        rows_table = build_table("Workspace", "Mode", "What", "Of", "Fault")
        for row in faults:
            mode = "live" if row["livemode"] else "test"
            rows_table.add_row(row["workspace_id"], mode, row["kind"], row["subject"], row["detail"])
        out.print(rows_table)

    print_result({"faults": faults}, as_json, print_text)
    if faults:
        raise typer.Exit(1)


@credit_commands.command("cap")
def set_cap(
    workspace: WorkspaceId,
    cents: Annotated[int | None, typer.Argument(min=0, max=_MAX_AMOUNT, help="US cents per calendar month.")] = None,
    default: Annotated[bool, typer.Option("--default", help="Use the default of the installation.")] = False,
    as_json: AsJson = False,
) -> None:
    """Set the spending limit of a workspace for credits in a calendar month (UTC)."""
    if (cents is None) is not default:
        fail("Give either a number of cents or --default.")

    async def action(tx: Transaction, settings: Settings) -> dict[str, Any]:
        await spend.set_spend_cap(tx, workspace, cents, now=utc_now())
        return {
            "workspace_id": workspace,
            "spend_cap_cents": settings.spend_cap_cents if cents is None else cents,
            "is_default": default,
        }

    result = _in_workspace(workspace, action)
    print_result(
        result,
        as_json,
        lambda: out.print(f"The spending limit is {_format_dollars(result['spend_cap_cents'])} per month."),
    )


@credit_commands.command("purchases")
def switch_purchases(
    state: Annotated[str, typer.Argument(help="on or off")],
    as_json: AsJson = False,
) -> None:
    """Allow or pause purchases of credits. While paused, a checkout gets 503 `service_unavailable`."""
    if state not in {"on", "off"}:
        fail(f"There is no state {state!r}. Use on or off.")

    async def action(db: Database, _: Settings) -> None:
        async with db.transaction() as tx:
            await set_purchases_enabled(tx, enabled=state == "on")

    run_on_database(action)
    print_result({"purchases_enabled": state == "on"}, as_json, lambda: out.print(f"Purchases are {state}."))


@pack_commands.command("list")
def list_packs(as_json: AsJson = False) -> None:
    """List all packs, including retired ones."""

    async def action(db: Database, _: Settings) -> list[Pack]:
        return await queries.list_packs_any_workspace(db, active_only=False)

    _show_packs(run_on_database(action), as_json)


@pack_commands.command("add")
def add_pack(
    amount: Annotated[int, typer.Argument(metavar="CREDITS", min=1, help="Number of credits.")],
    price_cents: Annotated[int, typer.Argument(min=1, help="Price in US cents, without tax.")],
    name: Annotated[str, typer.Option(help="Display name of the pack. Default: the number of credits.")] = "",
    description: Annotated[str, typer.Option(help="What the credits are enough for, as a sentence.")] = "",
    badge: Annotated[str | None, typer.Option(help="A short label that highlights the pack, such as Popular.")] = None,
    as_json: AsJson = False,
) -> None:
    """Add a pack."""

    async def action(tx: Transaction) -> Pack:
        return await packs.add_pack(
            tx,
            credits=amount,
            price_cents=price_cents,
            name=name or f"{amount:,} credits",
            description=description,
            badge=badge,
        )

    _show_packs(_on_packs(action), as_json)


@pack_commands.command("change")
def change_pack(
    pricing_id: PricingId,
    amount: Annotated[int | None, typer.Option("--credits", min=1, help="Number of credits.")] = None,
    price_cents: Annotated[int | None, typer.Option(min=1, help="Price in US cents, without tax.")] = None,
    name: Annotated[str | None, typer.Option(help="Display name of the pack.")] = None,
    description: Annotated[str | None, typer.Option(help="What the credits are enough for, as a sentence.")] = None,
    badge: Annotated[
        str | None, typer.Option(help="A short label that highlights the pack. An empty label removes it.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Change a pack. Checkouts that have already started keep their price."""
    changes = packs.PackChanges(amount, price_cents, name, description, badge)
    _show_packs(_on_packs(lambda tx: packs.change_pack(tx, pricing_id, changes)), as_json)


@pack_commands.command("retire")
def retire_pack(pricing_id: PricingId, as_json: AsJson = False) -> None:
    """Stop selling a pack. Earlier purchases stay valid."""
    _show_packs(_on_packs(lambda tx: packs.retire_pack(tx, pricing_id)), as_json)


def _on_packs(action: Callable[[Transaction], Awaitable[Pack]]) -> Pack:
    async def run(db: Database, _: Settings) -> Pack:
        async with db.transaction() as tx:
            return await action(tx)

    return run_on_database(run)


def _show_packs(found: Pack | list[Pack], as_json: bool) -> None:
    def print_text() -> None:
        rows_table = build_table("Id", "Credits", "Price", "Name", "Badge", "Sold")
        for pack in found if isinstance(found, list) else [found]:
            sold = "yes" if pack.active else "retired"
            price = _format_dollars(pack.price_cents)
            rows_table.add_row(str(pack.pricing_id), str(pack.credits), price, pack.name, pack.badge or "", sold)
        out.print(rows_table)

    print_result(found, as_json, print_text)


def _format_dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"
