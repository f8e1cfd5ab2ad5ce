"""Detecting changes in a Daily Check: all tests of the day, and which of them count (metrics 3.5). Pure.

The tests cover drops and gains of the brand, and rises of competitors. Benjamini-Hochberg selects the tests that count.
Segments (overall, platforms, countries) are one family of tests, the same segments of all competitors are another, and
single cells the third: in one family, the many tests of competitors and cells would hide the few of the brand. A cell
has no alert of its own while a segment that contains it has one of the same direction.

In 30 days without change at 35 cells, with four competitors, this confirms less than .1 alerts of segments and about
.15 of cells [sim], also if the platforms have good and bad days.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

import msgspec

from sightline.insights.alerts.change_statistics import ChangeTestResult, run_segment_test
from sightline.insights.alerts.daily_checks import (
    Baseline,
    DailyCheck,
    find_baseline,
    list_real_changes,
    split_segments,
    view_competitor,
)
from sightline.insights.alerts.detect_cell_changes import test_cells
from sightline.insights.alerts.models import DIRECTIONS, AlertRow, AlertType
from sightline.insights.alerts.outcomes import Key, ScopeOutcome, is_confirmed, select_rules
from sightline.insights.alerts.scopes import add_competitor
from sightline.metrics.alerts import Direction
from sightline.scans.models import ScanPlan
from sightline.scoreboard.history.competitor_mentions import CellKey, NamedCompetitors

# The history of a cell goes back as far as the statistics of its prompt.
CELL_HISTORY = timedelta(days=30)


class _Tested(msgspec.Struct, frozen=True, kw_only=True):
    """A segment that was tested, before the discoveries of the day are selected."""

    keys: frozenset[CellKey]
    today: DailyCheck
    baseline: Baseline
    result: ChangeTestResult


def detect_changes(
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    plan: ScanPlan,
    alerts: Sequence[AlertRow],
    *,
    resolved: Sequence[AlertRow] = (),
    named: NamedCompetitors | None = None,
) -> list[ScopeOutcome]:
    """Test all segments and cells of today's Daily Check.

    `earlier` are the Daily Checks before it, oldest first; `alerts` are the open alerts, `resolved` those of the last
    month that are over. `named` are the cells that name competitors; without it no competitor is tested.
    """
    if not earlier:
        return []
    segments = split_segments(today, plan)
    known = {(alert.type, alert.scope): alert for alert in alerts}
    past = [*alerts, *resolved]
    found = [
        *_test_brand(segments, today, earlier, known, past),
        *_test_competitors(segments, today, earlier, plan, known, past, named or {}),
    ]
    recent = [each for each in earlier if each.completed_at > today.completed_at - CELL_HISTORY]
    return [*found, *test_cells(segments["overall"], today, recent, known, found)]


def _test_brand(
    segments: Mapping[str, frozenset[CellKey]],
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    known: Mapping[Key, AlertRow],
    past: Sequence[AlertRow],
) -> list[ScopeOutcome]:
    """Test drops and gains. A gain is not tested where a drop is open: it would only be the end of the drop."""
    tested: dict[Key, _Tested] = {}
    baselines: dict[uuid.UUID, Baseline] = {}
    real_changes = list_real_changes(past)
    for scope, keys in segments.items():
        kinds: list[AlertType] = ["coverage_drop"]
        if ("coverage_drop", scope) not in known or ("coverage_gain", scope) in known:
            kinds.append("coverage_gain")
        for kind in kinds:
            baseline = find_baseline(known.get((kind, scope)), earlier, real_changes)
            found = _test_segment(keys, today, baseline, baselines, DIRECTIONS[kind])
            if found is not None:
                tested[kind, scope] = found
    return _select_segments(tested, known, {"coverage_drop", "coverage_gain"})


def _test_competitors(
    segments: Mapping[str, frozenset[CellKey]],
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    plan: ScanPlan,
    known: Mapping[Key, AlertRow],
    past: Sequence[AlertRow],
    named: NamedCompetitors,
) -> list[ScopeOutcome]:
    """Test rises of each competitor, over the Daily Checks that measured it."""
    tested: dict[Key, _Tested] = {}
    for competitor in plan.competitors:
        now = view_competitor(today, named, competitor.name)
        before = [view for each in earlier if (view := view_competitor(each, named, competitor.name)) is not None]
        if now is None or not before:
            continue
        baselines: dict[uuid.UUID, Baseline] = {}
        real_changes = list_real_changes(past, competitor.name)
        for part, keys in segments.items():
            key: Key = ("competitor_rise", add_competitor(part, competitor.name))
            found = _test_segment(keys, now, find_baseline(known.get(key), before, real_changes), baselines, "up")
            if found is not None:
                tested[key] = found
    return _select_segments(tested, known, {"competitor_rise"})


def _test_segment(
    keys: frozenset[CellKey],
    today: DailyCheck,
    baseline: Baseline | None,
    baselines: dict[uuid.UUID, Baseline],
    direction: Direction,
) -> _Tested | None:
    if baseline is None:
        return None
    # Segments with the same baseline share what is computed from it.
    baseline = baselines.setdefault(baseline.daily_check.scan_id, baseline)
    result = run_segment_test(keys, today, baseline, direction)
    return None if result is None else _Tested(keys=keys, today=today, baseline=baseline, result=result)


def _select_segments(
    tested: Mapping[Key, _Tested], known: Mapping[Key, AlertRow], kinds: Collection[AlertType]
) -> list[ScopeOutcome]:
    """Select the discoveries of one family of tests, which has alerts of these kinds."""
    rules = select_rules({key: each.result for key, each in tested.items() if not is_confirmed(known.get(key))})
    outcomes = []
    for key in dict.fromkeys([*tested, *(key for key in known if key[0] in kinds)]):
        found = tested.get(key)
        outcomes.append(
            ScopeOutcome(
                type=key[0],
                scope=key[1],
                keys=found.keys if found else frozenset(),
                alert=known.get(key),
                baseline=found.baseline if found else None,
                today=found.today if found else None,
                test=found.result if found else None,
                rules=rules.get(key, ()),
            )
        )
    return outcomes
