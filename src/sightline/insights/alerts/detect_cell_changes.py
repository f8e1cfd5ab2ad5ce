"""Detecting single cells that no longer name the brand, or have begun to (metrics 3.5, "Cell alert"). Pure."""

from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from sightline.insights.alerts.change_statistics import ChangeTestResult, run_cell_test
from sightline.insights.alerts.daily_checks import DailyCheck, cell_scope
from sightline.insights.alerts.models import DIRECTIONS, AlertRow, AlertType, Evidence, decode_evidence
from sightline.insights.alerts.outcomes import Key, ScopeOutcome, is_confirmed, select_rules
from sightline.metrics.alerts import MIN_EARLIER_DAILIES, Direction, run_cell_alert
from sightline.metrics.intervals import Interval
from sightline.scoreboard.history.competitor_mentions import CellKey

CELL_TYPES: tuple[AlertType, ...] = ("cell_lost", "cell_gained")


def test_cells(
    cells: frozenset[CellKey],
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    known: Mapping[Key, AlertRow],
    segments: Iterable[ScopeOutcome],
) -> list[ScopeOutcome]:
    covered: dict[Direction, set[CellKey]] = {"down": set(), "up": set()}
    for each in segments:
        if each.type != "competitor_rise" and (each.holds or each.alert is not None):
            covered[each.direction] |= each.keys
    free = {direction: cells - keys for direction, keys in covered.items()}
    return [*_find_changed_cells(free, today, earlier, known), *_retest_open_cells(today, earlier, known)]


def _find_changed_cells(
    cells: Mapping[Direction, Collection[CellKey]],
    today: DailyCheck,
    earlier: Sequence[DailyCheck],
    known: Mapping[Key, AlertRow],
) -> list[ScopeOutcome]:
    """Test cells without an alert that differ today from their usual answer and have enough history."""
    results: dict[Key, ChangeTestResult] = {}
    names: dict[str, CellKey] = {}
    for kind in CELL_TYPES:
        direction = DIRECTIONS[kind]
        for key in sorted(cells[direction]):
            scope, cell = cell_scope(key), today.cells[key]
            if cell.status != "ok" or cell.mentioned == (direction == "down"):
                continue
            found = run_cell_test(key, today, earlier, direction)
            if found is not None and found.before.answers >= MIN_EARLIER_DAILIES:
                names[scope] = key
                if not any((each, scope) in known for each in CELL_TYPES):
                    results[kind, scope] = found
    return [
        ScopeOutcome(
            type=key[0],
            scope=key[1],
            keys=frozenset({names[key[1]]}),
            alert=None,
            test=results[key],
            rules=rules,
        )
        for key, rules in select_rules(results).items()
    ]


def _retest_open_cells(
    today: DailyCheck, earlier: Sequence[DailyCheck], known: Mapping[Key, AlertRow]
) -> list[ScopeOutcome]:
    """Test cells that have an open alert.

    A watch is confirmed if the changed answers since it began, on their own, are improbable given the history before
    it. A cell has one answer a day, so this may take two Daily Checks. Until then it stays a watch, unless the answer
    is the usual one again.
    """
    names = {cell_scope(key): key for key in today.cells}
    alerts = {key: alert for key, alert in known.items() if key[0] in CELL_TYPES}
    results, unconfirmed = {}, {}
    for key, alert in alerts.items():
        kind, scope = key
        found = run_cell_test(names[scope], today, earlier, DIRECTIONS[kind]) if scope in names else None
        if found is not None:
            results[key] = _keep_baseline(found, alert)
            if (found.lost or found.gained) and found.valid and not is_confirmed(alert):
                unconfirmed[key] = _test_since_watch(results[key], decode_evidence(alert.evidence))
    rules = select_rules(unconfirmed)
    return [
        ScopeOutcome(
            type=key[0],
            scope=key[1],
            keys=frozenset({names[key[1]]}) if key[1] in names else frozenset(),
            alert=alert,
            test=results.get(key),
            rules=rules.get(key, ()),
        )
        for key, alert in alerts.items()
        if (key in results or key[1] not in names) and (key not in unconfirmed or key in rules)
    ]


def _test_since_watch(found: ChangeTestResult, evidence: Evidence) -> ChangeTestResult:
    before, turned = evidence.before, found.now.answers - evidence.now.answers
    usual = before.named if found.direction == "down" else before.answers - before.named
    finding = run_cell_alert(usual, before.answers, turned, direction=found.direction)
    return msgspec.structs.replace(found, findings={"cell": finding})


def _keep_baseline(found: ChangeTestResult, alert: AlertRow) -> ChangeTestResult:
    """Keep the baseline that the alert began with, and its answers.

    A cell that is back at its usual answer would get a new baseline. A month later, fewer answers would be left of it.
    """
    evidence = decode_evidence(alert.evidence)
    has_changed = found.lost or found.gained
    return msgspec.structs.replace(
        found,
        before=evidence.before,
        counted={**found.counted, **{part: ids for part, ids in evidence.counted.items() if part == "before"}},
        delta=100 * (found.now.value - evidence.before.value) if has_changed else 0.0,
        scan_id=evidence.scan_id or found.scan_id,
        against_scan_id=evidence.against_scan_id,
        baseline=Interval(evidence.low, evidence.high),
    )
