"""credits reconciliations: payments that a person has to look at, and how they were resolved."""

from typing import Annotated, Any

import msgspec
import typer

from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.cli.failures import fail
from sightline.credits.checkout.queries import list_payments_in_review_any_workspace
from sightline.credits.checkout.review import resolve_payment
from sightline.credits.checkout.states import AttemptRow
from sightline.credits.ledger import build_credit_rules
from sightline.credits.schemas import to_checkout_attempt
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.presentation.numbers import format_money
from sightline.settings import Settings

reconciliation_commands = typer.Typer(
    help="List payments that need review, and resolve them.", invoke_without_command=True
)


@reconciliation_commands.callback()
def list_reconciliations(context: typer.Context, as_json: AsJson = False) -> None:
    """List the payments that wait for the operator, longest waiting first."""
    if context.invoked_subcommand is not None:
        return

    async def action(db: Database, _: Settings) -> list[tuple[AttemptRow, str]]:
        return await list_payments_in_review_any_workspace(db)

    found = run_on_database(action)

    def print_text() -> None:
        if not found:
            out.print("No payment needs review.")
            return
        rows_table = build_table("Since", "Status", "Workspace", "Ordered", "Payment", "Why", "Reference")
        for attempt, workspace in found:
            rows_table.add_row(
                f"{attempt.updated_at:%Y-%m-%d %H:%M} UTC",
                attempt.status,
                f"{workspace} {attempt.workspace_id}",
                f"{attempt.credits} credits for {format_money(attempt.amount_cents, attempt.currency)}",
                attempt.payment_reference or "",
                attempt.reason or "",
                attempt.reference,
            )
        out.print(rows_table)

    print_result([_describe(attempt, workspace) for attempt, workspace in found], as_json, print_text)


@reconciliation_commands.command("resolve")
def resolve(
    reference: Annotated[str, typer.Argument(help="Reference of the checkout.")],
    resolution: Annotated[
        str,
        typer.Argument(help="credited: accept the payment and add the credits. refunded: you have returned the money."),
    ],
    note: Annotated[str, typer.Option(help="Reason, which is stored with the checkout.")],
    as_json: AsJson = False,
) -> None:
    """Record how a payment was resolved. To refund it, return the money at the payment provider first."""
    if resolution not in {"credited", "refunded"}:
        fail("Use `credited` or `refunded`.")

    async def action(db: Database, settings: Settings) -> AttemptRow:
        async with db.transaction() as tx:
            rules = build_credit_rules(settings)
            return await resolve_payment(tx, reference, resolution, note=note, rules=rules, now=utc_now())  # type: ignore[arg-type]

    attempt = run_on_database(action)
    print_result(_describe(attempt), as_json, lambda: out.print(f"The checkout is {attempt.status}.", highlight=False))


def _describe(attempt: AttemptRow, workspace: str | None = None) -> dict[str, Any]:
    named = {} if workspace is None else {"workspace": workspace}
    described = msgspec.to_builtins(to_checkout_attempt(attempt))
    return {"workspace_id": str(attempt.workspace_id), **named, **described, "reason": attempt.reason}
