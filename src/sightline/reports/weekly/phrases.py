"""The sentences of a weekly report: title, summary, the change since the last one, and the scope of an alert."""

from collections.abc import Sequence
from datetime import datetime

from sightline.kit.counting import count
from sightline.metrics.figure import Comparison
from sightline.platforms.names import platform_name
from sightline.presentation.changes import describe_counts, describe_reasons, format_verdict
from sightline.presentation.dates import format_date, format_period, format_short_date
from sightline.presentation.phrases import country_name, describe_standing, to_one_line
from sightline.scoreboard.schemas import Board


def build_title(brand: str, start: datetime, end: datetime, *, is_first: bool) -> str:
    period = f"first report, {format_date(end)}" if is_first else format_period(start, end)
    return to_one_line(f"{brand} in AI answers: {period}")


def build_summary(brand: str, board: Board, before: datetime | None, tasks: Sequence[object]) -> str:
    """Summarize the report: the standing of the brand, the change since `before`, and how much there is to do."""
    parts = [describe_standing(brand, board.headline, has_ranking=bool(board.competitors))]
    if board.valid:
        parts.append(describe_change(board.headline.brand_coverage_pct.comparison, before))
        parts.append(
            f"{count(len(tasks), 'recommendation')} to act on." if tasks else "Nothing stands out that needs doing."
        )
    return " ".join(parts)


def describe_change(change: Comparison | None, before: datetime | None) -> str:
    """Describe in one sentence what changed since the Full Check at `before`; None for the first one."""
    if before is None:
        return "This is the first Full Check: from the next one on, this report says what has changed."
    since = f"since the Full Check of {format_short_date(before)}"
    if change is None:
        return f"Nothing can be compared {since}: no question was answered both times."
    text = f"Brand Coverage: {format_verdict(change).lower()} {since}, {describe_counts(change)}"
    return text + (f" (trend only: {describe_reasons(change)})." if change.trend_only else ".")


def describe_scope(scope: str) -> str:
    """Describe the scope of an alert: `overall`, `platform:chatgpt`, `country:DE` or `cell:…:chatgpt`."""
    kind, _, rest = scope.partition(":")
    if kind == "platform":
        return f"on {platform_name(rest)}"
    if kind == "country":
        return f"in {country_name(rest)}"
    if kind == "cell":
        return f"for one question on {platform_name(rest.rpartition(':')[2])}"
    return "over all answers"
