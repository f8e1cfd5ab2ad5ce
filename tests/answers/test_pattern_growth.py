"""Patterns that read answers take time in proportion to the text, whatever the text is."""

import re
import time

import pytest

from sightline.answers.aspect_phrases import _HAVING
from sightline.answers.aspects import _SOURCES

SMALL, FACTOR = 4_000, 8


def measure(pattern: re.Pattern[str], text: str) -> float:
    """Return the shortest of three times, so that a busy machine does not count."""
    times = []
    for _ in range(3):
        started = time.process_time()
        pattern.search(text)
        times.append(time.process_time() - started)
    return min(times)


@pytest.mark.parametrize("filler", [" ", "*", "the ", ", ", "[", "[a"])
@pytest.mark.parametrize("pattern", [_HAVING, _SOURCES], ids=["what stands before an opinion", "sources at the end"])
def test_hostile_text_is_read_in_linear_time(pattern, filler):
    small, large = (measure(pattern, f"with{filler * (size // len(filler))}!") for size in (SMALL, SMALL * FACTOR))
    assert large < 3 * FACTOR * small + 0.05, "eight times the text must not take 64 times as long"
