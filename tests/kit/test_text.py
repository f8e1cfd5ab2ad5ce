"""What can be seen of a text."""

import pytest

from sightline.kit.text import count_visible, has_invisible_characters


@pytest.mark.parametrize(
    "text", ["\u200b\u200b\u200b", "\ufeff\u2060", "\u3164\u2800", "\u00a0\u3000 ", "\ufe0f\u034f"]
)
def test_what_is_drawn_as_nothing_is_not_visible(text):
    assert count_visible(text) == 0 and has_invisible_characters(text)


@pytest.mark.parametrize("text", ["ab", "ดี", "की", "可以", "👍👍", "é!"])
def test_letters_marks_and_symbols_of_every_script_are_visible(text):
    assert count_visible(text) == len(text) and not has_invisible_characters(text)
