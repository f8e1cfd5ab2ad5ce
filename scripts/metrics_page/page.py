"""The page of the metrics: the texts of the registry, and a worked example with a picture for each metric."""

import re
from pathlib import Path
from textwrap import fill

from scripts.metrics_page.answer_examples import ANSWER_EXAMPLES
from scripts.metrics_page.market_examples import MARKET_EXAMPLES
from sightline.cli.metrics import describe_metric
from sightline.metrics.metric import Metric
from sightline.metrics.registry import METRICS_VERSION, REGISTRY

PAGE = Path(__file__).parents[2] / "docs" / "measure" / "metrics.md"
_EXAMPLES = ANSWER_EXAMPLES | MARKET_EXAMPLES
_INTRODUCTION = """Every figure that Sightline shows, with a worked example and the formula. The formulas use three facts about a brand in
each answer:

- **m** is 1 if the answer names the brand, and 0 otherwise. It is also 0 if the answer only says that it does not know
  the brand.
- **k** is 1 if the answer cites the brand's site, and 0 otherwise.
- **r** is the position of the brand among the brands in the answer. A brand that the answer only warns against or
  contrasts with others has no position.

Unless a metric says otherwise, it counts all [valid answers](how-we-measure.md#asking), and is null without one.

Some metrics leave out prompts that name the brand. If every prompt names it, Visibility Score, Brand Coverage, AI
Mentions, Mention occurrences, Prompt reach, Share of Voice, Weighted Share of Voice and Market Position use all
prompts.

Values are computed at full precision and rounded once. A value exactly halfway is rounded away from zero. [Ranges and
changes](ranges-and-changes.md#two-ranges) explains both 95% ranges: for these prompts, and for questions like these.

The **key** of a metric is its name in the command `sightline metrics` and, for most metrics, in the API."""
_ORIGIN = (
    f"The examples are computed by the code that measures your answers, version {METRICS_VERSION} of the formulas."
)
_WIDER_RANGE = ", and a wider range for questions like these"
_REPEATED = {
    "brand_coverage_pct",
    "ai_mentions",
    "cited_answers",
    "citation_share",
    "visibility_score",
    "net_sentiment",
    "opportunity_score",
    "competitor_score",
    "theme_z",
    "prompt_priority",
}
"""Metrics whose explanation or exact formula says all of their calculation."""
_USUAL_NULL_RULE = "When null: There is no valid answer."
_LINKS = {
    "see Themes": "see [Themes](alerts-themes-effects.md#themes)",
    "see Expected effect": "see [Expected effect](alerts-themes-effects.md#expected-effect)",
    "see Tiers": "see [Tiers](ranges-and-changes.md#tiers)",
    "see Two ranges": "see [Two ranges](ranges-and-changes.md#two-ranges)",
    "see Did it work?": "see [Did it work?](alerts-themes-effects.md#did-it-work)",
    "defined under Visibility Score": "defined under [Visibility Score](#visibility-score)",
}
"""The pages that the texts of the registry name. A terminal shows the same texts without links."""


def render_page() -> str:
    """Return the text of the page. A test keeps the two equal."""
    parts = ["# Metrics", _INTRODUCTION, _wrap(_ORIGIN), *map(_render_metric, REGISTRY.values())]
    return "\n\n".join(parts) + "\n"


def build_pictures() -> dict[str, str]:
    """Return the picture of each metric by the name of its file."""
    return {_name_picture(key): explain().picture for key, explain in _EXAMPLES.items()}


def _render_metric(metric: Metric) -> str:
    example = _EXAMPLES[metric.key]()
    described = dict(describe_metric(metric))
    rows = [(name, described[name]) for name in ("Calculation", "Exact formula", "When null") if name in described]
    lines = [f"{name}: {value}" for name, value in rows if name != "Calculation" or metric.key not in _REPEATED]
    items = [_wrap_item(line) for line in lines if line != _USUAL_NULL_RULE]
    return "\n\n".join(
        [
            f"## {metric.name}",
            _wrap(metric.explanation),
            f"![{example.caption}](images/{_name_picture(metric.key)})",
            _wrap(f"**Example.** {example.text}"),
            "\n".join([*items, _wrap_item(_write_properties(metric, described))]),
        ]
    )


def _write_properties(metric: Metric, described: dict[str, str]) -> str:
    """Return the properties that are short. Usual ones are left out: no range, all prompts."""
    decimals = f", {metric.digits} {'decimal' if metric.digits == 1 else 'decimals'}" if metric.digits else ""
    scale = f", {described['Scale']}" if metric.scale else ""
    parts = [f"Key: `{metric.key}`", f"{metric.unit}{scale}{decimals}"]
    parts += [] if described["Range"] == "none" else [_name_range(described["Range"])]
    parts += [] if metric.segment == "all" else [described["Prompts"]]
    return "; ".join(parts)


def _name_range(text: str) -> str:
    short = text.replace("95% for these prompts (Wilson score interval", "95% range (Wilson score interval")
    return short.replace("95% range", "both 95% ranges").removesuffix(_WIDER_RANGE) if _WIDER_RANGE in text else short


def _wrap_item(text: str) -> str:
    return _wrap(f"- {_link(text)}").replace("\n", "\n  ")


def _link(text: str) -> str:
    for words, link in _LINKS.items():
        text = text.replace(words, link)
    return text


def _name_picture(key: str) -> str:
    return f"{key.replace('_', '-')}.svg"


def _wrap(text: str) -> str:
    """Wrap a paragraph, but no formula: a line that begins with a plus or minus sign would become a list."""
    bound = re.sub(r" ([-+·/=]) ", "\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text)
    return fill(bound, 120, break_long_words=False, break_on_hyphens=False).replace("\N{NO-BREAK SPACE}", " ")
