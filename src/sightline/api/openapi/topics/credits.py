"""How the reference speaks of credits."""

from collections.abc import Mapping
from uuid import UUID

from sightline.api.edge.envelope import Meta, One, Page, PageMeta
from sightline.api.openapi.example import REQUEST_ID, Example
from sightline.api.openapi.topics import checkout
from sightline.credits.export import HEADER
from sightline.credits.schemas import Balance, Entry, Pack

TAGS: Mapping[str, str] = {
    "Console: Credits": "What checks are paid with: the balance, every movement of credits, and buying more.",
}
PATH_IDS: Mapping[str, str] = {}

# The balance, the ledger and the packs

_LEDGER_MEANINGS = {
    "Balance.balance": "Credits that are left. Below zero only after a payment was taken back.",
    "spend_cap_cents": "What the workspace may spend on credits in a calendar month (UTC), in US cents.",
    "current_month_spend_cents": "This calendar month's (UTC) credited purchases less what was refunded of them, in "
    "US cents.",
    "Entry.delta": "Positive adds credits, negative removes them.",
    "Entry.reason": "Why the credits moved.",
    "Entry.scan_id": "The check that they were taken for or given back for; null otherwise.",
    "Entry.payment_reference": "Order id of a card purchase; the refund of a purchase repeats it. Null otherwise.",
    "Entry.description": "A line to read.",
    "pricing_id": "Names the pack at checkout.",
    "Pack.credits": "How many credits it holds.",
    "Pack.price_cents": "Its price in US cents, without tax.",
    "Pack.description": "Whom it is for.",
    "Pack.badge": "A word that makes it stand out; null for most.",
}

_SCAN_ID = UUID("01990f6b-7d0e-7a51-9b2c-8e4f60d1c3a7")
_ENTRIES = [
    Entry(
        id=UUID("01990f6b-7d10-7d3a-8c15-2b9e74f0a6d1"),
        delta=-3,
        reason="scan_consumption",
        scan_id=_SCAN_ID,
        payment_reference=None,
        description="Console Check of acme.com on 3 platforms",
        created_at="2026-11-14T09:28:41.660205+00:00",
    ),
    Entry(
        id=UUID("01990f69-03c8-7e92-a47d-51c6b80f9e23"),
        delta=50,
        reason="purchase",
        scan_id=None,
        payment_reference="pi_3PExample0000000001",
        description="50 credits",
        created_at="2026-11-13T16:04:12.045981+00:00",
    ),
]


def _to_line(entry: Entry) -> str:
    texts = [f'"{text}"' if text else "" for text in (entry.payment_reference, entry.description)]
    cells = [entry.id, entry.created_at, entry.reason, entry.delta, entry.scan_id or "", *texts]
    return ",".join(str(cell) for cell in cells) + "\r\n"


_LEDGER_EXAMPLES = {
    "read_balance": Example(
        One(
            Balance(balance=47, spend_cap_cents=50_000, current_month_spend_cents=7_900, livemode=True),
            Meta(REQUEST_ID),
        )
    ),
    "list_ledger": Example(Page(_ENTRIES, PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID))),
    "export_ledger": Example(HEADER.decode() + "".join(_to_line(entry) for entry in _ENTRIES)),
    "list_packs": Example(
        Page(
            [
                Pack(1, 10, 1_900, "10 credits", "Ten platforms of one check, or one platform of ten checks.", None),
                Pack(2, 50, 7_900, "50 credits", "For a check of five platforms every third day.", "Popular"),
            ],
            PageMeta(has_more=False, next_cursor=None, request_id=REQUEST_ID),
        )
    ),
}

MEANINGS: Mapping[str, str] = {**_LEDGER_MEANINGS, **checkout.MEANINGS}
EXAMPLES: Mapping[str, Example] = {**_LEDGER_EXAMPLES, **checkout.EXAMPLES}
