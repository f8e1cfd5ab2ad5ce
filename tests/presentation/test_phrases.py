"""Phrases cover everything that they are looked up by."""

from typing import get_args

from sightline.platforms.models import FaultKind
from sightline.presentation.cell_states import CELL_STATES
from sightline.presentation.numbers import NOT_MEASURED, format_money, format_number, format_percent, format_signed
from sightline.presentation.palette import LIGHT
from sightline.presentation.phrases import FAULT_PHRASES, METRIC_NAMES, MetricKey, country_name, to_one_line


def test_every_fault_and_metric_has_a_phrase():
    assert set(FAULT_PHRASES) == set(get_args(FaultKind))
    assert set(METRIC_NAMES) == set(get_args(MetricKey))


def test_every_cell_state_has_a_color_of_the_palette():
    assert all(style.color in LIGHT.__struct_fields__ for style in CELL_STATES.values())


def test_a_value_that_was_not_measured_is_never_zero():
    assert format_number(None) == format_percent(None) == NOT_MEASURED
    assert (format_number(0), format_number(0.0), format_number(1204)) == ("0", "0.0", "1,204")
    assert (format_signed(-4.25), format_signed(3), format_signed(0)) == ("\u22124.2", "+3.0", "0.0")
    assert format_money(123456) == "1,234.56 USD"


def test_a_country_has_its_english_name():
    assert (country_name("DE"), country_name(None), country_name("XX")) == ("Germany", "Global", "XX")


def test_a_title_and_a_subject_are_one_printable_line():
    assert to_one_line("Ac\nme\u202e \x00 in\tAI") == "Ac me in AI"
