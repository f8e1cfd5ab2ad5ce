"""The command that explains the metrics."""

import json

from typer.testing import CliRunner

from sightline.cli.main import app
from sightline.metrics.registry import REGISTRY


def explain(*arguments):
    return CliRunner().invoke(app, ["metrics", *arguments])


def test_one_metric_or_all_of_them_are_explained_and_an_unknown_one_is_refused():
    shown = " ".join(explain("surface_rate").stdout.split())
    assert shown.startswith("Surface rate (surface_rate) How often a search results page")
    assert "/docs/measure/metrics" in shown and "Visibility Score" not in shown
    assert [metric["key"] for metric in json.loads(explain("--json").stdout)["metrics"]] == list(REGISTRY)
    refused = explain("fame")
    assert refused.exit_code == 1 and "There is no metric fame." in refused.stderr
