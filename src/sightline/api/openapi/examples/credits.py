"""Examples of the balance, the ledger and the packs."""

from collections.abc import Mapping
from uuid import UUID

from sightline.api.openapi.examples.example import Example, envelope, page
from sightline.credits.export import HEADER
from sightline.credits.schemas import Balance, Entry, Pack

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


def _csv_line(entry: Entry) -> str:
    texts = [f'"{text}"' if text else "" for text in (entry.payment_reference, entry.description)]
    cells = [entry.id, entry.created_at, entry.reason, entry.delta, entry.scan_id or "", *texts]
    return ",".join(str(cell) for cell in cells) + "\r\n"


EXAMPLES: Mapping[str, Example] = {
    "read_balance": Example(
        envelope(Balance(balance=47, spend_cap_cents=150_000, current_month_spend_cents=7_900, livemode=False))
    ),
    "list_ledger": Example(page(*_ENTRIES)),
    "export_ledger": Example(HEADER.decode() + "".join(_csv_line(entry) for entry in _ENTRIES)),
    "list_packs": Example(
        page(
            Pack(
                pricing_id=2,
                credits=50,
                price_cents=7_900,
                name="50 credits",
                description="Ten scans on five platforms.",
                badge="Popular",
                available=True,
                unavailable_reason=None,
            ),
            Pack(
                pricing_id=4,
                credits=1_000,
                price_cents=99_000,
                name="1,000 credits",
                description="One scan a week for four weeks, for each of 50 domains, on five platforms.",
                badge=None,
                available=False,
                unavailable_reason="It costs 990.00 USD, but only 510.00 USD of this month's spending limit is left.",
            ),
        )
    ),
}
