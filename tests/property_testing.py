"""Settings of property tests: the same examples every time, no deadline, nothing stored on disk."""

import os

from hypothesis import HealthCheck, settings

# `make test-slow` tries the same properties on more examples.
prove = settings(
    max_examples=int(os.environ.get("SIGHTLINE_TEST_PROPERTIES", "25")),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
