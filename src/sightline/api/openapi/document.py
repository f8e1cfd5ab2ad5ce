"""The OpenAPI 3.1 document, built from the declared operations and the catalog of problems."""

from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.responses import Response

from sightline import __version__
from sightline.api.app import OPERATIONS
from sightline.api.edge.operations import OPENAPI_PATH, Operation
from sightline.api.event_types import WEBHOOK_EVENTS
from sightline.api.openapi.components import ComponentSchemas, Json, build_component_schemas
from sightline.api.openapi.examples import EXAMPLES, PATH_IDS
from sightline.api.openapi.headers import HEADERS, response_headers, success_headers
from sightline.api.openapi.parameters import PARAMETER_SCHEMAS, PARAMETERS, build_parameters
from sightline.api.openapi.problems import (
    TYPICAL_OPERATIONS,
    possible_codes,
    problem_example,
    problem_responses,
    problem_schemas,
)
from sightline.api.openapi.security import build_security, security_schemes
from sightline.api.openapi.webhooks import build_webhooks
from sightline.api.site_routes import SiteRequest, read
from sightline.kit.examples import REQUEST_ID

_JSON = "application/json"
_KIBIBYTE = 1024
_DESCRIPTION = (
    "Sightline measures how a brand appears in the answers of AI platforms.\n\n* The "
    "**Console API** (`/api/v1/console`) registers domains, runs paid scans, and manages "
    "credits, webhooks, keys, usage and the account. Use a key `sk_live_…` or `sk_test_…`, "
    "or a session.\n* The **Data API** (`/api/v1/ext`) reads the figures, answers and reports "
    "of tracked domains, and manages their prompts, tags, corrections and completed "
    'recommendations. Use a key `dk_live_…`.\n\nEvery success is `{"data": …, "meta": '
    '{"request_id": …}}`; every error is a problem document (RFC 9457) with a stable `code`. '
    "Times are ISO 8601 in UTC with an explicit offset. Within v1 new optional fields may "
    "appear: ignore fields that you do not know. A `HEAD` request gets the response of `GET` "
    "without the body."
)


def openapi_document(base_url: str) -> Json:
    """Return the whole document.

    An operation without an example raises KeyError.
    """
    schemas = build_component_schemas(OPERATIONS, {kind: event.data for kind, event in WEBHOOK_EVENTS.items()})
    paths: dict[str, Json] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.full_path, {})[operation.method.lower()] = _describe(operation, schemas)
    tags = {operation.resource.tag: operation.resource.meaning for operation in OPERATIONS}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sightline API",
            "version": __version__,
            "summary": "How a brand appears in the answers of AI platforms.",
            "description": _DESCRIPTION,
            "contact": {"name": "The operator of this Sightline installation", "url": base_url},
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": base_url}],
        "tags": [{"name": tag, "description": meaning} for tag, meaning in tags.items()],
        "paths": paths,
        "webhooks": build_webhooks(schemas.events),
        "components": {
            "schemas": schemas.components | problem_schemas(OPERATIONS) | dict(PARAMETER_SCHEMAS),
            "headers": dict(HEADERS),
            "parameters": dict(PARAMETERS),
            "examples": _problem_examples(base_url),
            "securitySchemes": security_schemes(base_url),
        },
    }


def _describe(operation: Operation, schemas: ComponentSchemas) -> Json:
    described: Json = {
        "operationId": operation.name,
        "tags": [operation.resource.tag],
        "summary": operation.summary,
        "description": " ".join(operation.description.split()),
        "security": build_security(operation),
        "parameters": build_parameters(operation),
    }
    if operation.in_workspace:
        described["x-required-role"] = str(operation.role)
    if operation.scope is not None:
        described["x-required-scope"] = operation.scope
    if operation.live_only:
        described["x-live-only"] = True
    if operation.body is not None:
        described["requestBody"] = _request_body(operation, schemas)
    described["responses"] = _successes(operation, schemas) | problem_responses(operation, response_headers(operation))
    return described


def _request_body(operation: Operation, schemas: ComponentSchemas) -> Json:
    return {
        "required": True,
        "description": f"At most {operation.body_limit // _KIBIBYTE} KiB.",
        "content": {_JSON: {"schema": schemas.bodies[operation.name], "example": EXAMPLES[operation.name].request}},
    }


def _successes(operation: Operation, schemas: ComponentSchemas) -> dict[str, Json]:
    example = EXAMPLES[operation.name]
    responses: Mapping[int, tuple[str, msgspec.Struct | str]] = {
        operation.success_status: (HTTPStatus(operation.success_status).phrase, example.response),
        **example.other_responses,
    }
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in success_headers(operation)}
    media_type = (operation.stream_media_type or _JSON).partition(";")[0]
    schema = (
        schemas.responses.get(operation.name) if media_type == _JSON else _stream_schema(media_type, operation, schemas)
    )
    return {
        str(status): {
            "description": description,
            "headers": headers,
            "content": {media_type: {"schema": schema, "example": _as_json(response)}},
        }
        for status, (description, response) in sorted(responses.items())
    }


def _stream_schema(media_type: str, operation: Operation, schemas: ComponentSchemas) -> Json:
    if operation.stream_event is not None:
        events = {"type": "array", "items": schemas.responses[operation.name]}
        return {"type": "string", "contentMediaType": media_type, "contentSchema": events}
    return {"type": "string"} if media_type.startswith("text/") else {"type": "string", "format": "binary"}


def _as_json(response: msgspec.Struct | str) -> Any:
    """Return the response as a client decodes it, with arrays instead of tuples."""
    return msgspec.json.decode(msgspec.json.encode(response))


def _problem_examples(base_url: str) -> dict[str, Json]:
    """Return one example of every code in use, as a typical or the first operation that can respond with it would."""
    examples: dict[str, Json] = {}
    for operation in OPERATIONS:
        path = operation.full_path.format(**PATH_IDS[operation.api])
        for code in possible_codes(operation):
            if code not in examples or TYPICAL_OPERATIONS.get(code) == operation.name:
                examples[code] = problem_example(code, path=path, request_id=REQUEST_ID, base_url=base_url)
    return examples


@cache
def _encode_document(base_url: str) -> bytes:
    return msgspec.json.encode(openapi_document(base_url))


@read(OPENAPI_PATH)
async def serve_openapi(request: SiteRequest) -> Response:
    """Serve the document to client generators and API tools; /docs shows the same to people."""
    settings: Any = request.app.state.app_context.settings
    return Response(
        _encode_document(settings.public_url), media_type="application/json", headers={"Cache-Control": "no-cache"}
    )
