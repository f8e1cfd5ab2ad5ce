"""How amounts of money are written."""

from decimal import Decimal

import pytest

from sightline.presentation.numbers import format_cost


@pytest.mark.parametrize(
    ("dollars", "text"),
    [
        (None, "\u2013"),
        (Decimal(0), "0.00 USD"),
        (Decimal("0.00004"), "under 0.0001 USD"),
        (Decimal("0.0123"), "0.0123 USD"),
        (Decimal("0.5"), "0.50 USD"),
        (0.99999, "1.00 USD"),
        (Decimal("1234.5"), "1,234.50 USD"),
    ],
)
def test_a_cost_is_written_without_decimals_that_say_nothing(dollars, text):
    assert format_cost(dollars) == text
