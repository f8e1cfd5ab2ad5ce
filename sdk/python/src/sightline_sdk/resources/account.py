"""The profile of the workspace.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import Account


class AccountResource(Resource):
    """The profile of the workspace (Console API)."""

    def retrieve(self) -> Account:
        """Return the profile of the workspace."""
        call = build_call("console", "GET", "/account")
        return self._transport.fetch(call, Account)

    def update(
        self,
        *,
        name: str | UnsetType = UNSET,
        company: str | UnsetType | None = UNSET,
        billing_email: str | UnsetType | None = UNSET,
        website: str | UnsetType | None = UNSET,
        timezone: str | UnsetType = UNSET,
        editor_declined: bool | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Account:
        """Change the fields that you send.

        Null clears an optional field. Requires the role admin. Live and test mode share the profile, so a test
        key cannot change it.

        Args:
            name: Display name of the workspace.
            company: Legal name for invoices. Null clears it.
            billing_email: Address that invoices are sent to. Null clears it.
            website: Website of the company, an http or https URL. Null clears it.
            timezone: Name from the IANA time zone database, such as `Europe/Berlin`.
            editor_declined: True if no language model may edit insights: rules alone then find and word them.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "PATCH",
            "/account",
            body={
                "name": name,
                "company": company,
                "billing_email": billing_email,
                "website": website,
                "timezone": timezone,
                "editor_declined": editor_declined,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Account)


class AsyncAccountResource(AsyncResource):
    """The profile of the workspace (Console API)."""

    async def retrieve(self) -> Account:
        """Return the profile of the workspace."""
        call = build_call("console", "GET", "/account")
        return await self._transport.fetch(call, Account)

    async def update(
        self,
        *,
        name: str | UnsetType = UNSET,
        company: str | UnsetType | None = UNSET,
        billing_email: str | UnsetType | None = UNSET,
        website: str | UnsetType | None = UNSET,
        timezone: str | UnsetType = UNSET,
        editor_declined: bool | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Account:
        """Change the fields that you send.

        Null clears an optional field. Requires the role admin. Live and test mode share the profile, so a test
        key cannot change it.

        Args:
            name: Display name of the workspace.
            company: Legal name for invoices. Null clears it.
            billing_email: Address that invoices are sent to. Null clears it.
            website: Website of the company, an http or https URL. Null clears it.
            timezone: Name from the IANA time zone database, such as `Europe/Berlin`.
            editor_declined: True if no language model may edit insights: rules alone then find and word them.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "PATCH",
            "/account",
            body={
                "name": name,
                "company": company,
                "billing_email": billing_email,
                "website": website,
                "timezone": timezone,
                "editor_declined": editor_declined,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Account)
