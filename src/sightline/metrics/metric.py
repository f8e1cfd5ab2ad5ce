"""The definition of a figure: what it means, how it is calculated, its scale, and when it has no value."""

from typing import Literal

import msgspec

Unit = Literal["score", "percent", "points", "answers", "count", "position", "list"]
IntervalKind = Literal["none", "wilson", "wilson_effective", "position_range", "student_t"]
Segment = Literal["unbranded", "all"]
Direction = Literal["higher_is_better", "lower_is_better"]


class Metric(msgspec.Struct, frozen=True, kw_only=True):
    """A figure, defined in texts that people read. They contain no percent sign, which placeholders would need."""

    key: str
    name: str
    section: str
    """The section of the specification of metrics."""
    unit: Unit
    explanation: str
    """What the figure is, in one to three sentences."""
    calculation: str
    """The formula in words."""
    formula: str | None = None
    """The exact formula, where the words are not exact."""
    scale: tuple[int, int | None] | None
    """The lowest and the highest possible value. A count has no highest value, and a list has no scale."""
    null_rule: str
    """When the figure has no value."""
    function: str
    """Module and function below `sightline.metrics`."""
    digits: int = 1
    """Decimals that it is rounded to, half away from zero."""
    interval: IntervalKind = "none"
    market_interval: bool = False
    segment: Segment = "unbranded"
    """Whether branded prompts count. A plan of only branded prompts is measured on them, and flagged."""
    direction: Direction = "higher_is_better"
