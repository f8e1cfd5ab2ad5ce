"""`sightline costs`: what calls to AI platforms cost, for the operator."""

import uuid
from decimal import Decimal
from typing import Annotated, Any

import msgspec
import typer

from sightline.cli.context import AsJson, build_table, out, print_result, run_on_database
from sightline.db.engine import Database
from sightline.insights.cost_forecast import ExpectedMonth, expect_month_any_workspace
from sightline.kit.clock import utc_now
from sightline.platforms.connections.save import list_options
from sightline.platforms.costs.models import CallTotals, CostRow
from sightline.platforms.costs.read import read_costs, read_costs_any_workspace, read_period, sum_costs
from sightline.platforms.costs.schemas import to_platform_cost
from sightline.platforms.costs.spend import AnswerPrice, price_answers
from sightline.platforms.names import platform_name
from sightline.platforms.pricing import LIST_PRICES_READ_ON
from sightline.presentation.numbers import format_cost, format_number
from sightline.settings import Settings


def costs(
    workspace: Annotated[uuid.UUID | None, typer.Option(help="Only one workspace.")] = None,
    since: Annotated[str | None, typer.Option(help="First day (UTC). Default: the first of the month.")] = None,
    until: Annotated[str | None, typer.Option(help="Last day (UTC). Default: today.")] = None,
    forecast: Annotated[bool, typer.Option(help="Show by platform what this month will cost, and its limits.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show what calls to AI platforms cost, by workspace, domain and platform. With --json, also by day."""
    if forecast:
        if workspace or since or until:
            raise typer.BadParameter("--forecast is about this month and all workspaces: leave out the other options.")
        _show_forecast(as_json)
        return

    async def action(db: Database, _: Settings) -> list[CostRow]:
        period = read_period(since, until, now=utc_now())
        if workspace is None:
            return await read_costs_any_workspace(db, period)
        return await read_costs(db, workspace, period)

    rows = run_on_database(action)
    print_result([_to_dict(row) for row in rows], as_json, lambda: _print_costs(rows))


def _to_dict(row: CostRow) -> dict[str, Any]:
    return {"workspace_id": str(row.workspace_id), **msgspec.to_builtins(to_platform_cost(row))}


def _print_costs(rows: list[CostRow]) -> None:
    if not rows:
        out.print("No calls to platforms in this period.")
        return
    table = build_table(
        "Workspace", "Domain", "Platform", "Calls", "Failed", "Tokens in", "Tokens out", "Cost", "Editor"
    )
    sums = sum_costs(rows, lambda row: (str(row.workspace_id), row.domain, platform_name(row.platform)))
    for group, totals in sorted(sums.items(), key=lambda item: (-(item[1].cost_usd or Decimal(0)), item[0])):
        table.add_row(*group, *_describe(totals))
    (total,) = sum_costs(rows, lambda _: None).values()
    table.add_row("Total", "", "", *_describe(total))
    out.print(table)
    if unpriced := total.calls - total.priced_calls:
        out.print(
            f"The cost of {unpriced:,} of {total.calls:,} calls is not known: they failed, or the platform reports "
            "no cost and has no prices in SIGHTLINE_PLATFORM_PRICES.",
            highlight=False,
        )


def _describe(totals: CallTotals) -> list[str]:
    counts = (totals.calls, totals.failed_calls, totals.input_tokens, totals.output_tokens)
    editor = format_cost(totals.editor_cost_usd) if totals.editor_calls else ""
    return [*map(format_number, counts), format_cost(totals.cost_usd), editor]


class _Forecast(msgspec.Struct, frozen=True):
    """What a platform will have cost at the end of the month."""

    platform: str
    answer_usd: float | None
    basis: str | None
    spent_usd: float
    expected_usd: float
    monthly_limit_usd: float | None
    limit_reached_on: str | None


def _show_forecast(as_json: bool) -> None:
    async def action(db: Database, settings: Settings) -> list[_Forecast]:
        now = utc_now()
        prices = await price_answers(db, settings, now=now)
        limits = {key: each.monthly_limit_usd for key, each in (await list_options(db)).items()}
        months = await expect_month_any_workspace(db, settings, now=now)
        return [_to_forecast(key, month, prices.get(key), limits.get(key)) for key, month in sorted(months.items())]

    rows = run_on_database(action)
    print_result([msgspec.to_builtins(row) for row in rows], as_json, lambda: _print_forecast(rows))


def _to_forecast(platform: str, month: ExpectedMonth, price: AnswerPrice | None, limit: Decimal | None) -> _Forecast:
    day = None if limit is None else month.find_day(limit)
    return _Forecast(
        platform,
        price.usd if price else None,
        price.basis if price else None,
        month.spent_usd,
        month.expected_usd,
        None if limit is None else float(limit),
        day.isoformat() if day else None,
    )


def _print_forecast(rows: list[_Forecast]) -> None:
    if not rows:
        out.print("No platform has a known price, and nothing was spent this month.")
        return
    table = build_table("Platform", "Answer", "Price", "Spent", "Expected this month", "Limit", "Limit reached on")
    for row in rows:
        amounts = (row.spent_usd, row.expected_usd)
        limit = "" if row.monthly_limit_usd is None else format_cost(row.monthly_limit_usd)
        table.add_row(
            platform_name(row.platform),
            format_cost(row.answer_usd),
            row.basis or "",
            *map(format_cost, amounts),
            limit,
            row.limit_reached_on or "",
        )
    out.print(table)
    if any(row.basis == "list" for row in rows):
        out.print(f"List prices are of {LIST_PRICES_READ_ON}, for a usual answer.", highlight=False)
