"""When a request is sent again, and after how many seconds.

Sending again is safe: a read changes nothing, and a write has one idempotency key for all its attempts.
"""

import random

import httpx2
import msgspec

from sightline_sdk._errors import ConflictError, ProblemError

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
LONGEST_RETRY_AFTER = 60.0
"""Seconds. A server that asks for more, as after the last request of a month, gets no second request."""
_TEMPORARY = {429, 502, 503, 504}
_BROKEN_CONNECTION = (httpx2.TimeoutException, httpx2.NetworkError, httpx2.RemoteProtocolError)


class RetryPolicy(msgspec.Struct, frozen=True):
    max_retries: int

    def wait_after_failure(self, failure: Exception, attempt: int) -> float | None:
        """Return the seconds to wait after a failed connection, or None to give up. The first attempt is 0."""
        if attempt >= self.max_retries or not isinstance(failure, _BROKEN_CONNECTION):
            return None
        return compute_pause(attempt)

    def wait_after_problem(self, problem: ProblemError, attempt: int) -> float | None:
        """Return the seconds to wait after a refusal, or None to give up."""
        if attempt >= self.max_retries or not is_temporary(problem):
            return None
        asked = problem.retry_after
        if asked is None:
            return compute_pause(attempt)
        return None if asked > LONGEST_RETRY_AFTER else asked + random.uniform(0, 0.25)  # noqa: S311 - spreads load


def is_temporary(problem: ProblemError) -> bool:
    in_progress = isinstance(problem, ConflictError) and problem.code == "idempotency_in_progress"
    return in_progress or problem.status in _TEMPORARY


def compute_pause(attempt: int) -> float:
    """Return half to all of a pause that doubles with each attempt, so that clients do not return together."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0**attempt) * random.uniform(0.5, 1)  # noqa: S311 - spreads load
