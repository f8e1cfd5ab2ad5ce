"""Patterns that read answers take time in proportion to the text, whatever the text is."""

import pytest

from sightline.answers.aspect_phrases import HAVING
from sightline.answers.aspects import SOURCES

SIZE = 300_000
"""Characters that take milliseconds in linear time, and longer than a test may run in quadratic time."""


@pytest.mark.parametrize("filler", [" ", "*", "the ", ", ", "[", "[a"])
@pytest.mark.parametrize("pattern", [HAVING, SOURCES], ids=["what stands before an opinion", "sources at the end"])
def test_hostile_text_is_read_in_linear_time(pattern, filler):
    assert pattern.search(f"with{filler * (SIZE // len(filler))}!") is None
