"""What an answer says of a brand ends where anything else is named."""

import pytest

from sightline.answers.mentions import find_mentions
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.scope import OTHER, bound_mentions, find_details, find_scopes

FILLER = "This is for you and the team, with the facts for a choice.\n\n"


def scopes(text, brand="Acme"):
    prepared = prepare(FILLER + text)
    own = find_mentions(prepared, Lexicon([Brand(brand)]), lambda: "en", "")
    bounded = bound_mentions(prepared, own, own)
    spans = find_scopes(prepared, bounded)
    return [
        prepared.prose[start:end].replace("\x1a", "|")
        for mention, (start, end) in zip(bounded, spans, strict=True)
        if mention.brand != OTHER
    ]


@pytest.mark.parametrize(
    ("text", "said", "unsaid"),
    [
        ("Acme is solid. Zorvex is superb.", "solid", "superb"),
        ("Acme is solid, while Zorvex X200 is superb.", "solid", "superb"),
        ("- **Acme**: solid\n- **Zorvex Mini**: superb", "solid", "superb"),
        ("### Acme One\n\nSolid.\n\n### Zorvex Two\n\nSuperb.", "Solid", "Superb"),
        ("| Tool | Note |\n|---|---|\n| Acme | solid |\n| Zorvex | superb |", "solid", "superb"),
        ("Acme is solid. However, support is superb.", "solid", "superb"),
        ("1. Acme is solid\n2. It pays to read superb reviews", "solid", "superb"),
    ],
)
def test_a_neighbor_is_not_the_brand(text, said, unsaid):
    (scope,) = scopes(text)
    assert said in scope and unsaid not in scope


def test_details_below_a_head_are_about_it():
    (scope,) = scopes("### Acme One\n\n- Price: 10\n- Pros: quick\n\n### Zorvex Two\n\n- Pros: slow\n")
    assert "quick" in scope and "slow" not in scope


def test_a_name_inside_a_sentence_does_not_end_it():
    (scope,) = scopes("Acme works with Zorvex. It is superb.")
    assert "superb" in scope


def test_joined_names_share_what_is_said():
    assert scopes("Acme and Zorvex are superb.")[0].endswith("superb.")


@pytest.mark.parametrize(
    "text",
    [
        "Acme is lighter than Zorvex. It is superb.",
        "Acme is as light as the Zorvex X200 and superb.",
        "Acme is quieter than Zorvex or Veltrona. It is superb.",
        "### Acme One\n\nLighter than Zorvex, and superb.",
        "Unlike Zorvex, Acme is superb.",
    ],
)
def test_what_follows_a_yardstick_is_about_the_other(text):
    (scope,) = scopes(text)
    assert "superb" in scope
    assert all("superb" not in each for each in scopes(text, "Zorvex"))


def test_a_comparison_with_nobody_is_about_the_brand():
    assert "superb" in scopes("Nothing is better than Acme. It is superb.")[0]


def details(text, *brands):
    prepared = prepare(FILLER + text)
    own = find_mentions(prepared, Lexicon([Brand(brand) for brand in brands]), lambda: "en", "")
    found = find_details(prepared, bound_mentions(prepared, own, own))
    return {(brands[mention.brand], prepared.prose[start:end]) for mention, (start, end) in found}


def test_a_feature_that_looks_like_a_name_does_not_end_the_list_of_an_entry():
    text = "1. **Acme One**\n   - VortexZone Technology\n   - Quick\n2. **Zorvex Two**\n   - Loud\n"
    assert ("Acme", "Quick") in details(text, "Acme", "Zorvex")
    assert ("Acme", "Loud") not in details(text, "Acme", "Zorvex")


def test_an_item_that_names_a_rival_is_not_about_the_entry():
    text = "1. **Acme One**\n   - Quick\n   - Louder than Zorvex\n2. **Zorvex Two**\n   - Cheap\n"
    assert details(text, "Acme", "Zorvex") == {("Acme", "Quick"), ("Zorvex", "Cheap")}


def test_an_entry_may_name_a_maker_and_its_series():
    text = "1. **Acme Zorvex Mini**\n   - Quick\n2. **Veltrona Two**\n   - Cheap\n"
    assert details(text, "Acme", "Zorvex") == {("Acme", "Quick"), ("Zorvex", "Quick")}


def test_labeled_items_after_an_entry_are_about_it():
    text = "- Acme X200: A small one.\n- Pros: quick.\n- Veltrona X300: A big one.\n- Cons: loud.\n"
    assert details(text, "Acme") == {("Acme", "Pros: quick.")}


def test_a_paragraph_ends_the_list_of_an_entry():
    text = "### 1. Acme One\n\n- Quick\n\nWhat counts:\n\n- Cheap\n"
    assert details(text, "Acme") == {("Acme", "Quick")}


def test_a_row_is_about_the_entry_that_it_names():
    text = (
        "| Tool | Note | For |\n|---|---|---|\n| Acme X1 | VortexZone Technology | big homes |\n| Zorvex X2 | b | c |\n"
    )
    assert ("Acme", "big homes") in details(text, "Acme", "Zorvex")
    assert ("Acme", "c") not in details(text, "Acme", "Zorvex")
