"""Themes of answers in several languages: rules read English, and answers that nobody reads are counted apart."""

import pytest

from sightline.answers.aspects import Aspect
from sightline.insights import aspect_counts
from sightline.insights.aspect_counts import JudgedAnswers, count_aspects, list_unread_answers
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
    assert counts.unread == {"cs": 1, "de": 1} and counts.unread_reason == "no_word_lists"
    assert counts.total == 1 and "price" in counts.uses
    assert [answer.id for answer in list_unread_answers(inputs)] == ["a", "c"]


def test_names_of_other_languages_are_not_merged_by_the_english_encoder(inputs, monkeypatch):
    asked = []

    def group(counts):
        asked.append(set(counts))
        return {name: name for name in counts}

    # The encoder does not tell what it was given.
    monkeypatch.setattr(aspect_counts, "group_by_meaning", group)
    aspect = Aspect("cena", "drahý", "negative", "Globex je drahý.", quotable=True)
    count_aspects(inputs, JudgedAnswers({"c": {"Globex": (aspect,)}}))
    assert asked and not set().union(*asked) & {"cena"}


def test_what_a_judge_found_counts_for_the_brand_and_its_rivals(inputs):
    quiet = Aspect("tichý", "tichý", "positive", "Acme je tichý.", quotable=True)
    dear = Aspect("cena", "drahý", "negative", "Globex je drahý.", quotable=True)
    counts = count_aspects(inputs, JudgedAnswers({"c": {"Acme": (quiet,), "Globex": (dear,)}}))
    assert counts.unread == {"de": 1} and counts.total == 2
    assert [use.answer.id for use in counts.uses["tichý"]] == ["c"]
    assert frozenset({"cena"}) in counts.rivals and "cena" not in counts.uses
