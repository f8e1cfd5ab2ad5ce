"""The sentences about an alert on its pages."""

from datetime import datetime

from sightline.domains.models import TrackedDomainRow
from sightline.insights.alerts.models import DIRECTIONS, MuteRow
from sightline.insights.alerts.schemas import Alert
from sightline.insights.alerts.scopes import AlertScope, parse_scope
from sightline.platforms.names import platform_name
from sightline.presentation.changes import format_p
from sightline.presentation.dates import format_near_datetime
from sightline.presentation.language import gettext, translatable
from sightline.presentation.phrases import country_name

_STATE_TEXTS = {
    "watch": translatable("Watching: waiting for the next Daily Check to confirm it."),
    "confirmed": translatable("Confirmed by a second Daily Check."),
    "lapsed": translatable("Lapsed: the next Daily Check did not confirm it."),
}
_RESOLVED_TEXTS = {
    "down": translatable("Resolved: %(brand)s is named as often as before."),
    "up": translatable("Resolved: the answers are back at the previous level, or the new level has lasted 30 days."),
}
_RULE_TEXTS = {
    "previous_daily": translatable(
        "Compared with the previous Daily Check. Only prompts that a platform answered in both checks count."
    ),
    "last_dailies": translatable(
        "The last seven Daily Checks before the change decided that this is an alert, or all of them if there were "
        "fewer."
    ),
    "cell": translatable("One prompt on one platform. Its own recent Daily Checks decided that this is an alert."),
}
_SUPPRESSION_TEXTS = {
    "platform_wide": translatable("No notification was sent: the whole platform changed, for other brands too."),
    "muted": translatable("No notification was sent: this alert is muted."),
    "cool_down": translatable(
        "No notification was sent: another about the same change was sent in the seven days before."
    ),
}
_TITLES = {
    "coverage_drop": translatable("Drop"),
    "cell_lost": translatable("Drop"),
    "coverage_gain": translatable("Gain"),
    "cell_gained": translatable("Gain"),
}


def describe_kind(alert: Alert) -> str:
    """Return the kind of alert in a word or two."""
    if alert.type in _TITLES:
        return gettext(_TITLES[alert.type])
    return gettext("%(competitor)s gains", competitor=alert.competitor)


def describe_state(alert: Alert, brand: str) -> str:
    return gettext(_STATE_TEXTS.get(alert.state.value) or _RESOLVED_TEXTS[DIRECTIONS[alert.type]], brand=brand)


def describe_mute(row: MuteRow, brand: str) -> str:
    """Return what is muted as a phrase."""
    scope = parse_scope(row.scope)
    if scope.kind == "cell":
        values = {
            "prompt": row.prompt or gettext("A prompt"),
            "platform": platform_name(scope.platform or ""),
            "brand": brand,
        }
        if row.type == "cell_gained":
            return gettext("%(prompt)s, %(platform)s: now names %(brand)s", **values)
        return gettext("%(prompt)s, %(platform)s: no longer names %(brand)s", **values)
    place = _describe_place(scope)
    if scope.competitor:
        return gettext("%(place)s: more answers name %(competitor)s", place=place, competitor=scope.competitor)
    if DIRECTIONS[row.type] == "down":
        return gettext("%(place)s: fewer answers name %(brand)s", place=place, brand=brand)
    return gettext("%(place)s: more answers name %(brand)s", place=place, brand=brand)


def _describe_place(scope: AlertScope) -> str:
    if scope.kind == "platform":
        return platform_name(scope.platform or "")
    return country_name(scope.country) if scope.kind == "country" else gettext("Overall")


def describe_test(alert: Alert) -> str:
    """Return what was compared with what, and the p-value."""
    compared = [gettext(_RULE_TEXTS[rule]) for rule in alert.rules]
    chance = gettext(
        "Probability that chance alone causes a change at least this large: %(chance)s.",
        chance=format_p(alert.p),
    )
    return " ".join([*compared, chance])


def describe_suppression(alert: Alert) -> str:
    return gettext(_SUPPRESSION_TEXTS[alert.hushed]) if alert.hushed else ""


def describe_proofs(alert: Alert, brand: str) -> str:
    """Return what the linked answers are."""
    if DIRECTIONS[alert.type] == "down":
        return gettext("Answers that no longer name %(brand)s, with the earlier answers:", brand=brand)
    if alert.competitor:
        return gettext("Answers that now name %(competitor)s, with the earlier answers:", competitor=alert.competitor)
    return gettext("Answers that now name %(brand)s, with the earlier answers:", brand=brand)


def describe_no_alerts(domain: TrackedDomainRow, now: datetime, *, runs_checks: bool) -> tuple[str, str]:
    """Return the title and the text of a page without alerts: nothing was measured yet, or nothing has changed."""
    if domain.last_daily_check_at is not None:
        return gettext("No alerts"), gettext(
            "Nothing has changed significantly. Sightline compares each Daily Check with earlier ones. It watches a "
            "change first and opens an alert when the next check confirms it."
        )
    if not runs_checks:
        return gettext("Alerts need Daily Checks"), gettext(
            "The Free plan runs one audit and no Daily Checks, so there is nothing to compare."
        )
    has_figures = domain.last_full_check_at is not None
    title = gettext("Nothing to compare yet") if has_figures else gettext("Nothing has been measured yet")
    text = gettext("Alerts compare each Daily Check with earlier ones, so they start with the second Daily Check.")
    if domain.next_check_at is None:
        return title, text
    due = format_near_datetime(domain.next_check_at, now)
    if domain.next_check_scope == "full_check":
        next_check = gettext("The next check is a Full Check: %(time)s.", time=due)
    else:
        next_check = gettext("The next check is a Daily Check: %(time)s.", time=due)
    return title, f"{text} {next_check}"
