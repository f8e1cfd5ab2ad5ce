"""Domains that the workspace tracks.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import CostForecastView, DomainImport, DomainImportPreview, ImportedDomainInput, TrackedDomain


class TrackedDomainsResource(Resource):
    """Domains that the workspace tracks (Data API)."""

    def list(self, *, cursor: str | None = None) -> PagedList[TrackedDomain]:
        """List tracked domains, most recently added first, 50 per page.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/domains", query={"cursor": cursor})
        return PagedList(self._transport, call, TrackedDomain)

    def retrieve(self, domain_id: str) -> TrackedDomain:
        """Return one tracked domain.

        Returns 404 for a domain of the Console API.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}")
        return self._transport.fetch(call, TrackedDomain)

    def costs(self, domain_id: str) -> CostForecastView:
        """Return what checks of a domain will cost: a Full Check, a week and a month, next to what was spent.

        The forecast is the answers that checks ask for, times what an answer of the platform costs: in the last
        30 days, or by the operator's prices, or by list prices. The sandbox costs nothing. The operator of the
        service pays these costs; they are not credits. If no check of the domain is planned, checks ask for no
        answers. Requires the role admin.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/costs")
        return self._transport.fetch(call, CostForecastView)

    def preview_import(
        self,
        *,
        rows: Sequence[ImportedDomainInput],
        template_domain_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> DomainImportPreview:
        """Return what an import would create, and what its checks would cost.

        Nothing is stored.

        Args:
            rows: The domains, in any order.
            template_domain_id: Id of a tracked domain: the new ones get its prompts with their tags, pins and
                countries, its platforms, and its day and time of checks. Where a prompt names its brand, the
                new brand is named.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/domain-imports/preview",
            body={"rows": rows, "template_domain_id": omit_none(template_domain_id)},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, DomainImportPreview)

    def import_many(
        self,
        *,
        rows: Sequence[ImportedDomainInput],
        template_domain_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> DomainImport:
        """Set up to 100 domains up at once, with another domain as their template, and start their first checks.

        All of them are created, or none. A row that cannot be created is named, such as a domain that is
        tracked already, and so is a limit of the plan (422).

        Args:
            rows: The domains, in any order.
            template_domain_id: Id of a tracked domain: the new ones get its prompts with their tags, pins and
                countries, its platforms, and its day and time of checks. Where a prompt names its brand, the
                new brand is named.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/domain-imports",
            body={"rows": rows, "template_domain_id": omit_none(template_domain_id)},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, DomainImport)


class AsyncTrackedDomainsResource(AsyncResource):
    """Domains that the workspace tracks (Data API)."""

    def list(self, *, cursor: str | None = None) -> AsyncPagedList[TrackedDomain]:
        """List tracked domains, most recently added first, 50 per page.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/domains", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, TrackedDomain)

    async def retrieve(self, domain_id: str) -> TrackedDomain:
        """Return one tracked domain.

        Returns 404 for a domain of the Console API.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}")
        return await self._transport.fetch(call, TrackedDomain)

    async def costs(self, domain_id: str) -> CostForecastView:
        """Return what checks of a domain will cost: a Full Check, a week and a month, next to what was spent.

        The forecast is the answers that checks ask for, times what an answer of the platform costs: in the last
        30 days, or by the operator's prices, or by list prices. The sandbox costs nothing. The operator of the
        service pays these costs; they are not credits. If no check of the domain is planned, checks ask for no
        answers. Requires the role admin.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/costs")
        return await self._transport.fetch(call, CostForecastView)

    async def preview_import(
        self,
        *,
        rows: Sequence[ImportedDomainInput],
        template_domain_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> DomainImportPreview:
        """Return what an import would create, and what its checks would cost.

        Nothing is stored.

        Args:
            rows: The domains, in any order.
            template_domain_id: Id of a tracked domain: the new ones get its prompts with their tags, pins and
                countries, its platforms, and its day and time of checks. Where a prompt names its brand, the
                new brand is named.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/domain-imports/preview",
            body={"rows": rows, "template_domain_id": omit_none(template_domain_id)},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, DomainImportPreview)

    async def import_many(
        self,
        *,
        rows: Sequence[ImportedDomainInput],
        template_domain_id: str | None = None,
        idempotency_key: str | None = None,
    ) -> DomainImport:
        """Set up to 100 domains up at once, with another domain as their template, and start their first checks.

        All of them are created, or none. A row that cannot be created is named, such as a domain that is
        tracked already, and so is a limit of the plan (422).

        Args:
            rows: The domains, in any order.
            template_domain_id: Id of a tracked domain: the new ones get its prompts with their tags, pins and
                countries, its platforms, and its day and time of checks. Where a prompt names its brand, the
                new brand is named.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/domain-imports",
            body={"rows": rows, "template_domain_id": omit_none(template_domain_id)},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, DomainImport)
