"""Detecting drops in a Daily Check: all tests of the day, and which of them count (metrics 3.5). Pure.

Benjamini-Hochberg selects the tests that count. Segments (overall, platforms, countries) are one family of tests and
cells are another, because hundreds of cells would drown the few tests of segments. A cell has no alert of its own while
a segment that contains it has one. In 30 days without change at 35 cells this confirms less than .1 alerts of segments
and about .25 of cells [sim], also if the platforms have good and bad days.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

import msgspec

from sightline.insights.alerts.daily_checks import (
    Baseline,
    CellKey,
    DailyCheck,
    RealChange,
    cell_scope,
    find_baseline,
    list_real_changes,
    split_segments,
)
from sightline.insights.alerts.drop_statistics import DropTestResult, run_cell_test, run_segment_test
from sightline.insights.alerts.models import AlertRow, AlertType, Evidence, Rule, decode_evidence
from sightline.insights.alerts.states import AlertState
from sightline.metrics.alerts import MIN_EARLIER_DAILIES, run_cell_alert, select_discoveries
from sightline.metrics.intervals import Interval
from sightline.scans.models import ScanPlan

# The history of a cell goes back as far as the statistics of its prompt.
CELL_HISTORY = timedelta(days=30)


class ScopeOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of testing one segment or cell. Without `test` it is no longer measured, and its alert ends."""

    type: AlertType
    scope: str
    keys: frozenset[CellKey] = frozenset()
    alert: AlertRow | None
    baseline: Baseline | None = None
    """What a segment is compared with."""
    test: DropTestResult | None = None
    rules: tuple[Rule, ...] = ()
    """The rules that hold and are among the discoveries of the day."""

    @property
    def holds(self) -> bool:
        return bool(self.rules)

    @property
    def confirms_watch(self) -> bool:
        """Return whether this day confirms a watch."""
        return self.holds and self.alert is not None and self.alert.state is AlertState.WATCH


def detect_drops(
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    plan: ScanPlan,
    alerts: Sequence[AlertRow],
    *,
    resolved: Sequence[AlertRow] = (),
) -> list[ScopeOutcome]:
    """Test all segments and cells of today's Daily Check.

    `earlier` are the Daily Checks before it, oldest first; `alerts` are the open alerts, `resolved` those of the last
    month that are over.
    """
    if not earlier:
        return []
    segments = split_segments(today, plan)
    real_changes = list_real_changes([*alerts, *resolved])
    found = _test_segments(segments, today, earlier, _group_by_scope(alerts, "coverage_drop"), real_changes)
    covered = [each.keys for each in found if each.holds or each.alert is not None]
    cells = segments["overall"] - frozenset().union(*covered)
    recent = [daily_check for daily_check in earlier if daily_check.completed_at > today.completed_at - CELL_HISTORY]
    return [*found, *_test_cells(cells, today, recent, _group_by_scope(alerts, "cell_lost"))]


def _group_by_scope(alerts: Sequence[AlertRow], kind: AlertType) -> dict[str, AlertRow]:
    return {alert.scope: alert for alert in alerts if alert.type == kind}


def _test_segments(
    segments: Mapping[str, frozenset[CellKey]],
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    alerts: Mapping[str, AlertRow],
    real_changes: frozenset[RealChange],
) -> list[ScopeOutcome]:
    results: dict[str, DropTestResult] = {}
    baselines: dict[str, Baseline] = {}
    by_scan: dict[uuid.UUID, Baseline] = {}
    for scope, keys in segments.items():
        baseline = find_baseline(alerts.get(scope), earlier, real_changes)
        if baseline is None:
            continue
        # Segments with the same baseline share what is computed from it.
        baselines[scope] = by_scan.setdefault(baseline.daily_check.scan_id, baseline)
        found = run_segment_test(keys, today, baselines[scope])
        if found is not None:
            results[scope] = found
    rules = _select_rules({scope: each for scope, each in results.items() if not _is_confirmed(alerts.get(scope))})
    return [
        ScopeOutcome(
            type="coverage_drop",
            scope=scope,
            keys=segments.get(scope, frozenset()),
            alert=alerts.get(scope),
            baseline=baselines.get(scope),
            test=results.get(scope),
            rules=rules.get(scope, ()),
        )
        for scope in dict.fromkeys([*results, *alerts])
    ]


def _test_cells(
    cells: Collection[CellKey], today: DailyCheck, earlier: Sequence[DailyCheck], alerts: Mapping[str, AlertRow]
) -> list[ScopeOutcome]:
    return [*_find_lost_cells(cells, today, earlier, alerts), *_retest_open_cells(today, earlier, alerts)]


def _find_lost_cells(
    cells: Collection[CellKey], today: DailyCheck, earlier: Sequence[DailyCheck], alerts: Mapping[str, AlertRow]
) -> list[ScopeOutcome]:
    """Test cells without an alert that do not name the brand today and have enough history."""
    results: dict[str, DropTestResult] = {}
    for key in sorted(cells):
        if cell_scope(key) in alerts or today.cells[key].status != "ok" or today.cells[key].mentioned:
            continue
        found = run_cell_test(key, today, earlier)
        if found is not None and found.before.answers >= MIN_EARLIER_DAILIES:
            results[cell_scope(key)] = found
    names = {cell_scope(key): key for key in cells}
    return [
        ScopeOutcome(
            type="cell_lost",
            scope=scope,
            keys=frozenset({names[scope]}),
            alert=None,
            test=results[scope],
            rules=rules,
        )
        for scope, rules in _select_rules(results).items()
    ]


def _retest_open_cells(
    today: DailyCheck, earlier: Sequence[DailyCheck], alerts: Mapping[str, AlertRow]
) -> list[ScopeOutcome]:
    """Test cells that have an open alert.

    A watch is confirmed if the misses since it began are, by themselves, too many for the history before it. A cell has
    one answer a day, so this may take two Daily Checks; until then it stays a watch, unless the brand is named again.
    """
    names = {cell_scope(key): key for key in today.cells}
    results, unconfirmed = {}, {}
    for scope, alert in alerts.items():
        found = run_cell_test(names[scope], today, earlier) if scope in names else None
        if found is not None:
            results[scope] = _keep_baseline(found, alert)
            if found.lost and found.valid and not _is_confirmed(alert):
                unconfirmed[scope] = _test_since_watch(results[scope], decode_evidence(alert.evidence))
    rules = _select_rules(unconfirmed)
    return [
        ScopeOutcome(
            type="cell_lost",
            scope=scope,
            keys=frozenset({names[scope]}) if scope in names else frozenset(),
            alert=alert,
            test=results.get(scope),
            rules=rules.get(scope, ()),
        )
        for scope, alert in alerts.items()
        if (scope in results or scope not in names) and (scope not in unconfirmed or scope in rules)
    ]


def _test_since_watch(found: DropTestResult, evidence: Evidence) -> DropTestResult:
    before, misses = evidence.before, found.now.answers - evidence.now.answers
    return msgspec.structs.replace(found, findings={"cell": run_cell_alert(before.named, before.answers, misses)})


def _keep_baseline(found: DropTestResult, alert: AlertRow) -> DropTestResult:
    """Judge the alert by the history that it began with: a cell that names the brand again has a new one."""
    evidence = decode_evidence(alert.evidence)
    return msgspec.structs.replace(
        found, against_scan_id=evidence.against_scan_id, baseline=Interval(evidence.low, evidence.high)
    )


def _select_rules(results: Mapping[str, DropTestResult]) -> dict[str, tuple[Rule, ...]]:
    """Return the rules by which each scope has dropped. A rise is never a discovery."""
    tests = [(scope, rule) for scope, each in results.items() for rule in each.findings]
    p_values = [1.0 if (found := results[scope].findings[rule]).direction == "up" else found.p for scope, rule in tests]
    selected = [test for test, passes in zip(tests, select_discoveries(p_values), strict=True) if passes]
    rules_by_scope: dict[str, tuple[Rule, ...]] = {}
    for scope, rule in selected:
        if results[scope].is_drop(rule):
            rules_by_scope[scope] = (*rules_by_scope.get(scope, ()), rule)
    return rules_by_scope


def _is_confirmed(alert: AlertRow | None) -> bool:
    return alert is not None and alert.state is AlertState.CONFIRMED
