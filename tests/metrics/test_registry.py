"""The registry of metrics: every entry has its function, and every function that computes a figure has its entry."""

import importlib
import inspect
import pkgutil

import msgspec
import pytest

import sightline.metrics
from sightline.metrics.registry import METRICS_VERSION, REGISTRY

# A function that starts with one of these verbs computes a figure that users see. `measure.py` is shared code.
_VERBS = ("measure_", "count_", "summarize_", "score_", "prioritize_")
_SHARED = {"measure", "registry", "figure"}


def _modules():
    return [
        importlib.import_module(f"sightline.metrics.{found.name}")
        for found in pkgutil.iter_modules(sightline.metrics.__path__)
    ]


@pytest.mark.parametrize("metric", REGISTRY.values(), ids=REGISTRY.keys())
def test_each_registered_metric_has_a_function_and_a_description(metric):
    module, _, function = metric.function.partition(".")
    found = getattr(importlib.import_module(f"sightline.metrics.{module}"), function)
    assert inspect.isfunction(found) and found.__module__ == f"sightline.metrics.{module}"
    assert metric.name and metric.section
    for text in (metric.explanation, metric.calculation, metric.null_rule):
        assert text.endswith(".") and text[0].isupper() and "%" not in text, text
    assert (metric.scale is None) == (metric.unit == "list")
    assert metric.unit != "count" or (metric.digits == 0 and metric.interval == "none")


def test_each_function_that_computes_a_figure_is_registered():
    public = {
        f"{module.__name__.rpartition('.')[2]}.{name}"
        for module in _modules()
        if module.__name__.rpartition(".")[2] not in _SHARED
        for name, found in inspect.getmembers(module, inspect.isfunction)
        if found.__module__ == module.__name__ and name.startswith(_VERBS)
    }
    assert public <= {metric.function for metric in REGISTRY.values()}
    assert "visibility.measure_visibility" in public


def test_keys_match_their_metrics_and_the_registry_can_be_encoded():
    assert all(key == metric.key for key, metric in REGISTRY.items())
    assert len({metric.function for metric in REGISTRY.values()}) == len(REGISTRY)
    assert msgspec.json.decode(msgspec.json.encode(list(REGISTRY.values())))[0]["key"] == "visibility_score"
    assert METRICS_VERSION


def test_the_registry_has_the_keys_of_the_api():
    """These keys of the headline (decisions 3) are fields of the Console scan and of the analytics payload."""
    assert {
        "visibility_score",
        "brand_coverage_pct",
        "ai_mentions",
        "citation_count",
        "market_position",
        "share_of_voice_pct",
    } <= REGISTRY.keys()


def test_metrics_imports_only_itself_and_the_kit():
    """`compare` and `alerts` also import numpy, but only when they need it."""
    for module in _modules():
        source = inspect.getsource(module)
        for line in source.splitlines():
            if line.startswith(("from sightline.", "import sightline.")):
                assert line.startswith(("from sightline.metrics.", "from sightline.kit.")), line
            assert not line.startswith(("import numpy", "from numpy")), line
