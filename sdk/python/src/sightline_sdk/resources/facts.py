"""Facts of a tracked domain's brand, and what answers state about them.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Literal

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import BrandFact, FactAccuracy, FactProposals, FormerValue, Removed


class FactsResource(Resource):
    """Facts of a tracked domain's brand, and what answers state about them (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[BrandFact]:
        """List the facts of the brand, 50 per page: proposals first, then by kind and subject.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/facts", query={"cursor": cursor})
        return PagedList(self._transport, call, BrandFact)

    def create(
        self,
        domain_id: str,
        *,
        kind: OneOf[Literal["ability", "availability", "certification", "founded", "place", "price", "product"]],
        value: str,
        subject: str | UnsetType = UNSET,
        currency: str | None = None,
        unit: OneOf[Literal["month", "user_month", "user_year", "year"]] | None = None,
        country: str | None = None,
        valid_from: date | None = None,
        former: Sequence[FormerValue] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> BrandFact:
        """Enter what is true.

        The next Full Check compares the answers with it. A domain has at most 200 facts, and one of each kind,
        subject, country and unit.

        Args:
            domain_id: Id of the domain.
            kind: Kind of fact. `ability` is what the brand does or does not do.
            value: What is true: an amount such as `20` or `19.99`, a year, a place such as `Aarhus, Denmark`,
                or `yes` or `no` for the kinds `product` (is it still sold), `availability`, `certification` and
                `ability`.
            subject: What the fact is about: the product or plan, the certificate, what the brand does or does
                not do, or what is at a place, such as `headquarters`. Empty for `founded`, and where all
                products are meant.
            currency: ISO 4217 code; required for a price.
            unit: What a price is for, such as `month`. Null for a price that is paid once.
            country: ISO code of the country in which it holds; required for availability. Null for everywhere.
            valid_from: Day from which it is true. Null if it is not known.
            former: Values that were true before.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/facts",
            body={
                "kind": kind,
                "subject": subject,
                "value": value,
                "currency": omit_none(currency),
                "unit": omit_none(unit),
                "country": omit_none(country),
                "valid_from": omit_none(valid_from),
                "former": former,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, BrandFact)

    def update(
        self,
        domain_id: str,
        fact_id: str,
        *,
        value: str | UnsetType = UNSET,
        valid_from: date | UnsetType | None = UNSET,
        former: Sequence[FormerValue] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> BrandFact:
        """Change a fact.

        With a new value and `valid_from`, the value before becomes a former one. Each change confirms a
        proposed fact; an empty one does nothing else.

        Args:
            domain_id: Id of the domain.
            fact_id: Id of the fact.
            value: What is true: an amount such as `20` or `19.99`, a year, a place such as `Aarhus, Denmark`,
                or `yes` or `no` for the kinds `product` (is it still sold), `availability`, `certification` and
                `ability`. With `valid_from`, the value before becomes a former one.
            valid_from: Day from which it is true.
            former: Values that were true before.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/domains/{to_segment(domain_id)}/facts/{to_segment(fact_id)}",
            body={"value": value, "valid_from": valid_from, "former": former},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, BrandFact)

    def delete(self, domain_id: str, fact_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a fact or a proposal, with what answers state about it.

        Args:
            domain_id: Id of the domain.
            fact_id: Id of the fact.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/facts/{to_segment(fact_id)}",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Removed)

    def answer(
        self,
        domain_id: str,
        fact_id: str,
        *,
        stated: str,
        answer: OneOf[Literal["changed", "right"]],
        on: date | None = None,
        idempotency_key: str | None = None,
    ) -> BrandFact:
        """Say that what answers state is right after all, or that it was right until a day.

        It counts for all answers that state the same, now and in later Full Checks. Returns 404 for a statement
        that no answer has.

        Args:
            domain_id: Id of the domain.
            fact_id: Id of the fact.
            stated: What the answers state, in a form that is equal for equal statements, such as `USD 40
                month`.
            answer: `right`: it is right after all. `changed`: it was right until the day `on`.
            on: Day on which it changed; required for `changed`.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/facts/{to_segment(fact_id)}/answer",
            body={"stated": stated, "answer": answer, "on": omit_none(on)},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, BrandFact)

    def propose(self, domain_id: str, *, idempotency_key: str | None = None) -> FactProposals:
        """Read the home page of the domain, and propose what its JSON-LD declares: prices, founding year, address.

        Answers are compared with a proposal only once you confirm it. Returns 422 if the site cannot be read,
        and finds nothing in the sandbox.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "POST", f"/domains/{to_segment(domain_id)}/fact-proposals", idempotency_key=idempotency_key
        )
        return self._transport.fetch(call, FactProposals)

    def accuracy(self, domain_id: str) -> FactAccuracy:
        """Return what the answers of the latest Full Check state that is not so, and where it may come from.

        Each statement has its answers, their platforms, the pages that they cite, and since when it has been
        stated. A passage that leaves a doubt is counted as `cannot_tell` and not shown.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/fact-accuracy")
        return self._transport.fetch(call, FactAccuracy)


class AsyncFactsResource(AsyncResource):
    """Facts of a tracked domain's brand, and what answers state about them (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[BrandFact]:
        """List the facts of the brand, 50 per page: proposals first, then by kind and subject.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/facts", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, BrandFact)

    async def create(
        self,
        domain_id: str,
        *,
        kind: OneOf[Literal["ability", "availability", "certification", "founded", "place", "price", "product"]],
        value: str,
        subject: str | UnsetType = UNSET,
        currency: str | None = None,
        unit: OneOf[Literal["month", "user_month", "user_year", "year"]] | None = None,
        country: str | None = None,
        valid_from: date | None = None,
        former: Sequence[FormerValue] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> BrandFact:
        """Enter what is true.

        The next Full Check compares the answers with it. A domain has at most 200 facts, and one of each kind,
        subject, country and unit.

        Args:
            domain_id: Id of the domain.
            kind: Kind of fact. `ability` is what the brand does or does not do.
            value: What is true: an amount such as `20` or `19.99`, a year, a place such as `Aarhus, Denmark`,
                or `yes` or `no` for the kinds `product` (is it still sold), `availability`, `certification` and
                `ability`.
            subject: What the fact is about: the product or plan, the certificate, what the brand does or does
                not do, or what is at a place, such as `headquarters`. Empty for `founded`, and where all
                products are meant.
            currency: ISO 4217 code; required for a price.
            unit: What a price is for, such as `month`. Null for a price that is paid once.
            country: ISO code of the country in which it holds; required for availability. Null for everywhere.
            valid_from: Day from which it is true. Null if it is not known.
            former: Values that were true before.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/facts",
            body={
                "kind": kind,
                "subject": subject,
                "value": value,
                "currency": omit_none(currency),
                "unit": omit_none(unit),
                "country": omit_none(country),
                "valid_from": omit_none(valid_from),
                "former": former,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, BrandFact)

    async def update(
        self,
        domain_id: str,
        fact_id: str,
        *,
        value: str | UnsetType = UNSET,
        valid_from: date | UnsetType | None = UNSET,
        former: Sequence[FormerValue] | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> BrandFact:
        """Change a fact.

        With a new value and `valid_from`, the value before becomes a former one. Each change confirms a
        proposed fact; an empty one does nothing else.

        Args:
            domain_id: Id of the domain.
            fact_id: Id of the fact.
            value: What is true: an amount such as `20` or `19.99`, a year, a place such as `Aarhus, Denmark`,
                or `yes` or `no` for the kinds `product` (is it still sold), `availability`, `certification` and
                `ability`. With `valid_from`, the value before becomes a former one.
            valid_from: Day from which it is true.
            former: Values that were true before.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "PATCH",
            f"/domains/{to_segment(domain_id)}/facts/{to_segment(fact_id)}",
            body={"value": value, "valid_from": valid_from, "former": former},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, BrandFact)

    async def delete(self, domain_id: str, fact_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a fact or a proposal, with what answers state about it.

        Args:
            domain_id: Id of the domain.
            fact_id: Id of the fact.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/facts/{to_segment(fact_id)}",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Removed)

    async def answer(
        self,
        domain_id: str,
        fact_id: str,
        *,
        stated: str,
        answer: OneOf[Literal["changed", "right"]],
        on: date | None = None,
        idempotency_key: str | None = None,
    ) -> BrandFact:
        """Say that what answers state is right after all, or that it was right until a day.

        It counts for all answers that state the same, now and in later Full Checks. Returns 404 for a statement
        that no answer has.

        Args:
            domain_id: Id of the domain.
            fact_id: Id of the fact.
            stated: What the answers state, in a form that is equal for equal statements, such as `USD 40
                month`.
            answer: `right`: it is right after all. `changed`: it was right until the day `on`.
            on: Day on which it changed; required for `changed`.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/facts/{to_segment(fact_id)}/answer",
            body={"stated": stated, "answer": answer, "on": omit_none(on)},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, BrandFact)

    async def propose(self, domain_id: str, *, idempotency_key: str | None = None) -> FactProposals:
        """Read the home page of the domain, and propose what its JSON-LD declares: prices, founding year, address.

        Answers are compared with a proposal only once you confirm it. Returns 422 if the site cannot be read,
        and finds nothing in the sandbox.

        Args:
            domain_id: Id of the domain.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data", "POST", f"/domains/{to_segment(domain_id)}/fact-proposals", idempotency_key=idempotency_key
        )
        return await self._transport.fetch(call, FactProposals)

    async def accuracy(self, domain_id: str) -> FactAccuracy:
        """Return what the answers of the latest Full Check state that is not so, and where it may come from.

        Each statement has its answers, their platforms, the pages that they cite, and since when it has been
        stated. A passage that leaves a doubt is counted as `cannot_tell` and not shown.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/fact-accuracy")
        return await self._transport.fetch(call, FactAccuracy)
