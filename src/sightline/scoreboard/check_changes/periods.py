"""Changes over the fixed periods, from the stored cells of the Full Checks of the last twelve weeks."""

import asyncio
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

import msgspec

from sightline.db.engine import Reader
from sightline.kit.clock import to_iso
from sightline.metrics.compare import is_large
from sightline.metrics.period_change import (
    DAYS,
    GRACE_DAYS,
    Checks,
    TestedChange,
    Tier,
    find_period_changes,
    select_period,
)
from sightline.scans.models import ScanPlan
from sightline.scans.observations import find_branded
from sightline.scans.stored import ScanRow
from sightline.scoreboard import queries
from sightline.scoreboard.check_changes.schemas import CheckChanges, CountChange, PeriodResult
from sightline.scoreboard.history.competitor_mentions import CellKey, NamedCompetitors, read_named_competitors
from sightline.scoreboard.models import PromptScanRow, decode_comparable_facts

_LONGEST = timedelta(days=max(DAYS.values()) + GRACE_DAYS)


async def add_periods(
    db: Reader, scan: ScanRow, plan: ScanPlan, changes: CheckChanges, rows: Sequence[PromptScanRow]
) -> CheckChanges:
    """Return the changes of a Full Check with those over the fixed periods.

    `rows` are its prompt scans, which are not stored yet. Checks that another version analyzed are left out until they
    are analyzed again.
    """
    assert scan.completed_at is not None
    earlier = await queries.list_comparable_full_checks(db, scan, since=scan.completed_at - _LONGEST)
    history = [each for each in earlier if each.scan_id != scan.id]
    scan_ids = list({each.scan_id for each in (*history, *rows)})
    named = await read_named_competitors(db, scan.workspace_id, scan.domain_id, scan_ids)
    branded = find_branded(plan)
    unbranded = {prompt.id for prompt in plan.prompts} - branded
    found = await asyncio.to_thread(
        find_periods,
        [*history, *rows],
        named,
        brand=plan.brand.name,
        rivals=[brand.name for brand in plan.competitors],
        prompts=unbranded or branded,
    )
    tiers: dict[tuple[str, str | None], Tier] = {
        (each.subject, each.name): each.tier for each in found if each.period == "last_check"
    }

    def add_tier(change: CountChange) -> CountChange:
        keys = {
            "coverage": ("brand", plan.brand.name),
            "competitor": ("brand", change.subject),
            "platform": ("platform", change.subject),
            "prompt": ("prompt", str(change.prompt_id)),
        }
        key = keys.get(change.kind)
        return msgspec.structs.replace(change, tier=tiers.get(key) if key else None)

    return msgspec.structs.replace(
        changes,
        established=tuple(map(add_tier, changes.established)),
        unclear=tuple(map(add_tier, changes.unclear)),
        periods=tuple(
            each
            for each in found
            if each.tier != "rest" or each.period == "last_check" or is_large(each.share, each.cells)
        ),
    )


def find_periods(
    rows: Sequence[PromptScanRow],
    named: NamedCompetitors,
    *,
    brand: str,
    rivals: Sequence[str],
    prompts: Collection[str],
) -> list[PeriodResult]:
    """Return the change of each brand, platform and prompt over each period, from the prompt scans of Full Checks.

    A competitor that some of the checks did not measure is tested over the others.
    """
    import numpy as np  # heavy, and needed only after a Full Check

    checks = sorted({(row.completed_at, row.scan_id) for row in rows})
    places = {scan_id: place for place, (_, scan_id) in enumerate(checks)}
    answers: dict[CellKey, dict[int, bool]] = {}
    asked = sorted((row for row in rows if str(row.prompt_id) in prompts), key=lambda row: row.completed_at)
    for row, found_cells in zip(asked, decode_comparable_facts([row.cells for row in asked]), strict=True):
        for facts in found_cells:
            if facts.status == "ok":
                answers.setdefault((str(row.prompt_id), facts.platform), {})[places[row.scan_id]] = facts.mentioned
    # A cell that the latest check does not ask any more is not part of what it shows.
    cells = sorted(key for key, found in answers.items() if len(checks) - 1 in found)
    if not cells:
        return []
    own = np.full((len(cells), len(checks)), np.nan)
    for index, key in enumerate(cells):
        for place, is_named in answers[key].items():
            own[index, place] = is_named
    times = [at for at, _ in checks]
    days = [(at - times[0]) / timedelta(days=1) for at in times]
    platforms = [platform for _, platform in cells]
    brands = {brand: Checks(days, platforms, own)}
    for rival in rivals:
        shown = np.full(own.shape, np.nan)
        for place, (_, scan_id) in enumerate(checks):
            if (keys := named.get(scan_id, {}).get(rival)) is not None:
                shown[:, place] = [key in keys for key in cells]
        brands[rival] = Checks(days, platforms, np.where(np.isnan(own), np.nan, shown))
    tested = find_period_changes(brands, [prompt for prompt, _ in cells])
    return [_to_result(each, times, days) for each in tested]


def _to_result(tested: TestedChange, times: Sequence[datetime], days: Sequence[float]) -> PeriodResult:
    change, checks = tested.change, select_period(days, tested.period)
    assert checks is not None  # it was tested
    return PeriodResult(
        subject=tested.subject,
        name=tested.name,
        period=tested.period,
        since=to_iso(times[checks.start]),
        checks=change.checks,
        before=change.before,
        before_answers=change.before_answers,
        now=change.now,
        now_answers=change.now_answers,
        p=float(f"{change.p:.2g}"),
        tier=tested.tier,
    )
