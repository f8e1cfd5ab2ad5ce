"""The name of each operation in the SDK: a resource of the client, and a method.

Every operation that a key may call has to be listed. Operations that only a signed-in person may call, such as buying
credits, are not part of the SDK.
"""

from collections.abc import Iterable, Mapping

from sightline.api.edge.operations import Operation

METHODS: Mapping[str, str] = {
    # Console API
    "read_account": "account.retrieve",
    "update_account": "account.update",
    "list_keys": "keys.list",
    "mint_key": "keys.mint",
    "rotate_key": "keys.rotate",
    "revoke_key": "keys.revoke",
    "read_usage": "usage.retrieve",
    "list_platform_costs": "usage.costs",
    "list_platforms": "platforms.list",
    "list_domains": "domains.list",
    "register_domain": "domains.register",
    "read_domain": "domains.retrieve",
    "change_domain": "domains.update",
    "remove_domain": "domains.remove",
    "list_scans": "scans.list",
    "submit_scan": "scans.submit",
    "preview_scan": "scans.preview",
    "read_scan": "scans.retrieve",
    "read_scan_results": "scans.results",
    "cancel_scan": "scans.cancel",
    "follow_scan_events": "scans.events",
    "list_scan_answers": "scans.answers",
    "read_scan_answer": "scans.answer",
    "list_checkouts": "credits.checkouts",
    "read_balance": "credits.balance",
    "list_ledger": "credits.ledger",
    "export_ledger": "credits.ledger_csv",
    "list_packs": "credits.packs",
    "list_webhooks": "webhooks.list",
    "register_webhook": "webhooks.register",
    "read_webhook": "webhooks.retrieve",
    "change_webhook": "webhooks.update",
    "remove_webhook": "webhooks.remove",
    "rotate_webhook_secret": "webhooks.rotate_secret",
    "send_test_webhook": "webhooks.send_test",
    "list_webhook_deliveries": "webhooks.deliveries",
    "redeliver_webhook": "webhooks.redeliver",
    # Data API
    "list_tracked_domains": "tracked_domains.list",
    "read_tracked_domain": "tracked_domains.retrieve",
    "list_competitors": "competitors.list",
    "read_competitor": "competitors.retrieve",
    "list_prompts": "prompts.list",
    "read_prompt_spot_checks": "prompts.spot_checks",
    "read_prompt_source_changes": "prompts.source_changes",
    "list_prompt_suggestions": "prompts.suggestions",
    "add_prompt": "prompts.add",
    "unpin_prompt": "prompts.unpin",
    "remove_prompt": "prompts.remove",
    "import_prompts": "prompts.import_many",
    "read_prompt_tags": "prompts.tags",
    "change_prompt_tags": "prompts.change_tags",
    "list_reports": "reports.list",
    "read_report": "reports.retrieve",
    "read_report_html": "reports.html",
    "read_report_pdf": "reports.pdf",
    "read_report_appendix_html": "reports.appendix_html",
    "read_report_appendix_pdf": "reports.appendix_pdf",
    "list_checks": "checks.list",
    "read_check": "checks.retrieve",
    "list_check_answers": "checks.answers",
    "read_check_answer": "checks.answer",
    "list_answers": "answers.list",
    "list_searches": "searches.list",
    "list_corrections": "corrections.list",
    "correct_answer": "corrections.create",
    "undo_correction": "corrections.undo",
    "read_analytics": "analytics.retrieve",
    "list_alerts": "alerts.list",
    "list_themes": "themes.list",
    "list_recommendations": "recommendations.list",
    "list_done_recommendations": "recommendations.list_done",
    "mark_recommendation_done": "recommendations.mark_done",
    "reopen_recommendation": "recommendations.reopen",
    "list_opportunities": "opportunities.list",
    "read_changes": "changes.retrieve",
    "list_domain_tables": "tables.list",
    "read_table": "tables.rows",
    "stream_table_csv": "tables.csv",
    "stream_table_jsonl": "tables.jsonl",
    "stream_table_parquet": "tables.parquet",
}

RESOURCES: Mapping[str, str] = {
    "account": "The profile of the workspace",
    "keys": "API keys",
    "usage": "Request counts, and what calls to platforms cost",
    "platforms": "AI platforms that scans can ask",
    "domains": "Console domains, which you scan on demand",
    "scans": "Scans: paid measurements of a domain",
    "credits": "The credit balance, its ledger, packs and checkouts",
    "webhooks": "Your endpoints that receive events",
    "tracked_domains": "Domains that the workspace tracks",
    "competitors": "Confirmed competitors of a tracked domain",
    "prompts": "Prompts of a tracked domain",
    "reports": "Weekly reports of a tracked domain",
    "checks": "Scheduled checks of a tracked domain, and their answers",
    "answers": "Answers of a tracked domain over all its checks",
    "searches": "What platforms searched for to answer the prompts of a tracked domain",
    "corrections": "Corrections of answers",
    "analytics": "The scoreboard of a tracked domain, or one past check",
    "alerts": "Alerts of a tracked domain",
    "themes": "Brand Themes of a tracked domain",
    "recommendations": "Recommended actions for a tracked domain",
    "opportunities": "Prompts on which competitors are named and the brand is not",
    "changes": "What changed between the two latest Full Checks of a tracked domain",
    "tables": "Flat tables of a tracked domain, for warehouses and notebooks",
}


def select_operations(operations: Iterable[Operation]) -> list[Operation]:
    """Return the operations that a key may call. Refused: one that has no name here, and a name without operation."""
    selected = [operation for operation in operations if operation.access in {"key", "key_or_session"}]
    declared = {operation.name for operation in selected}
    if declared != METHODS.keys():
        raise LookupError(
            f"scripts/sdk/names.py does not name {sorted(declared - METHODS.keys())}, "
            f"and names what does not exist: {sorted(METHODS.keys() - declared)}"
        )
    return selected


def method_of(operation: Operation) -> tuple[str, str]:
    """Return the resource and the method of an operation."""
    resource, _, method = METHODS[operation.name].partition(".")
    return resource, method


def to_class_name(resource: str) -> str:
    return "".join(word.capitalize() for word in resource.split("_")) + "Resource"
