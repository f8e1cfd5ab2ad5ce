"""Metrics 1.11: when a comparison is Trend only, why, and the matched-cell delta that is shown with it."""

import msgspec
import pytest

from sightline.metrics.compare import compare_coverage
from sightline.metrics.completeness import is_incomplete
from sightline.metrics.figure import to_comparison
from sightline.metrics.trend import ResultStamp, find_trend_reasons
from tests.metrics.builders import observe


def _scan(prompts, *, lost=0, first=0):
    return [
        observe(
            status="failed" if number < lost else "ok", prompt_id=f"q{first + number // 7}", platform=f"p{number % 7}"
        )
        for number in range(7 * prompts)
    ]


def _stamp(observations, **fields):
    defaults = {
        "scope": "full_check",
        "cells": frozenset(observation.cell for observation in observations),
        "metrics_version": "1",
        "extractor_version": "1",
        "incomplete": is_incomplete(observations),
    }
    return ResultStamp(**(defaults | fields))


def _compare(before, now):
    reasons = find_trend_reasons(_stamp(before), _stamp(now))
    return to_comparison(compare_coverage(before, now), against_scan_id="before", reasons=reasons)


def test_1_11_ex_a_the_same_140_cells_are_compared():
    shown = _compare(_scan(20), _scan(20))
    assert (shown.trend_only, shown.reasons, shown.matched_cells) == (False, (), 140)


def test_1_11_ex_b_140_against_175_is_a_trend_with_the_delta_on_140():
    shown = _compare(_scan(20), _scan(25))
    assert (shown.trend_only, shown.reasons, shown.matched_cells) == (True, ("cells",), 140)


def test_1_11_ex_c_30_failed_today_is_a_trend_with_the_delta_on_110():
    shown = _compare(_scan(20), _scan(20, lost=30))
    assert (shown.trend_only, shown.reasons, shown.matched_cells) == (True, ("incomplete_now",), 110)


def test_1_11_ex_d_no_common_cell_is_null():
    assert _compare(_scan(20), _scan(20, first=50)) is None


_BASE = _stamp(_scan(2), competitors=frozenset({"x.com"}), models={"p0": "model-1", "p1": None})


@pytest.mark.parametrize(
    ("fields", "reasons"),
    [
        ({}, ()),
        ({"scope": "daily_check"}, ("scope",)),
        ({"metrics_version": "2"}, ("metrics_version",)),
        ({"extractor_version": "2"}, ("extractor_version",)),
        ({"models": {"p0": "model-2"}}, ("model",)),
        ({"models": {"p0": None, "p1": "model-9", "p2": "new"}}, ()),
        ({"incomplete": True}, ("incomplete_now",)),
        ({"scope": "daily_check", "cells": frozenset()}, ("scope", "cells")),
    ],
)
def test_1_11_each_reason(fields, reasons):
    assert find_trend_reasons(_BASE, msgspec.structs.replace(_BASE, **fields)) == reasons


def test_1_11_either_side_may_be_incomplete():
    assert find_trend_reasons(msgspec.structs.replace(_BASE, incomplete=True), _BASE) == ("incomplete_before",)


def test_1_11_competitors_matter_only_to_figures_measured_against_them():
    other = msgspec.structs.replace(_BASE, competitors=frozenset({"y.com"}))
    assert find_trend_reasons(_BASE, other) == ()
    assert find_trend_reasons(_BASE, other, against_competitors=True) == ("competitors",)
