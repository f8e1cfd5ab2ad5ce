"""decisions 4: "Prompt identity: Unicode NFKC, collapsed white space, casefolded text + country + language"."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.errors import Problem
from sightline.prompts.identity import CleanPrompt, clean_prompt, normalize_text
from tests.property_testing import prove


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("best crm", "  Best   CRM "),
        ("best crm", "best\u3000crm"),
        ("best crm", "\uff42\uff45\uff53\uff54\u00a0\uff23\uff32\uff2d"),
        ("straße", "STRASSE"),
        ("Ǆ", "ǆ"),
        ("é", "e\u0301"),
        ("ﬁlter", "FILTER"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_these_are_the_same(one, other):
    assert normalize_text(one) == normalize_text(other)


@pytest.mark.parametrize(("one", "other"), [("best crm", "bestcrm"), ("e", "é"), ("crm?", "crm"), ("c++", "c")])
def test_these_are_not(one, other):
    assert normalize_text(one) != normalize_text(other)


@prove
@given(st.text(max_size=600))
def test_the_identity_of_an_identity_is_itself_and_fits_an_index(text):
    identity = normalize_text(text)
    assert normalize_text(identity) == identity
    assert len(identity.encode()) <= 2_000
    assert identity == identity.strip()


def test_a_longer_one_than_an_index_takes_is_known_by_its_digest():
    long = "".join(chr(0x3300 + number % 80) for number in range(500))
    assert normalize_text(long).startswith("sha256:") and normalize_text(long) == normalize_text(f" {long}\n")
    assert normalize_text(long) != normalize_text(long[:-1])


def test_codes_are_case_normalised_and_the_text_is_trimmed():
    assert clean_prompt(" Best crm\n", "de", "EN") == CleanPrompt("Best crm", "DE", "en")
    assert clean_prompt("ab", None, None) == CleanPrompt("ab", None, None)


def test_every_fault_is_named_at_its_place():
    with pytest.raises(Problem) as refused:
        clean_prompt(" x ", "EU", "tlh", at="prompts[3].")
    assert refused.value.code == "validation_failed"
    fields = [each["field"] for each in refused.value.members["errors"]]
    assert fields == ["prompts[3].prompt", "prompts[3].country_iso_2", "prompts[3].language_code"]


@pytest.mark.parametrize("text", ["\u200b" * 5, "\ufeff\u2060\u00ad", "\u3164\u3164", "\u2800 \u2800", "a\u200b"])
def test_a_prompt_of_invisible_characters_is_refused(text):
    with pytest.raises(Problem) as refused:
        clean_prompt(text, None, "en")
    assert refused.value.members["errors"][0]["message"] == "must have at least 2 visible characters"


@pytest.mark.parametrize("text", ["\u200fab\u200f", "\u0645\u06cc\u200c\u062e\u0648", "👩\u200d💻?"])
def test_joiners_and_marks_of_direction_are_part_of_a_text(text):
    assert clean_prompt(text, None, "en").text == text
