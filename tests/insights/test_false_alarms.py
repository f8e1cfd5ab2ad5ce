"""How often a month without change raises an alert, and whether a real drop is detected (metrics 3.4 and 3.5)."""

import random
import uuid
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from sightline.answers.models import Brand
from sightline.insights.alerts.daily_checks import DailyCheck
from sightline.insights.alerts.detect_drops import detect_drops
from sightline.insights.alerts.models import AlertRow
from sightline.insights.alerts.states import AlertState
from sightline.insights.alerts.update import _decide
from sightline.scans.models import ScanPlan, ScanPrompt
from sightline.scoreboard.models import CellFacts

START = datetime(2026, 11, 1, tzinfo=UTC)


class Month:
    """A simulated month: each cell names the brand with its own chance, and alerts change as in the application."""

    def __init__(self, seed: int, prompts: int, platforms: int) -> None:
        self.random = random.Random(seed)
        self.plan = ScanPlan(
            domain="acme.com",
            brand=Brand("Acme"),
            prompts=tuple(ScanPrompt(id=str(uuid.UUID(int=place)), text=f"q {place}") for place in range(prompts)),
            platforms=tuple(f"p{place}" for place in range(platforms)),
        )
        keys = [(prompt.id, platform) for prompt in self.plan.prompts for platform in self.plan.platforms]
        self.chances = {key: self.random.betavariate(0.6, 1.0) for key in keys}
        self.dailies: list[DailyCheck] = []
        self.open: dict[tuple[str, str], AlertRow] = {}
        self.confirmed: list[tuple[str, int]] = []

    def run(self, days: int, factor: float = 1.0) -> None:
        for _ in range(days):
            self._run_day(factor)

    def _run_day(self, factor: float) -> None:
        now = START + timedelta(days=len(self.dailies))
        cells = {
            key: CellFacts(key[1], "ok", str(uuid.UUID(int=1)), mentioned=self.random.random() < factor * chance)
            for key, chance in self.chances.items()
        }
        today = DailyCheck(uuid.uuid4(), now, cells)
        for each in detect_drops(today, self.dailies, self.plan, list(self.open.values())):
            step = _decide(each, None, now, platform_wide=False, muted=False).step
            key = (each.type, each.scope)
            if each.alert is None and step == "watch":
                evidence = msgspec.json.encode(each.test.to_evidence(each.rules))
                ids = (uuid.uuid4(), uuid.uuid4())
                self.open[key] = AlertRow(
                    *ids, *key, AlertState.WATCH, None, evidence, today.scan_id, now, None, None, None, now
                )
            elif step == "confirmed" and each.alert.state is AlertState.WATCH:
                self.confirmed.append((each.scope, len(self.dailies)))
                self.open[key] = msgspec.structs.replace(each.alert, state=AlertState.CONFIRMED)
            elif step in {"lapsed", "resolved"}:
                del self.open[key]
        self.dailies.append(today)


@pytest.mark.slow
def test_quiet_months_at_35_cells_confirm_next_to_nothing():
    parts = cells = 0
    for seed in range(40):
        month = Month(seed, prompts=5, platforms=7)
        month.run(30)
        cells += sum(scope.startswith("cell:") for scope, _ in month.confirmed)
        parts += sum(not scope.startswith("cell:") for scope, _ in month.confirmed)
    assert parts <= 4, "a tenth of an alert in a month"
    assert cells <= 14, "a third of an alert in a month; any cell lost would be 29.8"


@pytest.mark.slow
def test_a_halving_at_70_cells_is_confirmed_within_three_days():
    seen = 0
    for seed in range(40):
        month = Month(seed, prompts=10, platforms=7)
        month.run(20)
        month.run(4, factor=0.5)
        seen += any(scope == "overall" and day >= 20 for scope, day in month.confirmed)
    assert seen >= 30
