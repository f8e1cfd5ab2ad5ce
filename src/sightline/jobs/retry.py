"""When a job that failed is tried again. Pure."""

import msgspec

from sightline.kit.backoff import backoff


class Retry(Exception):
    """Raised by a handler that wants its job to run again after `delay` seconds. It is not a failure."""

    def __init__(self, delay: float = 0.0) -> None:
        super().__init__(f"again in {delay:g} s")
        self.delay = delay


class RetryRule(msgspec.Struct, frozen=True, kw_only=True):
    """How often a failing job is tried, and how long it waits in between. An outage of PostgreSQL is not a failure."""

    max_attempts: int = 20
    first_delay: float = 1.0
    longest_delay: float = 300.0

    def delay_before(self, attempt: int) -> float:
        """Return the seconds to wait before the attempt of this number; 1 is the first one after a failure."""
        return backoff(self.first_delay, doublings=attempt - 1, longest=self.longest_delay)

    def is_exhausted(self, attempts: int) -> bool:
        return attempts >= self.max_attempts


DEFAULT_RETRY = RetryRule()
