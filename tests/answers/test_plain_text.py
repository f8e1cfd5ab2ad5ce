"""Passages without markdown: the marks are removed and every word stays."""

import pytest

from sightline.answers.plain_text import split_passage, strip_markdown
from tests.growth import measure_growth


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**Acme** is *very* `solid`", "Acme is very solid"),
        ("## The best\n- Acme\n* Globex\n> said", "The best\nAcme\nGlobex\nsaid"),
        ("see [the list](https://g2.com/a?b=c) ![seal](https://x.com/y.png)", "see the list seal"),
        ("| Acme | fine |\n|---|:--:|\n| Globex | dear |", " Acme fine \n Globex dear "),
        ("a |  | b\n- - -\n --- | :-- \n-----x", "a  b\n-\n-----x"),
        ("3 * 4 and snake_case and __bold__ and ~~old~~", "3 * 4 and snake_case and bold and old"),
        ("cut [off](https://very.long", "cut off"),
        ("solid.[[5]](https://g2.com/a)[[6]](https://x.com) And [a [b] c](https://x.com)", "solid.[5][6] And a [b] c"),
        ("cut off.[[5]](https://very.long", "cut off.[5]"),
        ("1. Acme [1] (fine)", "1. Acme [1] (fine)"),
        ("plain words", "plain words"),
        ("", ""),
    ],
)
def test_only_marks_are_removed(text, shown):
    assert strip_markdown(text) == shown


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1. **Acme** is fine", ("1. ", "Acme", " is fine")),
        ("Try [the Acme shop](https://acme.com/x) now", ("Try the ", "Acme", " shop now")),
        ("Try [**Acme**](https://acme.com) now", ("Try ", "Acme", " now")),
        ("Acme", ("", "Acme", "")),
    ],
)
def test_a_name_inside_marks_is_split_off_without_them(text, parts):
    start = text.index("Acme")
    assert split_passage(text, start, start + 4) == parts


@pytest.mark.parametrize("unit", [" ", "\t", "| ", "[a](", "[[a]", "[[", "[a]", "> ", "-----x ", "-"])
def test_the_work_is_linear(unit):
    growth = measure_growth(strip_markdown, lambda size: unit * (size // len(unit)) + "x", 1_400)
    assert growth < 24
