"""Recommended actions for a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from datetime import datetime

from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import (
    DismissedRecommendation,
    DoneRecommendation,
    Recommendation,
    ReopenedRecommendation,
    RestoredRecommendation,
)


class RecommendationsResource(Resource):
    """Recommended actions for a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> PagedList[Recommendation]:
        """List what to do after the latest Full Check, one row for each action, 50 per page.

        What a site review found comes first, then the largest expected effect. Each row has the answers that
        support it. If nothing in the answers calls for action, one row says so.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/recommendations", query={"cursor": cursor})
        return PagedList(self._transport, call, Recommendation)

    def list_done(self, domain_id: str, *, cursor: str | None = None) -> PagedList[DoneRecommendation]:
        """List the actions that are marked as done, newest first, 50 per page, each with its measured effect.

        An action stays in this list even if later Full Checks no longer recommend it.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/recommendations/done", query={"cursor": cursor}
        )
        return PagedList(self._transport, call, DoneRecommendation)

    def mark_done(
        self,
        domain_id: str,
        recommendation_key: str,
        *,
        done_at: datetime | None = None,
        idempotency_key: str | None = None,
    ) -> DoneRecommendation:
        """Mark an action as done, now or at an earlier time.

        From then on, Full Checks measure whether it worked. If the action is already marked, only `done_at`
        changes, and only if you send it. Returns 404 for an action that the latest Full Check does not
        recommend and that nobody has marked.

        Args:
            domain_id: Id of the domain.
            recommendation_key: Key of the recommendation.
            done_at: When the action was done, with a time zone; not in the future. Null or omitted: now, or no
                change if the action is already marked.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/recommendations/{to_segment(recommendation_key)}/done",
            body={"done_at": omit_none(done_at)},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, DoneRecommendation)

    def reopen(
        self, domain_id: str, recommendation_key: str, *, idempotency_key: str | None = None
    ) -> ReopenedRecommendation:
        """Mark an action as not done.

        This deletes its `done_at` and its measured effect. If the action is not marked, nothing changes.

        Args:
            domain_id: Id of the domain.
            recommendation_key: Key of the recommendation.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/recommendations/{to_segment(recommendation_key)}/done",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, ReopenedRecommendation)

    def list_dismissed(self, domain_id: str, *, cursor: str | None = None) -> PagedList[DismissedRecommendation]:
        """List the actions that are dismissed, newest first, 50 per page, each with its reason.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/recommendations/dismissed", query={"cursor": cursor}
        )
        return PagedList(self._transport, call, DismissedRecommendation)

    def dismiss(
        self, domain_id: str, recommendation_key: str, *, reason: str, idempotency_key: str | None = None
    ) -> DismissedRecommendation:
        """Dismiss an action with a reason.

        No later Full Check recommends it, until you restore it. Dismissing it again changes the reason. Returns
        404 for an action that the latest Full Check does not recommend and that is not dismissed.

        Args:
            domain_id: Id of the domain.
            recommendation_key: Key of the recommendation.
            reason: Why nobody will do it, in your words.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/recommendations/{to_segment(recommendation_key)}/dismiss",
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, DismissedRecommendation)

    def restore(
        self, domain_id: str, recommendation_key: str, *, idempotency_key: str | None = None
    ) -> RestoredRecommendation:
        """Let Full Checks recommend an action again.

        Nothing changes for one that is not dismissed.

        Args:
            domain_id: Id of the domain.
            recommendation_key: Key of the recommendation.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/recommendations/{to_segment(recommendation_key)}/dismiss",
            idempotency_key=idempotency_key,
        )
        return self._transport.fetch(call, RestoredRecommendation)


class AsyncRecommendationsResource(AsyncResource):
    """Recommended actions for a tracked domain (Data API)."""

    def list(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[Recommendation]:
        """List what to do after the latest Full Check, one row for each action, 50 per page.

        What a site review found comes first, then the largest expected effect. Each row has the answers that
        support it. If nothing in the answers calls for action, one row says so.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/recommendations", query={"cursor": cursor})
        return AsyncPagedList(self._transport, call, Recommendation)

    def list_done(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[DoneRecommendation]:
        """List the actions that are marked as done, newest first, 50 per page, each with its measured effect.

        An action stays in this list even if later Full Checks no longer recommend it.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/recommendations/done", query={"cursor": cursor}
        )
        return AsyncPagedList(self._transport, call, DoneRecommendation)

    async def mark_done(
        self,
        domain_id: str,
        recommendation_key: str,
        *,
        done_at: datetime | None = None,
        idempotency_key: str | None = None,
    ) -> DoneRecommendation:
        """Mark an action as done, now or at an earlier time.

        From then on, Full Checks measure whether it worked. If the action is already marked, only `done_at`
        changes, and only if you send it. Returns 404 for an action that the latest Full Check does not
        recommend and that nobody has marked.

        Args:
            domain_id: Id of the domain.
            recommendation_key: Key of the recommendation.
            done_at: When the action was done, with a time zone; not in the future. Null or omitted: now, or no
                change if the action is already marked.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/recommendations/{to_segment(recommendation_key)}/done",
            body={"done_at": omit_none(done_at)},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, DoneRecommendation)

    async def reopen(
        self, domain_id: str, recommendation_key: str, *, idempotency_key: str | None = None
    ) -> ReopenedRecommendation:
        """Mark an action as not done.

        This deletes its `done_at` and its measured effect. If the action is not marked, nothing changes.

        Args:
            domain_id: Id of the domain.
            recommendation_key: Key of the recommendation.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/recommendations/{to_segment(recommendation_key)}/done",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, ReopenedRecommendation)

    def list_dismissed(self, domain_id: str, *, cursor: str | None = None) -> AsyncPagedList[DismissedRecommendation]:
        """List the actions that are dismissed, newest first, 50 per page, each with its reason.

        Args:
            domain_id: Id of the domain.
            cursor: Where to begin: `next_cursor` of a page. By default at the first row.
        """
        call = build_call(
            "data", "GET", f"/domains/{to_segment(domain_id)}/recommendations/dismissed", query={"cursor": cursor}
        )
        return AsyncPagedList(self._transport, call, DismissedRecommendation)

    async def dismiss(
        self, domain_id: str, recommendation_key: str, *, reason: str, idempotency_key: str | None = None
    ) -> DismissedRecommendation:
        """Dismiss an action with a reason.

        No later Full Check recommends it, until you restore it. Dismissing it again changes the reason. Returns
        404 for an action that the latest Full Check does not recommend and that is not dismissed.

        Args:
            domain_id: Id of the domain.
            recommendation_key: Key of the recommendation.
            reason: Why nobody will do it, in your words.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "POST",
            f"/domains/{to_segment(domain_id)}/recommendations/{to_segment(recommendation_key)}/dismiss",
            body={"reason": reason},
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, DismissedRecommendation)

    async def restore(
        self, domain_id: str, recommendation_key: str, *, idempotency_key: str | None = None
    ) -> RestoredRecommendation:
        """Let Full Checks recommend an action again.

        Nothing changes for one that is not dismissed.

        Args:
            domain_id: Id of the domain.
            recommendation_key: Key of the recommendation.
            idempotency_key: A key of your own for this logical write, such as the id of your job. With the same
                key it is done only once, even if your process is restarted in between. By default a new one for
                each call, kept over its retries.
        """
        call = build_call(
            "data",
            "DELETE",
            f"/domains/{to_segment(domain_id)}/recommendations/{to_segment(recommendation_key)}/dismiss",
            idempotency_key=idempotency_key,
        )
        return await self._transport.fetch(call, RestoredRecommendation)
