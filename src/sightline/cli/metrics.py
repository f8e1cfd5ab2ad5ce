"""metrics: what each figure means and how it is computed."""

from typing import Annotated

import typer

from sightline.cli.context import out, print_result
from sightline.cli.failures import fail
from sightline.metrics.metric import Metric
from sightline.metrics.registry import METRICS_VERSION, REGISTRY

_INTERVALS = {
    "none": "none",
    "wilson": "95% for these prompts (Wilson score interval)",
    "wilson_effective": "95% for these prompts (Wilson score interval with the effective number of answers, see Two "
    "ranges)",
    "position_range": "the likely positions for these prompts",
    "student_t": "95% (Student's t)",
}

_DOCUMENTATION = (
    "For worked examples and the symbols in the formulas, open /docs/measure/metrics on your server, or "
    "docs/measure/metrics.md in the source."
)


def metrics(
    key: Annotated[str | None, typer.Argument(help="Key of one metric. Default: all metrics.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
) -> None:
    """Explain the metrics: formula, unit, rounding, range, meaning, and when they are null."""
    if key is not None and key not in REGISTRY:
        fail(f"There is no metric {key}. There are: {', '.join(REGISTRY)}")
    chosen = list(REGISTRY.values()) if key is None else [REGISTRY[key]]

    def print_text() -> None:
        for metric in chosen:
            out.print(f"[bold]{metric.name}[/bold]  ({metric.key})", highlight=False)
            out.print(f"  {metric.explanation}", highlight=False, markup=False)
            for name, value in describe_metric(metric):
                out.print(f"  {name}: {value}", highlight=False, markup=False)
            out.print()
        out.print(_DOCUMENTATION, highlight=False, markup=False)

    print_result({"metrics_version": METRICS_VERSION, "metrics": chosen}, as_json, print_text)


def describe_metric(metric: Metric) -> list[tuple[str, str]]:
    """Return the properties of a metric with their names, as the command and the documentation show them."""
    exact = [("Exact formula", metric.formula)] if metric.formula else []
    return [
        ("Calculation", metric.calculation),
        *exact,
        ("Unit", metric.unit),
        ("Scale", _describe_scale(metric)),
        ("Decimals", str(metric.digits)),
        ("When null", metric.null_rule),
        ("Range", _describe_range(metric)),
        ("Prompts", "all" if metric.segment == "all" else "prompts that do not name the brand"),
    ]


def _describe_range(metric: Metric) -> str:
    if not metric.market_interval:
        return _INTERVALS[metric.interval]
    if metric.interval == "none":
        return "95% for questions like these"
    return f"{_INTERVALS[metric.interval]}, and a wider range for questions like these"


def _describe_scale(metric: Metric) -> str:
    if metric.scale is None:
        return "none"
    low, high = metric.scale
    return f"{low} or more" if high is None else f"{low} to {high}"
