"""metrics: what each figure means and how it is computed."""

from textwrap import wrap
from typing import Annotated

import msgspec
import typer

from sightline.cli.context import fail, out, print_result
from sightline.metrics.registry import METRICS_VERSION, REGISTRY, Metric

_INTERVALS = {
    "none": "none",
    "wilson": "95%, Wilson, for these prompts",
    "wilson_effective": "95%, Wilson, with the effective number of answers, for these prompts",
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

## Two ranges

Every score and percentage has two ranges. Each holds 95 times out of 100. The range of Market Position goes from the
best to the worst place that the established differences allow. A count has none.

- **For these prompts** (`low`, `high`): where the value would settle if the same questions were asked again and again.
  It is Wilson's interval over the answers. 42 of 140 answers give 30.0 (23.0 to 38.0).
- **For questions like these** (`market`): where it would settle over all such questions that people ask. It is null
  with fewer than five prompts. It always contains the other range, and the headline sentence quotes it.

Prompts differ more than the answers to one prompt do, so only the second range says something about a market. In
simulated markets (a brand in a third of the answers, prompts that differ by 1 to 2 on the logit scale, 10 to 50 prompts
on 3 or 7 platforms) the range for these prompts contains the value of the market in 72 to 91% of cases. The range for
questions like these contains it in 96 to 97%.

The range for questions like these takes prompts as the sample. With the part y and the whole n of each of m prompts
(answers that name the brand, and answers; for Share of Voice: mentions of the brand, and of all tracked brands):

1. The share is p = Σy/Σn. Its error is e = √(m/(m - 1) · Σ(y - p·n)²)/Σn.
2. Student's t gives p ± t·e, with the 97.5% quantile t for m - 1 degrees of freedom.
3. Wilson's interval is computed with (1.96/t)² · N answers. N = p(1 - p)/e² is the effective number, never more than
   the answers that were given. If all prompts agree exactly, N is m.
4. The range goes from the lower of the two lower ends to the higher of the two upper ends, within 0 and 100.

Eight prompts with .80 .60 .55 .50 .45 .40 .30 .20 give 47.5 (32.0 to 63.0). Five prompts with 1 .65 .5 .2 0 give 47.0
(0.0 to 95.4). Ten prompts of which one has .25 and the others 0 give 2.5 (0.0 to 15.7). A brand that 20 prompts never
name has 0.0 (0.0 to 18.0). Student's t alone, as in version 1, contains the value of a market in as few as 63% of cases
when the brand is rare and the prompts are few; with Wilson's interval it is 95% or more.

For Market Position, a competitor is surely above or below for questions like these if that is so for these prompts, at
least six prompts differ, and Student's t over the mean differences of the prompts excludes 0.

## Changes

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
    market = "; for questions like these, over prompts (see Two ranges)" if metric.market_interval else ""
    return [
        ("Formula", metric.formula),
        ("Unit", metric.unit),
        ("Decimals", str(metric.digits)),
        ("Null", metric.null_rule),
        ("Interval", _INTERVALS[metric.interval] + market),
        ("Prompts", "all" if metric.segment == "all" else "those that do not name the brand"),
    ]
