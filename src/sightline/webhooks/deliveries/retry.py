"""When a failed delivery is tried again, and when an endpoint is given up. Pure."""

from datetime import datetime, timedelta

import msgspec

from sightline.kit.backoff import backoff
from sightline.webhooks.models import DisabledReason

RETRY_DELAYS = (
    timedelta(seconds=5),
    timedelta(minutes=5),
    timedelta(minutes=30),
    timedelta(hours=2),
    timedelta(hours=5),
    timedelta(hours=10),
    timedelta(hours=10),
)
_JITTER = (0.9, 1.1)
DISABLE_AFTER = timedelta(days=5)
_GONE = 410


def delay_after(attempt: int, random_share: float) -> timedelta | None:
    """How long to wait after the given attempt of a round (the first is 1); None after the last one. `chance` is a
    number from 0 to 1."""
    if attempt > len(RETRY_DELAYS):
        return None
    return timedelta(seconds=backoff(RETRY_DELAYS[attempt - 1].total_seconds(), jitter=_JITTER, chance=random_share))


class RetryDecision(msgspec.Struct, frozen=True):
    """What follows from a failed attempt: another one after a pause, or none; and the end of the endpoint, or not."""

    pause: timedelta | None
    disable: DisabledReason | None = None


def decide_after_failure(
    status: int | None, attempt: int, failing_since: datetime | None, random_share: float, *, now: datetime
) -> RetryDecision:
    """`failing_since` is the time of the endpoint's first failure after its last success, if there was one."""
    if status == _GONE:
        return RetryDecision(None, "gone")
    if failing_since is not None and now - failing_since >= DISABLE_AFTER:
        return RetryDecision(None, "failing")
    return RetryDecision(delay_after(attempt, random_share))
