"""The league of a report: each brand with its place, its score with a range, and whether it has changed. Pure."""

from typing import Any

from sightline.metrics.figure import Figure
from sightline.presentation.language import gettext
from sightline.presentation.numbers import NOT_MEASURED, format_number
from sightline.presentation.ranges import format_range
from sightline.reports.weekly.models import ReportDocument
from sightline.reports.weekly.translate import list_stored_findings
from sightline.scans.schemas.results import CompetitorResult

_MAX_BRANDS = 6
Row = dict[str, Any]


def build_league(document: ReportDocument) -> list[Row]:
    """Return a row for each brand, the best first. The own brand is always among them."""
    rows = document.competitors
    shown = list(rows[:_MAX_BRANDS])
    if own := [row for row in rows[_MAX_BRANDS:] if row.is_own]:
        shown[-1:] = own
    if not rows:
        return [_build_row(document, document.brand, document.figure("visibility_score"), "", is_own=True)]
    return [_build_row(document, row.name, row.score, _format_place(row), is_own=row.is_own) for row in shown]


def find_market_range(document: ReportDocument) -> bool:
    """Return whether the league shows the ranges for questions like these: only if every brand has one."""
    scores = [row.score for row in document.competitors] or [document.figure("visibility_score")]
    return all(score.market is not None for score in scores if score.value is not None)


def _build_row(document: ReportDocument, name: str, score: Figure, place: str, *, is_own: bool) -> Row:
    ends = score.market if find_market_range(document) else score
    return {
        "name": name,
        "initial": name[:1].upper(),
        "own": is_own,
        "place": place,
        "value": NOT_MEASURED if score.value is None else format_number(int(score.value + 0.5)),
        "score": score.value,
        "low": score.value if ends is None or ends.low is None else ends.low,
        "high": score.value if ends is None or ends.high is None else ends.high,
        **_describe_change(document, name, is_own=is_own),
    }


def _format_place(row: CompetitorResult) -> str:
    return NOT_MEASURED if row.position is None else format_range(row.position_low, row.position_high)


def _describe_change(document: ReportDocument, name: str, *, is_own: bool) -> Row:
    """Return the verdict about a brand as a whole: its words, its tier, and the color of a clear change."""
    if document.changes is None:
        return {"verdict": "", "tier": "", "tone": ""}
    rival = None if is_own else name
    found = next(
        (
            each
            for each in list_stored_findings(document)
            if each.kind in ("brand", "competitor") and each.competitor == rival and each.tier != "rest"
        ),
        None,
    )
    periods = [
        each
        for each in document.changes.periods
        if each.subject == "brand" and each.name == name and each.tier != "rest"
    ]
    change = found or min(periods, key=lambda each: each.p, default=None)
    if change is None or change.now is None or change.before is None:
        return {"verdict": gettext("no clear change"), "tier": "rest", "tone": ""}
    is_up = change.now * (change.before_answers or 1) > change.before * (change.now_answers or 1)
    arrow = "\u25b2" if is_up else "\u25bc"
    if change.tier == "watch":
        return {"verdict": f"{arrow} {gettext('worth watching')}", "tier": "watch", "tone": ""}
    before, now = format_number(change.before), format_number(change.now)
    if change.before_answers != change.now_answers:
        before += f"/{format_number(change.before_answers)}"
        now += f"/{format_number(change.now_answers)}"
    tone = ("up" if is_up else "down") if is_own else "mover"
    return {"verdict": f"{arrow} {before} \u2192 {now}", "tier": "clear", "tone": tone}
