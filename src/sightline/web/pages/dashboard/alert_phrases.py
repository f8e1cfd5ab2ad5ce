"""The sentences about an alert on its pages."""

from datetime import datetime

from sightline.domains.models import TrackedDomainRow
from sightline.insights.alerts.models import DIRECTIONS, MuteRow
from sightline.insights.alerts.schemas import Alert
from sightline.insights.alerts.scopes import parse_scope
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_near_datetime, format_short_datetime
from sightline.presentation.phrases import country_name

_STATE_TEXTS = {
    "watch": "Watched: the next Daily Check confirms it, or it lapses.",
    "confirmed": "Confirmed by a second Daily Check.",
    "lapsed": "Lapsed: the next Daily Check did not confirm it.",
}
_RESOLVED_TEXTS = {
    "down": "Resolved: the brand is named again as before.",
    "up": "Resolved: the answers are back where they were, or this has been the new level for 30 days.",
}
_RULE_TEXTS = {
    "previous_daily": "against the Daily Check before, over the cells that both asked",
    "last_dailies": "against the last Daily Checks",
    "cell": "one prompt on one platform, against its own Daily Checks",
}
_SUPPRESSION_TEXTS = {
    "platform_wide": "Nobody was notified: the whole platform changed, for other brands, too.",
    "muted": "Nobody was notified: it was muted.",
    "cool_down": "Nobody was notified: there was a notification about the same less than seven days before.",
}
_NO_ALERTS = (
    "No drop, no gain and no rise of a competitor that the answers establish. Each Daily Check is compared with those "
    "before; a change is watched first, and confirmed by the next one."
)
_TITLES = {"coverage_drop": "Drop", "cell_lost": "Drop", "coverage_gain": "Gain", "cell_gained": "Gain"}


def describe_kind(alert: Alert) -> str:
    """Return the kind of alert in a word or two."""
    return _TITLES.get(alert.type) or f"{alert.competitor} rises"


def describe_state(alert: Alert) -> str:
    return _STATE_TEXTS.get(alert.state.value) or _RESOLVED_TEXTS[DIRECTIONS[alert.type]]


def describe_mute(row: MuteRow) -> str:
    """Return what is muted as a phrase."""
    scope = parse_scope(row.scope)
    if scope.kind == "cell":
        change = "begins to name the brand" if row.type == "cell_gained" else "no longer names the brand"
        return f"“{row.prompt or 'A prompt'}” on {platform_name(scope.platform or '')} {change}"
    where = {
        "overall": "overall",
        "platform": f"on {platform_name(scope.platform or '')}",
        "country": f"in {country_name(scope.country)}",
    }
    extent = "Fewer" if DIRECTIONS[row.type] == "down" else "More"
    return f"{extent} answers name {scope.competitor or 'the brand'} {where[scope.kind]}"


def describe_test(alert: Alert) -> str:
    """Return what was compared with what, and the p-value."""
    chance = f"p {alert.p:.4f}" if alert.p >= 0.0001 else "p below 0.0001"
    return f"Tested {' and '.join(_RULE_TEXTS[rule] for rule in alert.rules)}: {chance}."


def describe_suppression(alert: Alert) -> str:
    return _SUPPRESSION_TEXTS.get(alert.hushed or "", "")


def describe_proofs(alert: Alert) -> str:
    """Return what the linked answers are."""
    if DIRECTIONS[alert.type] == "down":
        return "The lost answers, now and before"
    return f"The answers that name {alert.competitor or 'the brand'} now, and as they were before"


def describe_no_alerts(domain: TrackedDomainRow, now: datetime, *, runs_checks: bool) -> tuple[str, str]:
    """Return the title and the text of a page without alerts: nothing was measured yet, or nothing has changed."""
    if domain.last_daily_check_at is None and not runs_checks:
        return (
            "Alerts need Daily Checks",
            "The Free plan runs one audit and no Daily Checks, so there is nothing to compare.",
        )
    if domain.last_daily_check_at is None:
        first = ""
        if domain.next_check_at is not None:
            name = "Full Check" if domain.next_check_scope == "full_check" else "Daily Check"
            ordinal = "first" if domain.last_full_check_at is None else "next"
            first = f" The {ordinal} check is a {name}, due {format_near_datetime(domain.next_check_at, now)}."
        return (
            "Nothing was measured yet" if domain.last_full_check_at is None else "Nothing to compare yet",
            "Alerts compare each Daily Check with those before, so they begin with the second one." + first,
        )
    return "No alerts", _NO_ALERTS


def format_moment(text: str) -> str:
    return format_short_datetime(datetime.fromisoformat(text))
