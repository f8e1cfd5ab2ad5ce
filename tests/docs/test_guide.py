"""The user guide explains what the pages show, in the words of the metric registry."""

import re
from pathlib import Path

import pytest

from sightline.metrics.registry import REGISTRY
from sightline.web.layout import _CONSOLE, _DASHBOARD

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guides" / "web-app.md").read_text()
WEB = ROOT / "src" / "sightline" / "web"
SHOWN = "\n".join(path.read_text() for path in [*WEB.glob("templates/app/**/*.html"), *WEB.glob("pages/**/*.py")])


@pytest.mark.parametrize("metric", REGISTRY.values(), ids=lambda metric: metric.key)
def test_every_metric_that_a_page_shows_is_explained_as_the_registry_does(metric):
    if metric.name in SHOWN or re.search(rf"\b{metric.key}\b", SHOWN):
        assert f"| **{metric.name}** | {metric.explanation} |" in GUIDE


def test_every_page_of_the_navigation_has_a_section():
    headings = " ".join(re.findall(r"^## (.*)$", GUIDE, re.MULTILINE)).lower()
    for _, title, *_ in _DASHBOARD:
        assert title.lower() in headings, title
    rows = GUIDE.partition("## Console")[2]
    for _, title, *_ in _CONSOLE:
        assert f"| {title} |" in rows, title
