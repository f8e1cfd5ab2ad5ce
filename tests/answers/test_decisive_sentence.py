"""The decisive sentence: "the sentence that names the brand (or, when absent, the first recommended rival)"."""

import pytest

from sightline.answers.analyze import analyze
from sightline.answers.decisive_sentence import cut_decisive_sentence
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon

LEXICON = Lexicon([Brand("Acme", (), ("acme.com",)), Brand("Globex"), Brand("Initech")])


def cut(text):
    parts = cut_decisive_sentence(text, analyze(text, LEXICON))
    return "".join(f"[{part.text}]" if part.brand else part.text for part in parts)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Anvils are heavy. Acme makes quiet ones. Globex is cheap.", "[Acme] makes quiet ones."),
        ("## Best\n1. **Acme**, the *quiet* one\n2. Globex", "[Acme], the quiet one"),
        ("See [Acme](https://acme.com/a) and **Globex**, both good.", "See [Acme] and [Globex], both good."),
        ("| Brand | Price |\n|---|---|\n| Acme | 9 € |", "[Acme] · 9 €"),
        ("1. Globex is first.\n2. Initech is second.", "[Globex] is first."),
        ("Avoid Acme, because of slow shipping.[3][12] Globex is fine [1].", "Avoid [Acme], because of slow shipping."),
        ("There is no clear winner. It depends.", "There is no clear winner."),
        ("小さな工房にはAcmeが最適です。Globexは安いです。", "小さな工房には[Acme]が最適です。"),
    ],
)
def test_the_sentence_is_cut_at_the_places_of_the_names(text, sentence):
    assert cut(text) == sentence


def test_a_long_sentence_shows_its_name_near_the_start():
    found = cut("If you look " + "very " * 60 + "long, Acme is best " + "and best " * 60 + ".")
    assert found.startswith("… very") and found.index("[Acme]") < 80 and found.endswith("…")


def test_private_characters_of_an_answer_are_no_names():
    assert cut("\ue000" + "0" + "\ue001 Acme is good.") == "0 [Acme] is good."


def test_an_answer_without_text_has_no_sentence():
    assert cut_decisive_sentence("", None) == ()
