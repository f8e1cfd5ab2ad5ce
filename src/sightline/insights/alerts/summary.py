"""The summary of an alert in one sentence."""

from sightline.insights.alerts.models import AlertRow, Evidence
from sightline.kit.counting import count
from sightline.kit.rounding import round_half_away
from sightline.platforms.catalog import PLATFORMS

_PLATFORM_NAMES = {platform.key: platform.name for platform in PLATFORMS}


def summarize_alert(row: AlertRow, evidence: Evidence, platform: str | None) -> str:
    before, now = evidence.before, evidence.now
    place = f"On {_PLATFORM_NAMES.get(platform, platform)}" if platform else "Overall"
    if row.scope.startswith("country:"):
        country = row.scope.partition(":")[2]
        place = "In the Global market" if country == "global" else f"In {country}"
    chance = f"p {evidence.p:.4f}" if evidence.p >= 0.0001 else "p below 0.0001"
    # Compared with one Daily Check alone the drop may be chance; the earlier Daily Checks then give the evidence.
    unexpected = "" if "previous_daily" in evidence.rules else "; fewer than the last Daily Checks let expect"
    if row.type == "cell_lost":
        summary = (
            f"{place}, a prompt that named the brand in {before.named} of {count(before.answers, 'Daily Check')} "
            f"has not named it in the last {now.answers} ({chance})."
        )
    else:
        summary = (
            f"{place}, {now.named} of {count(now.answers, 'answer')} name the brand, after {before.named} of "
            f"{before.answers} ({round_half_away(evidence.delta):+.1f} points{unexpected}, {chance})."
        )
    return f"{summary} A platform-wide change, not you." if row.hushed == "platform_wide" else summary
