"""Threads that compute, next to an event loop that serves requests."""

import sys

import pytest

from sightline.kit.slow_work import favor_event_loop


@pytest.fixture
def switch_interval():
    before = sys.getswitchinterval()
    yield before
    sys.setswitchinterval(before)


def test_a_computing_thread_yields_to_the_event_loop_well_within_a_millisecond(switch_interval):
    favor_event_loop()
    assert sys.getswitchinterval() < 0.001 < switch_interval
