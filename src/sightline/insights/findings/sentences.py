"""Findings in sentences: the same on pages, in reports and e-mails, in the APIs and for assistants. Pure.

Counts come before percentages, and no sentence names a cause: only the effect of an action was measured as one.
"""

from collections.abc import Mapping, Sequence

from sightline.insights.findings.schemas import Finding, FindingKind
from sightline.metrics.period_change import Tier
from sightline.platforms.names import describe_surface_change, platform_name
from sightline.presentation.changes import list_reasons
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, ngettext, translatable
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
_ONLY = "%(change)s"
_WATCHED = translatable("No clear change. Worth watching: %(change)s")
_HEADLINE_WORDS = 25
_NAME_WORDS = 6  # of a prompt, an action or a brand
_SENTENCES: Mapping[tuple[str, str], str] = {
    ("last_check", "up"): translatable(
        "%(place)s, %(name)s is named in %(now)s of %(now_answers)s answers, up from %(before)s on %(since)s."
    ),
    ("last_check", "down"): translatable(
        "%(place)s, %(name)s is named in %(now)s of %(now_answers)s answers, down from %(before)s on %(since)s."
    ),
    ("trend", "up"): translatable(
        "%(place)s, %(name)s is named in %(now)s of %(now_answers)s answers, up from %(before)s since %(since)s."
    ),
    ("trend", "down"): translatable(
        "%(place)s, %(name)s is named in %(now)s of %(now_answers)s answers, down from %(before)s since %(since)s."
    ),
    ("daily_checks", "up"): translatable(
        "%(place)s, %(name)s was named in %(now)s of %(now_answers)s Daily Check answers on %(since)s, up from "
        "%(before)s."
    ),
    ("daily_checks", "down"): translatable(
        "%(place)s, %(name)s was named in %(now)s of %(now_answers)s Daily Check answers on %(since)s, down from "
        "%(before)s."
    ),
    ("source", "up"): translatable(
        "%(platform)s now cites %(site)s: %(now)s of %(now_answers)s answers, up from 0 on %(since)s."
    ),
    ("source", "down"): translatable(
        "%(platform)s no longer cites %(site)s: 0 of %(now_answers)s answers, down from %(before)s on %(since)s."
    ),
    ("fact", "up"): translatable(
        "%(now)s of %(now_answers)s answers are wrong about %(fact)s, up from %(before)s on %(since)s."
    ),
    ("fact", "down"): translatable(
        "%(now)s of %(now_answers)s answers are wrong about %(fact)s, down from %(before)s on %(since)s."
    ),
    ("action", "up"): translatable("“%(action)s” worked: up by %(points)s points compared with the other prompts."),
    ("action", "down"): translatable(
        "“%(action)s” did not work: down by %(points)s points compared with the other prompts."
    ),
}
_TRENDS: Mapping[str, str] = {"four_weeks": "trend", "twelve_weeks": "trend"}
_PLACES: Mapping[FindingKind, str] = {
    "platform": translatable("On %(platform)s"),
    "country": translatable("In %(country)s"),
    "prompt": translatable("For %(prompt)s"),
    "cell": translatable("For %(prompt)s on %(platform)s"),
}


def describe_finding(finding: Finding, brand: str) -> str:
    """Describe a finding, with the alert and the change of model that belong to it."""
    sentences = [describe_change(finding, brand)]
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
    """Return the first finding if it is clear; otherwise say that nothing is, and name what to watch."""
    first = findings[0] if findings else None
    if first is not None and (first.tier == "clear" or changes is None):
        return _fit_headline(_ONLY, first, brand)
    if changes is None:
        return gettext(NOTHING_TO_COMPARE)
    watched = next((each for each in findings if each.tier == "watch"), None)
    if watched is not None:
        return _fit_headline(_WATCHED, watched, brand)
    return gettext("No clear change since %(since)s.", since=format_short_date(changes.since))


def _fit_headline(template: str, finding: Finding, brand: str) -> str:
    """Write the headline, with as much of the names in it as 25 words allow."""
    for words in range(_NAME_WORDS, 0, -1):
        text = gettext(template, change=describe_change(finding, brand, words))
        if len(text.split()) <= _HEADLINE_WORDS:
            return text
    return gettext("No clear change: %(change)s", change=describe_change(finding, brand, 1))


def describe_comparability(changes: CheckChanges) -> str:
    """Say why the two latest Full Checks do not compare exactly; empty if they do."""
    if not changes.reasons:
        return ""
    since, reasons = format_short_date(changes.since), list_reasons(changes.reasons)
    text = gettext("An exact comparison with %(since)s is not possible: %(reasons)s.", since=since, reasons=reasons)
    if not changes.surfaces:
        return text
    platforms = "; ".join(describe_surface_change(each.platform, each.before, each.now) for each in changes.surfaces)
    return f"{text} " + gettext(
        "Since %(until)s: %(platforms)s. Answers of different surfaces are not compared.",
        until=format_short_date(changes.until),
        platforms=platforms,
    )


def describe_change(finding: Finding, brand: str, words: int = _NAME_WORDS) -> str:
    """Describe what changed in one sentence. Names in it have at most so many words."""
    if finding.kind == "cell":
        return _describe_cell(finding, brand, words)
    kind = finding.kind if finding.kind in ("source", "action", "fact") else _TRENDS.get(finding.period, finding.period)
    return gettext(
        _SENTENCES[kind, finding.direction],
        place=_name_place(finding, words),
        name=cut_words(finding.competitor or brand, words),
        since=format_short_date(finding.since),
        platform=platform_name(finding.platform or ""),
        site=finding.site,
        action=cut_words(finding.action or "", words),
        fact=cut_words(finding.fact or "", words),
        now=format_number(finding.now or 0),
        now_answers=format_number(finding.now_answers or 0),
        before=_count_before(finding),
        points=format_number(abs(finding.points or 0)),
    )


def _describe_cell(finding: Finding, brand: str, words: int) -> str:
    """Describe the Daily Checks of one prompt on one platform since the change, and those before."""
    checks = finding.now_answers or 0
    return ngettext(
        "%(place)s, %(name)s was named in %(now)s of %(checks)s Daily Check, after %(before)s of %(before_checks)s.",
        "%(place)s, %(name)s was named in %(now)s of %(checks)s Daily Checks, after %(before)s of %(before_checks)s.",
        checks,
        place=_name_place(finding, words),
        name=cut_words(brand, words),
        now=format_number(finding.now or 0),
        checks=format_number(checks),
        before=format_number(finding.before or 0),
        before_checks=format_number(finding.before_answers or 0),
    )


def _count_before(finding: Finding) -> str:
    """Return the number before, with what it is a part of where that is another number than now."""
    before, answers = format_number(finding.before or 0), finding.before_answers or 0
    if answers == finding.now_answers:
        return before
    return gettext("%(number)s of %(total)s", number=before, total=format_number(answers))


def _name_place(finding: Finding, words: int) -> str:
    """Return which answers a finding is about: all, or those of a platform, a country or a prompt."""
    if finding.kind == "country" and finding.country_iso_2 is None:
        return gettext("In the Global market")
    if finding.kind not in _PLACES:
        return gettext("Overall")
    return gettext(
        _PLACES[finding.kind],
        platform=gettext("the local model") if finding.platform == "local" else platform_name(finding.platform or ""),
        country=country_name(finding.country_iso_2),
        prompt=gettext("“%(prompt)s”", prompt=cut_words(finding.prompt, words))
        if finding.prompt
        else gettext("one of your prompts"),
    )
