"""Daily Checks as alerts see them: which cells named the brand, day by day. Pure."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.insights.alerts.models import AlertRow, decode_evidence
from sightline.metrics.alerts import HISTORY
from sightline.scans.models import Plan
from sightline.scans.observations import find_branded
from sightline.scoreboard.models import CellFacts, PromptScanRow, decode_facts

CellKey = tuple[str, str]
"""A prompt and a platform. A prompt has one country, so this is a cell."""


class DailyCheck(msgspec.Struct, frozen=True):
    scan_id: uuid.UUID
    completed_at: datetime
    cells: Mapping[CellKey, CellFacts]


class Baseline(msgspec.Struct, frozen=True):
    """What a day is compared with: the Daily before the fall, and the last seven up to it."""

    daily: DailyCheck
    history: Sequence[DailyCheck]


def group_by_daily_check(checks: Sequence[PromptScanRow]) -> list[DailyCheck]:
    """Old to new."""
    cells: dict[tuple[datetime, uuid.UUID], dict[CellKey, CellFacts]] = {}
    for check in checks:
        found = cells.setdefault((check.completed_at, check.scan_id), {})
        found.update({(str(check.prompt_id), each.platform): each for each in decode_facts(check.cells)})
    return [DailyCheck(scan_id, at, cells[at, scan_id]) for at, scan_id in sorted(cells)]


def find_baseline(alert: AlertRow | None, earlier: Sequence[DailyCheck]) -> Baseline | None:
    """That of an open alert is the one that it began with; else it is the previous Daily. None: there is none."""
    last = len(earlier) - 1
    if alert is not None:
        against = decode_evidence(alert.evidence).against_scan_id
        last = next((place for place, daily in enumerate(earlier) if daily.scan_id == against), -1)
    if last < 0:
        return None
    return Baseline(earlier[last], earlier[max(0, last + 1 - HISTORY) : last + 1])


def split_scopes(today: DailyCheck, plan: Plan) -> dict[str, frozenset[CellKey]]:
    """The parts that are watched, by their scope: the whole, each platform and each country.

    Branded prompts stay out, unless there is nothing else. A part that is the whole is not watched a second time.
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
    parts = [found for found in (platforms, markets) if len(found) > 1]
    return {"overall": keys, **{scope: frozenset(part[scope]) for part in parts for scope in sorted(part)}}


def cell_scope(key: CellKey) -> str:
    return f"cell:{key[0]}:{key[1]}"
