"""Lists that a scraper delivered without line breaks are read as if they had them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.answers.lost_line_breaks import restore_line_breaks
from tests.answers.builders import analyze_text, ranks
from tests.property_testing import prove

SENTENCES = (
    "A light lamp that lasts for 4.5 hours.",
    "Praised for its quiet fan (22 dB).",
    "It folds flat, though some owners of an older one ask for a longer cable.",
    "Works with Alexa and with USB-C, and it costs about $19.99.",
    "Schön verarbeitet und leise!",
)
MODELS = ("Mini", "Pro 2.0", "X200 (large)")


@st.composite
def lists(draw):
    brands = draw(st.permutations(["Acme", "Xylia", "Yamira", "Zentro"]))
    heads = [f"{brand} {draw(st.sampled_from(MODELS))}" for brand in brands]
    return [f"{head}:{draw(st.sampled_from(['', ' ']))}{draw(st.sampled_from(SENTENCES))}" for head in heads]


@prove
@given(lists(), st.integers(1, 3))
def test_an_answer_is_read_the_same_with_and_without_its_line_breaks(entries, first):
    """The second list is below a title, after the shopping cards of the first."""
    cards = "Zentro Mini Lamp$19.994.5(2k+)Acme Lamp$9.004.1(77)"
    top, more = entries[:first], entries[first:]
    whole = "Zentro and Xylia make lamps. Here are some:\n\n#### Top picks:\n\n- " + "\n- ".join(top)
    whole += f"\n\n{cards}\n\n#### Other options:\n\n- " + "\n- ".join(more)
    glued = f"Zentro and Xylia make lamps. Here are some: Top picks: {''.join(top)} {cards}"
    glued += f"Other options: {''.join(more)}"
    assert len(restore_line_breaks(glued)[1]) >= len(entries)
    read, expected = analyze_text(glued), analyze_text(whole)
    assert [(brand.rank, brand.stance) for brand in read.brands] == [
        (brand.rank, brand.stance) for brand in expected.brands
    ]
    assert (read.n_brands, read.rank_source) == (expected.n_brands, expected.rank_source)


def test_places_are_those_of_the_text_as_it_was_served():
    text = "Für Köche und Gäste: Acme Öko: leise, schön.Xylia Mini: groß & laut.Acme Zürich: teuer.\nAcme again."
    found = analyze_text(text).brands
    for brand in found:
        assert {text[place.start : place.end] for place in brand.occurrences} == {brand.name} or not brand.occurrences
    assert [len(brand.occurrences) for brand in found] == [3, 1, 0, 0]


@pytest.mark.parametrize(
    "text",
    [
        "Write to help@acme.Com: they answer. Or read docs.acme.Com/Start: it is long, and www.xylia.Io: it is short.",
        "It needs at least version 2.0.A: older ones fail. Take version 3.1.B: it is newer.",
        "Sold in the U.S.Acme: not yet. In the U.K.Xylia: since May, e.g.Yamira: in June.",
        "You can write it in Node.JS: it is fast. You can also use ASP.NET: it is common, or System.IO: it is old.",
        "Open README.MD: it explains the rest. Then run Main.Java: it starts the server.",
        "At 10:30 it opens.At 18:00 it closes. The ratio is 16:9.Then 4:3.",
        "One sentence was glued.Note: it is the only one here.",
        "A plain text. Acme: good. Xylia: also good.",
        "| Acme | It is light.Note: red. | It is quiet.Price: low. |",
    ],
)
def test_nothing_else_is_split(text):
    assert restore_line_breaks(text) == (text, [])


def test_a_shopping_card_does_not_set_the_order():
    text = "Two stand out: Acme Mini: light.It is quiet, too.Xylia Pro: it lasts long. "
    text += "Zentro Lamp$9.994.5(2k+)Yamira Lamp$8.504.1(77)"
    text += "Cheaper: Yamira One: it is small and simple.Zentro Two: it is big."
    assert ranks(text) == {"Acme": 1, "Xylia": 2, "Yamira": 3, "Zentro": 4}
