"""The sentences of a weekly report: title, summary, and the scope of an alert."""

from collections.abc import Sequence
from datetime import datetime

from sightline.insights.alerts.scopes import AlertScope, parse_scope
from sightline.kit.counting import count
from sightline.platforms.names import platform_name
from sightline.presentation.dates import format_date, format_period
from sightline.presentation.phrases import country_name, describe_standing, to_one_line
from sightline.scoreboard.check_changes.schemas import CheckChanges
from sightline.scoreboard.check_changes.sentences import describe_changes
from sightline.scoreboard.schemas import Board


def build_title(brand: str, start: datetime, end: datetime, *, is_first: bool) -> str:
    period = f"first report, {format_date(end)}" if is_first else format_period(start, end)
    return to_one_line(f"{brand} in AI answers: {period}")


def build_summary(
    brand: str, board: Board, before: datetime | None, changes: CheckChanges | None, tasks: Sequence[object]
) -> str:
    """Summarize the report: the standing of the brand, what moved since `before`, and how much there is to do."""
    parts = [describe_standing(brand, board.headline, has_ranking=bool(board.competitors))]
    if board.valid:
        if before is None:
            parts.append("This is the first Full Check: from the next one on, this report says what has changed.")
        elif changes is not None:
            parts += describe_changes(changes, brand)
        parts.append(
            f"{count(len(tasks), 'recommendation')} to act on." if tasks else "Nothing stands out that needs doing."
        )
    return " ".join(parts)


def describe_alert(kind: str, text: str) -> str:
    """Describe an alert by its type and scope, such as `More answers name Globex on ChatGPT`."""
    scope = parse_scope(text)
    extent = "Fewer" if kind in {"coverage_drop", "cell_lost"} else "More"
    return f"{extent} answers name {scope.competitor or 'the brand'} {_describe_part(scope)}"


def _describe_part(scope: AlertScope) -> str:
    if scope.kind == "platform":
        return f"on {platform_name(scope.platform or '')}"
    if scope.kind == "country":
        return f"in {country_name(scope.country)}"
    if scope.kind == "cell":
        return f"for one question on {platform_name(scope.platform or '')}"
    return "over all answers"
