"""The answers of all checks of a period, for pages that count what happened rather than what the scoreboard shows."""

from datetime import datetime

from sightline.scoreboard.answer_list.filter import AnswerFilter
from sightline.scoreboard.subsets.filter import MeasurementFilter


def select_period(wanted: MeasurementFilter, now: datetime) -> AnswerFilter:
    """Return the filter of the answers of a period. Lists of answers begin with a day, so the period does, too."""
    since = wanted.find_period(now).start.date().isoformat()
    return AnswerFilter(since=since, until=wanted.until, **wanted.part)
