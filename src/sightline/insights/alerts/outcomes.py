"""What the tests of one day have in common: their outcomes, and which of them count (metrics 3.5). Pure."""

from collections.abc import Mapping
from datetime import datetime

import msgspec

from sightline.insights.alerts.change_statistics import ChangeTestResult
from sightline.insights.alerts.daily_checks import Baseline, DailyCheck
from sightline.insights.alerts.models import (
    DIRECTIONS,
    AlertRow,
    AlertType,
    Confirmation,
    Evidence,
    Rule,
    decode_evidence,
)
from sightline.insights.alerts.states import AlertState
from sightline.metrics.alert_lifecycle import DailyEvidence, Decision, decide_step
from sightline.metrics.alerts import Direction, select_discoveries
from sightline.scoreboard.history.competitor_mentions import CellKey

Key = tuple[AlertType, str]
"""A type of alert and the scope, as it is stored."""


class ScopeOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of testing one segment or cell. Without `test` it is no longer measured, and its alert ends."""

    type: AlertType
    scope: str
    keys: frozenset[CellKey] = frozenset()
    alert: AlertRow | None
    baseline: Baseline | None = None
    """What a segment is compared with."""
    today: DailyCheck | None = None
    """Today's check, as the brand or the competitor of a segment has it."""
    test: ChangeTestResult | None = None
    rules: tuple[Rule, ...] = ()
    """The rules that hold and are among the discoveries of the day."""

    @property
    def direction(self) -> Direction:
        return DIRECTIONS[self.type]

    @property
    def holds(self) -> bool:
        return bool(self.rules)

    @property
    def confirms_watch(self) -> bool:
        """Return whether this day confirms a watch."""
        return self.holds and self.alert is not None and self.alert.state is AlertState.WATCH


def select_rules(results: Mapping[Key, ChangeTestResult]) -> dict[Key, tuple[Rule, ...]]:
    """Return the rules by which each scope has changed as tested.

    Rule A finds drops and gains. It counts only if its finding has the direction that is tested.
    """
    tests = [
        (key, rule, found.p)
        for key, each in results.items()
        for rule, found in each.findings.items()
        if found.direction == each.direction
    ]
    passing = select_discoveries([p for _, _, p in tests])
    rules: dict[Key, tuple[Rule, ...]] = {}
    for (key, rule, _), passes in zip(tests, passing, strict=True):
        if passes and results[key].findings[rule].holds:
            rules[key] = (*rules.get(key, ()), rule)
    return rules


def is_confirmed(alert: AlertRow | None) -> bool:
    return alert is not None and alert.state is AlertState.CONFIRMED


def decide_outcome(
    outcome: ScopeOutcome, last_notified: datetime | None, now: datetime, *, platform_wide: bool, muted: bool
) -> Decision:
    """Return the next step of the alert, or of a scope that has none yet."""
    test = outcome.test
    if test is None:  # no longer measured
        return Decision("lapsed" if outcome.alert and outcome.alert.state is AlertState.WATCH else "resolved")
    day = DailyEvidence(
        now=now,
        valid=test.valid,
        planned=test.planned,
        holds=outcome.holds,
        value=test.now.value,
        baseline=test.baseline,
        platform_wide=platform_wide,
        muted=muted,
        last_notified=last_notified,
        direction=outcome.direction,
        confirmed_at=outcome.alert.confirmed_at if outcome.alert else None,
    )
    if outcome.alert is None:
        return decide_step("quiet", day)
    return decide_step("watch" if outcome.alert.state is AlertState.WATCH else "confirmed", day)


def confirm_evidence(alert: AlertRow, outcome: ScopeOutcome) -> Evidence | None:
    """Add a confirmation to the evidence, with the proofs of both days.

    What a segment reports stays: the first Daily Check with the change and the previous one. A cell has more answers.
    """
    if outcome.test is None:
        return None
    first, now = decode_evidence(alert.evidence), outcome.test.to_evidence(outcome.rules)
    proofs = tuple(dict.fromkeys([*now.proofs, *first.proofs]))
    if outcome.today is None:  # a single cell
        return msgspec.structs.replace(now, proofs=proofs)
    confirmation = Confirmation(
        scan_id=outcome.today.scan_id,
        rules=now.rules,
        before=now.before,
        now=now.now,
        lost=now.lost,
        gained=now.gained,
        delta=now.delta,
        p=now.p,
    )
    return msgspec.structs.replace(
        first,
        scan_id=first.scan_id or alert.scan_id,
        proofs=proofs,
        history=first.history or now.history,
        confirmation=confirmation,
    )
