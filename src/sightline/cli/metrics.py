"""metrics: what each figure means and how it is computed."""

from textwrap import wrap
from typing import Annotated

import typer

from sightline.cli.context import out, print_result
from sightline.cli.failures import fail
from sightline.metrics.metric import Metric
from sightline.metrics.registry import METRICS_VERSION, REGISTRY

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
certainty follows from the cells gained and lost (McNemar's exact test; random signs for the Visibility Score, for
citations and for Share of Voice). The verdict is Up or Down when p is below .05 and the change is at least 5 points and
3 cells; otherwise it is No clear change. A change that is not established is never colored.

Share of Voice and Market Position are compared over the competitors that both checks measured. A cell counts in Share
of Voice by what it adds to the brand's mentions beyond the share of both checks together, which is 0 if nothing
changed. A place is won from a competitor or lost to one, so a change of Market Position is established if the lead over
each of these competitors changed by the rule above; its p is the largest of theirs.

"Trend only" means that a change is directional, not exact. It is set when the two checks differ in scope, cells,
competitors (for Share of Voice and Market Position), version of the formulas or of the analyzer, or served model, or
when one of them is incomplete. The change over matched cells is still given.

## Alerts

After each Daily Check, two tests look for drops and gains of the brand, and for rises of each competitor, over all
answers, on each platform and in each country:

- **Rule A** compares with the previous Daily Check: p below .05, at least 10 points and at least 3 cells net. p is
  McNemar's, from the cells lost and gained. It has two sides: one test looks for a drop and for a gain.
- **Rule B** needs five earlier Daily Checks. It asks whether today has too few mentions for what the last seven lead
  one to expect: p below .01, and at least 3 mentions missing. For a gain it asks whether there are too many. A cell
  that was named in s of h answers is expected with (s + 2μ)/(h + 2), where μ is the mean of all cells.

A gain or rise also has to be above each of the last seven Daily Checks. Otherwise the day after a bad one would be a
gain. A gain is not tested where a drop is open, because it would be the end of the drop. A confirmed gain or rise ends
when the share is back inside its old interval, or after 30 days: then it is the new level.

A single cell, one prompt on one platform, has a test of its own: how likely is it that a cell that named the brand in a
of n Daily Checks then misses it q times in a row, or names it q times in a row? p has to be below .05.

Benjamini-Hochberg selects the tests of one day that count (q = .10). There are three families of tests: drops and gains
of the brand over all answers, platforms and countries; rises of all competitors there; and single cells, lost and
gained. In one family, the many tests of competitors and cells would hide drops of the brand. A change is watched first.
People are notified only if the next Daily Check confirms it.

**A platform's bad day is no drop of the brand.** On a bad day all cells of a platform fall together, which both tests
would take for a drop. So they allow for the spread of its days: the standard deviation of a day's effect on the logit
scale.

1. From one Daily Check to the next, l cells of a platform are lost and g gained. If days do not differ, (l - g)² is
   l + g on average. The excess of a platform is x = Σ((l - g)² - (l + g)), out of y = Σ(l + g)(l + g - 1) pairs of
   flips. Confirmed changes and their ends are left out, because they are real.
2. With X and Y of all platforms together, the share of a platform is (x + 300 · X/Y)/(y + 300). A platform with few
   flips is taken to be like the others.
3. The spread is the one for which E[tanh²(d/2)] is this share; d is normal with twice the variance of a day. It is at
   most 1.0. It is 0 if the share is not above 0, and before there are five Daily Checks.
4. Rule A averages McNemar's p over d: each flip is lost with chance 1/(1 + exp(-d)). Rule B averages over today's
   effect, which moves the shares of all cells of a platform together.

The flips 3/1, 0/4, 2/2 and 4/1 have an excess of 12 out of 56 pairs, which is a spread of .82. Next to a platform with
2/2, 1/2, 2/1 and 1/1 it is .35, and that of the other platform 0. With 8 cells lost and 1 gained, p is .0391 without a
spread, .1428 with a spread of .5 and .3379 with 1.0. Ten cells that were named 7 7 6 5 4 3 1 0 0 0 times of 7, one of
them today, have a p of .0037, .0113 and .0376.

Simulated with seven platforms, cells of all kinds that name the brand 40% of the time, and a month of Daily Checks.
A false alarm is a quiet day on which rule B holds for all answers; a halving is seen if it holds on the day itself:

| Spread of days | False alarms, 35 cells | False alarms, 70 cells | Halving seen, 35 cells | Halving seen, 70 cells |
|---|---|---|---|---|
| 0 | 0.3% (before: 0.4%) | 0.2% (0.5%) | 63.8% (67.1%) | 93.3% (94.5%) |
| 0.5 | 0.5% (0.7%) | 0.6% (2.0%) | 56.2% (64.4%) | 86.5% (94.5%) |
| 1.0 | 0.6% (1.7%) | 0.7% (5.0%) | 45.5% (65.1%) | 69.3% (91.0%) |

"Before" is the same rule without the spread. People are notified of fewer. In quiet months at 70 cells with four
competitors, 0.1, 0 and 0% of the days confirm a drop, a gain or a rise over all answers, on a platform or in a country,
at the three spreads; 0.5, 1.0 and 1.4% of the days confirm that of a single cell.

Single cells have a test of their own, which needs no spread: a cell has one answer a day, and its history has good and
bad days in it.

## Themes

An aspect counts once for each answer that states it about the brand: as positive, negative or neutral, by what the
answer says of it on balance. A theme is positive or negative if two thirds of its opinions agree; otherwise, and if
most answers only state it, it is neutral. Its share is that of the answers that name the brand, with the range for
these prompts.

- **What sets the brand apart:** y of the brand's n answers state the aspect, and Y of the rivals' N. With the prior
  a = 10 · (y + Y)/(n + N), δ = ln((y + a)/(n + 10 - y - a)) - ln((Y + a)/(N + 10 - Y - a)), and
  z = δ/sqrt(1/(y + a) + 1/(Y + a)). Rivals are all brands that the answers name, tracked or not; each counts once for
  every answer that names it. 12 of 300 against 5 of 900 gives δ 1.970 and z 3.74: distinctive. 3 of 300 against 8 of
  900 gives z .17: shared. 12 of 300 against 16 of 900 gives z 2.16, which counts alone (p .031) and not among ten
  themes.
- **What has changed:** the cells that name the brand in both Full Checks are compared as in [Changes](#changes), and
  Benjamini-Hochberg (q = .10) selects among all themes. New is a theme that no answer of the check before stated, and
  whose rise holds. Without such cells there is no verdict.

Distinctive themes come first, then criticism, then the most frequent; ten at most.

## Did it work?

An action that is marked as done with a date is watched. The prompts that it concerns are compared with the other
prompts of the domain that do not name the brand, before and after the date (difference in differences).

- **Baseline:** the last four Full Checks before the date, not counting the check that led to the action. The brand was
  absent in that check, partly by chance, so the next checks would look better without any action. With fewer than two
  other checks the result is "not enough history".
- **Looks:** the effect is computed after the second and after the fourth Full Check since the date. Before the second
  it is "too early"; the fourth is final. Each look has a range of 95%, so it is wrong upwards in at most 2.5% of cases:
  over both looks, a useless action is called effective in at most 5%.
- **Up** needs two things, each beyond its range: these prompts rose, and they rose more than the others. In a falling
  market, prompts that merely hold their level are no success. **Down** is the mirror image, and these prompts must also
  have fallen since the check that led to the action: what was lost before is no harm of the action. Everything else is
  "no clear effect".

The range takes prompts as clusters, and needs at least five other prompts:

1. A cell counts if it has a valid answer before and after. The change of a prompt is d, the mean over its cells of the
   share of answers that name the brand after, less the share before.
2. By chance alone, d has the variance h: the sum of p(1 - p)/K² · Σ1/n before and after, over the K cells with n
   answers each. p = (x + ½)/(N + 1) of the prompt's x mentions in N answers.
3. Prompts vary more than that, because they drift. The factor f is Σ(d - mean of its group)²/h over all prompts,
   divided by their number less 2, and at least 1. One factor for all prompts makes the range honest even for one
   prompt.
4. The effect is the mean d of the treated prompts less that of the others. Its range is ± t · √(f · (Σh/T² + Σh/O²))
   with T treated and O other prompts, and Student's t for T + O - 2 degrees of freedom. The treated prompts' own rise
   has the range ± t · √(f · Σh/T²).

Four platforms, two checks before and two after: 1, 1 and 0 of 8 answers to three treated prompts name the brand before,
and 5, 4 and 3 after. For six others it is 5, 3, 8, 1, 5 and 4 before, and 5, 3, 8, 1, 6 and 4 after. The changes are
+41.7 and +2.1 points, so the effect is 39.6 points: f is 1, t is 2.365, and the verdict is "up by 40 points (4 to 75)".

Simulated with six platforms, 50 prompts whose chances drift, and the ten lowest prompts of the check that led to the
action as the treated ones, with two checks in the baseline. Useless actions were watched 2,000 times each (standard
error at most 0.4 points), actions that add 20 points 1,000 times (at most 1.1 points):

| Market | Useless action ever called effective | +20 points found by the fourth check |
|---|---|---|
| most prompts far from the middle | 0.9 to 3.2% | 96.5 to 98.4% |
| prompts around a third | 0.6 to 1.9% | 84.7 to 88.9% |
| a rare brand | 0.3 to 2.6% | 98.2 to 99.7% |

With 30 prompts instead of 50, 20 points are found in 80.1 to 97.6% of cases; with 50 prompts, 10 points in 32 to 69%.
With one or three treated prompts, useless actions are called effective in 0.4 to 4.2% of cases.

The ranges are over four kinds of drift: a walk on the logit scale (0.2 a week), walks of 3 and 5 points a week, and
prompts that return to their level. With the check that led to the action in the baseline, next to one other check, up
to 36% of useless actions would be called effective.

What the range does not cover is a change that hits only the treated prompts for another reason. If other actions for
some of the same prompts were done between the compared checks, the result says so.
"""


def metrics(
    key: Annotated[str | None, typer.Argument(help="Key of one metric. Left out: all metrics.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print as the page docs/measure/metrics.md.")] = False,
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

    print_result({"metrics_version": METRICS_VERSION, "metrics": chosen}, as_json, print_text)


def render_page(metrics: list[Metric]) -> str:
    """Return the text of docs/measure/metrics.md. A test keeps the two equal."""
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
    exact = [("Exact formula", metric.formula)] if metric.formula else []
    return [
        ("Calculation", metric.calculation),
        *exact,
        ("Unit", metric.unit),
        ("Scale", _describe_scale(metric)),
        ("Decimals", str(metric.digits)),
        ("Null", metric.null_rule),
        ("Interval", _INTERVALS[metric.interval] + market),
        ("Prompts", "all" if metric.segment == "all" else "those that do not name the brand"),
    ]


def _describe_scale(metric: Metric) -> str:
    if metric.scale is None:
        return "none: a list"
    low, high = metric.scale
    return f"{low} or more" if high is None else f"{low} to {high}"
