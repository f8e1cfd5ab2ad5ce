"""Phrases cover everything that they are looked up by."""

from typing import NamedTuple, get_args

import pytest

from sightline.metrics.figure import Figure, Range, to_figure
from sightline.metrics.spot_check import measure_spot_check
from sightline.platforms.models import FaultKind
from sightline.presentation.cell_states import CELL_STATES
from sightline.presentation.metric_cards import build_metric_card
from sightline.presentation.numbers import (
    NOT_MEASURED,
    format_money,
    format_number,
    format_percent,
    format_signed,
    format_unit_price,
)
from sightline.presentation.palette import LIGHT
from sightline.presentation.phrases import (
    FAULT_PHRASES,
    METRIC_NAMES,
    MetricKey,
    country_name,
    describe_spot_check,
    describe_standing,
    describe_unscored,
    to_one_line,
)


def test_every_fault_and_metric_has_a_phrase():
    assert set(FAULT_PHRASES) == set(get_args(FaultKind))
    assert set(METRIC_NAMES) == set(get_args(MetricKey))


def test_unscored_answers_say_why():
    assert describe_unscored("Acme", 0, {}) == ""
    assert describe_unscored("Acme", 1, {"language": 1}) == (
        "1 more answer names Acme but has no score: the language is not supported. It does not count as neutral."
    )
    assert describe_unscored("Acme", 6, {"doubt": 2, "no_opinion": 1}) == (
        "6 more answers name Acme but have no score: 2 with unclear sentiment, 1 with only a passing mention, "
        "3 for a reason that was not recorded. They do not count as neutral."
    )
    assert describe_unscored("Acme", 2, {}).startswith("2 more answers name Acme but have no score. ")


def test_every_cell_state_has_a_color_of_the_palette():
    assert all(style.color in LIGHT.__struct_fields__ for style in CELL_STATES.values())


def test_a_value_that_was_not_measured_is_never_zero():
    assert format_number(None) == format_percent(None) == NOT_MEASURED
    assert (format_number(0), format_number(0.0), format_number(1204)) == ("0", "0.0", "1,204")
    assert (format_signed(-4.25), format_signed(3), format_signed(0)) == ("\u22124.2", "+3.0", "0.0")
    assert format_money(123456) == "1,234.56 USD"
    assert format_unit_price(24900, 200) == "1.245 USD"
    assert format_unit_price(1900, 10) == "1.90 USD"


def _figure(**fields):
    return Figure(**({"n": 140, "denominator": 140, "early_reading": False, "incomplete": False} | fields))


_COVERAGE = {"value": 30.0, "numerator": 42, "low": 23.0, "high": 38.0}
_POSITION = _figure(value=2, numerator=None, low=2, high=2, denominator=4, prompts=20, market=Range(1, 3))


class _Standing(NamedTuple):
    brand_coverage_pct: Figure
    market_position: Figure = _POSITION


def test_the_headline_sentence_quotes_the_wider_range():
    sentence = describe_standing(
        "Acme", _Standing(_figure(**_COVERAGE, prompts=20, market=Range(19.8, 42.1))), has_ranking=True
    )
    assert sentence == (
        "Acme is named in 42 of 140 answers (30.0%). For questions like your prompts, expect 19.8% to 42.1% of answers "
        "to name Acme. Of 4 tracked brands, Acme ranks 2nd (likely between 1st and 3rd across all similar "
        "questions)."
    )


@pytest.mark.parametrize(
    ("prompts", "end"),
    [
        (4, " Fewer than five prompts are too few to estimate the share for other questions."),
        pytest.param(None, "", id="stored by version 1"),
    ],
)
def test_without_a_market_range_the_sentence_speaks_of_these_prompts(prompts, end):
    unranked = _figure(value=None, numerator=None, low=None, high=None, denominator=None)
    sentence = describe_standing("Acme", _Standing(_figure(**_COVERAGE, prompts=prompts), unranked), has_ranking=False)
    again = "If these prompts are run again, expect 23.0% to 38.0% of answers to name Acme."
    assert sentence == f"Acme is named in 42 of 140 answers (30.0%). {again}{end}"


def test_a_card_shows_both_ranges_or_says_why_not():
    def card(key, **fields):
        found = build_metric_card(key, _figure(**fields), brand="Acme", answers=140, is_first=True)
        return found["range"], found["market"]

    both = ("23.0\u201338.0% for these prompts", "19.8\u201342.1% for questions like these")
    assert card("brand_coverage_pct", **_COVERAGE, prompts=20, market=Range(19.8, 42.1)) == both
    few = "no range for questions like these: fewer than five prompts"
    assert card("brand_coverage_pct", **_COVERAGE, prompts=4) == (both[0], few)
    assert card("brand_coverage_pct", **_COVERAGE) == (both[0], "")
    position = {"value": 2, "numerator": None, "low": 2, "high": 2, "prompts": 20, "market": Range(1, 3)}
    assert card("market_position", **position) == (
        "no other position is likely for these prompts",
        "1\u20133 for questions like these",
    )
    count = {"value": 42, "numerator": 42, "low": None, "high": None, "prompts": 20}
    assert card("ai_mentions", **count) == ("", "")
    assert card("visibility_score", **count | {"value": None, "prompts": 0}) == ("", "")


def test_a_card_without_answers_says_nothing_about_competitors():
    def basis(key, answers, **fields):
        figure = _figure(value=None, numerator=None, low=None, high=None, **fields)
        return build_metric_card(key, figure, brand="Acme", answers=answers)["basis"]

    for key in ("market_position", "share_of_voice_pct"):
        assert basis(key, 0, n=0, denominator=None) == "no valid answers"
    assert basis("market_position", 5, denominator=None) == "no competitor is tracked"
    assert basis("market_position", 5, denominator=3) == "not ranked"


def test_a_country_has_its_english_name():
    assert (country_name("DE"), country_name(None), country_name("XX")) == ("Germany", "Global", "XX")


def test_a_title_and_a_subject_are_one_printable_line():
    assert to_one_line("Ac\nme\u202e \x00 in\tAI") == "Ac me[U+202E] in AI"


@pytest.mark.parametrize(
    ("named", "asked", "sentence"),
    [
        (22, 50, "If someone asks once, the chance of seeing Acme is 44% (31% to 58%)."),
        (1, 8, "If someone asks once, the chance of seeing Acme is 13% (2% to 47%)."),
        (0, 5, "If someone asks once, the chance of seeing Acme is 0% (0% to 43%)."),
        (4, 4, "Too few answers to estimate the chance: 4 so far, 5 needed."),
        (0, 0, "Too few answers to estimate the chance: 0 so far, 5 needed."),
    ],
)
def test_a_spot_check_is_a_sentence(named, asked, sentence):
    assert describe_spot_check("Acme", to_figure(measure_spot_check(named, asked))) == sentence
