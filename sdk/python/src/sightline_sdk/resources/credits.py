"""The credit balance, its ledger, packs and checkouts.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from typing import Literal

from sightline_sdk._calls import build_call
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk._streams import AsyncByteStream, ByteStream
from sightline_sdk.models import Balance, CheckoutAttempt, Entry, Pack


class CreditsResource(Resource):
    """The credit balance, its ledger, packs and checkouts (Console API)."""

    def balance(self) -> Balance:
        """Return the remaining credits, the spending of this calendar month (UTC) and the monthly spending limit.

        Test mode has separate credits. A workspace starts with 1,000 test credits, unless the operator has
        changed this number. Buying more in test mode costs no real money.
        """
        call = build_call("console", "GET", "/credits/balance")
        return self._transport.fetch(call, Balance)

    def ledger(
        self,
        *,
        reason: OneOf[
            Literal[
                "purchase", "scan_consumption", "refund", "action_consumption", "manual_adjustment", "promotional_grant"
            ]
        ]
        | None = None,
        cursor: str | None = None,
    ) -> PagedList[Entry]:
        """List every change to the credit balance, newest first, 50 per page.

        Entries are never changed or removed; their sum is the balance.

        Args:
            reason: Only entries with this reason.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", "/credits/ledger", query={"reason": reason, "cursor": cursor})
        return PagedList(self._transport, call, Entry)

    def ledger_csv(self) -> ByteStream:
        """Stream the whole ledger as CSV (RFC 4180), newest first.

        Text that a spreadsheet would treat as a formula is prefixed with an apostrophe.
        """
        call = build_call("console", "GET", "/credits/ledger.csv")
        return ByteStream(self._transport, call)

    def packs(self) -> PagedList[Pack]:
        """List the packs on sale, cheapest first, on one page.

        A pack is not available if its price exceeds what is left of this month's spending limit. Payments that
        are being processed count against the limit. Unpaid checkouts do not count here, because starting a
        checkout normally closes their payment pages. If a page cannot be closed, starting the checkout can
        still be refused (409 `spend_cap_exceeded`).
        """
        call = build_call("console", "GET", "/credits/packs")
        return PagedList(self._transport, call, Pack)

    def checkouts(self, *, cursor: str | None = None) -> PagedList[CheckoutAttempt]:
        """List the checkouts of the workspace, newest first, 50 per page.

        Each status is the last one that Sightline has verified. To verify it again, check the payment.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", "/credits/checkouts", query={"cursor": cursor})
        return PagedList(self._transport, call, CheckoutAttempt)


class AsyncCreditsResource(AsyncResource):
    """The credit balance, its ledger, packs and checkouts (Console API)."""

    async def balance(self) -> Balance:
        """Return the remaining credits, the spending of this calendar month (UTC) and the monthly spending limit.

        Test mode has separate credits. A workspace starts with 1,000 test credits, unless the operator has
        changed this number. Buying more in test mode costs no real money.
        """
        call = build_call("console", "GET", "/credits/balance")
        return await self._transport.fetch(call, Balance)

    def ledger(
        self,
        *,
        reason: OneOf[
            Literal[
                "purchase", "scan_consumption", "refund", "action_consumption", "manual_adjustment", "promotional_grant"
            ]
        ]
        | None = None,
        cursor: str | None = None,
    ) -> AsyncPagedList[Entry]:
        """List every change to the credit balance, newest first, 50 per page.

        Entries are never changed or removed; their sum is the balance.

        Args:
            reason: Only entries with this reason.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", "/credits/ledger", query={"reason": reason, "cursor": cursor})
        return AsyncPagedList(self._transport, call, Entry)

    def ledger_csv(self) -> AsyncByteStream:
        """Stream the whole ledger as CSV (RFC 4180), newest first.

        Text that a spreadsheet would treat as a formula is prefixed with an apostrophe.
        """
        call = build_call("console", "GET", "/credits/ledger.csv")
        return AsyncByteStream(self._transport, call)

    def packs(self) -> AsyncPagedList[Pack]:
        """List the packs on sale, cheapest first, on one page.

        A pack is not available if its price exceeds what is left of this month's spending limit. Payments that
        are being processed count against the limit. Unpaid checkouts do not count here, because starting a
        checkout normally closes their payment pages. If a page cannot be closed, starting the checkout can
        still be refused (409 `spend_cap_exceeded`).
        """
        call = build_call("console", "GET", "/credits/packs")
        return AsyncPagedList(self._transport, call, Pack)

    def checkouts(self, *, cursor: str | None = None) -> AsyncPagedList[CheckoutAttempt]:
        """List the checkouts of the workspace, newest first, 50 per page.

        Each status is the last one that Sightline has verified. To verify it again, check the payment.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("console", "GET", "/credits/checkouts", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, CheckoutAttempt)
