"""What changed between the two latest Full Checks of a tracked domain.

Generated from the operations of the server by `make sdk`: do not edit.
"""

from __future__ import annotations

from sightline_sdk._calls import build_call, to_segment
from sightline_sdk._resource import AsyncResource, Resource
from sightline_sdk.models import LatestChanges


class ChangesResource(Resource):
    """What changed between the two latest Full Checks of a tracked domain (Data API)."""

    def retrieve(self, domain_id: str) -> LatestChanges:
        """Return what changed between the two latest Full Checks.

        `summary` states it in one to three sentences, as in the findings. A prompt is compared on the platforms
        that have a valid answer in both checks, and only significant changes count as established. The response
        also contains the prompts whose winner has changed, and the new and lost sources of each platform.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/changes")
        return self._transport.fetch(call, LatestChanges)


class AsyncChangesResource(AsyncResource):
    """What changed between the two latest Full Checks of a tracked domain (Data API)."""

    async def retrieve(self, domain_id: str) -> LatestChanges:
        """Return what changed between the two latest Full Checks.

        `summary` states it in one to three sentences, as in the findings. A prompt is compared on the platforms
        that have a valid answer in both checks, and only significant changes count as established. The response
        also contains the prompts whose winner has changed, and the new and lost sources of each platform.

        Args:
            domain_id: Id of the domain.
        """
        call = build_call("data", "GET", f"/domains/{to_segment(domain_id)}/changes")
        return await self._transport.fetch(call, LatestChanges)
