"""Words of praise and blame."""

import pytest

from sightline.answers.sentiment_words import count_praise_and_blame


@pytest.mark.parametrize(
    "text", ["there is no monthly fee", "it works without a subscription", "no contracts", "there are no hidden fees"]
)
def test_a_cost_that_is_not_there_is_praise(text):
    praise, blame = count_praise_and_blame(text)
    assert praise > blame == 0


@pytest.mark.parametrize("text", ["the fee is $9", "no, the cost is $9", "not the contract that you want"])
def test_a_cost_alone_says_nothing(text):
    assert count_praise_and_blame(text) == (0, 0)
