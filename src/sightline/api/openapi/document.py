"""The OpenAPI 3.1 document: made from the declared operations and the catalogue, so that it cannot fall behind them."""

from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import Response, route
from litestar.datastructures import State
from litestar.enums import HttpMethod, MediaType

from sightline import __version__
from sightline.api.app import OPERATIONS
from sightline.api.edge.operations import Operation
from sightline.api.openapi.example import REQUEST_ID
from sightline.api.openapi.examples import EXAMPLES, PATH_IDS
from sightline.api.openapi.parts import (
    HEADERS,
    PARAMETERS,
    TAGS,
    parameters_of,
    response_headers,
    security_of,
    security_schemes,
    success_headers,
    tag_of,
)
from sightline.api.openapi.problems import codes_of, problem_example, problem_responses, problem_schemas
from sightline.api.openapi.schemas import Json, Shapes, describe_shapes

_JSON = "application/json"
_KIBIBYTE = 1024
_DESCRIPTION = """\
Sightline measures how a brand's domain appears in the answers of AI platforms.

* The **Console API** (`/api/v1/console`) registers domains, runs paid checks, and manages credits, webhooks, keys, \
usage and the account. It takes a key `sk_live_…` or `sk_test_…`, or a signed-in session.
* The **Data API** (`/api/v1/ext`) reads what the workspace tracks. It takes a key `dk_live_…`.

Every success is `{"data": …, "meta": {"request_id": …}}`; every refusal is a problem document (RFC 9457) with a \
stable `code`. Within v1 new optional fields may appear: ignore what you do not know. `HEAD` answers as `GET` without \
a body."""


def openapi_document(base_url: str) -> Json:
    """The whole document. Complete or not at all: an operation without an example or a described tag fails here."""
    shapes = describe_shapes(OPERATIONS)
    paths: dict[str, Json] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.full_path, {})[operation.method.lower()] = _describe(operation, shapes)
    tags = dict.fromkeys(tag_of(operation) for operation in OPERATIONS)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sightline API",
            "version": __version__,
            "summary": "How a brand's domain appears in the answers of AI platforms.",
            "description": _DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": base_url}],
        "tags": [{"name": tag, "description": TAGS[tag]} for tag in tags],
        "paths": paths,
        "components": {
            "schemas": shapes.components | problem_schemas(),
            "headers": dict(HEADERS),
            "parameters": dict(PARAMETERS),
            "examples": _problem_examples(base_url),
            "securitySchemes": security_schemes(base_url),
        },
    }


def _describe(operation: Operation, shapes: Shapes) -> Json:
    described: Json = {
        "operationId": operation.name,
        "tags": [tag_of(operation)],
        "summary": operation.summary,
        "description": " ".join(operation.description.split()),
        "security": security_of(operation),
        "parameters": parameters_of(operation),
    }
    if operation.in_workspace:
        described["x-required-role"] = str(operation.role)
    if operation.body is not None:
        described["requestBody"] = _request_body(operation, shapes)
    described["responses"] = _successes(operation, shapes) | problem_responses(operation, response_headers(operation))
    return described


def _request_body(operation: Operation, shapes: Shapes) -> Json:
    return {
        "required": True,
        "description": f"At most {operation.body_limit // _KIBIBYTE} KiB.",
        "content": {_JSON: {"schema": shapes.bodies[operation.name], "example": EXAMPLES[operation.name].request}},
    }


def _successes(operation: Operation, shapes: Shapes) -> dict[str, Json]:
    example = EXAMPLES[operation.name]
    answers: Mapping[int, tuple[str, msgspec.Struct | str]] = {
        operation.success: (HTTPStatus(operation.success).phrase, example.response),
        **example.others,
    }
    headers = {name: {"$ref": f"#/components/headers/{name}"} for name in success_headers(operation)}
    media_type, schema = _JSON, shapes.responses.get(operation.name)
    if operation.streams is not None:
        media_type, schema = operation.streams.partition(";")[0], {"type": "string"}
    return {
        str(status): {
            "description": description,
            "headers": headers,
            "content": {media_type: {"schema": schema, "example": _as_sent(response)}},
        }
        for status, (description, response) in sorted(answers.items())
    }


def _as_sent(response: msgspec.Struct | str) -> Any:
    """As a client decodes it: a tuple of ours is an array there."""
    return msgspec.json.decode(msgspec.json.encode(response))


def _plain(response: msgspec.Struct | str) -> Any:
    """As JSON has it: a tuple is an array there."""
    return msgspec.json.decode(msgspec.json.encode(response))


def _problem_examples(base_url: str) -> dict[str, Json]:
    """One example of every code in use, as the first operation that can answer it would."""
    paths: dict[str, str] = {}
    for operation in OPERATIONS:
        for code in codes_of(operation):
            paths.setdefault(code, operation.full_path.format(**PATH_IDS[operation.front]))
    return {
        code: problem_example(code, path=path, request_id=REQUEST_ID, base_url=base_url) for code, path in paths.items()
    }


@cache
def _encoded(base_url: str) -> bytes:
    return msgspec.json.encode(openapi_document(base_url))


@route("/api/openapi.json", http_method=[HttpMethod.GET, HttpMethod.HEAD], sync_to_thread=False)
def serve_openapi(state: State) -> Response[bytes]:
    """For client generators and API tools; /docs shows the same to people."""
    settings: Any = state.app_context.settings
    return Response(_encoded(settings.public_url), media_type=MediaType.JSON, headers={"Cache-Control": "no-cache"})
