"""Which method of the SDK calls an operation, and which right of a key it needs."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Right = Literal["data_read", "data_insights", "data_write", "console_read", "console_scans"]


class SdkMethod(NamedTuple):
    name: str
    """Resource and method of the client."""
    right: Right


METHODS: Mapping[str, SdkMethod] = {
    "list_tracked_domains": SdkMethod("tracked_domains.list", "data_read"),
    "read_analytics": SdkMethod("analytics.retrieve", "data_read"),
    "list_answers": SdkMethod("answers.list", "data_read"),
    "read_check": SdkMethod("checks.retrieve", "data_read"),
    "read_check_answer": SdkMethod("checks.answer", "data_read"),
    "list_prompts": SdkMethod("prompts.list", "data_insights"),
    "read_prompt_spot_checks": SdkMethod("prompts.spot_checks", "data_insights"),
    "list_opportunities": SdkMethod("opportunities.list", "data_insights"),
    "list_recommendations": SdkMethod("recommendations.list", "data_insights"),
    "list_site_findings": SdkMethod("site_review.list_findings", "data_insights"),
    "list_alerts": SdkMethod("alerts.list", "data_insights"),
    "list_reports": SdkMethod("reports.list", "data_insights"),
    "read_report": SdkMethod("reports.retrieve", "data_insights"),
    "read_findings": SdkMethod("findings.retrieve", "data_insights"),
    "read_changes": SdkMethod("changes.retrieve", "data_insights"),
    "add_prompt": SdkMethod("prompts.add", "data_write"),
    "unpin_prompt": SdkMethod("prompts.unpin", "data_write"),
    "list_domains": SdkMethod("domains.list", "console_read"),
    "list_scans": SdkMethod("scans.list", "console_read"),
    "read_scan": SdkMethod("scans.retrieve", "console_read"),
    "read_scan_results": SdkMethod("scans.results", "console_read"),
    "read_scan_answer": SdkMethod("scans.answer", "console_read"),
    "preview_scan": SdkMethod("scans.preview", "console_scans"),
    "submit_scan": SdkMethod("scans.submit", "console_scans"),
}

_NOBODY = "00000000-0000-0000-0000-000000000000"
PROBES: Mapping[Right, tuple[str, Mapping[str, str]]] = {
    "data_read": ("list_tracked_domains", {}),
    "data_insights": ("list_alerts", {"domain_id": _NOBODY}),
    "data_write": ("unpin_prompt", {"domain_id": _NOBODY, "prompt_id": _NOBODY}),
    "console_read": ("list_domains", {}),
    "console_scans": ("preview_scan", {"domain_id": _NOBODY}),
}
"""Operations that say whether a key has a right and change nothing: a right is refused before an id is looked up."""
