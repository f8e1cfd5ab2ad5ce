"""How long to wait before something that failed is tried again."""

_MAX_DOUBLINGS = 30  # beyond that the ceiling applies in any case, and a float would overflow


def backoff(
    first: float,
    *,
    doublings: int = 0,
    longest: float = float("inf"),
    jitter: tuple[float, float] = (1.0, 1.0),
    chance: float = 1.0,
) -> float:
    """Return the seconds to wait: `first`, doubled `doublings` times, at most `longest`, and spread by `jitter`.

    `jitter` is the range of factors that `chance`, a random number from 0 to 1, chooses from. It keeps calls
    that failed together from being repeated together.
    """
    low, high = jitter
    delay = min(longest, first * 2.0 ** min(doublings, _MAX_DOUBLINGS))
    return delay * (low + (high - low) * chance)
