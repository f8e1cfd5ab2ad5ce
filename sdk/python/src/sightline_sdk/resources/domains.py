"""Console domains, which you scan on demand.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import CompetitorInput, Domain, Removed


class DomainsResource(Resource):
    """Console domains, which you scan on demand (Console API)."""

    def list(self, *, cursor: str | None = None, page_size: int | None = None) -> PagedList[Domain]:
        """List domains, most recently created first.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call("console", "GET", "/domains", query={"cursor": cursor, "page_size": page_size})
        return PagedList(self._transport, call, Domain)

    def register(
        self,
        *,
        domain: str,
        brand_name: str | UnsetType = UNSET,
        aliases: Sequence[str] | UnsetType = UNSET,
        owned_domains: Sequence[str] | UnsetType = UNSET,
        competitors: Sequence[str | CompetitorInput] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Domain:
        """Register a domain, given as a host name or a URL.

        A leading `www.` is removed. The default of `brand_name` is the first part of the domain: `acme` for
        `acme.com`. In results, this name has a capital letter: `Acme`. Registering a removed domain restores it
        with its old id; fields that you leave out keep their old values. Sightline fetches nothing from the
        domain.

        Args:
            domain: Host name or URL. It is reduced to its host in lower case, without a leading `www`.
            brand_name: Name to look for in answers.
            aliases: Other names of the brand.
            owned_domains: Other domains of the brand. Citations of them count as citations of the brand.
            competitors: Competitors that the brand is ranked against (Market Position), each as a domain or as
                an object with a name.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/domains",
            body={
                "brand_name": brand_name,
                "aliases": aliases,
                "owned_domains": owned_domains,
                "competitors": competitors,
                "domain": domain,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Domain)

    def retrieve(self, domain_id: str) -> Domain:
        """Return one domain.

        Returns 404 if the domain was removed.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("console", "GET", f"/domains/{to_segment(domain_id)}")
        return self._transport.fetch(call, Domain)

    def update(
        self,
        domain_id: str,
        *,
        brand_name: str | UnsetType = UNSET,
        aliases: Sequence[str] | UnsetType = UNSET,
        owned_domains: Sequence[str] | UnsetType = UNSET,
        competitors: Sequence[str | CompetitorInput] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Domain:
        """Change the fields that you send.

        A list that you send replaces the old list. The host name cannot be changed.

        Args:
            domain_id: Id of the domain.
            brand_name: Name to look for in answers.
            aliases: Other names of the brand.
            owned_domains: Other domains of the brand. Citations of them count as citations of the brand.
            competitors: Competitors that the brand is ranked against (Market Position), each as a domain or as
                an object with a name.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "PATCH",
            f"/domains/{to_segment(domain_id)}",
            body={
                "brand_name": brand_name,
                "aliases": aliases,
                "owned_domains": owned_domains,
                "competitors": competitors,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Domain)

    def remove(self, domain_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a domain from the list of domains.

        Its scans remain. A domain with an active scan cannot be removed.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("console", "DELETE", f"/domains/{to_segment(domain_id)}", idempotency_key=idempotency_key)
        return self._transport.fetch(call, Removed)


class AsyncDomainsResource(AsyncResource):
    """Console domains, which you scan on demand (Console API)."""

    def list(self, *, cursor: str | None = None, page_size: int | None = None) -> AsyncPagedList[Domain]:
        """List domains, most recently created first.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
            page_size: Rows per page, 1 to 200. By default 50.
        """
        call = build_call("console", "GET", "/domains", query={"cursor": cursor, "page_size": page_size})
        return AsyncPagedList(self._transport, call, Domain)

    async def register(
        self,
        *,
        domain: str,
        brand_name: str | UnsetType = UNSET,
        aliases: Sequence[str] | UnsetType = UNSET,
        owned_domains: Sequence[str] | UnsetType = UNSET,
        competitors: Sequence[str | CompetitorInput] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Domain:
        """Register a domain, given as a host name or a URL.

        A leading `www.` is removed. The default of `brand_name` is the first part of the domain: `acme` for
        `acme.com`. In results, this name has a capital letter: `Acme`. Registering a removed domain restores it
        with its old id; fields that you leave out keep their old values. Sightline fetches nothing from the
        domain.

        Args:
            domain: Host name or URL. It is reduced to its host in lower case, without a leading `www`.
            brand_name: Name to look for in answers.
            aliases: Other names of the brand.
            owned_domains: Other domains of the brand. Citations of them count as citations of the brand.
            competitors: Competitors that the brand is ranked against (Market Position), each as a domain or as
                an object with a name.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "POST",
            "/domains",
            body={
                "brand_name": brand_name,
                "aliases": aliases,
                "owned_domains": owned_domains,
                "competitors": competitors,
                "domain": domain,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Domain)

    async def retrieve(self, domain_id: str) -> Domain:
        """Return one domain.

        Returns 404 if the domain was removed.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("console", "GET", f"/domains/{to_segment(domain_id)}")
        return await self._transport.fetch(call, Domain)

    async def update(
        self,
        domain_id: str,
        *,
        brand_name: str | UnsetType = UNSET,
        aliases: Sequence[str] | UnsetType = UNSET,
        owned_domains: Sequence[str] | UnsetType = UNSET,
        competitors: Sequence[str | CompetitorInput] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> Domain:
        """Change the fields that you send.

        A list that you send replaces the old list. The host name cannot be changed.

        Args:
            domain_id: Id of the domain.
            brand_name: Name to look for in answers.
            aliases: Other names of the brand.
            owned_domains: Other domains of the brand. Citations of them count as citations of the brand.
            competitors: Competitors that the brand is ranked against (Market Position), each as a domain or as
                an object with a name.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "console",
            "PATCH",
            f"/domains/{to_segment(domain_id)}",
            body={
                "brand_name": brand_name,
                "aliases": aliases,
                "owned_domains": owned_domains,
                "competitors": competitors,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Domain)

    async def remove(self, domain_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a domain from the list of domains.

        Its scans remain. A domain with an active scan cannot be removed.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call("console", "DELETE", f"/domains/{to_segment(domain_id)}", idempotency_key=idempotency_key)
        return await self._transport.fetch(call, Removed)
