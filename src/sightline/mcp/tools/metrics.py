"""What a figure means."""

from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from sightline.mcp.figures import UNITS
from sightline.mcp.toolbox import ToolOutput, tool
from sightline.metrics.metric import Direction
from sightline.metrics.registry import METRICS_VERSION, REGISTRY


class MetricExplanation(ToolOutput):
    metric: str
    name: str
    unit: str
    direction: Direction
    explanation: str
    calculation: str
    formula: Annotated[str | None, Field(description="The exact formula. Null if the calculation in words is exact.")]
    scale: Annotated[
        tuple[int, int | None] | None,
        Field(description="The lowest and highest possible value. A count has no highest value; a list has no scale."),
    ]
    null_rule: Annotated[str, Field(description="When the value is null.")]
    interval: Annotated[str, Field(description="How its range is computed.")]
    includes_branded_prompts: bool
    metrics_version: str


@tool("Explain a metric")
async def explain_metric(
    metric: Annotated[str, Field(description=f"One of: {', '.join(REGISTRY)}.")],
) -> MetricExplanation:
    """Explain a figure: what it means, its formula, unit, direction and when it is null.

    Use it before you explain a figure to a person or combine two figures. It returns no values. The resource
    sightline://methodology describes the whole method.
    """
    found = REGISTRY.get(metric)
    if found is None:
        raise ToolError(f"There is no metric {metric!r}. Known: {', '.join(REGISTRY)}.")
    return MetricExplanation(
        metric=found.key,
        name=found.name,
        unit=UNITS[found.unit],
        direction=found.direction,
        explanation=found.explanation,
        calculation=found.calculation,
        formula=found.formula,
        scale=found.scale,
        null_rule=found.null_rule,
        interval=found.interval,
        includes_branded_prompts=found.segment == "all",
        metrics_version=METRICS_VERSION,
    )
