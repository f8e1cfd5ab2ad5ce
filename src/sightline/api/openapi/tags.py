"""Tags of the OpenAPI document: each groups the operations on one resource of one API."""

from collections.abc import Mapping

from sightline.api.edge.operations import Operation

TAGS: Mapping[str, str] = {
    "Console: Session": "Sign in with e-mail and password, for people and for tools that act as a person.",
    "Console: Account": "The profile of the workspace, and the first owner of an installation.",
    "Console: Keys": "API keys of the workspace. A key acts with the current role of the member who created it.",
    "Console: Usage": "Number of requests that the workspace's keys have made.",
    "Console: Platforms": "AI platforms that a scan can ask.",
    "Console: Domains": "Domains that scans can be submitted for. Tracked domains of the dashboard are separate.",
    "Console: Scans": "Scans on demand: priced in credits, followed while they run, with results and every answer.",
    "Console: Credits": "Credits that pay for scans: the balance, the ledger, and buying more.",
    "Console: Webhooks": "Your endpoints that receive events, signed as in Standard Webhooks, and their deliveries.",
    "Data: Checks": "Full Checks and Daily Checks of tracked domains: scheduled, stored permanently, with all answers.",
    "Data: Corrections": "Manual corrections: names wrongly counted as the brand, and mentions that were missed.",
    "Data: Analytics": "The position of a brand: the scoreboard, or one past check, with intervals and comparisons.",
    "Data: Domains": "Domains that the workspace tracks, with the latest figures of the scoreboard.",
    "Data: Prompts": "Prompts of a tracked domain. Adding a prompt pins it; a domain has up to 10 pins.",
    "Data: Competitors": "Confirmed competitors that a tracked domain is measured against.",
    "Data: Reports": "The weekly report of a tracked domain, made after each Full Check, as a page and as a PDF.",
    "Data: Tables": "Flat tables of a tracked domain for warehouses, notebooks and spreadsheets.",
    "Data: Insights": "Findings of checks: alerts after Daily Checks; Brand Themes, recommendations and opportunities "
    "after Full Checks. Each names the answers that prove it.",
}


def tag_for(operation: Operation) -> str:
    return f"{operation.api.title()}: {operation.tag}"
