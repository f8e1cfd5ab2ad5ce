"""Passages about a brand: what says nothing is no passage."""

import pytest

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.passages import find_passages

LEXICON = Lexicon([Brand("Acme"), Brand("Globex")])


@pytest.mark.parametrize(
    ("said", "is_passage"),
    [
        ("Works for large rooms and is quiet", True),
        ("Lightweight, foldable, durable frame", True),
        ("Costs $199 and is worth it for small shops", True),
        ("Price: around $199.99", False),
        ("Fra 12 kr. i butikken", False),
        ("Specs: Bluetooth 5.2, USB-C, IPX4", False),
        ("Also: Hooli Mini, Initech One, Umbrella", False),
        ("Acme Hush Mini Desk Fan With Quiet Motor$44.50 4.5(694)", False),
        ("Acme Hush Mini (Desk Fan)", False),
        ("Why it is great for most people:", False),
        ("Quiet Brushless Motor", True),
        ("Acme Hush Mini is small", True),
        ("Acme Hush: Quiet Motor", True),
    ],
)
def test_prices_lists_and_names_alone_are_no_passages(said, is_passage):
    found = find_passages(f"### Acme\n\n- {said}\n\n### Globex\n\n- Loud in small rooms\n", LEXICON)
    assert (said in [passage.text for passage in found.get(0, ())]) is is_passage
    assert [passage.text for passage in found[1]] == ["Loud in small rooms"]


def test_what_follows_however_is_a_passage_unless_it_names_another():
    found = find_passages(
        "- Acme: This fan is quiet. However, it costs more than most and is heavy.\n"
        "- Globex: This fan is light. However, Acme is a better choice for large rooms.\n",
        LEXICON,
    )
    assert "However, it costs more than most and is heavy." in [passage.text for passage in found[0]]
    assert [passage.text for passage in found[1]] == ["Globex: This fan is light."]
