"""Daily Checks as the input of alerts: which cells named the brand on each day. Pure."""

import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import pairwise

import msgspec

from sightline.insights.alerts.models import AlertRow, decode_evidence
from sightline.insights.alerts.scopes import parse_scope
from sightline.metrics.alerts import HISTORY
from sightline.metrics.platform_spread import Flips, estimate_spreads
from sightline.scans.models import ScanPlan
from sightline.scans.observations import find_branded
from sightline.scoreboard.history.competitor_mentions import CellKey, NamedCompetitors
from sightline.scoreboard.models import CellFacts, PromptScanRow, decode_comparable_facts

RealChange = tuple[datetime, str | None]
"""When a confirmed change began or ended, and on which platform; None for all of them."""


class DailyCheck(msgspec.Struct, frozen=True):
    scan_id: uuid.UUID
    completed_at: datetime
    cells: Mapping[CellKey, CellFacts]


class Baseline(msgspec.Struct, frozen=True, dict=True):
    """What a day is compared with: the Daily Check before the change, and those up to it, oldest first."""

    daily_check: DailyCheck
    until: Sequence[DailyCheck]
    """All Daily Checks that are known, up to this one."""
    real_changes: frozenset[RealChange] = frozenset()

    @property
    def history(self) -> Sequence[DailyCheck]:
        """Return the last seven Daily Checks."""
        return self.until[-HISTORY:]

    @cached_property
    def spreads(self) -> dict[str, float]:
        """Return the spread of the days of each platform, on the logit scale.

        A change that was confirmed, and its end, are not good or bad days, so they are left out.
        """
        changes: dict[str, list[Flips]] = {}
        for before, now in pairwise(self.until):
            for platform, found in count_flips(before, now).items():
                if not self.real_changes & {(now.completed_at, None), (now.completed_at, platform)}:
                    changes.setdefault(platform, []).append(found)
        return estimate_spreads(changes)


def group_by_daily_check(prompt_scans: Sequence[PromptScanRow]) -> list[DailyCheck]:
    """Group prompt scans into Daily Checks, oldest first. Alerts about a platform pause when its surface changes."""
    cells: dict[tuple[datetime, uuid.UUID], dict[CellKey, CellFacts]] = {}
    ordered = sorted(prompt_scans, key=lambda each: each.completed_at)
    comparable = decode_comparable_facts([each.cells for each in ordered])
    for prompt_scan, facts in zip(ordered, comparable, strict=True):
        found = cells.setdefault((prompt_scan.completed_at, prompt_scan.scan_id), {})
        found.update({(str(prompt_scan.prompt_id), each.platform): each for each in facts})
    return [DailyCheck(scan_id, at, cells[at, scan_id]) for at, scan_id in sorted(cells)]


def find_baseline(
    alert: AlertRow | None, earlier: Sequence[DailyCheck], real_changes: frozenset[RealChange] = frozenset()
) -> Baseline | None:
    """Find the baseline: the one that an open alert began with, or else the previous Daily Check."""
    last = len(earlier) - 1
    if alert is not None:
        against = decode_evidence(alert.evidence).against_scan_id
        last = next((index for index, daily_check in enumerate(earlier) if daily_check.scan_id == against), -1)
    if last < 0:
        return None
    return Baseline(earlier[last], earlier[: last + 1], real_changes)


def list_real_changes(alerts: Iterable[AlertRow], competitor: str | None = None) -> frozenset[RealChange]:
    """List when and where the confirmed changes of segments began and ended, for our brand or for a competitor."""
    scoped = [(alert, parse_scope(alert.scope)) for alert in alerts if alert.confirmed_at is not None]
    return frozenset(
        (at, scope.platform)
        for alert, scope in scoped
        if scope.kind != "cell" and scope.competitor == competitor
        for at in (alert.watched_at, alert.resolved_at)
        if at is not None
    )


def view_competitor(daily_check: DailyCheck, named: NamedCompetitors, competitor: str) -> DailyCheck | None:
    """Return the Daily Check as it looks for a competitor; None if it did not measure it."""
    cells = named.get(daily_check.scan_id, {}).get(competitor)
    if cells is None:
        return None
    facts = {
        key: CellFacts(each.platform, each.status, each.answer_id, mentioned=key in cells)
        for key, each in daily_check.cells.items()
    }
    return DailyCheck(daily_check.scan_id, daily_check.completed_at, facts)


def count_flips(before: DailyCheck, now: DailyCheck, keys: Collection[CellKey] | None = None) -> dict[str, Flips]:
    """Count the cells lost and gained on each platform, of those with a valid answer on both days."""
    lost: Counter[str] = Counter()
    gained: Counter[str] = Counter()
    platforms = set()
    for key in now.cells.keys() & before.cells.keys() if keys is None else keys:
        earlier, later = before.cells[key], now.cells[key]
        if earlier.status == later.status == "ok":
            platforms.add(key[1])
            lost[key[1]] += earlier.mentioned and not later.mentioned
            gained[key[1]] += later.mentioned and not earlier.mentioned
    return {platform: Flips(lost[platform], gained[platform]) for platform in sorted(platforms)}


def split_segments(today: DailyCheck, plan: ScanPlan) -> dict[str, frozenset[CellKey]]:
    """Split the cells into segments by scope: overall, each platform and each country.

    Branded prompts are left out, unless there are no others. A segment that equals the overall one is left out.
    """
    branded = find_branded(plan)
    counted = {prompt.id for prompt in plan.prompts} - branded or branded
    countries = {prompt.id: prompt.country or "global" for prompt in plan.prompts}
    keys = frozenset(key for key in today.cells if key[0] in counted)
    platforms: dict[str, set[CellKey]] = {}
    markets: dict[str, set[CellKey]] = {}
    for key in keys:
        platforms.setdefault(f"platform:{key[1]}", set()).add(key)
        markets.setdefault(f"country:{countries[key[0]]}", set()).add(key)
    grouped = [found for found in (platforms, markets) if len(found) > 1]
    return {"overall": keys, **{scope: frozenset(part[scope]) for part in grouped for scope in sorted(part)}}


def cell_scope(key: CellKey) -> str:
    return f"cell:{key[0]}:{key[1]}"
