"""Tags of the OpenAPI document: each groups the operations on one resource of one API."""

from collections.abc import Mapping

from sightline.api.edge.operations import Operation

TAGS: Mapping[str, str] = {
    "Console: Session": "Sign in with e-mail and password, for people and for tools that act as a person.",
    "Console: Account": "The profile of the workspace. One operation creates a new workspace and its owner.",
    "Console: Keys": "API keys of the workspace. A key acts with the current role of the member who created it.",
    "Console: Usage": "Requests made with the workspace's keys, and the costs of platform calls.",
    "Console: Platforms": "AI platforms that a scan can ask.",
    "Console: Domains": "Console domains: the domains that you scan on demand. The domains that the dashboard "
    "tracks are separate.",
    "Console: Scans": "Scans on demand: submit a scan, pay with credits, follow its progress, and read its "
    "results and answers.",
    "Console: Credits": "Credits that pay for scans: the balance, the ledger, and buying more.",
    "Console: Webhooks": "Endpoints that receive signed events (Standard Webhooks), and the deliveries to them. "
    "The page Webhook events describes each event type.",
    "Data: Checks": "The scheduled checks of tracked domains, with their answers. A Full Check asks all prompts once a "
    "week. A Daily Check asks some of them on each of the other days. The Free plan has one Free Audit instead. "
    "`scan_id` is the id of a check.",
    "Data: Corrections": "Manual corrections: names wrongly counted as the brand, and mentions that were missed.",
    "Data: Analytics": "The figures of a tracked domain with ranges and comparisons, from its latest valid "
    "answers or from one past check. `scan_id` is the id of a check.",
    "Data: Domains": "Domains that the workspace tracks, each with its latest figures.",
    "Data: Prompts": "Prompts of a tracked domain. A prompt that you add is also pinned, so every Daily Check "
    "asks it. A domain can have up to 10 pinned prompts. An import pins only the prompts that you mark.",
    "Data: Competitors": "Confirmed competitors that a tracked domain is measured against.",
    "Data: Reports": "The weekly report of a tracked domain, created after each Full Check, as a page and as a PDF.",
    "Data: Tables": "Flat tables of a tracked domain for warehouses, notebooks and spreadsheets.",
    "Data: Insights": "What checks found, with the answers that support each finding: alerts after Daily "
    "Checks, and Brand Themes, recommendations and opportunities after Full Checks.",
}


def tag_for(operation: Operation) -> str:
    return f"{operation.api.title()}: {operation.tag}"
