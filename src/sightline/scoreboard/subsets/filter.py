"""The filter of measuring pages, as query parameters with the same names as in `AnswerFilter`. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import msgspec

from sightline.errors import Problem
from sightline.kit.ids import parse_id
from sightline.presentation.language import gettext, translatable
from sightline.scoreboard.answer_list.filter import AddressFilter, AnswerFilter, require_value

PERIODS = {
    "4w": translatable("4 weeks"),
    "12w": translatable("12 weeks"),
    "26w": translatable("6 months"),
    "52w": translatable("1 year"),
}
DEFAULT_PERIOD = "12w"
PREVIOUS_PERIOD = "previous"
_NAMES = {
    "period": translatable("Period"),
    "since": translatable("First day"),
    "until": translatable("Last day"),
    "against": translatable("Compared with"),
    "platform": translatable("Platform"),
    "country": translatable("Country"),
    "language": translatable("Language"),
    "tag": translatable("Tag"),
}


class Period(msgspec.Struct, frozen=True):
    """A period of days in UTC, as moments. The end is the first moment after it."""

    start: datetime
    end: datetime

    @property
    def previous_start(self) -> datetime:
        """Return the start of the period of the same length before this one."""
        return self.start - (self.end - self.start)


class MeasurementFilter(AddressFilter, frozen=True, kw_only=True):
    """Which answers a page measures, and what it compares them with. An empty field does not filter."""

    period: str = ""
    """A key of `PERIODS`. Empty: the default, or the days of `since` and `until`, which win."""
    since: str = ""
    until: str = ""
    against: str = ""
    """The id of a check, or `previous` for the period before. Empty: the check before, of the same scope."""
    platform: str = ""
    country: str = ""
    """A code, or `global`."""
    language: str = ""
    tag: str = ""
    """A tag that the prompt has now."""

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> tuple["MeasurementFilter", tuple[str, ...]]:
        """Parse the parameters of an address: the filter without values that it cannot have, and what is wrong."""
        values, faults = {}, []
        for name in cls.__struct_fields__:
            value = str(query.get(name, "")).strip()
            fault = _find_fault(name, value) if value else ""
            if fault:
                faults.append(fault)
            else:
                values[name] = value
        if values.get("since") and values.get("until") and values["since"] > values["until"]:
            faults.append(gettext("The first day of the period must not be after its last day."))
            values["since"] = values["until"] = ""
        if values.get("since") or values.get("until"):
            values["period"] = ""
        return cls(**values), tuple(faults)

    @property
    def part(self) -> dict[str, str]:
        """Return the fields that select a part of the answers of a check."""
        fields = {"platform": self.platform, "country": self.country, "language": self.language, "tag": self.tag}
        return {name: value for name, value in fields.items() if value}

    def find_period(self, now: datetime) -> Period:
        """Return the chosen days, or else the weeks until now. Without a first day, a period is a year."""
        if not (self.since or self.until):
            weeks = int((self.period or DEFAULT_PERIOD).removesuffix("w"))
            return Period(now - timedelta(weeks=weeks), now)
        end = _start_of_day(self.until) + timedelta(days=1) if self.until else now
        return Period(_start_of_day(self.since) if self.since else end - timedelta(weeks=52), end)


ALL_ANSWERS = MeasurementFilter()


class DatedFilter(msgspec.Struct, frozen=True):
    """A filter, and the dates of its period, which depend on the day."""

    filter: MeasurementFilter
    period: Period
    without_later: bool = False
    """Whether the last Full Check of the period is meant without later checks, even if the period has some."""


def _start_of_day(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)


def _find_fault(name: str, value: str) -> str:
    """Say in a sentence why a field cannot have the value; empty if it can."""
    if name == "period":
        periods = ", ".join(gettext(each) for each in PERIODS.values())
        return (
            "" if value in PERIODS else gettext("The period is not valid. Choose one of: %(choices)s.", choices=periods)
        )
    if name == "against":
        is_known = value == PREVIOUS_PERIOD or parse_id(value)
        return "" if is_known else gettext("The check to compare with is not a check of this domain.")
    try:
        require_value(name, value)
    except Problem as problem:
        fault = str(problem.members["errors"][0]["message"])
        return gettext("%(field)s: %(fault)s.", field=gettext(_NAMES[name]), fault=fault)
    return ""


def select_period(wanted: MeasurementFilter, now: datetime) -> AnswerFilter:
    """Return the filter of the answers of a period. Lists of answers begin with a day, so the period does, too."""
    since = wanted.find_period(now).start.date().isoformat()
    return AnswerFilter(since=since, until=wanted.until, **wanted.part)
