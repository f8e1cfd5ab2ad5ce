"""The tests for drops and gains, each of one segment or one cell (metrics 3.5). Pure."""

import uuid
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from sightline.insights.alerts.daily_checks import Baseline, DailyCheck, count_flips
from sightline.insights.alerts.models import CountedPart, Evidence, History, Rule, Share
from sightline.insights.models import ProvingAnswer
from sightline.metrics.alerts import (
    MIN_EARLIER_DAILIES,
    MIN_NET_CELLS,
    CellHistory,
    DayResult,
    Direction,
    expected_shares,
    run_cell_alert,
    run_rule_a,
    run_rule_b,
)
from sightline.metrics.compare import SIGNIFICANT_BELOW, Verdict, compare_flips
from sightline.metrics.intervals import Interval, wilson_interval
from sightline.scoreboard.history.competitor_mentions import CellKey
from sightline.scoreboard.models import CellFacts

_FULL_RANGE = Interval(0.0, 1.0)
_TOLERANCE = 1e-9


class ChangeTestResult(msgspec.Struct, frozen=True, kw_only=True):
    """The findings of the tests of one segment or cell on one day, and the figures behind them."""

    direction: Direction
    """What is tested: a drop or a gain."""
    scan_id: uuid.UUID
    """The first Daily Check with the change that is tested; if nothing has changed, today's."""
    against_scan_id: uuid.UUID
    valid: int
    planned: int
    """Zero if nothing was measured that could be compared; then the day decides nothing."""
    findings: Mapping[Rule, DayResult]
    before: Share
    baseline: Interval
    now: Share
    matched: int
    lost: int
    gained: int
    delta: float
    verdict: Verdict
    proofs: tuple[ProvingAnswer, ...]
    counted: Mapping[CountedPart, tuple[ProvingAnswer, ...]]
    history: History | None = None
    """What rule B compares a segment with."""

    def holds_by(self, rule: Rule) -> bool:
        found = self.findings[rule]
        return found.holds and found.direction == self.direction

    def to_evidence(self, rules: tuple[Rule, ...]) -> Evidence:
        return Evidence(
            scan_id=self.scan_id,
            against_scan_id=self.against_scan_id,
            rules=rules,
            before=self.before,
            low=self.baseline.low,
            high=self.baseline.high,
            now=self.now,
            matched_cells=self.matched,
            lost=self.lost,
            gained=self.gained,
            delta=self.delta,
            p=min((self.findings[rule].p for rule in rules), default=1.0),
            verdict=self.verdict,
            proofs=self.proofs,
            counted=self.counted,
            history=self.history if "last_dailies" in rules else None,
        )


def run_segment_test(
    keys: Iterable[CellKey], today: DailyCheck, baseline: Baseline, direction: Direction
) -> ChangeTestResult | None:
    """Compare a segment with its baseline; return None if the baseline has none of its cells."""
    asked = [key for key in sorted(keys) if key in today.cells]
    known = [key for key in asked if key in baseline.daily_check.cells]
    if not known:
        return None
    matched = [key for key in known if _is_valid(today, key) and _is_valid(baseline.daily_check, key)]
    before = {key for key in matched if baseline.daily_check.cells[key].mentioned}
    now = {key for key in matched if today.cells[key].mentioned}
    lost, gained = sorted(before - now), sorted(now - before)
    moved = lost if direction == "down" else gained
    change = compare_flips(len(lost), len(gained), len(matched)) if matched else None
    statuses = [today.cells[key].status for key in asked]
    return ChangeTestResult(
        direction=direction,
        scan_id=today.scan_id,
        against_scan_id=baseline.daily_check.scan_id,
        valid=statuses.count("ok"),
        planned=statuses.count("ok") + statuses.count("failed") if matched else 0,
        findings=_run_rules(asked, today, baseline, matched, direction),
        before=Share(len(before), len(matched)),
        baseline=wilson_interval(len(before), len(matched)) or _FULL_RANGE,
        now=Share(len(now), len(matched)),
        matched=len(matched),
        lost=len(lost),
        gained=len(gained),
        delta=change.delta if change else 0.0,
        verdict=change.verdict if change else "no_clear_change",
        proofs=tuple(_to_proof(daily_check, key) for key in moved for daily_check in (today, baseline.daily_check)),
        counted={
            "lost": tuple(_to_proof(today, key) for key in lost),
            "gained": tuple(_to_proof(today, key) for key in gained),
        },
        history=_sum_history(_read_histories(asked, today, baseline), baseline),
    )


def _read_histories(asked: Sequence[CellKey], today: DailyCheck, baseline: Baseline) -> list[CellHistory]:
    return [_read_cell_history(key, today, baseline) for key in asked if _is_valid(today, key)]


def _sum_history(cells: Sequence[CellHistory], baseline: Baseline) -> History:
    return History(
        daily_checks=len(baseline.history),
        before=Share(sum(cell.named for cell in cells), sum(cell.asked for cell in cells)),
        now=Share(sum(cell.named_today for cell in cells), len(cells)),
    )


def _run_rules(
    asked: Sequence[CellKey],
    today: DailyCheck,
    baseline: Baseline,
    matched: Sequence[CellKey],
    direction: Direction,
) -> dict[Rule, DayResult]:
    spreads = baseline.spreads
    by_platform = [
        msgspec.structs.replace(each, spread=spreads.get(platform, 0.0))
        for platform, each in count_flips(baseline.daily_check, today, matched).items()
    ]
    lost, gained = sum(each.lost for each in by_platform), sum(each.gained for each in by_platform)
    found: dict[Rule, DayResult] = {
        "previous_daily": run_rule_a(lost, gained, len(matched), by_platform=by_platform),
    }
    if len(baseline.history) >= MIN_EARLIER_DAILIES:
        cells = _read_histories(asked, today, baseline)
        finding = run_rule_b(cells, earlier_dailies=len(baseline.history), direction=direction)
        # Cells that have always named the brand are expected to do so with certainty, so a single miss would look
        # impossible. One lost cell makes no alert (3.4), so this rule requires three, as the other one does [prop].
        missing = sum(expected_shares(cells)) - sum(cell.named_today for cell in cells)
        large = (missing if direction == "down" else -missing) >= MIN_NET_CELLS - _TOLERANCE
        found["last_dailies"] = finding if large else msgspec.structs.replace(finding, holds=False)
    if direction == "up" and not _exceeds_history(asked, today, baseline):
        return {rule: msgspec.structs.replace(finding, holds=False) for rule, finding in found.items()}
    return found


def _exceeds_history(asked: Sequence[CellKey], today: DailyCheck, baseline: Baseline) -> bool:
    """Return whether today's share is above that of each of the last Daily Checks.

    Otherwise the day after a bad one would be a gain, although the brand is only back where it was [prop].
    """
    share = _find_share(asked, today)
    return all(share > _find_share(asked, each) for each in baseline.history)


def _find_share(keys: Sequence[CellKey], daily_check: DailyCheck) -> float:
    valid = [key for key in keys if key in daily_check.cells and _is_valid(daily_check, key)]
    return sum(daily_check.cells[key].mentioned for key in valid) / len(valid) if valid else -1.0


def _read_cell_history(key: CellKey, today: DailyCheck, baseline: Baseline) -> CellHistory:
    seen = _valid_answers(key, baseline.history)
    return CellHistory(
        sum(cell.mentioned for _, cell in seen),
        len(seen),
        today.cells[key].mentioned,
        spread=baseline.spreads.get(key[1], 0.0),
        platform=key[1],
    )


def run_cell_test(
    key: CellKey, today: DailyCheck, earlier: Sequence[DailyCheck], direction: Direction
) -> ChangeTestResult | None:
    """Test the answers at the end of a cell's history that differ from the usual one.

    The usual answer names the brand if a drop is tested, and does not if a gain is. Return None if no earlier answer is
    the usual one.
    """
    seen = _valid_answers(key, [*earlier, today])
    is_named_usually = direction == "down"
    last = max((index for index, (_, cell) in enumerate(seen) if cell.mentioned == is_named_usually), default=-1)
    if key not in today.cells or last < 0:
        return None
    asked, turned = last + 1, len(seen) - last - 1
    usual = sum(cell.mentioned == is_named_usually for _, cell in seen)
    named = usual if is_named_usually else asked - usual
    finding = run_cell_alert(usual, asked, turned, direction=direction)
    before = Share(named, asked)
    now = Share(turned * (not is_named_usually), turned) if turned else Share(int(is_named_usually), 1)
    status = today.cells[key].status
    return ChangeTestResult(
        direction=direction,
        scan_id=seen[last + 1][0].scan_id if turned else today.scan_id,
        against_scan_id=seen[last][0].scan_id,
        valid=int(status == "ok"),
        planned=int(status != "no_surface"),
        findings={"cell": finding},
        before=before,
        baseline=wilson_interval(named, asked) or _FULL_RANGE,
        now=now,
        matched=1,
        lost=int(turned > 0 and is_named_usually),
        gained=int(turned > 0 and not is_named_usually),
        delta=100 * (now.value - before.value) if turned else 0.0,
        verdict=direction if turned and finding.p < SIGNIFICANT_BELOW else "no_clear_change",
        proofs=tuple(_to_proof(daily_check, key) for daily_check, _ in reversed(seen[last:])),
        counted={
            "before": tuple(_to_proof(daily_check, key) for daily_check, _ in reversed(seen[:asked])),
            "now": tuple(_to_proof(daily_check, key) for daily_check, _ in reversed(seen[asked:])),
        },
    )


def _valid_answers(key: CellKey, daily_checks: Sequence[DailyCheck]) -> list[tuple[DailyCheck, CellFacts]]:
    return [
        (daily_check, daily_check.cells[key])
        for daily_check in daily_checks
        if key in daily_check.cells and _is_valid(daily_check, key)
    ]


def _is_valid(daily_check: DailyCheck, key: CellKey) -> bool:
    return daily_check.cells[key].status == "ok"


def _to_proof(daily_check: DailyCheck, key: CellKey) -> ProvingAnswer:
    return ProvingAnswer(daily_check.scan_id, uuid.UUID(daily_check.cells[key].answer_id))
