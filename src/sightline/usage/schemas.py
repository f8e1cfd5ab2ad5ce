"""Schema of request counts in the Console API."""

from typing import Annotated

import msgspec
from msgspec import Meta

from sightline.kit.clock import Timestamp, to_iso
from sightline.kit.examples import Example
from sightline.usage.models import WorkspaceUsage


class UsageFigures(msgspec.Struct, frozen=True):
    """Requests made with API keys of this workspace on both APIs, including refused ones."""

    last_hour: Annotated[int, Meta(description="Requests in the last 60 minutes.")]
    last_24h: Annotated[int, Meta(description="Requests in the last 24 hours.")]
    month_to_date: Annotated[int, Meta(description="Requests since the start of the calendar month (UTC).")]
    error_rate_24h_pct: Annotated[
        float | None,
        Meta(
            description="Share of requests in the last 24 hours that were answered with 4xx or 5xx, in percent. "
            "Null without requests."
        ),
    ]
    as_of: Annotated[Timestamp, Meta(description="When the figures were computed.")]


def to_usage_figures(usage: WorkspaceUsage) -> UsageFigures:
    return UsageFigures(
        usage.last_hour, usage.last_24h, usage.month_to_date, usage.error_rate_24h_pct, to_iso(usage.as_of)
    )


# Examples

EXAMPLES = {
    "read_usage": Example(UsageFigures(214, 3_870, 41_552, 1.4, "2026-11-14T09:30:00.123456+00:00")),
}
