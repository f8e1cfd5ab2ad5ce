"""The page of the metrics: the texts of the registry, and a worked example with a picture for each metric."""

from pathlib import Path
from textwrap import fill

from scripts.metrics_page.answer_examples import ANSWER_EXAMPLES
from scripts.metrics_page.market_examples import MARKET_EXAMPLES
from sightline.cli.metrics import describe_metric
from sightline.metrics.metric import Metric
from sightline.metrics.registry import METRICS_VERSION, REGISTRY

PAGE = Path(__file__).parents[2] / "docs" / "measure" / "metrics.md"
_EXAMPLES = ANSWER_EXAMPLES | MARKET_EXAMPLES
_INTRODUCTION = (
    "Every figure that Sightline shows: what it means, a worked example, and its formula. We record three facts about a "
    "brand in each answer: whether it is named (m), whether it is cited (k), and its position (r). Only valid answers "
    "count: a failed answer, or an AI answer that was not shown, does not count in any denominator. Values are computed at full precision and rounded "
    "once, half away from zero. [Ranges and changes](ranges-and-changes.md) explains ranges, early readings and "
    "incomplete figures."
)
_ORIGIN = (
    f"This page describes version {METRICS_VERSION} of the formulas. The examples are computed with the "
    "functions that measure your answers."
)


def render_page() -> str:
    """Return the text of the page. A test keeps the two equal."""
    parts = ["# Metrics", _wrap(_INTRODUCTION), _wrap(_ORIGIN), *map(_render_metric, REGISTRY.values())]
    return "\n\n".join(parts) + "\n"


def build_pictures() -> dict[str, str]:
    """Return the picture of each metric by the name of its file."""
    return {_name_picture(key): explain().picture for key, explain in _EXAMPLES.items()}


def _render_metric(metric: Metric) -> str:
    example = _EXAMPLES[metric.key]()
    rows = [("Key", f"`{metric.key}`"), *describe_metric(metric)]
    table = [f"| {name} | {value.replace('|', chr(92) + '|')} |" for name, value in rows]
    return "\n\n".join(
        [
            f"## {metric.name}",
            _wrap(metric.explanation),
            f"![{example.caption}](images/{_name_picture(metric.key)})",
            _wrap(f"**Example.** {example.text}"),
            "\n".join(["| Property | Value |", "|---|---|", *table]),
        ]
    )


def _name_picture(key: str) -> str:
    return f"{key.replace('_', '-')}.svg"


def _wrap(text: str) -> str:
    return fill(text, 120, break_long_words=False, break_on_hyphens=False)
