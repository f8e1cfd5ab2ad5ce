"""Simulated Daily Checks: which alerts are watched, confirmed and resolved, as in the application."""

import uuid
from collections.abc import Mapping
from datetime import datetime

import msgspec

from sightline.insights.alerts.daily_checks import DailyCheck
from sightline.insights.alerts.detect_changes import detect_changes
from sightline.insights.alerts.models import AlertRow
from sightline.insights.alerts.outcomes import ScopeOutcome, confirm_evidence, decide_outcome
from sightline.insights.alerts.states import AlertState
from sightline.scans.models import ScanPlan
from sightline.scoreboard.history.competitor_mentions import CellKey
from sightline.scoreboard.models import CellFacts


class AlertHistory:
    """The Daily Checks of a domain, oldest first, and its alerts."""

    def __init__(self, plan: ScanPlan) -> None:
        self._plan = plan
        self._named: dict[uuid.UUID, dict[str, frozenset[CellKey]]] = {}
        self.daily_checks: list[DailyCheck] = []
        self.open: dict[tuple[str, str], AlertRow] = {}
        self.resolved: list[AlertRow] = []
        self.watched: list[tuple[str, int]] = []
        self.confirmed: list[tuple[str, int]] = []
        """The scope of each confirmed alert, and the number of Daily Checks before the one that confirmed it."""

    def add_day(self, now: datetime, own: Mapping[CellKey, bool], rivals: Mapping[str, frozenset[CellKey]]) -> None:
        """Run a Daily Check: for each cell whether it names the brand, and the cells that name each competitor."""
        cells = {
            key: CellFacts(key[1], "ok", str(uuid.UUID(int=1)), mentioned=is_named) for key, is_named in own.items()
        }
        today = DailyCheck(uuid.uuid4(), now, cells)
        self._named[today.scan_id] = dict(rivals)
        for outcome in detect_changes(
            today,
            self.daily_checks,
            self._plan,
            list(self.open.values()),
            resolved=self.resolved,
            named=self._named,
        ):
            self._apply(outcome, today)
        self.daily_checks.append(today)

    def _apply(self, outcome: ScopeOutcome, today: DailyCheck) -> None:
        now, alert, test = today.completed_at, outcome.alert, outcome.test
        step = decide_outcome(outcome, None, now, platform_wide=False, muted=False).step
        key = (outcome.type, outcome.scope)
        if alert is None:
            if step == "watch" and test is not None:
                stored = msgspec.json.encode(test.to_evidence(outcome.rules))
                ids = (uuid.uuid4(), uuid.uuid4())
                self.open[key] = AlertRow(
                    *ids, *key, AlertState.WATCH, None, stored, today.scan_id, now, None, None, None, now
                )
                self.watched.append((outcome.scope, len(self.daily_checks)))
        elif step == "confirmed" and alert.state is AlertState.WATCH:
            self.confirmed.append((outcome.scope, len(self.daily_checks)))
            evidence = confirm_evidence(alert, outcome)
            self.open[key] = msgspec.structs.replace(
                alert,
                state=AlertState.CONFIRMED,
                confirmed_at=now,
                evidence=alert.evidence if evidence is None else msgspec.json.encode(evidence),
            )
        elif step in {"lapsed", "resolved"}:
            del self.open[key]
            if step == "resolved":
                self.resolved.append(msgspec.structs.replace(alert, state=AlertState.RESOLVED, resolved_at=now))
