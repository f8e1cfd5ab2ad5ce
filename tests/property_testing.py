"""How the property tests of this folder run: the same examples every time, no clock, nothing left on the disk."""

from hypothesis import HealthCheck, settings

prove = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
