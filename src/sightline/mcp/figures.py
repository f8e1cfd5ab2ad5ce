"""Figures as tools return them: with unit, direction, sample size, range, what they are over, and why one is null."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from sightline.kit.rounding import round_half_away
from sightline.metrics.compare import Verdict
from sightline.metrics.metric import Direction, Unit
from sightline.metrics.registry import REGISTRY

HEADLINE = (
    "visibility_score",
    "brand_coverage_pct",
    "ai_mentions",
    "citation_count",
    "market_position",
    "share_of_voice_pct",
)
UNITS: Mapping[Unit, str] = {
    "score": "score from 0 to 100",
    "percent": "percent",
    "points": "percentage points",
    "answers": "answers",
    "count": "count",
    "position": "place, 1 is best",
    "list": "list",
}
_DELTA_UNITS: Mapping[Unit, str] = {
    "score": "points of the score",
    "percent": "percentage points",
    "points": "percentage points",
    "answers": "answers",
    "count": "count",
    "position": "places, below 0 is a better place",
    "list": "list",
}


class ToolRange(BaseModel):
    low: float
    high: float


class ToolChange(BaseModel):
    """A change, tested by Sightline. Report it as news only if the verdict is `up` or `down`."""

    verdict: Annotated[
        Verdict,
        Field(
            description="up: better. down: worse. no_clear_change: chance alone may explain it, or it is smaller than "
            "3 answers or 5% of them."
        ),
    ]
    delta: Annotated[
        float | None,
        Field(
            description="Change over the answers that both checks have. It may differ from the difference of the "
            "two values."
        ),
    ]
    unit: str
    interval: Annotated[ToolRange | None, Field(description="95% range of the change.")]
    p: Annotated[
        float | None,
        Field(
            description="Probability that chance alone causes a change at least this large. 0 means very small, "
            "after rounding."
        ),
    ]
    n: Annotated[int | None, Field(description="Answers that both checks have.")]
    test: Annotated[
        Literal["matched_answers", "ranges"],
        Field(
            description="matched_answers: paired test over answers that both checks have. ranges: up or down only if "
            "the two 95% ranges do not overlap."
        ),
    ]
    exact: Annotated[
        bool,
        Field(
            description="False if the two checks were not measured in the same way. The change then shows a "
            "direction only."
        ),
    ]
    reasons: Annotated[list[str], Field(description="Differences between the two measurements other than the answers.")]
    against_scan_id: str


class ToolFigure(BaseModel):
    """A figure that cannot be misread."""

    value: Annotated[float | None, Field(description="Null if not measured. 0 means measured and absent.")]
    unit: str
    direction: Direction
    n: Annotated[int, Field(description="Answers that the value is based on.")]
    interval: Annotated[
        ToolRange | None,
        Field(
            description="95% range for the same questions. Reports may use the wider range for all questions "
            "like these."
        ),
    ]
    over: Annotated[str, Field(description="Answers that the value is computed over.")]
    null_reason: Annotated[str | None, Field(description="Why the value is null.")]


class ChangedFigure(ToolFigure):
    change: Annotated[ToolChange | None, Field(description="ToolChange since the previous check of the same kind.")]
    no_change_reason: Annotated[str | None, Field(description="Why `change` is null.")]


def build_figure(key: str, figure: Mapping[str, Any], over: str, *, null_reason: str | None = None) -> ToolFigure:
    """Return a figure of the API with what the registry says about it."""
    metric = REGISTRY[key]
    return ToolFigure(
        value=figure["value"],
        unit=UNITS[metric.unit],
        direction=metric.direction,
        n=figure["n"],
        interval=read_range(figure),
        over=over,
        null_reason=None if figure["value"] is not None else null_reason or explain_null(key, figure),
    )


def build_changed_figure(key: str, figure: Mapping[str, Any], over: str) -> ChangedFigure:
    comparison = figure.get("comparison")
    return ChangedFigure(
        **build_figure(key, figure, over).model_dump(),
        change=build_change(key, comparison) if comparison else None,
        no_change_reason=None if comparison else "There is no earlier check with answers to the same questions.",
    )


def build_change(key: str, comparison: Mapping[str, Any]) -> ToolChange:
    """Return a comparison of the API, which Sightline made over matched answers."""
    return ToolChange(
        verdict=comparison["verdict"],
        delta=comparison["delta"],
        unit=_DELTA_UNITS[REGISTRY[key].unit],
        interval=read_range(comparison),
        p=comparison["p"],
        n=comparison["matched_cells"],
        test="matched_answers",
        exact=not comparison["trend_only"],
        reasons=list(comparison["reasons"]),
        against_scan_id=comparison["against_scan_id"],
    )


def compare_ranges(
    key: str, before: Mapping[str, Any], now: Mapping[str, Any], against_scan_id: str
) -> ToolChange | None:
    """Compare two figures whose answers were not matched. None if one of them was not measured.

    It is `up` or `down` only if the two ranges do not overlap, which holds less often than a paired test would.
    """
    if before["value"] is None or now["value"] is None:
        return None
    metric, earlier, later = REGISTRY[key], read_range(before), read_range(now)
    verdict: Verdict = "no_clear_change"
    if earlier and later and (later.low > earlier.high or later.high < earlier.low):
        rose = later.low > earlier.high
        verdict = "up" if rose == (metric.direction == "higher_is_better") else "down"
    return ToolChange(
        verdict=verdict,
        delta=round_half_away(round(now["value"] - before["value"], 9)),
        unit=_DELTA_UNITS[metric.unit],
        interval=None,
        p=None,
        n=None,
        test="ranges",
        exact=False,
        reasons=["answers_not_matched"],
        against_scan_id=against_scan_id,
    )


def read_range(figure: Mapping[str, Any]) -> ToolRange | None:
    low, high = figure.get("low"), figure.get("high")
    return None if low is None or high is None else ToolRange(low=low, high=high)


def explain_null(key: str, figure: Mapping[str, Any]) -> str:
    if figure["n"] == 0:
        return "There is no valid answer to measure."
    return f"Not measured: {REGISTRY[key].null_rule}"


def explain_silence(counts: Mapping[str, Any]) -> str | None:
    """Say why a platform has no figures. None if it has valid answers."""
    if counts["valid"]:
        return None
    parts = [f"{counts['planned']} planned"]
    names = (("failed", "failed"), ("no_surface", "showed no AI answer"), ("unanswered", "still missing"))
    parts += [f"{counts[name]} {words}" for name, words in names if counts.get(name)]
    return f"No valid answer: {', '.join(parts)}."
