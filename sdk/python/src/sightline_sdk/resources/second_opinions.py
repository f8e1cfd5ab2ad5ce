"""Files of answers from elsewhere, and imported histories.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import ImportedHistory, Removed, SecondOpinion, SecondOpinionResult


class SecondOpinionsResource(Resource):
    """Files of answers from elsewhere, and imported histories (Data API)."""

    def list(self, *, cursor: str | None = None) -> PagedList[SecondOpinion]:
        """List the files of the last 24 hours, newest first.

        There are 20 at most.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/second-opinions", query={"cursor": cursor})
        return PagedList(self._transport, call, SecondOpinion)

    def create(
        self,
        *,
        content: str,
        brand_name: str,
        file_name: str | UnsetType = UNSET,
        domain: str | None = None,
        aliases: Sequence[str] | UnsetType = UNSET,
        competitors: Sequence[str] | UnsetType = UNSET,
        columns: dict[str, str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> SecondOpinion:
        """Measure a file of answers.

        The response says which column is read as what; send `columns` to correct it. The page of the web app
        takes larger files, and `sightline analyze` any number of answers.

        Args:
            content: The whole file as text: CSV or JSON Lines, at most 10 MB with the request.
            brand_name: Brand to measure.
            file_name: Its name, for people.
            domain: Domain of the brand. Without it, citations of its pages are not recognized.
            aliases: Other names of the brand.
            competitors: Competitors as `NAME`, `NAME=domain` or a domain. Without any, the brands that the
                answers name most often are compared.
            columns: Column of the file by field, where it is not recognized: `text`, `prompt`, `platform`,
                `answered_at`, `country`, `language`, `sources`, `queries`, `id` or `run`. An empty name stands
                for none.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/second-opinions",
            body={
                "content": content,
                "file_name": file_name,
                "brand_name": brand_name,
                "domain": omit_none(domain),
                "aliases": aliases,
                "competitors": competitors,
                "columns": columns,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, SecondOpinion)

    def retrieve(self, opinion_id: str) -> SecondOpinion:
        """Return the state of a file: whether it is measured, or why it cannot be.

        Args:
            opinion_id: Id of the opinion.
        """
        call = build_call("data", "GET", f"/second-opinions/{to_segment(opinion_id)}")
        return self._transport.fetch(call, SecondOpinion)

    def result(self, opinion_id: str) -> SecondOpinionResult:
        """Return what the file says, as soon as its status is `done`.

        Args:
            opinion_id: Id of the opinion.
        """
        call = build_call("data", "GET", f"/second-opinions/{to_segment(opinion_id)}/result")
        return self._transport.fetch(call, SecondOpinionResult)

    def remove(self, opinion_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Delete the file and its result at once.

        An imported history that was kept of it stays.

        Args:
            opinion_id: Id of the opinion.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "DELETE", f"/second-opinions/{to_segment(opinion_id)}", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, Removed)

    def keep(self, opinion_id: str, *, domain_id: str, idempotency_key: str | None = None) -> ImportedHistory:
        """Keep the figures of each week before the domain's first check as its first weeks, on the surface
        `import`.

        They never count as checks, and nothing is compared with them. No text of an answer is kept.

        Args:
            opinion_id: Id of the opinion.
            domain_id: Tracked domain of the measured brand.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/second-opinions/{to_segment(opinion_id)}/history",
            body={"domain_id": domain_id},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, ImportedHistory)

    def history(self, domain_id: str) -> ImportedHistory:
        """Return the imported weeks of a domain, which come before its first check.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/imported-history")
        return self._transport.fetch(call, ImportedHistory)

    def remove_history(self, domain_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove all imported weeks of a domain.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "DELETE", f"/domains/{to_segment(domain_id)}/imported-history", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, Removed)


class AsyncSecondOpinionsResource(AsyncResource):
    """Files of answers from elsewhere, and imported histories (Data API)."""

    def list(self, *, cursor: str | None = None) -> AsyncPagedList[SecondOpinion]:
        """List the files of the last 24 hours, newest first.

        There are 20 at most.

        Args:
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", "/second-opinions", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, SecondOpinion)

    async def create(
        self,
        *,
        content: str,
        brand_name: str,
        file_name: str | UnsetType = UNSET,
        domain: str | None = None,
        aliases: Sequence[str] | UnsetType = UNSET,
        competitors: Sequence[str] | UnsetType = UNSET,
        columns: dict[str, str] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> SecondOpinion:
        """Measure a file of answers.

        The response says which column is read as what; send `columns` to correct it. The page of the web app
        takes larger files, and `sightline analyze` any number of answers.

        Args:
            content: The whole file as text: CSV or JSON Lines, at most 10 MB with the request.
            brand_name: Brand to measure.
            file_name: Its name, for people.
            domain: Domain of the brand. Without it, citations of its pages are not recognized.
            aliases: Other names of the brand.
            competitors: Competitors as `NAME`, `NAME=domain` or a domain. Without any, the brands that the
                answers name most often are compared.
            columns: Column of the file by field, where it is not recognized: `text`, `prompt`, `platform`,
                `answered_at`, `country`, `language`, `sources`, `queries`, `id` or `run`. An empty name stands
                for none.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            "/second-opinions",
            body={
                "content": content,
                "file_name": file_name,
                "brand_name": brand_name,
                "domain": omit_none(domain),
                "aliases": aliases,
                "competitors": competitors,
                "columns": columns,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, SecondOpinion)

    async def retrieve(self, opinion_id: str) -> SecondOpinion:
        """Return the state of a file: whether it is measured, or why it cannot be.

        Args:
            opinion_id: Id of the opinion.
        """
        call = build_call("data", "GET", f"/second-opinions/{to_segment(opinion_id)}")
        return await self._transport.fetch(call, SecondOpinion)

    async def result(self, opinion_id: str) -> SecondOpinionResult:
        """Return what the file says, as soon as its status is `done`.

        Args:
            opinion_id: Id of the opinion.
        """
        call = build_call("data", "GET", f"/second-opinions/{to_segment(opinion_id)}/result")
        return await self._transport.fetch(call, SecondOpinionResult)

    async def remove(self, opinion_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Delete the file and its result at once.

        An imported history that was kept of it stays.

        Args:
            opinion_id: Id of the opinion.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "DELETE", f"/second-opinions/{to_segment(opinion_id)}", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, Removed)

    async def keep(self, opinion_id: str, *, domain_id: str, idempotency_key: str | None = None) -> ImportedHistory:
        """Keep the figures of each week before the domain's first check as its first weeks, on the surface
        `import`.

        They never count as checks, and nothing is compared with them. No text of an answer is kept.

        Args:
            opinion_id: Id of the opinion.
            domain_id: Tracked domain of the measured brand.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/second-opinions/{to_segment(opinion_id)}/history",
            body={"domain_id": domain_id},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, ImportedHistory)

    async def history(self, domain_id: str) -> ImportedHistory:
        """Return the imported weeks of a domain, which come before its first check.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/imported-history")
        return await self._transport.fetch(call, ImportedHistory)

    async def remove_history(self, domain_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove all imported weeks of a domain.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "DELETE", f"/domains/{to_segment(domain_id)}/imported-history", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, Removed)
