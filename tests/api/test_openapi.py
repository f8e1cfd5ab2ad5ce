"""The OpenAPI document describes every operation completely and correctly."""

import asyncio
import copy
import json
import re
from collections.abc import Iterator
from functools import reduce
from operator import getitem
from typing import Any

import httpx
import pytest
import schemathesis
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from sightline.api.app import OPERATIONS, create_app
from sightline.api.app_context import build_app_context
from sightline.api.edge.body import decode_body
from sightline.api.openapi.document import openapi_document, serve_openapi
from sightline.api.openapi.problems import MEMBERS, TYPICAL_OPERATIONS, possible_codes
from sightline.db.engine import Database
from sightline.errors import CATALOG, Problem
from sightline.events import EVENT_TYPES
from sightline.kit.clock import utc_now
from sightline.settings import Settings

BASE = "https://sightline.example"
DOCUMENT: dict[str, Any] = openapi_document(BASE)
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
NAMES = [operation.name for operation in OPERATIONS]
_METHODS = {"get", "post", "patch", "delete"}
_REGISTRY: Registry[Any] = Registry().with_resource("urn:api", DRAFT202012.create_resource(DOCUMENT))


def validate(value: object, schema: dict[str, Any]) -> None:
    absolute = _with_absolute_refs(schema)
    Draft202012Validator(absolute, registry=_REGISTRY, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(
        value
    )


def _with_absolute_refs(node: Any) -> Any:
    if isinstance(node, dict):
        return {
            name: f"urn:api{member}" if name == "$ref" else _with_absolute_refs(member) for name, member in node.items()
        }
    return [_with_absolute_refs(member) for member in node] if isinstance(node, list) else node


def resolve_pointer(pointer: str) -> Any:
    node: Any = DOCUMENT
    for part in pointer.removeprefix("#/").split("/"):
        node = node[part.replace("~1", "/").replace("~0", "~")]
    return node


def find_operation(name: str) -> dict[str, Any]:
    operation = next(operation for operation in OPERATIONS if operation.name == name)
    found: dict[str, Any] = DOCUMENT["paths"][operation.full_path][operation.method.lower()]
    return found


def walk_nodes(node: Any = DOCUMENT) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for member in node.values():
            yield from walk_nodes(member)
    elif isinstance(node, list):
        for member in node:
            yield from walk_nodes(member)


def test_every_handler_is_in_the_document_and_nothing_else():
    documented = {
        (path, method.upper()) for path, item in DOCUMENT["paths"].items() for method in item if method in _METHODS
    }
    assert documented == {(operation.full_path, operation.method) for operation in OPERATIONS}


def test_operation_ids_are_unique():
    ids = [item["operationId"] for path in DOCUMENT["paths"].values() for item in path.values()]
    assert sorted(ids) == sorted(set(ids)) == sorted(NAMES)


def test_every_reference_resolves():
    references = [node["$ref"] for node in walk_nodes() if isinstance(node.get("$ref"), str)]
    assert references
    for reference in references:
        assert resolve_pointer(reference)


@pytest.mark.parametrize("kind", ["schemas", "headers", "parameters", "examples"])
def test_component_names_are_words(kind: str):
    assert all(re.fullmatch(r"[A-Za-z0-9-]+(_[a-z]+)*", name) for name in DOCUMENT["components"][kind])


def test_component_schemas_are_valid_json_schema():
    validator = Draft202012Validator(Draft202012Validator.META_SCHEMA)
    assert [(name, error) for name, schema in SCHEMAS.items() for error in validator.iter_errors(schema)] == []


def test_every_field_has_a_description():
    """A field is described with `msgspec.Meta` where it is declared, in `schemas.py` of its feature."""
    undescribed = [
        f"{name}.{field}"
        for name, schema in SCHEMAS.items()
        for field, field_schema in schema.get("properties", {}).items()
        if not field_schema.get("description")
    ]
    assert undescribed == []


def test_every_object_has_a_description():
    assert [name for name, schema in SCHEMAS.items() if "properties" in schema and not schema.get("description")] == []


def test_every_member_of_the_catalog_is_documented():
    assert {member for kind in CATALOG.values() for member in kind.members} == set(MEMBERS)


@pytest.mark.parametrize("name", NAMES)
def test_operation_has_summary_description_tag_and_path_parameters(name: str):
    operation = find_operation(name)
    assert operation["summary"] and operation["description"]
    assert operation["tags"][0] in {tag["name"] for tag in DOCUMENT["tags"]}
    in_path = {parameter["name"] for parameter in operation["parameters"] if parameter.get("in") == "path"}
    path = next(o.full_path for o in OPERATIONS if o.name == name)
    assert in_path == set(re.findall(r"\{(\w+)\}", path))
    for parameter in operation["parameters"]:
        if "example" in parameter:
            validate(parameter["example"], parameter["schema"])


@pytest.mark.parametrize("name", NAMES)
def test_examples_of_bodies_and_successes_conform_to_their_schemas(name: str):
    operation = find_operation(name)
    contents = [response["content"] for status, response in operation["responses"].items() if status.startswith("2")]
    if "requestBody" in operation:
        contents.append(operation["requestBody"]["content"])
    for content in contents:
        for media in content.values():  # JSON, text, or a binary file
            validate(media["example"], media["schema"])


def list_texts(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return the path of every text in a body."""
    if isinstance(node, str):
        yield path
    for key, member in node.items() if isinstance(node, dict) else enumerate(node if isinstance(node, list) else ()):
        yield from list_texts(member, (*path, key))


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS if operation.body is not None])
def test_control_characters_in_any_text_of_a_body_are_refused(name: str):
    operation = next(operation for operation in OPERATIONS if operation.name == name)
    example = find_operation(name)["requestBody"]["content"]["application/json"]["example"]
    for path in list_texts(example):
        body = copy.deepcopy(example)
        reduce(getitem, path[:-1], body)[path[-1]] += "\a"
        with pytest.raises(Problem, match=r"validation_failed: .*must not contain control characters"):
            decode_body(json.dumps(body).encode(), operation.body)


@pytest.mark.parametrize("name", NAMES)
def test_problems_are_those_of_the_catalog_with_their_status(name: str):
    operation = next(operation for operation in OPERATIONS if operation.name == name)
    seen = []
    for status, response in find_operation(name)["responses"].items():
        if status.startswith("2"):
            continue
        content = response["content"]["application/problem+json"]
        for code, reference in content["examples"].items():
            example = resolve_pointer(reference["$ref"])["value"]
            assert CATALOG[code].status == int(status) == example["status"]
            assert example["type"] == f"{BASE}/docs/errors#{code}"
            assert set(CATALOG[code].members) <= set(example)
            validate(example, content["schema"])
        codes = list(content["examples"])
        assert set(codes) <= set(resolve_pointer(content["schema"]["$ref"])["properties"]["code"]["enum"])
        assert ("Retry-After" in response["headers"]) == any("retry_after" in CATALOG[c].members for c in codes)
        seen += codes
    assert sorted(seen) == sorted(possible_codes(operation))
    assert set(operation.problems) <= set(seen)


def test_a_typical_operation_can_respond_with_the_code():
    codes = {operation.name: possible_codes(operation) for operation in OPERATIONS}
    assert all(code in codes[name] for code, name in TYPICAL_OPERATIONS.items())


@pytest.mark.parametrize(
    ("name", "expected", "unexpected"),
    [
        (
            "create_session",
            {"sign_in_failed", "rate_limited"},
            {"key_missing", "quota_exceeded", "idempotency_conflict"},
        ),
        ("read_session", {"session_required", "session_only"}, {"key_missing", "csrf_failed", "workspace_not_found"}),
        ("list_domains", {"key_missing", "invalid_cursor", "validation_failed"}, {"csrf_failed", "payload_too_large"}),
        ("register_domain", {"idempotency_required", "domain_exists", "csrf_failed"}, {"invalid_cursor"}),
        ("remove_domain", {"idempotency_required", "payload_too_large"}, {"unsupported_media_type", "invalid_json"}),
        ("mint_key", {"idempotency_conflict", "workspace_access_required"}, {"idempotency_required"}),
        ("list_tracked_domains", {"plan_required"}, {"session_expired", "service_disabled", "validation_failed"}),
    ],
)
def test_codes_follow_from_what_the_operation_needs(name: str, expected: set[str], unexpected: set[str]):
    codes = set(possible_codes(next(operation for operation in OPERATIONS if operation.name == name)))
    assert expected <= codes
    assert not unexpected & codes


def test_a_status_has_one_problem_schema_in_all_operations():
    """A generated client has one class of errors for each status."""
    used: dict[str, set[str]] = {}
    for name in NAMES:
        for status, response in find_operation(name)["responses"].items():
            for media in response["content"].values():
                if "Problem" in str(media["schema"]):
                    used.setdefault(status, set()).add(media["schema"]["$ref"])
    assert set(used) == {str(CATALOG[code].status) for operation in OPERATIONS for code in possible_codes(operation)}
    assert all(len(references) == 1 for references in used.values())


def test_streams_are_typed():
    events = find_operation("follow_scan_events")["responses"]["200"]["content"]["text/event-stream"]["schema"]
    assert events["type"] == "string" and events["contentMediaType"] == "text/event-stream"
    assert events["contentSchema"]["items"] == {"$ref": "#/components/schemas/ScanStreamEvent"}
    pdf = find_operation("read_report_pdf")["responses"]["200"]["content"]["application/pdf"]["schema"]
    assert pdf == {"type": "string", "format": "binary"}


@pytest.mark.parametrize("kind", EVENT_TYPES)
def test_every_event_is_a_typed_webhook(kind: str):
    received = DOCUMENT["webhooks"][kind]["post"]
    media = received["requestBody"]["content"]["application/json"]
    schema = resolve_pointer(media["schema"]["$ref"])
    assert schema["properties"]["type"]["const"] == kind == media["example"]["type"]
    assert set(schema["required"]) == {"type", "timestamp", "data"}
    validate(media["example"], media["schema"])
    assert {"workspace_id", "livemode"} <= set(resolve_pointer(schema["properties"]["data"]["$ref"])["required"])


def test_only_events_are_webhooks():
    assert tuple(DOCUMENT["webhooks"]) == EVENT_TYPES
    ids = [item["post"]["operationId"] for item in DOCUMENT["webhooks"].values()]
    assert len({*ids, *NAMES}) == len(ids) + len(NAMES)


def test_no_member_has_a_default():
    """A generator of TypeScript requires optional members that have one."""
    assert [name for name, schema in SCHEMAS.items() for node in walk_nodes(schema) if "default" in node] == []


def test_the_document_states_the_access_rule_of_operations():
    assert find_operation("create_session")["security"] == []
    assert find_operation("list_domains")["security"] == [{"ConsoleKey": []}, {"Session": []}]
    assert find_operation("list_tracked_domains")["security"] == [{"DataKey": []}]
    cookie = DOCUMENT["components"]["securitySchemes"]["Session"]["name"]
    assert cookie == "__Host-sightline_session"
    plain = openapi_document("http://localhost:8080")["components"]["securitySchemes"]["Session"]["name"]
    assert plain == "sightline_session"


def test_responses_never_omit_a_member():
    assert SCHEMAS["DomainResponse"]["required"] == ["data", "meta"]
    assert SCHEMAS["Meta"]["required"] == ["request_id"]
    assert SCHEMAS["Competitor"]["required"] == ["domain", "name"]
    assert SCHEMAS["DomainInput"]["required"] == ["domain"]


def test_the_document_is_valid_openapi():
    assert list(OpenAPIV31SpecValidator(DOCUMENT).iter_errors()) == []


def test_schemathesis_can_load_the_document():
    schema = schemathesis.openapi.from_dict(DOCUMENT)
    loaded = [operation.ok() for operation in schema.get_all_operations()]
    assert len(loaded) == len(OPERATIONS)


def test_the_document_is_served(tmp_path):
    settings = Settings(data_dir=tmp_path, secret_key="x" * 32, base_url=BASE)
    app = create_app(
        build_app_context(settings, Database("postgresql://unused", pool_size=1), utc_now), [serve_openapi]
    )

    async def fetch() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://test") as client:
            return await client.get("/api/openapi.json")

    response = asyncio.run(fetch())
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.json() == DOCUMENT
