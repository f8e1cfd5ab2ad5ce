"""When a failed delivery is tried again, and when an endpoint is disabled. Pure."""

from collections.abc import Mapping
from datetime import datetime, timedelta

import msgspec

from sightline.kit.backoff import backoff
from sightline.webhooks.models import DisabledReason, EndpointKind

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
_MAX_RETRY_AFTER = timedelta(hours=1)
_GONE: Mapping[EndpointKind, frozenset[int]] = {"webhook": frozenset({410}), "slack": frozenset({404, 410})}
"""Responses after which nothing is ever sent again: Slack answers 404 once its webhook was removed."""
_REJECTED: Mapping[EndpointKind, frozenset[int]] = {"webhook": frozenset(), "slack": frozenset({400, 403})}
"""Responses with which a repetition of the same message is pointless."""


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
    is_rejected: bool = False
    """Whether the receiver refused the message for good."""


def decide_after_failure(
    status: int | None,
    attempt: int,
    failing_since: datetime | None,
    random_share: float,
    *,
    now: datetime,
    kind: EndpointKind = "webhook",
    retry_after: timedelta | None = None,
) -> RetryDecision:
    """Decide what follows a failure.

    `failing_since` is the time of the first failure of the endpoint after its last success, if there was one. A wait
    that the receiver asks for (`retry_after`) is kept, up to an hour.
    """
    if status in _GONE[kind]:
        return RetryDecision(None, "gone")
    if failing_since is not None and now - failing_since >= DISABLE_AFTER:
        return RetryDecision(None, "failing")
    if status in _REJECTED[kind]:
        return RetryDecision(None, is_rejected=True)
    delay = delay_after(attempt, random_share)
    if delay is not None and retry_after is not None:
        delay = max(delay, min(retry_after, _MAX_RETRY_AFTER))
    return RetryDecision(delay)
