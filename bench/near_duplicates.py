"""`python -m bench.near_duplicates`: the CPU time of finding prompts that are worded almost the same.

An import of 2,000 prompts, the most that one may have, is compared with the 500 prompts that a plan tracks at most:
questions of a catalog, and 2,000 questions that differ in one number, which share almost all of their trigrams. Next to
each stands the time of comparing every pair, with the same result.
"""

import random
import time

from sightline.metrics.suggestions import DUPLICATE_FROM, find_trigrams
from sightline.prompts.imports.near_duplicates import find_near_duplicates

_ASKS = (
    "which {} is best for {}",
    "what is a good {} for {}",
    "how do I choose a {} for {}",
    "is a {} worth it for {}",
)
_THINGS = 60
_USES = 40
_IMPORTED = 2_000
_TRACKED = 500
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def main() -> None:
    """Print the CPU seconds of both ways, and how many near-duplicates each finds."""
    cases = {"questions of a catalog": _make_catalog(), "questions that differ in a number": _make_alike()}
    for name, texts in cases.items():
        known, asked = texts[:_TRACKED], texts[_TRACKED:]
        began = time.process_time()
        found = find_near_duplicates(asked, known)
        fast = time.process_time() - began
        began = time.process_time()
        pairs = _compare_all(asked, known)
        slow = time.process_time() - began
        assert found.keys() == pairs, "both ways find the same prompts"
        print(f"{name}: {fast:.2f} s, every pair {slow:.2f} s, {len(found):,} of {len(asked):,} are near-duplicates")


def _make_catalog() -> list[str]:
    rng = random.Random(20)  # the same texts every time
    words = ["".join(rng.choices(_LETTERS, k=rng.randint(4, 10))) for _ in range(_THINGS + _USES)]
    asked = [ask.format(thing, use) for ask in _ASKS for thing in words[:_THINGS] for use in words[_THINGS:]]
    return rng.sample(asked, _IMPORTED + _TRACKED)


def _make_alike() -> list[str]:
    return [f"which anvil is the best one for a small forge, number {place}?" for place in range(_IMPORTED + _TRACKED)]


def _compare_all(asked: list[str], known: list[str]) -> set[str]:
    """Return the texts that are almost the same as a known or an earlier one, by comparing every pair."""
    grams = [find_trigrams(text) for text in (*known, *asked)]
    found = set()
    for place, text in enumerate(asked, len(known)):
        own = grams[place]
        if any(len(own & other) >= DUPLICATE_FROM * len(own | other) for other in grams[:place]):
            found.add(text)
    return found


if __name__ == "__main__":
    main()
