"""Settings of property tests: the same examples every time, no deadline, nothing stored on disk."""

from hypothesis import HealthCheck, settings

prove = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
