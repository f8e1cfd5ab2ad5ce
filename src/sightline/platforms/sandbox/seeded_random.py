"""Random numbers that depend only on a key: the same key gives the same numbers in every process.

Python's own `hash` differs between processes, and `random.choice` may differ between versions; neither is used.
"""

import random
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from statistics import NormalDist
from typing import TypeVar

T = TypeVar("T")
_NORMAL = NormalDist()


def _digest(parts: tuple[str | int, ...]) -> int:
    # A lone surrogate cannot be encoded otherwise, and a question may hold anything.
    key = "\x1f".join(map(str, parts)).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big")


def uniform(*parts: str | int) -> float:
    """Return a number strictly between 0 and 1."""
    return ((_digest(parts) >> 12) + 0.5) / (1 << 52)


def normal(*parts: str | int) -> float:
    """Return a standard normal number."""
    return _NORMAL.inv_cdf(uniform(*parts))


def interpolate(at: float, *parts: str | int) -> float:
    """Return a number that moves steadily from the normal number of one integer to that of the next."""
    return (1 - at % 1) * normal(*parts, int(at)) + at % 1 * normal(*parts, int(at) + 1)


def choose(options: Sequence[T], *parts: str | int) -> T:
    return options[int(uniform(*parts) * len(options))]


class SeededRandom:
    """A sequence of random draws from one key.

    Only `Random.random` is used, whose sequence Python guarantees.
    """

    def __init__(self, *parts: str | int) -> None:
        self._next = random.Random(_digest(parts)).random  # noqa: S311 - a made-up market needs no secrets

    def chance(self, probability: float) -> bool:
        return self._next() < probability

    def between(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""
        return low + int(self._next() * (high - low + 1))

    def pick(self, options: Sequence[T]) -> T:
        return options[int(self._next() * len(options))]

    def weighted(self, options: Sequence[tuple[T, float]]) -> T:
        at = self._next() * sum(weight for _, weight in options)
        for option, weight in options:
            at -= weight
            if at < 0:
                return option
        return options[-1][0]

    def shuffled(self, options: Iterable[T]) -> list[T]:
        return sorted(options, key=lambda _: self._next())
