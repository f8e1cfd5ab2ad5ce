"""When a job that failed is tried again. Pure."""

_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 300.0
MOST_ATTEMPTS = 20


class Retry(Exception):
    """Raised by a handler that wants its job back after so many seconds; nothing has gone wrong."""

    def __init__(self, delay: float = 0.0) -> None:
        super().__init__(f"again in {delay:g} s")
        self.delay = delay


def pause_before(attempt: int) -> float:
    """Seconds before the attempt of this number; 1 is the first after a failure."""
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(attempt - 1, 30))
