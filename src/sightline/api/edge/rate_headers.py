"""The X-RateLimit headers of a response."""

from sightline.api.edge.responses import Header
from sightline.usage.rate_limit import Allowance


def build_rate_headers(allowance: Allowance) -> list[Header]:
    headers = [
        (b"x-ratelimit-limit", b"%d" % allowance.limit),
        (b"x-ratelimit-remaining", b"%d" % allowance.remaining),
        (b"x-ratelimit-reset", b"%d" % allowance.reset),
    ]
    if allowance.limit_month is not None and allowance.remaining_month is not None:
        headers.append((b"x-ratelimit-limit-month", b"%d" % allowance.limit_month))
        headers.append((b"x-ratelimit-remaining-month", b"%d" % allowance.remaining_month))
    return headers
