"""How long something that failed waits before it is tried again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.kit.backoff import backoff
from tests.property_testing import prove


@pytest.mark.parametrize(("doublings", "delay"), [(0, 1), (1, 2), (8, 256), (9, 300), (10_000, 300)])
def test_the_delay_doubles_up_to_the_longest(doublings, delay):
    assert backoff(1.0, doublings=doublings, longest=300.0) == delay


@prove
@given(st.floats(0, 1), st.integers(0, 40))
def test_jitter_keeps_the_delay_within_its_range(chance, doublings):
    ceiling = backoff(1.0, doublings=doublings, longest=30.0)
    assert 0 <= backoff(1.0, doublings=doublings, longest=30.0, jitter=(0.0, 1.0), chance=chance) <= ceiling
    assert 0.9 * ceiling <= backoff(ceiling, jitter=(0.9, 1.1), chance=chance) <= 1.1 * ceiling * (1 + 1e-12)
