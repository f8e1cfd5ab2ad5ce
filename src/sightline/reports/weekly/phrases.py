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
from sightline.reports.weekly.models import NoticeFacts, ReportNotice
from sightline.scans.schemas.results import PlatformResult


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


def list_notices(
    brand: str, facts: NoticeFacts, valid: int, planned: int, platforms: Sequence[PlatformResult]
) -> tuple[ReportNotice, ...]:
    """Return everything that limits what the figures mean."""
    notices = []
    if facts.incomplete:
        text = ngettext(
            "%(valid)s of %(planned)s planned answer is valid.",
            "%(valid)s of %(planned)s planned answers are valid.",
            planned,
            valid=format_number(valid),
            planned=format_number(planned),
        )
        notices.append(ReportNotice(gettext("Incomplete"), f"{text} {describe_incomplete(platforms)}".strip()))
    if facts.early_reading and valid:
        notices.append(ReportNotice(*map(gettext, EARLY_READING)))
    if facts.only_branded and valid:
        notices.append(ReportNotice(gettext(ONLY_BRANDED[0]), gettext(ONLY_BRANDED[1], brand=brand)))
    elif facts.branded_prompts:
        text = ngettext(
            "%(number)s prompt names %(brand)s and does not count for the headline figures.",
            "%(number)s prompts name %(brand)s and do not count for the headline figures.",
            facts.branded_prompts,
            brand=brand,
            number=format_number(facts.branded_prompts),
        )
        notices.append(ReportNotice(gettext("Branded prompts"), text))
    return tuple(notices)
