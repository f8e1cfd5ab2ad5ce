"""How amounts of data and lengths of time are written."""

from sightline.presentation.language import ngettext
from sightline.presentation.numbers import localize

_UNITS = ("KB", "MB", "GB", "TB")


def format_bytes(size: float) -> str:
    """Write a size in units of 1,000: `812 bytes`, `4.2 GB`."""
    if size < 1_000:
        return ngettext("%(num)s byte", "%(num)s bytes", round(size))
    for unit in _UNITS:
        size /= 1_000
        if size < 1_000 or unit == _UNITS[-1]:
            return localize(f"{size:,.0f} {unit}" if size >= 100 else f"{size:,.1f} {unit}")
    raise AssertionError("unreachable")


def format_latency(milliseconds: float) -> str:
    """Write how long an answer took: `830 ms`, `4.2 s`."""
    return localize(f"{milliseconds / 1000:,.1f} s" if milliseconds >= 1_000 else f"{milliseconds:.0f} ms")


def format_duration(seconds: float) -> str:
    """Write a length of time in its two largest units: `45 s`, `12 min`, `3 h 5 min`, `2 days 4 h`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, hours, days = whole // 60 % 60, whole // 3_600 % 24, whole // 86_400
    if days:
        return ngettext("%(num)s day", "%(num)s days", days) + (f" {hours} h" if hours else "")
    if hours:
        return f"{hours} h{f' {minutes} min' if minutes else ''}"
    return f"{minutes} min"
