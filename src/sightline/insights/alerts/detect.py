"""All tests of a day, and which of them count: Benjamini-Hochberg over the day's tests (metrics 3.5). Pure.

The parts (whole, platforms, countries) are one family of tests and the cells another: hundreds of cells would drown the
few tests of the parts. A cell is told of by the part that it belongs to as long as that has an alert of its own.
In 30 quiet days at 35 cells this confirms less than .1 alerts of parts and about .25 of cells [sim].
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

import msgspec

from sightline.insights.alerts.daily_checks import CellKey, DailyCheck, cell_scope, find_baseline, split_scopes
from sightline.insights.alerts.drop_tests import DropTestResult, run_cell_test, run_part_test
from sightline.insights.alerts.models import AlertRow, AlertType, Evidence, Rule, decode_evidence
from sightline.insights.alerts.states import AlertState
from sightline.metrics.alerts import FEWEST_DAILIES, run_cell_alert, select_discoveries
from sightline.metrics.intervals import Interval
from sightline.scans.models import Plan

# A cell's own history reaches as far back as the statistics of its prompt.
CELL_HISTORY = timedelta(days=30)


class ScopeOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """One part or cell today. Without `tested` it is not measured any more, and its alert ends."""

    type: AlertType
    scope: str
    keys: frozenset[CellKey] = frozenset()
    alert: AlertRow | None
    tested: DropTestResult | None = None
    rules: tuple[Rule, ...] = ()
    """The rules that hold, and are among the day's discoveries."""

    @property
    def holds(self) -> bool:
        return bool(self.rules)

    @property
    def may_be_told(self) -> bool:
        """Whether this day confirms a watch."""
        return self.holds and self.alert is not None and self.alert.state is AlertState.WATCH


def detect_drops(
    today: DailyCheck, earlier: Sequence[DailyCheck], plan: Plan, alerts: Sequence[AlertRow]
) -> list[ScopeOutcome]:
    """`earlier` are the Dailies before, old to new; `alerts` are the open ones."""
    if not earlier:
        return []
    parts = split_scopes(today, plan)
    found = _test_parts(parts, today, earlier, _by_scope(alerts, "coverage_drop"))
    told = [each.keys for each in found if each.holds or each.alert is not None]
    cells = parts["overall"] - frozenset().union(*told)
    recent = [daily for daily in earlier if daily.completed_at > today.completed_at - CELL_HISTORY]
    return [*found, *_test_cells(cells, today, recent, _by_scope(alerts, "cell_lost"))]


def _by_scope(alerts: Sequence[AlertRow], kind: AlertType) -> dict[str, AlertRow]:
    return {alert.scope: alert for alert in alerts if alert.type == kind}


def _test_parts(
    parts: Mapping[str, frozenset[CellKey]],
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    alerts: Mapping[str, AlertRow],
) -> list[ScopeOutcome]:
    tested: dict[str, DropTestResult] = {}
    for scope, keys in parts.items():
        baseline = find_baseline(alerts.get(scope), earlier)
        found = None if baseline is None else run_part_test(keys, today, baseline)
        if found is not None:
            tested[scope] = found
    rules = _select_rules({scope: each for scope, each in tested.items() if not _is_confirmed(alerts.get(scope))})
    return [
        ScopeOutcome(
            type="coverage_drop",
            scope=scope,
            keys=parts.get(scope, frozenset()),
            alert=alerts.get(scope),
            tested=tested.get(scope),
            rules=rules.get(scope, ()),
        )
        for scope in dict.fromkeys([*tested, *alerts])
    ]


def _test_cells(
    cells: Collection[CellKey], today: DailyCheck, earlier: Sequence[DailyCheck], alerts: Mapping[str, AlertRow]
) -> list[ScopeOutcome]:
    return [*_find_lost_cells(cells, today, earlier, alerts), *_retest_open_cells(today, earlier, alerts)]


def _find_lost_cells(
    cells: Collection[CellKey], today: DailyCheck, earlier: Sequence[DailyCheck], alerts: Mapping[str, AlertRow]
) -> list[ScopeOutcome]:
    """Of the cells without an alert that miss the brand today, and have a history to judge by."""
    tested: dict[str, DropTestResult] = {}
    for key in sorted(cells):
        if cell_scope(key) in alerts or today.cells[key].status != "ok" or today.cells[key].mentioned:
            continue
        found = run_cell_test(key, today, earlier)
        if found is not None and found.before.answers >= FEWEST_DAILIES:
            tested[cell_scope(key)] = found
    names = {cell_scope(key): key for key in cells}
    return [
        ScopeOutcome(
            type="cell_lost",
            scope=scope,
            keys=frozenset({names[scope]}),
            alert=None,
            tested=tested[scope],
            rules=rules,
        )
        for scope, rules in _select_rules(tested).items()
    ]


def _retest_open_cells(
    today: DailyCheck, earlier: Sequence[DailyCheck], alerts: Mapping[str, AlertRow]
) -> list[ScopeOutcome]:
    """The cells that have an alert.

    To confirm is to hold again: the misses since the watch began must be too many by themselves for what was before it.
    A cell gives one answer a day, so that may take two Dailies; until then it stays on watch, unless the brand is back.
    """
    names = {cell_scope(key): key for key in today.cells}
    tested, fresh = {}, {}
    for scope, alert in alerts.items():
        found = run_cell_test(names[scope], today, earlier) if scope in names else None
        if found is not None:
            tested[scope] = _keep_baseline(found, alert)
            if found.lost and found.valid and not _is_confirmed(alert):
                fresh[scope] = _test_since_watch(tested[scope], decode_evidence(alert.evidence))
    rules = _select_rules(fresh)
    return [
        ScopeOutcome(
            type="cell_lost",
            scope=scope,
            keys=frozenset({names[scope]}) if scope in names else frozenset(),
            alert=alert,
            tested=tested.get(scope),
            rules=rules.get(scope, ()),
        )
        for scope, alert in alerts.items()
        if (scope in tested or scope not in names) and (scope not in fresh or scope in rules)
    ]


def _test_since_watch(found: DropTestResult, evidence: Evidence) -> DropTestResult:
    before, misses = evidence.before, found.now.answers - evidence.now.answers
    return msgspec.structs.replace(found, findings={"cell": run_cell_alert(before.named, before.answers, misses)})


def _keep_baseline(found: DropTestResult, alert: AlertRow) -> DropTestResult:
    """A cell that names the brand again has a new history by that; its alert is judged by the one it began with."""
    evidence = decode_evidence(alert.evidence)
    return msgspec.structs.replace(
        found, against_scan_id=evidence.against_scan_id, baseline=Interval(evidence.low, evidence.high)
    )


def _select_rules(tested: Mapping[str, DropTestResult]) -> dict[str, tuple[Rule, ...]]:
    """Scope → the rules by which it has fallen. A rise is no discovery here."""
    tests = [(scope, rule) for scope, each in tested.items() for rule in each.findings]
    chances = [1.0 if (found := tested[scope].findings[rule]).direction == "up" else found.p for scope, rule in tests]
    kept = [test for test, passes in zip(tests, select_discoveries(chances), strict=True) if passes]
    found_by: dict[str, tuple[Rule, ...]] = {}
    for scope, rule in kept:
        if tested[scope].falls(rule):
            found_by[scope] = (*found_by.get(scope, ()), rule)
    return found_by


def _is_confirmed(alert: AlertRow | None) -> bool:
    return alert is not None and alert.state is AlertState.CONFIRMED
