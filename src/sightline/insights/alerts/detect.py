"""All tests of a day, and which of them count: Benjamini-Hochberg over the day's tests (metrics 3.5). Pure.

The parts (whole, platforms, countries) are one family of tests and the cells another: hundreds of cells would drown the
few tests of the parts. A cell is told of by the part that it belongs to as long as that has an alert of its own.
In 30 quiet days at 35 cells this confirms less than .1 alerts of parts and about .25 of cells [sim].
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

import msgspec

from sightline.insights.alerts.daily_checks import Daily, Key, find_baseline, name_cell, split_parts
from sightline.insights.alerts.drop_tests import Tested, try_cell, try_part
from sightline.insights.alerts.models import AlertRow, AlertType, Evidence, Rule, decode_evidence
from sightline.insights.alerts.states import AlertState
from sightline.metrics.alerts import FEWEST_DAILIES, run_cell_alert, select_discoveries
from sightline.metrics.intervals import Interval
from sightline.scans.models import Plan

# A cell's own history reaches as far back as the statistics of its prompt.
CELL_HISTORY = timedelta(days=30)


class Examined(msgspec.Struct, frozen=True, kw_only=True):
    """One part or cell today. Without `tested` it is not measured any more, and its alert ends."""

    type: AlertType
    scope: str
    keys: frozenset[Key] = frozenset()
    alert: AlertRow | None
    tested: Tested | None = None
    rules: tuple[Rule, ...] = ()
    """The rules that hold, and are among the day's discoveries."""

    @property
    def holds(self) -> bool:
        return bool(self.rules)

    @property
    def may_be_told(self) -> bool:
        """Whether this day confirms a watch."""
        return self.holds and self.alert is not None and self.alert.state is AlertState.WATCH


def examine_day(today: Daily, earlier: Sequence[Daily], plan: Plan, alerts: Sequence[AlertRow]) -> list[Examined]:
    """`earlier` are the Dailies before, old to new; `alerts` are the open ones."""
    if not earlier:
        return []
    parts = split_parts(today, plan)
    found = _examine_parts(parts, today, earlier, _by_scope(alerts, "coverage_drop"))
    told = [each.keys for each in found if each.holds or each.alert is not None]
    cells = parts["overall"] - frozenset().union(*told)
    recent = [daily for daily in earlier if daily.completed_at > today.completed_at - CELL_HISTORY]
    return [*found, *_examine_cells(cells, today, recent, _by_scope(alerts, "cell_lost"))]


def _by_scope(alerts: Sequence[AlertRow], kind: AlertType) -> dict[str, AlertRow]:
    return {alert.scope: alert for alert in alerts if alert.type == kind}


def _examine_parts(
    parts: Mapping[str, frozenset[Key]], today: Daily, earlier: Sequence[Daily], alerts: Mapping[str, AlertRow]
) -> list[Examined]:
    tested: dict[str, Tested] = {}
    for scope, keys in parts.items():
        baseline = find_baseline(alerts.get(scope), earlier)
        found = None if baseline is None else try_part(keys, today, baseline)
        if found is not None:
            tested[scope] = found
    rules = _discover({scope: each for scope, each in tested.items() if not _is_confirmed(alerts.get(scope))})
    return [
        Examined(
            type="coverage_drop",
            scope=scope,
            keys=parts.get(scope, frozenset()),
            alert=alerts.get(scope),
            tested=tested.get(scope),
            rules=rules.get(scope, ()),
        )
        for scope in dict.fromkeys([*tested, *alerts])
    ]


def _examine_cells(
    cells: Collection[Key], today: Daily, earlier: Sequence[Daily], alerts: Mapping[str, AlertRow]
) -> list[Examined]:
    return [*_find_lost_cells(cells, today, earlier, alerts), *_look_again(today, earlier, alerts)]


def _find_lost_cells(
    cells: Collection[Key], today: Daily, earlier: Sequence[Daily], alerts: Mapping[str, AlertRow]
) -> list[Examined]:
    """Of the cells without an alert that miss the brand today, and have a history to judge by."""
    tested: dict[str, Tested] = {}
    for key in sorted(cells):
        if name_cell(key) in alerts or today.cells[key].status != "ok" or today.cells[key].mentioned:
            continue
        found = try_cell(key, today, earlier)
        if found is not None and found.before.answers >= FEWEST_DAILIES:
            tested[name_cell(key)] = found
    names = {name_cell(key): key for key in cells}
    return [
        Examined(
            type="cell_lost",
            scope=scope,
            keys=frozenset({names[scope]}),
            alert=None,
            tested=tested[scope],
            rules=rules,
        )
        for scope, rules in _discover(tested).items()
    ]


def _look_again(today: Daily, earlier: Sequence[Daily], alerts: Mapping[str, AlertRow]) -> list[Examined]:
    """The cells that have an alert.

    To confirm is to hold again: the misses since the watch began must be too many by themselves for what was before it.
    A cell gives one answer a day, so that may take two Dailies; until then it stays on watch, unless the brand is back.
    """
    names = {name_cell(key): key for key in today.cells}
    tested, fresh = {}, {}
    for scope, alert in alerts.items():
        found = try_cell(names[scope], today, earlier) if scope in names else None
        if found is not None:
            tested[scope] = _keep_baseline(found, alert)
            if found.lost and found.valid and not _is_confirmed(alert):
                fresh[scope] = _count_from_watch(tested[scope], decode_evidence(alert.evidence))
    rules = _discover(fresh)
    return [
        Examined(
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


def _count_from_watch(found: Tested, evidence: Evidence) -> Tested:
    before, misses = evidence.before, found.now.answers - evidence.now.answers
    return msgspec.structs.replace(found, findings={"cell": run_cell_alert(before.named, before.answers, misses)})


def _keep_baseline(found: Tested, alert: AlertRow) -> Tested:
    """A cell that names the brand again has a new history by that; its alert is judged by the one it began with."""
    evidence = decode_evidence(alert.evidence)
    return msgspec.structs.replace(
        found, against_scan_id=evidence.against_scan_id, baseline=Interval(evidence.low, evidence.high)
    )


def _discover(tested: Mapping[str, Tested]) -> dict[str, tuple[Rule, ...]]:
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
