"""Credits: the balance, the ledger, and the packs that are sold."""

from sightline.api.edge.envelope import One, Page, PageMeta
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, operation
from sightline.api.edge.responses import Stream
from sightline.credits import export, ledger, packs, spend
from sightline.credits.ledger import rules_of
from sightline.credits.models import REASONS
from sightline.credits.schemas import Balance, Entry, Pack, to_entry, to_pack


@operation("console", "GET", "/credits/balance", tag="Credits", summary="Read the balance", saves_copy=False)
async def read_balance(exchange: Exchange) -> One[Balance]:
    """Credits that are left, and this calendar month's (UTC) spending beside the cap. Safe to call before submitting a
    check. Test mode has credits of its own."""
    actor, settings, now = exchange.actor, exchange.app_context.settings, exchange.now
    balance = await ledger.read_balance(
        exchange.db, actor.workspace_id, livemode=actor.livemode, rules=rules_of(settings), now=now
    )
    spent = await spend.read_spend(
        exchange.db, actor.workspace_id, livemode=actor.livemode, now=now, default_cap=settings.spend_cap_cents
    )
    return One(Balance(balance, spent.spend_cap_cents, spent.current_month_spend_cents, actor.livemode))


@operation(
    "console",
    "GET",
    "/credits/ledger",
    tag="Credits",
    summary="List ledger entries",
    paged=True,
    filters=(Filter("reason", "Only entries with this reason.", REASONS),),
    saves_copy=False,
)
async def list_ledger(exchange: Exchange) -> Page[Entry]:
    """Every movement of credits, newest first, 50 per page. Entries are never changed or removed; their sum is the
    balance."""
    paging = exchange.paging("console.ledger")
    rows = await ledger.list_entries(
        exchange.db,
        exchange.actor,
        reason=exchange.filters.get("reason"),
        after=paging.after_time_and_id,
        page_size=paging.size,
        rules=rules_of(exchange.app_context.settings),
        now=exchange.now,
    )
    return paging.page(rows.map(to_entry))


@operation(
    "console",
    "GET",
    "/credits/ledger.csv",
    tag="Credits",
    summary="Export the ledger",
    stream_media_type="text/csv; charset=utf-8",
    saves_copy=False,
)
async def export_ledger(exchange: Exchange) -> Stream:
    """The whole ledger as CSV (RFC 4180), newest first, sent as it is read. A text that a spreadsheet would take for a
    formula has an apostrophe in front."""
    actor, rules = exchange.actor, rules_of(exchange.app_context.settings)
    # Before the answer begins: what fails here is still answered with a problem document.
    await ledger.open_account(exchange.db, actor.workspace_id, livemode=actor.livemode, rules=rules, now=exchange.now)
    name = f"sightline-ledger-{exchange.now:%Y-%m-%d}{'' if actor.livemode else '-test'}.csv"
    exchange.respond_with(content_disposition=f'attachment; filename="{name}"')
    return Stream(export.ledger_csv(exchange.db, actor.workspace_id, livemode=actor.livemode))


@operation("console", "GET", "/credits/packs", tag="Credits", summary="List packs", saves_copy=False)
async def list_packs(exchange: Exchange) -> Page[Pack]:
    """The packs that are sold, cheapest first, all in one page."""
    rows = await packs.list_packs(exchange.db)
    return Page([to_pack(row) for row in rows], PageMeta(has_more=False, next_cursor=None))
