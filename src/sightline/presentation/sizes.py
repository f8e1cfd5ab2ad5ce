"""How amounts of data and lengths of time are written."""

_UNITS = ("bytes", "KB", "MB", "GB", "TB")


def format_bytes(size: float) -> str:
    """Write a size in units of 1,000: `812 bytes`, `4.2 GB`."""
    for unit in _UNITS:
        if size < 1_000 or unit == _UNITS[-1]:
            return f"{size:,.0f} {unit}" if unit == "bytes" or size >= 100 else f"{size:,.1f} {unit}"
        size /= 1_000
    raise AssertionError("unreachable")


def format_duration(seconds: float) -> str:
    """Write a length of time in its two largest units: `45 s`, `12 min`, `3 h 5 min`, `2 days 4 h`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, hours, days = whole // 60 % 60, whole // 3_600 % 24, whole // 86_400
    if days:
        return f"{days} {'day' if days == 1 else 'days'}{f' {hours} h' if hours else ''}"
    if hours:
        return f"{hours} h{f' {minutes} min' if minutes else ''}"
    return f"{minutes} min"
