"""The API reference: one page for each resource of each API, an overview, and the problem codes."""

import json
from functools import cache
from http import HTTPStatus
from itertools import groupby
from typing import Any

from sightline.api.edge.operations import PREFIXES
from sightline.api.openapi.document import openapi_document
from sightline.api.openapi.problems import describe_member, problem_example
from sightline.errors import CATALOG
from sightline.kit.examples import REQUEST_ID
from sightline.tables.catalog import TABLES
from sightline.web.pages.docs.api_outline import (
    EVENTS_ADDRESS,
    EventDoc,
    OperationGroup,
    build_outline,
    list_common_headers,
    list_events,
)
from sightline.web.pages.docs.schema_fields import FieldDoc

# Anchors of the former single-page reference, for its parts other than operations.
_FORMER_PARTS = {
    "start": "/docs/reference/api",
    "authentication": "/docs/reference/api#authentication",
    "headers": "/docs/api#headers",
    "envelope": "/docs/reference/api#envelope",
    "idempotency": "/docs/reference/api#idempotency",
    "limits": "/docs/reference/api#rate-limits",
    "degraded": "/docs/reference/api#degraded-responses",
    "events": EVENTS_ADDRESS,
}


@cache
def read_groups(base_url: str) -> dict[str, OperationGroup]:
    """Return the operations of each resource by the address of its page."""
    return {group.address: group for group in build_outline(openapi_document(base_url))}


@cache
def read_events(base_url: str) -> list[EventDoc]:
    return list_events(openapi_document(base_url))


@cache
def list_columns() -> dict[str, list[FieldDoc]]:
    """Return the columns of each export table, in their order."""
    return {
        name: [
            FieldDoc(each.name, each.type, required=False, limits="", description=each.meaning)
            for each in table.columns
        ]
        for name, table in TABLES.items()
    }


def read_headers(base_url: str) -> tuple[list[FieldDoc], dict[str, Any]]:
    """Return the request headers that many operations share, and the headers of responses."""
    document = openapi_document(base_url)
    return list_common_headers(document), document["components"]["headers"]


@cache
def list_former_anchors(base_url: str) -> dict[str, str]:
    """Return where each anchor of the former single page is now."""
    groups = read_groups(base_url).values()
    return (
        _FORMER_PARTS
        | {group.id: group.address for group in groups}
        | {each.id: f"{group.address}#{each.id}" for group in groups for each in group.operations}
        | {event.id: f"{EVENTS_ADDRESS}#{event.id}" for event in read_events(base_url)}
    )


def list_problems(base_url: str) -> dict[str, Any]:
    """Return what the page of problem codes shows: codes by status, their members, and an example of each."""
    by_status = sorted(CATALOG.items(), key=lambda entry: entry[1].status)
    statuses = [
        (HTTPStatus(status), list(entries)) for status, entries in groupby(by_status, key=lambda entry: entry[1].status)
    ]
    return {"statuses": statuses, "describe_member": describe_member, "examples": _write_examples(base_url)}


def _write_examples(base_url: str) -> dict[str, str]:
    """Return a problem document of each code that the APIs respond with."""
    path = f"{PREFIXES['console']}/domains"
    unknown_method = problem_example("method_not_allowed", path=path, request_id=REQUEST_ID, base_url=base_url)
    examples = openapi_document(base_url)["components"]["examples"] | {"method_not_allowed": unknown_method}
    return {code: json.dumps(each["value"], indent=2, ensure_ascii=False) for code, each in examples.items()}
