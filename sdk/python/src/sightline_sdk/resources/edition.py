"""Who edited the insights of a tracked domain, and its market.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import EditionSummary


class EditionResource(Resource):
    """Who edited the insights of a tracked domain, and its market (Data API)."""

    def retrieve(self, domain_id: str) -> EditionSummary:
        """Return which language model edited the insights of the latest Full Check, the market, and the themes.

        The model names competitors, sorts themes, words actions and proposes prompts. It changes no figure.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/edition")
        return self._transport.fetch(call, EditionSummary)

    def correct_market(
        self,
        domain_id: str,
        *,
        singular: str,
        plural: str,
        audience: str,
        language: str,
        idempotency_key: str | None = None,
    ) -> EditionSummary:
        """Say what is sold in the market of the domain.

        Your words win over the editor's in later Full Checks.

        Args:
            domain_id: Id of the domain.
            singular: What is sold, as one noun, such as `anvil`, without brand names.
            plural: The same in the plural.
            audience: Who buys it, in a few words.
            language: Two-letter code of the language of these words.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/domains/{to_segment(domain_id)}/market",
            body={"singular": singular, "plural": plural, "audience": audience, "language": language},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, EditionSummary)

    def forget_market(self, domain_id: str, *, idempotency_key: str | None = None) -> EditionSummary:
        """Forget what is sold in the market, so that the editor is asked again after the next Full Check.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("data", "DELETE", f"/domains/{to_segment(domain_id)}/market", idempotency_key=idempotency_key)
        return self._transport.fetch(call, EditionSummary)


class AsyncEditionResource(AsyncResource):
    """Who edited the insights of a tracked domain, and its market (Data API)."""

    async def retrieve(self, domain_id: str) -> EditionSummary:
        """Return which language model edited the insights of the latest Full Check, the market, and the themes.

        The model names competitors, sorts themes, words actions and proposes prompts. It changes no figure.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/edition")
        return await self._transport.fetch(call, EditionSummary)

    async def correct_market(
        self,
        domain_id: str,
        *,
        singular: str,
        plural: str,
        audience: str,
        language: str,
        idempotency_key: str | None = None,
    ) -> EditionSummary:
        """Say what is sold in the market of the domain.

        Your words win over the editor's in later Full Checks.

        Args:
            domain_id: Id of the domain.
            singular: What is sold, as one noun, such as `anvil`, without brand names.
            plural: The same in the plural.
            audience: Who buys it, in a few words.
            language: Two-letter code of the language of these words.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/domains/{to_segment(domain_id)}/market",
            body={"singular": singular, "plural": plural, "audience": audience, "language": language},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, EditionSummary)

    async def forget_market(self, domain_id: str, *, idempotency_key: str | None = None) -> EditionSummary:
        """Forget what is sold in the market, so that the editor is asked again after the next Full Check.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("data", "DELETE", f"/domains/{to_segment(domain_id)}/market", idempotency_key=idempotency_key)
        return await self._transport.fetch(call, EditionSummary)
