"""The summary of an alert in one sentence."""

from sightline.insights.alerts.models import DIRECTIONS, AlertRow, Evidence
from sightline.insights.alerts.scopes import AlertScope, parse_scope
from sightline.kit.counting import count
from sightline.kit.rounding import round_half_away
from sightline.platforms.catalog import PLATFORMS

_PLATFORM_NAMES = {platform.key: platform.name for platform in PLATFORMS}


def summarize_alert(row: AlertRow, evidence: Evidence) -> str:
    scope = parse_scope(row.scope)
    place = _describe_place(scope)
    chance = f"p {evidence.p:.4f}" if evidence.p >= 0.0001 else "p below 0.0001"
    if scope.kind == "cell":
        summary = _summarize_cell(row, evidence, place, chance)
    else:
        summary = _summarize_segment(row, evidence, place, chance, scope.competitor or "the brand")
    return f"{summary} A platform-wide change, not you." if row.hushed == "platform_wide" else summary


def _describe_place(scope: AlertScope) -> str:
    if scope.platform:
        return f"On {_PLATFORM_NAMES.get(scope.platform, scope.platform)}"
    if scope.kind == "country":
        return "In the Global market" if scope.country is None else f"In {scope.country}"
    return "Overall"


def _summarize_cell(row: AlertRow, evidence: Evidence, place: str, chance: str) -> str:
    before, now = evidence.before, evidence.now
    checks = count(before.answers, "Daily Check")
    if row.type == "cell_gained":
        return (
            f"{place}, a prompt that named the brand in {before.named} of {checks} "
            f"has named it in the last {now.answers} ({chance})."
        )
    return (
        f"{place}, a prompt that named the brand in {before.named} of {checks} "
        f"has not named it in the last {now.answers} ({chance})."
    )


def _summarize_segment(row: AlertRow, evidence: Evidence, place: str, chance: str, name: str) -> str:
    before, now = evidence.before, evidence.now
    # Compared with one Daily Check alone the change may be chance; the earlier Daily Checks then give the evidence.
    extent = "fewer" if DIRECTIONS[row.type] == "down" else "more"
    unexpected = "" if "previous_daily" in evidence.rules else f"; {extent} than the last Daily Checks let expect"
    return (
        f"{place}, {now.named} of {count(now.answers, 'answer')} name {name}, after {before.named} of "
        f"{before.answers} ({round_half_away(evidence.delta):+.1f} points{unexpected}, {chance})."
    )
