"""credits: what workspaces have, may spend and are sold, and whether the books add up."""

import uuid
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec
import typer

from sightline.accounts.actors import build_operator_actor
from sightline.accounts.workspaces import find_workspace
from sightline.cli.context import fail, out, run_on_database, show, table
from sightline.credits import ledger, packs, spend, verify
from sightline.credits.checkout.start import set_purchases_enabled
from sightline.credits.ledger import build_credit_rules
from sightline.credits.models import REASONS, Pack
from sightline.credits.schemas import to_entry
from sightline.db.engine import Database, Transaction
from sightline.kit.clock import utc_now
from sightline.settings import Settings

credits_commands = typer.Typer(help="Credits: balances, grants, the ledger, packs.", no_args_is_help=True)
packs_commands = typer.Typer(help="Packs of credits that are sold: list, add, change, retire.", no_args_is_help=True)
credits_commands.add_typer(packs_commands, name="packs")

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
WorkspaceId = Annotated[uuid.UUID, typer.Argument(help="Id of the workspace.")]
OfTest = Annotated[bool, typer.Option("--test", help="Test credits instead of live ones.")]
Note = Annotated[str, typer.Option(min=1, help="The line that the workspace reads in its ledger.")]
PricingId = Annotated[int, typer.Argument(help="`pricing_id` of the pack.")]
_MOST = 1_000_000_000


def _in_workspace(workspace: uuid.UUID, action: Callable[[Transaction, Settings], Awaitable[Any]]) -> Any:
    """One transaction on a workspace that exists."""

    async def run(db: Database, settings: Settings) -> Any:
        async with db.transaction() as tx:
            if await find_workspace(tx, workspace) is None:
                fail(f"There is no workspace {workspace}. `sightline plan show` lists them.")
            return await action(tx, settings)

    return run_on_database(run)


@credits_commands.command("balance")
def show_balance(workspace: WorkspaceId, test: OfTest = False, as_json: AsJson = False) -> None:
    """What a workspace has, and what it has spent this month."""

    async def action(tx: Transaction, settings: Settings) -> dict[str, Any]:
        now, rules = utc_now(), build_credit_rules(settings)
        balance = await ledger.read_balance(tx, workspace, livemode=not test, rules=rules, now=now)
        spent = await spend.read_spend(tx, workspace, livemode=not test, now=now, default_cap=settings.spend_cap_cents)
        return {"workspace_id": workspace, "livemode": not test, "balance": balance, **msgspec.to_builtins(spent)}

    found = _in_workspace(workspace, action)
    show(
        found,
        as_json,
        lambda: out.print(
            f"{found['balance']} credits. Spent this month: {_dollars(found['current_month_spend_cents'])} "
            f"of {_dollars(found['spend_cap_cents'])}."
        ),
    )


@credits_commands.command("grant")
def grant(
    workspace: WorkspaceId,
    amount: Annotated[int, typer.Argument(min=1, max=_MOST, help="How many credits to give.")],
    test: OfTest = False,
    note: Note = "Granted by the operator",
    as_json: AsJson = False,
) -> None:
    """Give credits to a workspace. Saying it twice gives twice."""

    async def action(tx: Transaction, settings: Settings) -> dict[str, Any]:
        rules = build_credit_rules(settings)
        balance = await ledger.grant_credits(
            tx, workspace, amount, livemode=not test, note=note, rules=rules, now=utc_now()
        )
        return {"workspace_id": workspace, "livemode": not test, "delta": amount, "balance": balance}

    made = _in_workspace(workspace, action)
    show(made, as_json, lambda: out.print(f"{amount} credits granted. The balance is {made['balance']}."))


# A negative number looks like an option; what is no option of ours is taken as an argument.
@credits_commands.command("adjust", context_settings={"ignore_unknown_options": True})
def adjust(
    workspace: WorkspaceId,
    delta: Annotated[int, typer.Argument(min=-_MOST, max=_MOST, help="Credits to add, or to take when negative.")],
    note: Note,
    test: OfTest = False,
    as_json: AsJson = False,
) -> None:
    """Correct a balance, not below zero. The note says why."""

    async def action(tx: Transaction, settings: Settings) -> dict[str, Any]:
        rules = build_credit_rules(settings)
        balance = await ledger.adjust_credits(
            tx, workspace, delta, livemode=not test, note=note, rules=rules, now=utc_now()
        )
        return {"workspace_id": workspace, "livemode": not test, "delta": delta, "balance": balance}

    made = _in_workspace(workspace, action)
    show(made, as_json, lambda: out.print(f"Adjusted by {delta:+d}. The balance is {made['balance']}."))


@credits_commands.command("ledger")
def show_ledger(
    workspace: WorkspaceId,
    test: OfTest = False,
    reason: Annotated[str | None, typer.Option(help=f"Only one of {', '.join(REASONS)}.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="How many at most.")] = 50,
    as_json: AsJson = False,
) -> None:
    """The newest entries of a workspace."""
    if reason is not None and reason not in REASONS:
        fail(f"--reason must be one of {', '.join(REASONS)}.")

    async def action(tx: Transaction, settings: Settings) -> list[dict[str, Any]]:
        operator = build_operator_actor(workspace, livemode=not test)
        found = await ledger.list_entries(
            tx, operator, reason=reason, after=None, page_size=limit, rules=build_credit_rules(settings), now=utc_now()
        )
        return [msgspec.to_builtins(to_entry(row)) for row in found.rows]

    rows = _in_workspace(workspace, action)

    def human() -> None:
        rows_table = table("When", "Credits", "Reason", "Description", "Payment")
        for row in rows:
            signed = f"{row['delta']:+d}"
            rows_table.add_row(
                row["created_at"], signed, row["reason"], row["description"], row["payment_reference"] or ""
            )
        out.print(rows_table)

    show(rows, as_json, human)


@credits_commands.command("verify")
def verify_books(as_json: AsJson = False) -> None:
    """Prove that all balances, entries, scans and purchases agree. Ends with 1 and says where they do not."""

    async def action(db: Database, _: Settings) -> list[dict[str, Any]]:
        return [msgspec.to_builtins(fault) for fault in await verify.verify_ledgers_any_workspace(db)]

    faults = run_on_database(action)

    def human() -> None:
        if not faults:
            out.print("The books add up.")
            return
        rows_table = table("Workspace", "Mode", "What", "Of", "Fault")
        for row in faults:
            mode = "live" if row["livemode"] else "test"
            rows_table.add_row(row["workspace_id"], mode, row["kind"], row["subject"], row["detail"])
        out.print(rows_table)

    show({"faults": faults}, as_json, human)
    if faults:
        raise typer.Exit(1)


@credits_commands.command("cap")
def set_cap(
    workspace: WorkspaceId,
    cents: Annotated[int | None, typer.Argument(min=0, max=_MOST, help="US cents per calendar month.")] = None,
    default: Annotated[bool, typer.Option("--default", help="Back to the installation's own.")] = False,
    as_json: AsJson = False,
) -> None:
    """Set what a workspace may spend on credits in a calendar month (UTC)."""
    if (cents is None) is not default:
        fail("Say either how many cents, or --default.")

    async def action(tx: Transaction, settings: Settings) -> dict[str, Any]:
        await spend.set_spend_cap(tx, workspace, cents, now=utc_now())
        return {
            "workspace_id": workspace,
            "spend_cap_cents": settings.spend_cap_cents if cents is None else cents,
            "is_default": default,
        }

    made = _in_workspace(workspace, action)
    show(made, as_json, lambda: out.print(f"The cap is {_dollars(made['spend_cap_cents'])} a month."))


@credits_commands.command("purchases")
def switch_purchases(
    state: Annotated[str, typer.Argument(help="on or off")],
    as_json: AsJson = False,
) -> None:
    """Let people buy credits, or pause new purchases: checkout then answers 503 `service_unavailable`."""
    if state not in {"on", "off"}:
        fail("Say `sightline credits purchases on` or `sightline credits purchases off`.")

    async def action(db: Database, _: Settings) -> None:
        async with db.transaction() as tx:
            await set_purchases_enabled(tx, enabled=state == "on")

    run_on_database(action)
    show({"purchases_enabled": state == "on"}, as_json, lambda: out.print(f"Purchases are {state}."))


@packs_commands.command("list")
def list_packs(as_json: AsJson = False) -> None:
    """Every pack, retired ones included."""

    async def action(db: Database, _: Settings) -> list[Pack]:
        return await packs.list_packs(db, active_only=False)

    _show_packs(run_on_database(action), as_json)


@packs_commands.command("add")
def add_pack(
    amount: Annotated[int, typer.Argument(metavar="CREDITS", min=1, help="How many credits it holds.")],
    price_cents: Annotated[int, typer.Argument(min=1, help="Its price in US cents, without tax.")],
    name: Annotated[str, typer.Option(help="Left out: the number of credits.")] = "",
    description: Annotated[str, typer.Option(help="Whom it is for.")] = "",
    badge: Annotated[str | None, typer.Option(help="A word that makes it stand out.")] = None,
    as_json: AsJson = False,
) -> None:
    """Sell another pack."""

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


@packs_commands.command("change")
def change_pack(
    pricing_id: PricingId,
    amount: Annotated[int | None, typer.Option("--credits", min=1, help="How many credits it holds.")] = None,
    price_cents: Annotated[int | None, typer.Option(min=1, help="Its price in US cents, without tax.")] = None,
    name: Annotated[str | None, typer.Option(help="Its name.")] = None,
    description: Annotated[str | None, typer.Option(help="Whom it is for.")] = None,
    badge: Annotated[str | None, typer.Option(help="A word that makes it stand out; empty takes it away.")] = None,
    as_json: AsJson = False,
) -> None:
    """Change a pack. Checkouts that were started before keep their price."""
    changes = packs.PackChanges(amount, price_cents, name, description, badge)
    _show_packs(_on_packs(lambda tx: packs.change_pack(tx, pricing_id, changes)), as_json)


@packs_commands.command("retire")
def retire_pack(pricing_id: PricingId, as_json: AsJson = False) -> None:
    """Sell a pack no more. What was bought of it stays."""
    _show_packs(_on_packs(lambda tx: packs.retire_pack(tx, pricing_id)), as_json)


def _on_packs(action: Callable[[Transaction], Awaitable[Pack]]) -> Pack:
    async def run(db: Database, _: Settings) -> Pack:
        async with db.transaction() as tx:
            return await action(tx)

    return run_on_database(run)


def _show_packs(found: Pack | list[Pack], as_json: bool) -> None:
    def human() -> None:
        rows_table = table("Id", "Credits", "Price", "Name", "Badge", "Sold")
        for pack in found if isinstance(found, list) else [found]:
            sold = "yes" if pack.active else "retired"
            price = _dollars(pack.price_cents)
            rows_table.add_row(str(pack.pricing_id), str(pack.credits), price, pack.name, pack.badge or "", sold)
        out.print(rows_table)

    show(msgspec.to_builtins(found), as_json, human)


def _dollars(cents: int) -> str:
    return f"${cents / 100:,.2f}"
