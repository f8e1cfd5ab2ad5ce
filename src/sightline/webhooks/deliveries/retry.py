"""When a failed delivery is tried again, and when an endpoint is disabled. Pure."""

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
_JITTER = (0.9, 1.1)  # so that deliveries that failed together are not retried together
DISABLE_AFTER = timedelta(days=5)
_GONE = 410


def delay_after(attempt: int, random_share: float) -> timedelta | None:
    """Return the delay after the given attempt of a round (the first is 1), or None after the last.

    `random_share` is a random number from 0 to 1.
    """
    if attempt > len(RETRY_DELAYS):
        return None
    return timedelta(seconds=backoff(RETRY_DELAYS[attempt - 1].total_seconds(), jitter=_JITTER, chance=random_share))


class RetryDecision(msgspec.Struct, frozen=True):
    """The delay before the next attempt, or None, and the reason for disabling the endpoint, if there is one."""

    delay: timedelta | None
    disable: DisabledReason | None = None


def decide_after_failure(
    status: int | None, attempt: int, failing_since: datetime | None, random_share: float, *, now: datetime
) -> RetryDecision:
    """Decide what follows a failure.

    `failing_since` is the time of the first failure of the endpoint after its last success, if there was one.
    """
    if status == _GONE:
        return RetryDecision(None, "gone")
    if failing_since is not None and now - failing_since >= DISABLE_AFTER:
        return RetryDecision(None, "failing")
    return RetryDecision(delay_after(attempt, random_share))
