"""How figures and cells are said, in the terminal, in charts and in reports alike."""

import msgspec

from sightline.kit.counting import count as count  # noqa: PLC0414 - those who say figures count things, too
from sightline.metrics.figure import Figure, Number
from sightline.platforms.catalog import PLATFORMS
from sightline.platforms.models import FaultKind
from sightline.scans.schemas.results import PromptCell, PromptResult

NOTHING = "\u2013"
_NAMES = {platform.key: platform.name for platform in PLATFORMS}
_SHORT = {"google_ai_overviews": "AI Overviews", "google_ai_mode": "AI Mode", "local": "Local"}

FAULTS: dict[FaultKind, str] = {
    "rate_limited": "asked too fast",
    "unavailable": "not available",
    "timeout": "no answer in time",
    "malformed": "unreadable answer",
    "blank": "empty answer",
    "no_money": "quota or credit used up",
    "unauthorised": "credentials refused",
    "rejected": "request refused",
}


class State(msgspec.Struct, frozen=True):
    """What one answer says of the brand. `mark` stands in a small square, `colour` names one of the palette."""

    mark: str
    words: str
    color: str


STATES: dict[str, State] = {
    "first": State("{position}", "named first", "first"),
    "second": State("{position}", "named second", "second"),
    "third": State("{position}", "named third", "third"),
    "later": State("{position}", "named fourth or later", "later"),
    "unranked": State("•", "named without a place", "unranked"),
    "cited": State("c", "only cited", "cited"),
    "absent": State("·", "absent", "absent"),
    "no_surface": State(" ", "no AI answer shown", "missing"),
    "failed": State("\u00d7", "failed", "missing"),
    "unanswered": State("?", "unanswered", "missing"),
}
_PLACES = {1: "first", 2: "second", 3: "third"}


def platform_name(key: str) -> str:
    return _NAMES.get(key, key)


def short_platform_name(key: str) -> str:
    return _SHORT.get(key) or platform_name(key)


def state_of(cell: PromptCell) -> str:
    """A key of `STATES`."""
    if cell.status != "ok":
        return cell.status
    if cell.mentioned:
        return "unranked" if cell.position is None else _PLACES.get(cell.position, "later")
    return "cited" if cell.cited else "absent"


def mark_of(cell: PromptCell) -> str:
    return STATES[state_of(cell)].mark.format(position=cell.position)


def say_number(value: Number | None) -> str:
    """Not measured is never 0. A count stays whole, everything else has one decimal."""
    if value is None:
        return NOTHING
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}"


def say_interval(figure: Figure) -> str:
    return "" if figure.low is None or figure.high is None else say_range(figure.low, figure.high)


def say_range(low: Number, high: Number) -> str:
    return f"{say_number(low)}\u2013{say_number(high)}"


def say_position(figure: Figure) -> str:
    return NOTHING if figure.value is None else f"{figure.value} of {figure.denominator}"


def say_market(prompt: PromptResult) -> str:
    parts = [prompt.country and f"country {prompt.country}", prompt.language and f"language {prompt.language}"]
    return ", ".join(part for part in parts if part)
