"""Corrections of answers.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import AnswerCorrection, Removed


class CorrectionsResource(Resource):
    """Corrections of answers (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[AnswerCorrection]:
        """List the corrections of a tracked domain, newest first, 50 per page.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/corrections", query={"cursor": cursor})
        return PagedList(self._transport, call, AnswerCorrection)

    def create(
        self,
        domain_id: str,
        *,
        scan_id: str,
        answer_id: str,
        kind: OneOf[Literal["missing", "not_this_brand"]],
        start: int,
        end: int,
        text: str,
        phrase: str | None = None,
        add_name: bool | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> AnswerCorrection:
        """Mark a name that is not the brand, or a name of the brand that the analysis missed.

        The correction applies to this place in this answer, and stays in force when the analyzer is updated.
        With `phrase`, the words do not count as the brand wherever the phrase occurs, in all answers. Missed
        words also become a name of the brand, unless `add_name` is false. Sightline then analyzes the stored
        answers again in the background, free of charge. Market Position and Share of Voice change with the next
        Full Check. Sending a correction twice creates it only once.

        Args:
            domain_id: Id of the domain.
            scan_id: Check that the answer belongs to.
            answer_id: Answer to correct.
            kind: `not_this_brand`: the words are marked as the brand and mean something else. `missing`: the
                words name the brand and are not marked.
            start: Offset of the first character in `text` of the answer, counted from 0 in Unicode code points.
            end: Offset of the first character after the words.
            text: Words at this place, exactly as in the answer. Different words are refused, so a wrong offset
                cannot correct the wrong place.
            phrase: For `not_this_brand` only. Longer phrase in which the words never mean the brand, such as
                `target audience` if the brand is `Target`. It applies to all answers. If null or omitted, only
                this answer is corrected.
            add_name: For `missing` only. Whether the words also become a name of the brand, which applies to
                all answers. If false, only this answer is corrected. The default is true. No name is added if
                the words are already a name of the brand, are a name of a competitor, or do not look like a
                name. In the response, `name` is then null.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/corrections",
            body={
                "scan_id": scan_id,
                "answer_id": answer_id,
                "kind": kind,
                "start": start,
                "end": end,
                "text": text,
                "phrase": omit_none(phrase),
                "add_name": add_name,
            },
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, AnswerCorrection)

    def undo(self, domain_id: str, correction_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a correction, the phrase that it excludes and the name that it added to the brand.

        The name stays if another correction also adds it, or if it was entered in the settings. Sightline then
        analyzes the stored answers again in the background.

        Args:
            domain_id: Id of the domain.
            correction_id: Id of the correction.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/corrections/{to_segment(correction_id)}",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, Removed)


class AsyncCorrectionsResource(AsyncResource):
    """Corrections of answers (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[AnswerCorrection]:
        """List the corrections of a tracked domain, newest first, 50 per page.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/corrections", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, AnswerCorrection)

    async def create(
        self,
        domain_id: str,
        *,
        scan_id: str,
        answer_id: str,
        kind: OneOf[Literal["missing", "not_this_brand"]],
        start: int,
        end: int,
        text: str,
        phrase: str | None = None,
        add_name: bool | UnsetType = UNSET,
        idempotency_key: str | None = None,
    ) -> AnswerCorrection:
        """Mark a name that is not the brand, or a name of the brand that the analysis missed.

        The correction applies to this place in this answer, and stays in force when the analyzer is updated.
        With `phrase`, the words do not count as the brand wherever the phrase occurs, in all answers. Missed
        words also become a name of the brand, unless `add_name` is false. Sightline then analyzes the stored
        answers again in the background, free of charge. Market Position and Share of Voice change with the next
        Full Check. Sending a correction twice creates it only once.

        Args:
            domain_id: Id of the domain.
            scan_id: Check that the answer belongs to.
            answer_id: Answer to correct.
            kind: `not_this_brand`: the words are marked as the brand and mean something else. `missing`: the
                words name the brand and are not marked.
            start: Offset of the first character in `text` of the answer, counted from 0 in Unicode code points.
            end: Offset of the first character after the words.
            text: Words at this place, exactly as in the answer. Different words are refused, so a wrong offset
                cannot correct the wrong place.
            phrase: For `not_this_brand` only. Longer phrase in which the words never mean the brand, such as
                `target audience` if the brand is `Target`. It applies to all answers. If null or omitted, only
                this answer is corrected.
            add_name: For `missing` only. Whether the words also become a name of the brand, which applies to
                all answers. If false, only this answer is corrected. The default is true. No name is added if
                the words are already a name of the brand, are a name of a competitor, or do not look like a
                name. In the response, `name` is then null.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/corrections",
            body={
                "scan_id": scan_id,
                "answer_id": answer_id,
                "kind": kind,
                "start": start,
                "end": end,
                "text": text,
                "phrase": omit_none(phrase),
                "add_name": add_name,
            },
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, AnswerCorrection)

    async def undo(self, domain_id: str, correction_id: str, *, idempotency_key: str | None = None) -> Removed:
        """Remove a correction, the phrase that it excludes and the name that it added to the brand.

        The name stays if another correction also adds it, or if it was entered in the settings. Sightline then
        analyzes the stored answers again in the background.

        Args:
            domain_id: Id of the domain.
            correction_id: Id of the correction.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/corrections/{to_segment(correction_id)}",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, Removed)
