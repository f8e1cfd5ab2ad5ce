"""The versioned registry of every figure. The app, the MCP server, the command line and the docs show its texts.

A change of any formula of a result changes METRICS_VERSION, which is stored with every result: results of two versions
compare as Trend only. Themes, opportunities and suggestions are not part of a result: each Full Check replaces them,
and nothing compares them with older ones.
"""

from collections.abc import Mapping

from sightline.metrics.insight_metrics import INSIGHT_METRICS
from sightline.metrics.metric import Metric
from sightline.metrics.result_metrics import RESULT_METRICS

METRICS_VERSION = "2"

REGISTRY: Mapping[str, Metric] = {metric.key: metric for metric in (*RESULT_METRICS, *INSIGHT_METRICS)}
