"""The resources of the SDK. Each operation that a key may call declares its resource and method (`sdk`).

Operations that only a signed-in person may call, such as buying credits, are not part of the SDK.
"""

from collections.abc import Iterable, Mapping

from sightline.api.edge.operations import Operation

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
    "edition": "Who edited the insights of a tracked domain, and its market",
    "themes": "Brand Themes of a tracked domain",
    "recommendations": "Recommended actions for a tracked domain",
    "opportunities": "Prompts on which competitors are named and the brand is not",
    "findings": "What is worth saying about a tracked domain now",
    "changes": "What changed between the two latest Full Checks of a tracked domain",
    "tables": "Flat tables of a tracked domain, for warehouses and notebooks",
}


def select_operations(operations: Iterable[Operation]) -> list[Operation]:
    """Return the operations that a key may call. Refused: two with the same method, and a resource that is not here."""
    selected = [operation for operation in operations if operation.sdk is not None]
    methods = [method_of(operation) for operation in selected]
    unclear = {method for method in methods if methods.count(method) > 1 or method[0] not in RESOURCES}
    if unclear:
        raise LookupError(f"methods that are there twice, or whose resource has no description: {sorted(unclear)}")
    return selected


def method_of(operation: Operation) -> tuple[str, str]:
    """Return the resource and the method of an operation."""
    assert operation.sdk is not None, f"{operation.name} is not part of the SDK"
    resource, _, method = operation.sdk.partition(".")
    return resource, method


def to_class_name(resource: str) -> str:
    return "".join(word.capitalize() for word in resource.split("_")) + "Resource"
