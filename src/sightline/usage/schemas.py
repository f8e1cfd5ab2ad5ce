"""Schema of request counts in the Console API."""

import msgspec

from sightline.kit.clock import Timestamp, to_iso
from sightline.usage.models import Usage


class UsageFigures(msgspec.Struct, frozen=True):
    """Requests made with API keys of this workspace, of both APIs, refused ones included."""

    last_hour: int
    last_24h: int
    month_to_date: int
    error_rate_24h_pct: float | None
    as_of: Timestamp


def to_usage_figures(usage: Usage) -> UsageFigures:
    return UsageFigures(
        usage.last_hour, usage.last_24h, usage.month_to_date, usage.error_rate_24h_pct, to_iso(usage.as_of)
    )
