"""Credits: the balance, the ledger, and the packs on sale."""

from sightline.api.edge.envelope import Envelope, Page, PageMeta
from sightline.api.edge.exchange import Exchange
from sightline.api.edge.operations import Filter, Resource
from sightline.api.edge.responses import Stream
from sightline.audit.record import record_export
from sightline.credits import export, ledger, packs, spend
from sightline.credits.export import HEADER
from sightline.credits.ledger import build_credit_rules
from sightline.credits.models import REASONS
from sightline.credits.schemas import EXAMPLE_ENTRIES, Balance, Entry, Pack, to_entry, to_pack
from sightline.kit.examples import Example

RESOURCE = Resource(
    "console",
    "Credits",
    "Credits that pay for scans: the balance, the ledger, and buying more.",
    {"credits": "The credit balance, its ledger, packs and checkouts"},
)


@RESOURCE.operation(
    "GET",
    "/credits/balance",
    summary="Read the balance",
    sdk="credits.balance",
    saves_copy=False,
)
async def read_balance(exchange: Exchange) -> Envelope[Balance]:
    """Return the remaining credits, the spending of this calendar month (UTC) and the monthly spending limit.

    Test mode has separate credits. A workspace starts with 1,000 test credits, unless the operator has changed this
    number. Buying more in test mode costs no real money.
    """
    actor, settings, now = exchange.actor, exchange.app_context.settings, exchange.now
    balance = await ledger.read_balance(
        exchange.db, ledger.CreditAccount(actor.workspace_id, actor.livemode, build_credit_rules(settings)), now=now
    )
    monthly_spend = await spend.read_spend(
        exchange.db, actor.workspace_id, livemode=actor.livemode, now=now, default_cap=settings.spend_cap_cents
    )
    return Envelope(
        Balance(balance, monthly_spend.spend_cap_cents, monthly_spend.current_month_spend_cents, actor.livemode)
    )


@RESOURCE.operation(
    "GET",
    "/credits/ledger",
    summary="List ledger entries",
    sdk="credits.ledger",
    paged=True,
    filters=(Filter("reason", "Only entries with this reason.", REASONS),),
    saves_copy=False,
)
async def list_ledger(exchange: Exchange) -> Page[Entry]:
    """List every change to the credit balance, newest first, 50 per page.

    Entries are never changed or removed; their sum is the balance.
    """
    paging = exchange.paging("console.ledger")
    rows = await ledger.list_entries(
        exchange.db,
        ledger.CreditAccount(
            exchange.actor.workspace_id, exchange.actor.livemode, build_credit_rules(exchange.app_context.settings)
        ),
        reason=exchange.filters.get("reason"),
        after=paging.after_time_and_id,
        page_size=paging.size,
        now=exchange.now,
    )
    return paging.page(rows.map(to_entry))


@RESOURCE.operation(
    "GET",
    "/credits/ledger.csv",
    summary="Export the ledger",
    sdk="credits.ledger_csv",
    stream_media_type="text/csv; charset=utf-8",
    saves_copy=False,
)
async def export_ledger(exchange: Exchange) -> Stream:
    """Stream the whole ledger as CSV (RFC 4180), newest first.

    Text that a spreadsheet would treat as a formula is prefixed with an apostrophe.
    """
    actor, rules = exchange.actor, build_credit_rules(exchange.app_context.settings)
    # Called before the stream starts, so that a failure is still a problem document.
    await ledger.open_account(
        exchange.db, ledger.CreditAccount(actor.workspace_id, actor.livemode, rules), now=exchange.now
    )
    await record_export(exchange.app_context.db, actor.workspace_id, "ledger_exported", livemode=actor.livemode)
    name = f"sightline-ledger-{exchange.now:%Y-%m-%d}{'' if actor.livemode else '-test'}.csv"
    exchange.respond_with(content_disposition=f'attachment; filename="{name}"')
    return Stream(export.ledger_csv(exchange.db, actor.workspace_id, livemode=actor.livemode))


@RESOURCE.operation("GET", "/credits/packs", summary="List packs", sdk="credits.packs", saves_copy=False)
async def list_packs(exchange: Exchange) -> Page[Pack]:
    """List the packs on sale, cheapest first, on one page.

    A pack is not available if its price exceeds what is left of this month's spending limit. Payments that are being
    processed count against the limit. Unpaid checkouts do not count here, because starting a checkout normally closes
    their payment pages. If a page cannot be closed, starting the checkout can still be refused (409
    `spend_cap_exceeded`).
    """
    cap = exchange.app_context.settings.spend_cap_cents
    rows = await packs.list_offers(exchange.db, exchange.actor, default_cap=cap, now=exchange.now)
    return Page([to_pack(row) for row in rows], PageMeta(has_more=False, next_cursor=None))


# Examples


def _write_line(entry: Entry) -> str:
    texts = [f'"{text}"' if text else "" for text in (entry.payment_reference, entry.description)]
    cells = [entry.id, entry.created_at, entry.reason, entry.delta, entry.scan_id or "", *texts]
    return ",".join(str(cell) for cell in cells) + "\r\n"


EXAMPLES = {"export_ledger": Example(HEADER.decode() + "".join(map(_write_line, EXAMPLE_ENTRIES)))}
