"""metrics: what each figure means and how it is computed."""

from textwrap import wrap
from typing import Annotated

import msgspec
import typer

from sightline.cli.context import fail, out, print_result
from sightline.metrics.registry import METRICS_VERSION, REGISTRY, Metric

_INTERVALS = {
    "none": "none",
    "wilson": "95%, Wilson, for the same questions asked again",
    "wilson_effective": "95%, Wilson, with the effective number of answers",
    "position_range": "from the best to the worst place that the established differences allow",
    "student_t": "95%, Student's t over prompts",
}

_INTRODUCTION = (
    "Version {version}. This page is generated from the registry in the code by `sightline metrics --markdown`; the "
    "dashboard and the API reference show the same texts. An answer yields three facts about a brand: whether it is "
    "named (m), whether it is cited (k), and its rank (r). Only valid answers count: an answer that failed, and an "
    "overview that was not shown, are in no denominator. Values are computed at full precision and rounded once, half "
    "away from zero."
)

_READING = """\
## Reading a figure

Each value comes with its numerator, its denominator and `n`, the number of valid answers. A value from fewer than ten
prompts is an early reading. A value with fewer than 80% valid answers, overall or on one platform, is incomplete.

There are two intervals, both 95%. The one shown is for the same questions: if they were asked again and again, the
value would settle within it 95 times out of 100. The other, in the details, is for similar questions; it is wider, and
null below five prompts. The range of Market Position goes from the best to the worst place that the established
differences allow.

A change is measured on matched cells: prompts on platforms in countries with a valid answer in both checks. Its
certainty follows from the cells gained and lost (McNemar's exact test; random signs for the Visibility Score). The
verdict is Up or Down when p is below .05 and the change is at least 5 points and 3 cells; otherwise it is No clear
change. A change that is not established is never colored.

"Trend only" means that a change is directional, not exact. It is set when the two checks differ in scope, cells,
competitors (for Share of Voice and Market Position), version of the formulas or of the analyzer, or served model, or
when one of them is incomplete. The change over matched cells is still given.
"""


def metrics(
    key: Annotated[str | None, typer.Argument(help="Key of one metric. Left out: all metrics.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print as the page docs/metrics.md.")] = False,
) -> None:
    """Explain the metrics: formula, unit, rounding, interval, meaning, and when they are null."""
    if key is not None and key not in REGISTRY:
        fail(f"There is no metric {key}. There are: {', '.join(REGISTRY)}")
    chosen = list(REGISTRY.values()) if key is None else [REGISTRY[key]]

    def print_text() -> None:
        if as_markdown:
            print(render_page(chosen), end="")
            return
        for metric in chosen:
            out.print(f"[bold]{metric.name}[/bold]  ({metric.key})", highlight=False)
            for name, value in _describe_metric(metric):
                out.print(f"  {name}: {value}", highlight=False, markup=False)
            out.print(f"  {metric.explanation}\n", highlight=False, markup=False)

    print_result({"metrics_version": METRICS_VERSION, "metrics": msgspec.to_builtins(chosen)}, as_json, print_text)


def render_page(metrics: list[Metric]) -> str:
    """Return the text of docs/metrics.md. A test keeps the two equal."""
    lines = ["# Metrics", "", *wrap(_INTRODUCTION.format(version=METRICS_VERSION), 120), "", *_READING.splitlines()]
    for metric in metrics:
        lines += [
            "",
            f"## {metric.name}",
            "",
            metric.explanation,
            "",
            "| | |",
            "|---|---|",
            f"| Key | `{metric.key}` |",
        ]
        lines += [f"| {name} | {value.replace('|', chr(92) + '|')} |" for name, value in _describe_metric(metric)]
    return "\n".join(lines) + "\n"


def _describe_metric(metric: Metric) -> list[tuple[str, str]]:
    market = "; in the details: for similar questions, Student's t over prompts" if metric.market_interval else ""
    return [
        ("Formula", metric.formula),
        ("Unit", metric.unit),
        ("Decimals", str(metric.digits)),
        ("Null", metric.null_rule),
        ("Interval", _INTERVALS[metric.interval] + market),
        ("Prompts", "all" if metric.segment == "all" else "those that do not name the brand"),
    ]
