"""The retry policy. It is pure: time and randomness are passed in."""

from collections.abc import Mapping

import msgspec

from sightline.kit.backoff import backoff
from sightline.platforms.models import FaultKind, PlatformFault
from sightline.platforms.pricing import Prices

# Such an answer is charged, and the next is usually no better.
_RETRIED_ONCE: frozenset[FaultKind] = frozenset({"malformed", "blank"})
_OVERLOAD = frozenset({429, 503, 529})


class Policy(msgspec.Struct, frozen=True, kw_only=True):
    """Limits of retries. Times are in seconds; the deadline begins when the gate first admits the question."""

    timeout: float = 120.0
    deadline: float = 300.0
    attempts: int = 4
    first_pause: float = 1.0
    longest_pause: float = 30.0
    longest_retry_after: float = 60.0
    redirect_deadline: float = 10.0
    prices: Mapping[str, Prices] = msgspec.field(default_factory=dict)

    def cap(self, retry_after: float | None) -> float | None:
        return None if retry_after is None else min(max(retry_after, 0.0), self.longest_retry_after)


def retry_delay(attempt: int, policy: Policy, retry_after: float | None, chance: float) -> float:
    """Return the seconds to wait before this attempt (2 is the first retry). `chance` is in [0, 1).

    The delay has full jitter below a ceiling that doubles. What the platform asks for is respected, up to a maximum.
    """
    jittered = backoff(
        policy.first_pause, doublings=attempt - 2, longest=policy.longest_pause, jitter=(0.0, 1.0), chance=chance
    )
    return max(jittered, policy.cap(retry_after) or 0.0)


def should_retry(faults: list[PlatformFault], policy: Policy) -> bool:
    """Return whether to ask again after these faults, ending with the latest."""
    if not faults[-1].retryable or len(faults) >= policy.attempts:
        return False
    return sum(fault.kind in _RETRIED_ONCE for fault in faults) <= 1


def is_overload(fault: PlatformFault, status: int | None) -> bool:
    """Return whether fewer concurrent calls would have helped. A 429 about an exhausted balance is not one."""
    return fault.kind == "rate_limited" or (fault.retryable and status in _OVERLOAD)
