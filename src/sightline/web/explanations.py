"""Explanations of figures: a page has one for each metric that a button on it asks about.

`components.about(key)` writes the button, and the frame of the page writes the explanations after the content.
"""

import re

from sightline.metrics.metric import Metric
from sightline.metrics.registry import REGISTRY
from sightline.presentation.language import gettext
from sightline.presentation.numbers import format_number, format_percent

_BUTTON = re.compile(r'popovertarget="about-(\w+)"')


def find_explained(content: str) -> list[Metric]:
    """Return the metrics that the buttons of a page ask about, each once."""
    return [REGISTRY[key] for key in dict.fromkeys(_BUTTON.findall(content))]


def metric_docs_path(metric: Metric) -> str:
    """Return the address of the section of the documentation that defines a metric."""
    return f"/docs/measure/metrics#{metric.name.lower().replace(' ', '-')}"


def describe_scale(metric: Metric) -> str:
    """Describe between which values a metric lies; empty for a list."""
    if metric.scale is None:
        return ""
    write = format_percent if metric.unit == "percent" else format_number
    low, high = metric.scale
    if metric.unit == "position":
        return gettext("%(low)s is the best position", low=write(low))
    if high is None:
        return gettext("%(low)s or more", low=write(low))
    return gettext("%(low)s to %(high)s", low=write(low).replace("-", "\u2212"), high=write(high))
