"""Findings in sentences: the same on pages, in reports and e-mails, in the APIs and for assistants. Pure.

Counts come before percentages, and no sentence names a cause: only the effect of an action was measured as one.
"""

from collections.abc import Mapping, Sequence

from sightline.insights.findings.schemas import Finding
from sightline.metrics.period_change import Tier
from sightline.platforms.names import platform_name
from sightline.presentation.changes import list_reasons
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, translatable
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import country_name, cut_words
from sightline.scoreboard.check_changes.schemas import CheckChanges

TIER_NAMES: Mapping[Tier, str] = {
    "clear": translatable("Clear change"),
    "watch": translatable("Worth watching"),
    "rest": translatable("Within chance"),
}
TIER_ODDS = translatable("About one in five changes worth watching is chance.")
NOTHING_TO_COMPARE = translatable("There is nothing to compare yet: changes show from the second Full Check on.")
_PROMPT_WORDS = 3
_ACTION_WORDS = 9
_SENTENCES: Mapping[tuple[str, str], str] = {
    ("last_check", "up"): translatable(
        "%(name)s since %(since)s: named in %(now)s of %(now_answers)s answers, up from %(before)s."
    ),
    ("last_check", "down"): translatable(
        "%(name)s since %(since)s: named in %(now)s of %(now_answers)s answers, down from %(before)s."
    ),
    ("four_weeks", "up"): translatable(
        "%(name)s over four weeks: named in %(now)s of %(now_answers)s answers, up from %(before)s of "
        "%(before_answers)s."
    ),
    ("four_weeks", "down"): translatable(
        "%(name)s over four weeks: named in %(now)s of %(now_answers)s answers, down from %(before)s of "
        "%(before_answers)s."
    ),
    ("twelve_weeks", "up"): translatable(
        "%(name)s over twelve weeks: named in %(now)s of %(now_answers)s answers, up from %(before)s of "
        "%(before_answers)s."
    ),
    ("twelve_weeks", "down"): translatable(
        "%(name)s over twelve weeks: named in %(now)s of %(now_answers)s answers, down from %(before)s of "
        "%(before_answers)s."
    ),
    ("daily_checks", "up"): translatable(
        "%(name)s in the Daily Check of %(since)s: named in %(now)s of %(now_answers)s answers, up from %(before)s of "
        "%(before_answers)s."
    ),
    ("daily_checks", "down"): translatable(
        "%(name)s in the Daily Check of %(since)s: named in %(now)s of %(now_answers)s answers, down from %(before)s "
        "of %(before_answers)s."
    ),
    ("source", "up"): translatable(
        "%(platform)s now cites %(site)s in %(now)s of %(now_answers)s answers; in none on %(since)s."
    ),
    ("source", "down"): translatable(
        "%(platform)s no longer cites %(site)s: in none of %(now_answers)s answers; in %(before)s on %(since)s."
    ),
    ("action", "up"): translatable("“%(action)s” worked: %(points)s points more for its prompts than for the others."),
    ("action", "down"): translatable(
        "“%(action)s”: %(points)s points fewer for its prompts than for the others since then."
    ),
}
_NAMES: Mapping[str, str] = {
    "platform": translatable("%(name)s on %(platform)s"),
    "country": translatable("%(name)s in %(country)s"),
    "prompt": translatable("%(name)s for “%(prompt)s”"),
    "cell": translatable("%(name)s for “%(prompt)s” on %(platform)s"),
}


def describe_finding(finding: Finding, brand: str) -> str:
    """Describe a finding, with the alert and the change of model that belong to it."""
    sentences = [_describe_change(finding, brand)]
    if finding.alerted_at is not None and finding.period != "daily_checks":
        sentences.append(
            gettext("First seen in the Daily Check of %(date)s.", date=format_short_date(finding.alerted_at))
        )
    if finding.model is not None:
        sentences.append(
            gettext(
                "%(platform)s changed its model to %(model)s.",
                platform=platform_name(finding.platform or ""),
                model=finding.model,
            )
        )
    return " ".join(sentences)


def describe_headline(findings: Sequence[Finding], changes: CheckChanges | None, brand: str) -> str:
    """Return the first finding if it is clear; otherwise say that nothing is, and name the largest change."""
    first = findings[0] if findings else None
    if first is not None and first.tier == "clear":
        return _describe_change(first, brand)
    if changes is None:
        return gettext(NOTHING_TO_COMPARE) if first is None else _describe_change(first, brand)
    watched = next((each for each in findings if each.tier == "watch"), None)
    if watched is not None:
        return gettext("No clear change. Worth watching: %(change)s", change=_describe_change(watched, brand))
    since = format_short_date(changes.since)
    moved = next((each for each in findings if each.kind not in ("source", "action")), None)
    if moved is None:
        return gettext("No clear change since %(since)s.", since=since)
    return gettext("No clear change. Within chance: %(change)s", change=_describe_change(moved, brand))


def describe_comparability(changes: CheckChanges) -> str:
    """Say why the two latest Full Checks do not compare exactly; empty if they do."""
    if not changes.reasons:
        return ""
    since, reasons = format_short_date(changes.since), list_reasons(changes.reasons)
    return gettext("An exact comparison with %(since)s is not possible: %(reasons)s.", since=since, reasons=reasons)


def _describe_change(finding: Finding, brand: str) -> str:
    kind = finding.kind if finding.kind in ("source", "action") else finding.period
    numbers = {
        name: "" if value is None else format_number(value)
        for name, value in (
            ("now", finding.now),
            ("now_answers", finding.now_answers),
            ("before", finding.before),
            ("before_answers", finding.before_answers),
            ("points", None if finding.points is None else abs(finding.points)),
        )
    }
    return gettext(
        _SENTENCES[kind, finding.direction],
        name=_name_subject(finding, brand),
        since=format_short_date(finding.since),
        platform=platform_name(finding.platform or ""),
        site=finding.site,
        action=cut_words(finding.action or "", _ACTION_WORDS),
        **numbers,
    )


def _name_subject(finding: Finding, brand: str) -> str:
    name = finding.competitor or brand
    part = "cell" if finding.prompt_id and finding.platform else "prompt" if finding.prompt_id else finding.kind
    if part == "competitor":
        part = "platform" if finding.platform else "country" if finding.country_iso_2 else part
    if part not in _NAMES:
        return name
    return gettext(
        _NAMES[part],
        name=name,
        platform=platform_name(finding.platform or ""),
        country=country_name(finding.country_iso_2),
        prompt=cut_words(finding.prompt or gettext("one prompt"), _PROMPT_WORDS),
    )
