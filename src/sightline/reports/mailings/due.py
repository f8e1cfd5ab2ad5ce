"""When the reports of a client are sent: at an hour of the client's time zone, once a week or once a month. Pure."""

from datetime import datetime, time, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

Rhythm = Literal["weekly", "monthly"]

_DAY = timedelta(days=1)


def find_next_time(rhythm: Rhythm, day: int, hour: int, zone: str, *, after: datetime) -> datetime:
    """Return the first time of a schedule after `after`.

    `day` is the day of the week, from 1 for Monday, or of the month, up to 28. An hour that the change to summer time
    leaves out is an hour later; one that comes twice counts the first time.
    """
    place = ZoneInfo(zone)
    date = after.astimezone(place).date()
    while True:
        found = datetime.combine(date, time(hour), place).astimezone(after.tzinfo)
        if found > after and day == (date.isoweekday() if rhythm == "weekly" else date.day):
            return found
        date += _DAY
