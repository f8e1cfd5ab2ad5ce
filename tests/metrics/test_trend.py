"""Metrics 1.11: when a comparison is Trend only, why, and the matched-cell delta that is shown with it."""

import msgspec
import pytest

from sightline.metrics.compare import compare_coverage
from sightline.metrics.completeness import is_incomplete
from sightline.metrics.figure import to_comparison
from sightline.metrics.observation import drop_former_surfaces, find_surfaces, is_same_surface
from sightline.metrics.trend import ResultStamp, find_surface_changes, find_trend_reasons
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


def test_answers_of_another_surface_are_not_compared():
    api = [msgspec.structs.replace(each, surface="api") for each in _scan(20)]
    app = [msgspec.structs.replace(each, surface="app" if each.platform == "p0" else "api") for each in api]
    assert compare_coverage(api, app).matched_cells == 120, "the 20 cells of p0 are left out"
    stamps = [_stamp(each, surfaces=find_surfaces(each)) for each in (api, app)]
    assert find_trend_reasons(*stamps) == ("surface",)
    assert find_surface_changes(*(stamp.surfaces for stamp in stamps)) == {"p0": ("api", "app")}


@pytest.mark.parametrize(("surface", "same"), [("api", True), ("serp", True), ("sandbox", True), ("app", False)])
def test_answers_from_before_surfaces_were_recorded_are_of_the_only_surface_there_was(surface, same):
    assert is_same_surface(None, surface) is is_same_surface(surface, None) is same
    before, now = ({"p0": None}, {"p0": surface})
    assert bool(find_surface_changes(before, now)) is not same


def test_a_platform_starts_again_with_its_last_surface():
    api, app = ([observe(1, prompt_id="q0", surface=surface)] for surface in ("api", "app"))
    lost = [observe(status="failed", prompt_id="q0")]
    other = [observe(1, prompt_id="q0", platform="gemini", surface="api")]
    assert drop_former_surfaces([api + other, lost, app]) == [other, lost, app]
    assert drop_former_surfaces([app, api, lost]) == [[], api, lost]


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
