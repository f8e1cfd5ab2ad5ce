"""Explanations of figures, from the registry of metrics."""

import pytest

from sightline.metrics.registry import REGISTRY
from sightline.web.pages.docs.document import read_document
from sightline.web.render import describe_scale, find_explained, metric_docs_path


def test_a_page_explains_each_metric_once():
    button = '<button popovertarget="about-{}">'
    content = "".join(map(button.format, ("stability", "ai_mentions", "stability")))
    assert [metric.key for metric in find_explained(content)] == ["stability", "ai_mentions"]
    assert find_explained('<button popovertarget="side">') == []


@pytest.mark.parametrize(
    ("key", "scale"),
    [
        ("visibility_score", "0 to 100"),
        ("brand_coverage_pct", "0% to 100%"),
        ("ai_mentions", "0 or more"),
        ("market_position", "1 is the best position"),
        ("net_sentiment", "\u2212100 to 100"),
        ("theme_z", ""),
    ],
)
def test_the_scale_is_described_by_its_unit(key, scale):
    assert describe_scale(REGISTRY[key]) == scale


def test_the_documentation_has_a_section_for_each_metric():
    for metric in REGISTRY.values():
        address, _, anchor = metric_docs_path(metric).partition("#")
        assert anchor in {part.id for part in read_document(address).parts}, metric.key
