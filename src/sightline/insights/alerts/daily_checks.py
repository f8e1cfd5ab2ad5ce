"""Daily Checks as the input of alerts: which cells named the brand on each day. Pure."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from sightline.insights.alerts.models import AlertRow, decode_evidence
from sightline.metrics.alerts import HISTORY
from sightline.scans.models import ScanPlan
from sightline.scans.observations import find_branded
from sightline.scoreboard.models import CellFacts, PromptScanRow, decode_facts

CellKey = tuple[str, str]
"""A prompt id and a platform. A prompt has one country, so this identifies a cell."""


class DailyCheck(msgspec.Struct, frozen=True):
    scan_id: uuid.UUID
    completed_at: datetime
    cells: Mapping[CellKey, CellFacts]


class Baseline(msgspec.Struct, frozen=True):
    """What a day is compared with: the Daily Check before the drop, and the last seven up to it."""

    daily_check: DailyCheck
    history: Sequence[DailyCheck]


def group_by_daily_check(prompt_scans: Sequence[PromptScanRow]) -> list[DailyCheck]:
    """Group prompt scans into Daily Checks, oldest first."""
    cells: dict[tuple[datetime, uuid.UUID], dict[CellKey, CellFacts]] = {}
    for prompt_scan in prompt_scans:
        found = cells.setdefault((prompt_scan.completed_at, prompt_scan.scan_id), {})
        found.update({(str(prompt_scan.prompt_id), each.platform): each for each in decode_facts(prompt_scan.cells)})
    return [DailyCheck(scan_id, at, cells[at, scan_id]) for at, scan_id in sorted(cells)]


def find_baseline(alert: AlertRow | None, earlier: Sequence[DailyCheck]) -> Baseline | None:
    """Find the baseline: the one that an open alert began with, or else the previous Daily Check."""
    last = len(earlier) - 1
    if alert is not None:
        against = decode_evidence(alert.evidence).against_scan_id
        last = next((index for index, daily_check in enumerate(earlier) if daily_check.scan_id == against), -1)
    if last < 0:
        return None
    return Baseline(earlier[last], earlier[max(0, last + 1 - HISTORY) : last + 1])


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
