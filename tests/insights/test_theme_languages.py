"""Themes of answers in several languages: rules read English, and answers that nobody reads are counted apart."""

import pytest

from sightline.insights import aspect_counts
from sightline.insights.aspect_counts import count_aspects
from sightline.insights.inputs import build_insight_inputs
from sightline.scans.models import ScanPrompt
from tests.insights.test_inputs import PLAN, make_answer

GERMAN, ENGLISH, CZECH = (ScanPrompt(id=code, text="?", language=code) for code in ("de", "en", "cs"))
ANSWERS = [
    make_answer("a", GERMAN, "Acme ist günstig und leise. Globex ist teuer."),
    make_answer("b", ENGLISH, "Acme has an excellent carry strap and is cheap."),
    make_answer("c", CZECH, "Acme je tichý. Globex je drahý."),
    make_answer("d", CZECH, "Nic takového neznám."),
]


@pytest.fixture(scope="module")
def inputs():
    return build_insight_inputs(PLAN, ANSWERS)


def test_an_unread_language_is_counted_and_gives_nothing(inputs):
    counts = count_aspects(inputs)
    assert counts.unread == {"cs": 1, "de": 1}
    assert counts.total == 1 and "price" in counts.uses


def test_names_of_other_languages_are_not_merged_by_the_english_encoder(inputs, monkeypatch):
    asked = []

    def group(counts):
        asked.append(set(counts))
        return {name: name for name in counts}

    # The encoder does not tell what it was given.
    monkeypatch.setattr(aspect_counts, "group_by_meaning", group)
    count_aspects(inputs)
    assert asked and not set().union(*asked) & {"cena"}
