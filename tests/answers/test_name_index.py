"""The words of an answer: those of its prose as it is searched, and those of its prose as keys of names are made."""

import re

from hypothesis import given
from hypothesis import strategies as st

from sightline.answers.blocks import PreparedAnswer
from sightline.answers.characters import BLOCK_END, fold, normalize
from sightline.answers.name_index import list_words
from tests.property_testing import prove

# Characters that change, combine or vanish, between letters and every kind of white space.
PARTS = [
    *"aBéß1_-.'",
    "e\u0301",
    "\u0301",
    "ﬁ",
    "™",
    "\u00ad",
    "\u200b",
    "①",
    "\uff21",
    "ｶﾞ",
    "ﾞ",
    "\u1100\u1161",
    "\u1161",
]
PARTS += [" ", "  ", "\n", "\t", "\u00a0", "\u3000", "\u2028", "\x85", "\x1f", BLOCK_END, "²", "İ", "Ω"]


@prove
@given(st.lists(st.sampled_from(PARTS), max_size=40).map("".join))
def test_words_are_those_of_the_normalized_prose(prose):
    prepared = PreparedAnswer(prose, prose, fold(prose), [], [], [], [], [])
    expected = {word for text in (prose, normalize(prose)[0]) for word in re.findall(r"[^\W_]+", fold(text))}
    assert list_words(prepared, ()) == expected
