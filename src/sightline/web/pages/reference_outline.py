"""The OpenAPI document as the reference page shows it: groups, operations, fields, problems, commands."""

import json
import re
import shlex
from typing import NamedTuple

from sightline.api.openapi.components import Json, referenced_name
from sightline.web.pages.schema_fields import FieldDoc, list_fields

_KEY_NAMES = {"ConsoleKey": "CONSOLE_KEY", "DataKey": "DATA_KEY"}
_ACCESS = {
    (): "No credentials",
    ("ConsoleKey", "Session"): "Console key or session",
    ("DataKey",): "Data key",
    ("Session",): "Session only",
}


# Explained once, at the top of the page: they mean the same everywhere.
_COMMON = {"X-Workspace-Id", "X-Sightline-Mode", "X-CSRF-Token", "X-Request-Id"}


class ResponseDoc(NamedTuple):
    """What `data` is. A resource is spelled out where it comes first; later places lead there by `first`."""

    status: str
    resource: str
    is_list: bool
    fields: list[FieldDoc]
    first: tuple[str, str] | None
    example: str


class OperationDoc(NamedTuple):
    """One operation."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    access: str
    role: str | None
    parameters: list[FieldDoc]
    common: list[str]
    body: list[FieldDoc]
    answer: ResponseDoc
    command: str
    problems: dict[int, list[str]]


class OperationGroup(NamedTuple):
    id: str
    name: str
    description: str
    entries: list[OperationDoc]


def build_outline(document: Json) -> list[OperationGroup]:
    operations = [
        (path, method, operation) for path, item in document["paths"].items() for method, operation in item.items()
    ]
    spelled_out: dict[str, tuple[str, str]] = {}
    return [
        OperationGroup(
            id=re.sub(r"\W+", "-", tag["name"]).lower(),
            name=tag["name"],
            description=tag["description"],
            entries=[_entry(document, *found, spelled_out) for found in operations if tag["name"] in found[2]["tags"]],
        )
        for tag in document["tags"]
    ]


def common_headers(document: Json) -> list[FieldDoc]:
    parameters = document["components"]["parameters"].values()
    return [FieldDoc.of_parameter(p) for p in parameters if p["name"] in _COMMON and not p["required"]]


def _entry(
    document: Json, path: str, method: str, operation: Json, spelled_out: dict[str, tuple[str, str]]
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
        access=_ACCESS[tuple(name for way in operation["security"] for name in way)],
        role=None if role == "viewer" else role,
        parameters=[FieldDoc.of_parameter(p) for p in parameters if p["name"] not in _COMMON],
        common=[p["name"] for p in parameters if p["name"] in _COMMON],
        body=list_fields(body["schema"], document["components"]["schemas"]) if body else [],
        answer=_answer(document, operation, spelled_out),
        command=_command(document["servers"][0]["url"], path, method, operation, parameters),
        problems=_problems(operation),
    )


def _answer(document: Json, operation: Json, spelled_out: dict[str, tuple[str, str]]) -> ResponseDoc:
    # The highest 2xx is the one that an operation is for; a lower one is a repetition.
    status = max(status for status in operation["responses"] if status.startswith("2"))
    by_type = operation["responses"][status]["content"]
    if "application/json" not in by_type:
        ((media_type, streamed),) = by_type.items()
        return ResponseDoc(
            status=status, resource=media_type, is_list=False, fields=[], first=None, example=streamed["example"]
        )
    content = by_type["application/json"]
    schemas = document["components"]["schemas"]
    data = _resolve(document, content["schema"])["properties"]["data"]
    is_list = data.get("type") == "array"
    resource = referenced_name((data["items"] if is_list else data)["$ref"])
    first = spelled_out.get(resource)
    spelled_out.setdefault(resource, (operation["operationId"], operation["summary"]))
    return ResponseDoc(
        status=status,
        resource=resource,
        is_list=is_list,
        fields=[] if first else list_fields(schemas[resource], schemas),
        first=first,
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
    """Codes by status."""
    return {
        int(status): list(response["content"]["application/problem+json"]["examples"])
        for status, response in operation["responses"].items()
        if "application/problem+json" in response["content"]
    }


def _command(base_url: str, path: str, method: str, operation: Json, parameters: list[Json]) -> str:
    """A curl command that works once the key is set."""
    ids = {parameter["name"]: parameter["example"] for parameter in parameters if parameter["in"] == "path"}
    parts = ["curl" if method == "get" else f"curl -X {method.upper()}", base_url + path.format(**ids)]
    ways = {name for way in operation["security"] for name in way}
    parts += [f'-H "X-API-Key: ${_KEY_NAMES[name]}"' for name in sorted(ways & set(_KEY_NAMES))]
    if ways == {"Session"}:
        parts.append("-b cookies.txt")
        if method != "get":
            parts.append('-H "X-CSRF-Token: $CSRF_TOKEN"')
    if "Set-Cookie" in str(operation["responses"]) and not ways:
        parts.append("-c cookies.txt")
    if any(parameter["name"] == "Idempotency-Key" and parameter["required"] for parameter in parameters):
        parts.append('-H "Idempotency-Key: $(uuidgen)"')
    if "requestBody" in operation:
        body = operation["requestBody"]["content"]["application/json"]["example"]
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(_pretty(body))}"]
    return " \\\n  ".join([" ".join(parts[:2]), *parts[2:]])


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
