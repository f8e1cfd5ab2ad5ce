"""Heads, entries and bold text present names with their products; labels, prices and citations present nothing."""

import pytest

from sightline.answers.analyze import analyze
from sightline.answers.models import Brand
from sightline.answers.name_words import is_ordinary
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.presented_names import find_presented_names, read_products

ENGLISH = "Here is what I would look at for you, and the list is for all budgets.\n\n"


def distinct_names(text):
    return [name.text for name in find_presented_names(prepare(ENGLISH + text)) if name.distinct or name.listed]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("### 1. Veltrona UltraView U27\n\nSharp.", ["Veltrona UltraView U27"]),
        ("#### 4. **Zorvex Watch SE (2nd Gen)**\n\nFine.", ["Zorvex Watch SE"]),
        ("**4. Zorvex i7**\n\nQuick.", ["Zorvex"]),
        ("- **Best overall:** Zorvex Air 3 - light", ["Zorvex Air 3"]),
        ("- **Best for Side Sleepers:** Nectar Premier - soft", ["Nectar Premier"]),
        ("- **Quiet Operation:** The Zorvex Hush is silent", ["Zorvex Hush"]),
        ("1. Small rooms\n\n   - Zorvex for teams\n   - Veltrona offers more", ["Zorvex", "Veltrona"]),
        ("### 2026 Zorvex Roadster\n\nFast.", ["Zorvex Roadster"]),
        ("- Mini Fan by Zorvex - small", ["Zorvex"]),
        ("- Zorvex by Veltrona - small", ["Zorvex"]),
        ("- Zorvex's apps are fine", ["Zorvex"]),
        (
            "| # | Tool |\n|---|---|\n| 1 | Zorvex |\n| 2 | Amber Notes |\n| 3 | Veltrona |",
            ["Zorvex", "Amber Notes", "Veltrona"],
        ),
        ("1. Zorvex Go\n2. Amber Air\n3. Veltrona Max", ["Zorvex Go", "Amber Air", "Veltrona Max"]),
    ],
)  # fmt: skip
def test_names_with_their_products(text, expected):
    assert distinct_names(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "- Quiet Operation: it is silent\n- Long Battery Life: ten hours",
        "#### Best Overall\n\n*$429.99*",
        "- **Pros:** Fast, reliable",
        "- **Best for:** Families",
        "- Bluetooth 5.3 and Wi-Fi 6E",
        "It is quick ([Zorvex Daily](https://zorvex.com/best-fans), [Veltrona](https://veltrona.com/a)).",
        "## Final Thoughts\n\nBuy what you like.",
        "- Ensure that it fits\n- Consider your budget",
        "- Which CRM tools are worth the money?\n- Is Zorvex quiet?",
        "- **Features:** Turbocrisp basket, large window",
        "1. Quiet Fan\n\n   - Turbocrisp basket\n   - Large window",
    ],
)
def test_labels_terms_and_citations_are_no_names(text):
    assert distinct_names(text) == []


def test_a_heading_below_a_linked_product_is_its_subtitle():
    cards = "### [Zorvex Hush](https://shop.com/hush)\n\n#### PID Temperature Control\n\nFine."
    assert [name.text for name in find_presented_names(prepare(ENGLISH + cards))] == ["Zorvex Hush"]


def test_features_next_to_a_name_in_a_table_are_no_names():
    text = "| Anbieter | Stärken |\n|---|---|\n| Amber | Gute E-Mail-Anbindung, faire Preise |\n"
    assert "Gute E-Mail-Anbindung" not in distinct_names(text)


def test_details_below_a_name_are_labels_whatever_they_look_like():
    text = "### Zorvex One\n\n- Drivex: four\n- Price: 10\n\n### Veltrona Two\n\n- Drivex: six\n- Price: 20\n"
    assert distinct_names(text) == ["Zorvex One", "Veltrona Two"]


def test_a_heading_of_ordinary_words_is_an_entry_if_it_has_the_same_details_as_others():
    sections = [f"### {name}\n\n- Price: 1\n- Weight: 2\n" for name in ("Zorvex X1", "Amber Fit", "Veltrona X2")]
    assert distinct_names("\n".join(sections) + "\n### Final Thoughts\n\nDone.") == [
        "Zorvex X1", "Amber Fit", "Veltrona X2",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("word", "ordinary"),
    [
        *[(word, True) for word in ("Lightweight", "Earbuds", "Noise-Cancelling", "10-Piece", "15.6", "IPX7", "USB-C")],
        *[(word, False) for word in ("Garmin", "WH-1000XM5", "JBL", "U2723QE")],
    ],
)
def test_words_of_the_dictionary_measures_and_terms_are_ordinary(word, ordinary):
    assert is_ordinary(word) is ordinary


@pytest.mark.parametrize(
    ("text", "product"),
    [
        ("### 1. Zorvex Forerunner 255\n\nGood.", "Forerunner 255"),
        ("The Zorvex Venu 3 is nice.", "Venu 3"),
        ("Zorvex is nice.", None),
        ("**Zorvex and Veltrona** are nice.", None),
        ("Zorvex Premium is nice.", None),
    ],
)
def test_the_product_after_a_name(text, product):
    prepared = prepare(text)
    start = prepared.prose.index("Zorvex")
    assert read_products(prepared, [(start, start + len("Zorvex"))]) == [product]


@pytest.mark.parametrize(
    "text",
    [
        "### 1. Apple Watch SE\n\nGood.\n\n### 2. Zorvex Band 3\n\nFine.\n\n### 3. Veltrona Fit\n\nFine.",
        "- **Best budget:** Apple Mini - cheap",
        "I would take the Apple X200 for that.",
        "3. **Apple Tune 750BT**\n\n* loud",
    ],
)
def test_an_ordinary_name_with_a_product_is_the_brand(text):
    assert analyze(ENGLISH + text, Lexicon([Brand("Apple")])).brands[0].mentioned


def test_an_ordinary_name_in_a_title_is_not():
    assert not analyze(f"{ENGLISH}## Target Audience\n\nYoung people.", Lexicon([Brand("Target")])).brands[0].mentioned


def test_glued_sentences_name_the_brand():
    text = "It plays many genres.Zorvex X1: good value.Veltrona Y2: loud (very).Zorvex again."
    found = analyze(text, Lexicon([Brand("Zorvex"), Brand("Veltrona")]))
    assert [len(brand.occurrences) for brand in found.brands] == [2, 1]


def test_a_name_that_is_glued_to_a_word_counts_where_the_brand_is_named_elsewhere():
    lexicon = Lexicon([Brand("Zorvex")])
    assert len(analyze("Zorvex is fine. The ZorvexCam costs $99.95Zorvex Mini.", lexicon).brands[0].occurrences) == 3
    assert not analyze("The ZorvexCam is fine.", lexicon).brands[0].mentioned
    assert len(analyze("Zorvex is fine. A zorvexcam and a Zorvexian are not.", lexicon).brands[0].occurrences) == 1
