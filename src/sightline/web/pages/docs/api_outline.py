"""The OpenAPI document as the reference pages show it: groups, operations, fields, problems and curl commands."""

import json
import re
import shlex
from typing import NamedTuple

from sightline.api.openapi.components import Json, referenced_name
from sightline.web.pages.docs.schema_fields import FieldDoc, list_fields

_KEY_NAMES = {"ConsoleKey": "CONSOLE_KEY", "DataKey": "DATA_KEY"}
# Operations whose example response exists in live mode only.
_LIVE_EXAMPLES = {"list_platform_costs"}
_ACCESS = {
    (): "No credentials",
    ("ConsoleKey", "Session"): "Console key or session",
    ("DataKey",): "Data key",
    ("Session",): "Session only",
}


EVENTS_ADDRESS = "/docs/api/webhook-events"
COLUMNS_ADDRESS = "/docs/api/table-columns"

# Headers that mean the same in every operation are explained once, on the overview.
_COMMON_HEADERS = {"X-Workspace-Id", "X-Sightline-Mode", "X-CSRF-Token", "X-Request-Id"}


class ResponseDoc(NamedTuple):
    """What `data` holds. A resource is described at its first use; `described_at` links the later uses to it."""

    status: str
    resource: str
    is_list: bool
    fields: list[FieldDoc]
    described_at: tuple[str, str] | None
    example: str


class OperationDoc(NamedTuple):
    id: str
    method: str
    path: str
    summary: str
    description: str
    access: str
    role: str | None
    scope: str | None
    live_only: bool
    parameters: list[FieldDoc]
    common_headers: list[str]
    body: list[FieldDoc]
    response: ResponseDoc
    command: str
    problems: dict[int, list[str]]


class EventDoc(NamedTuple):
    """An event that webhooks receive. Fields are listed at the first event that has them; `same_as` is that event."""

    id: str
    type: str
    description: str
    fields: list[FieldDoc]
    same_as: "EventDoc | None"
    example: str


class OperationGroup(NamedTuple):
    id: str
    api: str
    name: str
    description: str
    operations: list[OperationDoc]

    @property
    def address(self) -> str:
        return f"/docs/api/{self.id}"


def build_outline(document: Json) -> list[OperationGroup]:
    operations = [
        (path, method, operation) for path, item in document["paths"].items() for method, operation in item.items()
    ]
    described: dict[str, tuple[str, str]] = {}
    return [
        _build_group(document, tag, [found for found in operations if tag["name"] in found[2]["tags"]], described)
        for tag in document["tags"]
    ]


def _build_group(
    document: Json, tag: Json, operations: list[tuple[str, str, Json]], described: dict[str, tuple[str, str]]
) -> OperationGroup:
    """Return the group of a tag such as "Console: Domains"."""
    api, _, resource = tag["name"].partition(": ")
    group = OperationGroup(
        id=re.sub(r"\W+", "-", tag["name"]).lower(),
        api=api,
        name=resource,
        description=tag["description"],
        operations=[],
    )
    group.operations.extend(_build_operation(document, *found, described, group.address) for found in operations)
    return group


def list_events(document: Json) -> list[EventDoc]:
    events = []
    first: dict[str, EventDoc] = {}
    for kind, item in document["webhooks"].items():
        received = item["post"]
        media = received["requestBody"]["content"]["application/json"]
        resource = _resolve(document, media["schema"])["properties"]["data"]["$ref"]
        event = EventDoc(
            id=received["operationId"],
            type=kind,
            description=received["description"],
            fields=[] if resource in first else list_fields({"$ref": resource}, document["components"]["schemas"]),
            same_as=first.get(resource),
            example=_pretty(media["example"]),
        )
        first.setdefault(resource, event)
        events.append(event)
    return events


def list_common_headers(document: Json) -> list[FieldDoc]:
    components = document["components"]
    return [
        FieldDoc.from_parameter(parameter, components["schemas"])
        for parameter in components["parameters"].values()
        if parameter["name"] in _COMMON_HEADERS and not parameter["required"]
    ]


def _build_operation(
    document: Json, path: str, method: str, operation: Json, described: dict[str, tuple[str, str]], page: str
) -> OperationDoc:
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    parameters = [_resolve(document, parameter) for parameter in operation["parameters"]]
    role = operation.get("x-required-role")
    return OperationDoc(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation["description"],
        access=_ACCESS[tuple(name for scheme in operation["security"] for name in scheme)],
        role=None if role == "viewer" else role,
        scope=operation.get("x-required-scope"),
        live_only=operation.get("x-live-only", False),
        parameters=[
            FieldDoc.from_parameter(p, document["components"]["schemas"])
            for p in parameters
            if p["name"] not in _COMMON_HEADERS
        ],
        common_headers=[p["name"] for p in parameters if p["name"] in _COMMON_HEADERS],
        body=list_fields(body["schema"], document["components"]["schemas"]) if body else [],
        response=_build_response(document, operation, described, page),
        command=_command(document["servers"][0]["url"], path, method, operation, parameters),
        problems=_problems(operation),
    )


def _build_response(document: Json, operation: Json, described: dict[str, tuple[str, str]], page: str) -> ResponseDoc:
    # The highest 2xx is the operation's own response; a lower one is a replay.
    status = max(status for status in operation["responses"] if status.startswith("2"))
    by_type = operation["responses"][status]["content"]
    if "application/json" not in by_type:
        ((media_type, streamed),) = by_type.items()
        return ResponseDoc(
            status=status, resource=media_type, is_list=False, fields=[], described_at=None, example=streamed["example"]
        )
    content = by_type["application/json"]
    schemas = document["components"]["schemas"]
    data = _resolve(document, content["schema"])["properties"]["data"]
    is_list = data.get("type") == "array"
    resource = referenced_name((data["items"] if is_list else data)["$ref"])
    described_at = described.get(resource)
    described.setdefault(resource, (f"{page}#{operation['operationId']}", operation["summary"]))
    return ResponseDoc(
        status=status,
        resource=resource,
        is_list=is_list,
        fields=[] if described_at else list_fields(schemas[resource], schemas),
        described_at=described_at,
        example=_pretty(content["example"]),
    )


def _resolve(document: Json, node: Json) -> Json:
    reference = node.get("$ref")
    if reference is None:
        return node
    kind, name = reference.removeprefix("#/components/").split("/")
    resolved: Json = document["components"][kind][name]
    return resolved


def _problems(operation: Json) -> dict[int, list[str]]:
    """Return the problem codes of an operation by status."""
    return {
        int(status): list(response["content"]["application/problem+json"]["examples"])
        for status, response in operation["responses"].items()
        if "application/problem+json" in response["content"]
    }


def _command(base_url: str, path: str, method: str, operation: Json, parameters: list[Json]) -> str:
    """Return a curl command that works once the variables of the guide are set."""
    ids = {parameter["name"]: parameter["example"] for parameter in parameters if parameter["in"] == "path"}
    parts = ["curl" if method == "get" else f"curl -X {method.upper()}", base_url + path.format(**ids)]
    schemes = {name for scheme in operation["security"] for name in scheme}
    is_live = "x-live-only" in operation or operation["operationId"] in _LIVE_EXAMPLES
    names = _KEY_NAMES | ({"ConsoleKey": "LIVE_CONSOLE_KEY"} if is_live else {})
    parts += [f'-H "X-API-Key: ${names[name]}"' for name in sorted(schemes & set(names))]
    if schemes == {"Session"}:
        parts.append("-b cookies.txt")
        if any(parameter["name"] == "X-Workspace-Id" for parameter in parameters):
            parts.append('-H "X-Workspace-Id: $WORKSPACE_ID"')
        if method != "get":
            parts.append('-H "X-CSRF-Token: $CSRF_TOKEN"')
    if "Set-Cookie" in str(operation["responses"]) and not schemes:
        parts.append("-c cookies.txt")
    if any(parameter["name"] == "Idempotency-Key" and parameter["required"] for parameter in parameters):
        parts.append('-H "Idempotency-Key: $(uuidgen)"')
    if "requestBody" in operation:
        body = operation["requestBody"]["content"]["application/json"]["example"]
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(_pretty(body))}"]
    return " \\\n  ".join([" ".join(parts[:2]), *parts[2:]])


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
