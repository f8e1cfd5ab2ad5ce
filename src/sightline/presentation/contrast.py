"""Contrast of two colors, as WCAG 2 defines it, and the nearest shade that can be read. Pure."""

import re

WHITE = "#ffffff"
DARK_GROUND = "#15191c"
READABLE = 4.5
"""The least contrast of small text, level AA."""

_HEX = re.compile(r"#[0-9a-f]{6}")
_STEPS = 100


def is_color(text: str) -> bool:
    """Return whether the text is a color such as `#0e6e78`, in lower case."""
    return _HEX.fullmatch(text) is not None


def measure_contrast(color: str, ground: str) -> float:
    """Return the contrast of two colors: 1 for equal ones, 21 for black on white."""
    darker, lighter = sorted((_measure_luminance(color), _measure_luminance(ground)))
    return (lighter + 0.05) / (darker + 0.05)


def find_readable_shade(color: str, *, ground: str) -> str:
    """Return the color itself or, if it cannot be read on the ground, its nearest lighter or darker shade that can."""
    end = 0 if _measure_luminance(ground) > 0.5 else 255
    shades = (_mix(color, end, step / _STEPS) for step in range(_STEPS + 1))
    return next(shade for shade in shades if measure_contrast(shade, ground) >= READABLE)


def _list_channels(color: str) -> list[int]:
    return [int(color[place : place + 2], 16) for place in (1, 3, 5)]


def _mix(color: str, end: int, share: float) -> str:
    return "#" + "".join(f"{round(channel + (end - channel) * share):02x}" for channel in _list_channels(color))


def _measure_luminance(color: str) -> float:
    shares = [channel / 255 for channel in _list_channels(color)]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
