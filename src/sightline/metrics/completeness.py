"""The 80% rule: a check with fewer valid answers, overall or on one platform, is incomplete (metrics 1.1)."""

from collections import Counter
from collections.abc import Iterable

from sightline.metrics.observation import Observation


def is_incomplete(observations: Iterable[Observation]) -> bool:
    """Return whether fewer than 80% are valid, over all or on one platform.

    An overview that was not shown was measured well (it has its own `surface_rate`), so it does not count as missing.
    Otherwise a platform that seldom shows one could never be compared or raise an alert.
    """
    shown = [observation for observation in observations if observation.status != "no_surface"]
    planned = Counter([observation.platform for observation in shown])
    valid = Counter([observation.platform for observation in shown if observation.status == "ok"])
    return lacks_answers(valid.total(), planned.total()) or any(
        lacks_answers(valid[platform], count) for platform, count in planned.items()
    )


def lacks_answers(valid: int, planned: int) -> bool:
    """Return whether fewer than 80% are valid.

    It is computed in integers, because exactly 80% is enough and must not fail by a rounding error.
    """
    return 5 * valid < 4 * planned
