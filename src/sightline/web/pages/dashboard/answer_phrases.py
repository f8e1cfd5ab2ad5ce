"""The sentence above the list of the Answers page: how many answers, and what they have in common.

Each condition of the filter is a phrase of its own, so that any combination can be written in every language.
"""

from collections.abc import Mapping

from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_short_date
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import FAULT_PHRASES, country_name, language_name
from sightline.scans.schemas.scan import SCOPE_LABELS
from sightline.scans.stored import Scope
from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.answer_list.read import AnswerCounts
from sightline.scoreboard.answer_list.schemas import ListedAnswer

_SENTIMENTS = {
    "positive": translatable("positive about %(brand)s"),
    "neutral": translatable("neutral about %(brand)s"),
    "negative": translatable("negative about %(brand)s"),
    "scored": translatable("with a sentiment score"),
    "unscored": translatable("%(brand)s named, without a sentiment score"),
}
_UNSCORED = {
    "language": translatable("not scored: the language is not supported"),
    "doubt": translatable("not scored: the sentiment is unclear"),
    "no_opinion": translatable("not scored: no opinion of %(brand)s"),
}
_STANCES = {
    "neutral": translatable("%(brand)s named as an option"),
    "contrast": translatable("%(brand)s named only for comparison"),
    "discouraged": translatable("advising against %(brand)s"),
    "unknown": translatable("%(brand)s not known to the platform"),
}
_STATUSES = {
    "no_surface": translatable("no AI answer shown"),
    "not_failed": translatable("without failed ones"),
    "failed": translatable("failed"),
}
_FINDINGS = {
    "alert": translatable("an alert"),
    "theme": translatable("a theme"),
    "opportunity": translatable("an opportunity"),
    "recommendation": translatable("a recommendation"),
    "suggestion": translatable("a suggested competitor"),
    "report": translatable("a finding of a report"),
}
_COUNTED = {
    "headline": translatable(
        "Only what the headline figures count: prompts of the latest %(base)s that do not name %(brand)s."
    ),
    "board": translatable("Only prompts and platforms of the latest %(base)s."),
}
Checks = Mapping[str, tuple[Scope, str]]
"""Scope and time of completion, by the id of the check."""


def describe_selection(
    wanted: AnswerFilter, counts: AnswerCounts, *, brand: str, prompt: str, checks: Checks, base: str = "Full Check"
) -> str:
    """Describe which answers the list shows, in a few sentences. `base` is the check that figures are based on."""
    conditions = [*_list_conditions(wanted, brand, checks), *_list_questions(wanted, prompt)]
    sentences = [_describe_scope(wanted, counts, checks) + "."]
    if conditions:
        sentences.append(gettext("Filters: %(conditions)s.", conditions=", ".join(conditions)))
    if wanted.sandbox:
        sentences.append(gettext("Sandbox answers are made up."))
    elif wanted.counted in _COUNTED:
        sentences.append(gettext(_COUNTED[wanted.counted], brand=brand, base=base))
    return " ".join(sentences)


def _describe_scope(wanted: AnswerFilter, counts: AnswerCounts, checks: Checks) -> str:
    total, number = counts.total, format_number(counts.total)
    if not counts.is_exact:
        number = gettext("More than %(number)s", number=number)
    if wanted.is_latest:
        return ngettext(
            "%(number)s answer from the latest checks",
            "%(number)s answers from the latest checks",
            total,
            number=number,
        )
    if wanted.evidence:
        finding = gettext(_FINDINGS[wanted.evidence.partition(":")[0]])
        return ngettext(
            "%(number)s answer behind %(finding)s",
            "%(number)s answers behind %(finding)s",
            total,
            number=number,
            finding=finding,
        )
    if wanted.check:
        scope, day = _name_check(wanted.check, checks)
        return ngettext(
            "%(number)s answer of the %(check)s of %(day)s",
            "%(number)s answers of the %(check)s of %(day)s",
            total,
            number=number,
            check=scope,
            day=day,
        )
    if wanted.sandbox:
        return ngettext("%(number)s sandbox answer", "%(number)s sandbox answers", total, number=number)
    return _describe_period(wanted, total, number)


def _describe_period(wanted: AnswerFilter, total: int, number: str) -> str:
    since, until = (format_short_date(day) if day else "" for day in (wanted.since, wanted.until))
    if since and until:
        return ngettext(
            "%(number)s answer in the checks from %(since)s to %(until)s",
            "%(number)s answers in the checks from %(since)s to %(until)s",
            total,
            number=number,
            since=since,
            until=until,
        )
    if since:
        return ngettext(
            "%(number)s answer in the checks since %(since)s",
            "%(number)s answers in the checks since %(since)s",
            total,
            number=number,
            since=since,
        )
    if until:
        return ngettext(
            "%(number)s answer in the checks until %(until)s",
            "%(number)s answers in the checks until %(until)s",
            total,
            number=number,
            until=until,
        )
    return ngettext("%(number)s answer from all checks", "%(number)s answers from all checks", total, number=number)


def _name_check(scan_id: str, checks: Checks) -> tuple[str, str]:
    scope, completed_at = checks[scan_id]
    return gettext(SCOPE_LABELS[scope]), format_short_date(completed_at)


def _list_conditions(wanted: AnswerFilter, brand: str, checks: Checks) -> list[str]:
    found = _list_origins(wanted) + _list_comparisons(wanted, brand, checks) + _list_names(wanted, brand)
    if wanted.site and wanted.change_of != "site":
        found.append(gettext("%(site)s cited", site=wanted.site))
    elif wanted.cited:
        found.append(gettext("a page of %(brand)s cited", brand=brand))
    if wanted.sources:
        found.append(gettext("with sources"))
    tables = ((_SENTIMENTS, wanted.sentiment), (_UNSCORED, wanted.unscored), (_STANCES, wanted.stance))
    found += [gettext(table[value], brand=brand) for table, value in tables if value]
    if wanted.q:
        found.append(gettext("containing “%(text)s”", text=wanted.q))
    return found


def _list_origins(wanted: AnswerFilter) -> list[str]:
    """Describe how the answers came about: whether they failed, and what was searched for."""
    found = []
    if wanted.fault:
        found.append(gettext("failed: %(reason)s", reason=gettext(FAULT_PHRASES[wanted.fault])))
    elif wanted.status in _STATUSES:
        found.append(gettext(_STATUSES[wanted.status]))
    if wanted.search:
        found.append(gettext("based on a search for “%(search)s”", search=wanted.search))
    return found


def describe_row_change(row: ListedAnswer) -> str:
    """Describe how an answer of the list differs from that of the previous check of the same kind."""
    check = gettext(SCOPE_LABELS[row.measurement_scope])
    if row.change == "gained":
        return gettext("Newly named since the previous %(check)s", check=check)
    return gettext("No longer named since the previous %(check)s", check=check)


def _list_comparisons(wanted: AnswerFilter, brand: str, checks: Checks) -> list[str]:
    """Describe how the answers differ from those of another check, which is the previous one unless it is named."""
    before = gettext("in the previous check of the same kind")
    if wanted.against:
        scope, day = _name_check(wanted.against, checks)
        before = gettext("in the %(check)s of %(day)s", check=scope, day=day)
    if wanted.change:
        return [_describe_change(wanted, brand, before)]
    if wanted.sites:
        return [gettext("citing a site that the platform does not cite %(before)s", before=before)]
    return [gettext("also answered %(before)s", before=before)] if wanted.against else []


def _describe_change(wanted: AnswerFilter, brand: str, before: str) -> str:
    if wanted.change_of == "site":
        if wanted.change == "gained":
            return gettext("%(site)s cited, but not %(before)s", site=wanted.site, before=before)
        return gettext("%(site)s not cited, but cited %(before)s", site=wanted.site, before=before)
    name = wanted.competitor if wanted.change_of == "competitor" else brand
    if wanted.change == "gained":
        return gettext("%(name)s named, but not %(before)s", name=name, before=before)
    return gettext("%(name)s not named, but named %(before)s", name=name, before=before)


def _list_names(wanted: AnswerFilter, brand: str) -> list[str]:
    """List the conditions about who is named."""
    found = []
    if wanted.brand:
        named = wanted.brand == "named"
        found.append(gettext("%(name)s named", name=brand) if named else gettext("%(name)s not named", name=brand))
    if (wanted.competitor and wanted.change_of != "competitor") or wanted.rivals:
        name = wanted.competitor or gettext("a competitor")
        if wanted.order == "ahead":
            found.append(gettext("%(name)s named after %(brand)s", name=name, brand=brand))
        elif wanted.order == "behind":
            found.append(gettext("%(name)s named before %(brand)s", name=name, brand=brand))
        else:
            found.append(gettext("%(name)s named", name=name))
    if wanted.without:
        found.append(gettext("%(name)s not named", name=wanted.without))
    return found


def _list_questions(wanted: AnswerFilter, prompt: str) -> list[str]:
    """List the conditions about what was asked, and where."""
    found = []
    if wanted.prompt:
        found.append(gettext("prompt “%(prompt)s”", prompt=prompt) if prompt else gettext("one prompt"))
    if wanted.tag:
        found.append(gettext("tag “%(tag)s”", tag=wanted.tag))
    if wanted.platform:
        found.append(gettext("on %(platform)s", platform=platform_name(wanted.platform)))
    if wanted.model:
        found.append(gettext("model %(model)s", model=wanted.model))
    if wanted.country:
        country = country_name(None if wanted.country == "global" else wanted.country)
        found.append(gettext("market %(country)s", country=country))
    if wanted.language:
        found.append(gettext("in %(language)s", language=language_name(wanted.language)))
    return found
