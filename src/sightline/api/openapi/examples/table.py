"""All examples of the OpenAPI document, by operation.

Responses are built from the real schemas: when a schema changes, its example changes with it or fails.
"""

from collections.abc import Mapping

from sightline.api.edge.operations import ApiName
from sightline.api.openapi.examples import (
    accounts,
    api_keys,
    checkout,
    checks,
    competitors,
    corrections,
    domains,
    insights,
    platforms,
    prompts,
    reports,
    scans,
    tables,
    usage,
    webhooks,
)
from sightline.api.openapi.examples import credits as credit_examples
from sightline.api.openapi.examples.example import CONSOLE_DOMAIN_ID, TRACKED_DOMAIN_ID, Example

PATH_IDS: Mapping[ApiName, Mapping[str, str]] = {
    "console": {
        "domain_id": str(CONSOLE_DOMAIN_ID),
        **api_keys.PATH_IDS,
        **scans.PATH_IDS,
        **webhooks.PATH_IDS,
    },
    "data": {
        "domain_id": str(TRACKED_DOMAIN_ID),
        **checks.PATH_IDS,
        **corrections.PATH_IDS,
        **prompts.PATH_IDS,
        **competitors.PATH_IDS,
        **reports.PATH_IDS,
        **insights.PATH_IDS,
        **tables.PATH_IDS,
    },
}

EXAMPLES: Mapping[str, Example] = {
    **accounts.EXAMPLES,
    **api_keys.EXAMPLES,
    **usage.EXAMPLES,
    **platforms.EXAMPLES,
    **domains.EXAMPLES,
    **scans.EXAMPLES,
    **credit_examples.EXAMPLES,
    **checkout.EXAMPLES,
    **webhooks.EXAMPLES,
    **checks.EXAMPLES,
    **corrections.EXAMPLES,
    **prompts.EXAMPLES,
    **competitors.EXAMPLES,
    **reports.EXAMPLES,
    **insights.EXAMPLES,
    **tables.EXAMPLES,
}
