"""The sentences of a weekly report: title, summary, notices and the scope of an alert."""

from collections.abc import Sequence
from datetime import datetime

from sightline.insights.alerts.scopes import Scope, parse_scope
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date, format_period
from sightline.presentation.language import gettext, ngettext, translatable
from sightline.presentation.numbers import format_number
from sightline.presentation.phrases import (
    EARLY_READING,
    ONLY_BRANDED,
    StandingFigures,
    country_name,
    describe_standing,
)
from sightline.reports.notices import describe_incomplete
from sightline.reports.weekly.models import NoticeFacts, ReportNotice
from sightline.scans.schemas.results import PlatformResult
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.check_changes.sentences import describe_changes

_FEWER: dict[Scope, str] = {
    "platform": translatable("Fewer answers name %(name)s on %(platform)s"),
    "country": translatable("Fewer answers name %(name)s in %(country)s"),
    "cell": translatable("Fewer answers name %(name)s for one prompt on %(platform)s"),
    "overall": translatable("Fewer answers name %(name)s overall"),
}
_MORE: dict[Scope, str] = {
    "platform": translatable("More answers name %(name)s on %(platform)s"),
    "country": translatable("More answers name %(name)s in %(country)s"),
    "cell": translatable("More answers name %(name)s for one prompt on %(platform)s"),
    "overall": translatable("More answers name %(name)s overall"),
}


def build_title(brand: str, start: datetime, end: datetime, *, is_first: bool) -> str:
    if is_first:
        title = gettext("%(brand)s in AI answers: first report, %(date)s", brand=brand, date=format_date(end))
    else:
        title = gettext("%(brand)s in AI answers: %(period)s", brand=brand, period=format_period(start, end))
    return " ".join(title.split())


def build_summary(
    brand: str,
    headline: StandingFigures,
    changes: CheckChanges | None,
    *,
    is_first: bool,
    has_ranking: bool,
    is_measured: bool,
    tasks: int,
) -> str:
    """Summarize the report: the standing of the brand, what changed, and how much there is to do."""
    parts = [describe_standing(brand, headline, has_ranking=has_ranking)]
    if is_measured:
        if is_first:
            parts.append(gettext("This is the first Full Check. Later reports show what has changed."))
        elif changes is not None:
            parts += describe_changes(changes, brand)
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


def describe_alert(kind: str, text: str, brand: str) -> str:
    """Describe an alert by its type and scope, such as `More answers name Globex on ChatGPT`."""
    scope = parse_scope(text)
    sentences = _FEWER if kind in {"coverage_drop", "cell_lost"} else _MORE
    return gettext(
        sentences[scope.kind],
        name=scope.competitor or brand,
        platform=platform_name(scope.platform or ""),
        country=country_name(scope.country),
    )
