"""The tools, by subject. Each module has a few; `ALL_TOOLS` is the order in which assistants see them."""

from sightline.mcp.toolbox import Tool
from sightline.mcp.tools import (
    actions,
    answers,
    comparison,
    domains,
    findings,
    market,
    metrics,
    prompts,
    scans,
    visibility,
)

ALL_TOOLS: tuple[Tool, ...] = (
    domains.list_domains,
    visibility.get_visibility,
    comparison.compare_periods,
    prompts.list_prompts,
    prompts.get_prompt_history,
    answers.get_answer,
    market.list_competitors,
    market.list_sources,
    actions.list_opportunities,
    actions.list_recommendations,
    actions.list_site_findings,
    findings.list_findings,
    findings.list_alerts,
    findings.get_report,
    scans.preview_scan,
    scans.submit_scan,
    scans.get_scan,
    metrics.explain_metric,
    prompts.pin_prompt,
    prompts.unpin_prompt,
)
