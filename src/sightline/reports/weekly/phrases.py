"""The sentences of a weekly report: title, summary and notices."""

from collections.abc import Sequence
from datetime import datetime

from sightline.presentation.dates import format_date, format_period
from sightline.presentation.language import gettext, ngettext
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import (
    EARLY_READING,
    ONLY_BRANDED,
)
from sightline.reports.notices import describe_incomplete
from sightline.reports.weekly.models import ReportDocument


def build_title(brand: str, start: datetime, end: datetime, *, is_first: bool) -> str:
    if is_first:
        title = gettext("%(brand)s in AI answers: first report, %(date)s", brand=brand, date=format_date(end))
    else:
        title = gettext("%(brand)s in AI answers: %(period)s", brand=brand, period=format_period(start, end))
    return " ".join(title.split())


def build_summary(standing: str, findings: Sequence[str], *, is_first: bool, is_measured: bool, tasks: int) -> str:
    """Summarize the report: the standing of the brand, the findings, and how much there is to do."""
    parts = [standing]
    if is_measured:
        if is_first:
            parts.append(gettext("This is the first Full Check. Later reports show what has changed."))
        else:
            parts += findings
        parts.append(_count_tasks(tasks))
    return " ".join(parts)


def _count_tasks(number: int) -> str:
    if not number:
        return gettext("There are no recommendations this week.")
    return ngettext(
        "There is %(number)s recommendation.",
        "There are %(number)s recommendations.",
        number,
        number=format_number(number),
    )


def list_notices(document: ReportDocument) -> list[tuple[str, str]]:
    """Return everything that limits what the figures mean, each with a title."""
    facts, method, brand = document.notice_facts, document.method, document.brand
    notices: list[tuple[str, str]] = []
    if facts is None:
        return notices
    if facts.incomplete:
        text = ngettext(
            "%(valid)s of %(planned)s planned answer is valid.",
            "%(valid)s of %(planned)s planned answers are valid.",
            method.planned,
            valid=format_number(method.valid),
            planned=format_number(method.planned),
        )
        notices.append((gettext("Incomplete"), f"{text} {describe_incomplete(document.platforms)}".strip()))
    if facts.early_reading and method.valid:
        notices.append((gettext(EARLY_READING[0]), gettext(EARLY_READING[1])))
    if facts.only_branded and method.valid:
        notices.append((gettext(ONLY_BRANDED[0]), gettext(ONLY_BRANDED[1], brand=brand)))
    elif facts.branded_prompts:
        text = ngettext(
            "%(number)s prompt names %(brand)s and does not count for the headline figures.",
            "%(number)s prompts name %(brand)s and do not count for the headline figures.",
            facts.branded_prompts,
            brand=brand,
            number=format_number(facts.branded_prompts),
        )
        notices.append((gettext("Branded prompts"), text))
    return notices
