"""Component schemas of the OpenAPI document, read from the types that handlers return and bodies are decoded into."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec

from sightline.api.edge.operations import Operation
from sightline.events import EventBody, EventType

Json = dict[str, Any]

_REF = "#/components/schemas/"
_ENVELOPE = re.compile(r"(?P<envelope>Envelope|Page)_(?P<inside>\w+)_")
_SUFFIXES = {"Envelope": "Response", "Page": "Page"}


class ComponentSchemas(NamedTuple):
    """The component schemas by name, and references to those that operations and webhooks use."""

    components: dict[str, Json]
    responses: dict[str, Json]
    """By operation. The response of an event stream is one event; other streams have none."""
    bodies: dict[str, Json]
    """By operation."""
    events: dict[str, Json]
    """By type of event: what a webhook receives."""


def build_component_schemas(
    operations: Iterable[Operation], events: Mapping[EventType, type[msgspec.Struct]]
) -> ComponentSchemas:
    types: dict[tuple[str, str], Any] = {}
    for operation in operations:
        output = operation.stream_event if operation.stream_media_type else operation.response_type
        if output is not None:
            types["response", operation.name] = output
        if operation.body is not None:
            types["body", operation.name] = operation.body
    for kind, data in events.items():
        types["event", kind] = EventBody[data]  # type: ignore[valid-type]
    refs, raw = msgspec.json.schema_components(types.values(), ref_template=_REF + "{name}")
    components = {_component_name(name): _clean_schema(schema) for name, schema in raw.items()}
    used: dict[str, dict[str, Json]] = {"response": {}, "body": {}, "event": {}}
    for (use, name), ref in zip(types, refs, strict=True):
        used[use][name] = _clean_schema(ref)
    schemas = ComponentSchemas(components, used["response"], used["body"], _name_events(used["event"], components))
    _require_response_members(schemas)
    return schemas


def _name_events(bodies: Mapping[str, Json], components: dict[str, Json]) -> dict[str, Json]:
    """Replace the schemas of bodies by one for each type of event, and return references to them."""
    shared = {kind: components[referenced_name(ref["$ref"])] for kind, ref in bodies.items()}
    for ref in bodies.values():
        components.pop(referenced_name(ref["$ref"]), None)
    named = {}
    for kind, schema in shared.items():
        name = re.sub(r"[^a-z]", "", kind.title(), flags=re.IGNORECASE) + "Event"
        const = {"type": "string", "description": schema["properties"]["type"]["description"], "const": kind}
        members = {**schema["properties"], "type": const}
        components[name] = {**schema, "description": f"The event `{kind}`.", "properties": members}
        named[kind] = reference(name)
    return named


def reference(name: str) -> Json:
    return {"$ref": _REF + name}


def referenced_name(ref: str) -> str:
    return ref.removeprefix(_REF)


def _component_name(name: str) -> str:
    """Return `DomainResponse` for `Envelope_Domain_`, as msgspec names it, and `DomainPage` for `Page_Domain_`."""
    found = _ENVELOPE.fullmatch(name)
    return found["inside"] + _SUFFIXES[found["envelope"]] if found else name


def _clean_schema(node: Any) -> Any:
    if isinstance(node, list):
        return [_clean_schema(member) for member in node]
    if not isinstance(node, dict):
        return node
    # A title is the name of a type, and a default makes generated clients require an optional member.
    cleaned = {name: _clean_schema(member) for name, member in node.items() if name not in {"title", "default"}}
    if "properties" in node:  # fields may have these names
        cleaned["properties"] = {name: _clean_schema(field) for name, field in node["properties"].items()}
    if "$ref" in cleaned:
        cleaned["$ref"] = _REF + _component_name(referenced_name(cleaned["$ref"]))
    if all(isinstance(value, str) for value in cleaned.get("enum", [None])):
        cleaned["type"] = "string"
    return cleaned


def _require_response_members(schemas: ComponentSchemas) -> None:
    """Mark all members of responses and events as required.

    They never omit a member, even if its Struct has a default: what was not measured is null.
    """
    in_requests = set(_reachable(schemas.bodies.values(), schemas.components))
    sent = [*schemas.responses.values(), *schemas.events.values()]
    for name in set(_reachable(sent, schemas.components)) - in_requests:
        schema = schemas.components[name]
        if "properties" in schema:
            schema["required"] = list(schema["properties"])


def _reachable(nodes: Iterable[Any], components: dict[str, Json]) -> Iterator[str]:
    """Yield the names of the components that the nodes refer to, directly or not. No component contains itself."""
    for node in nodes:
        if isinstance(node, dict):
            if "$ref" in node:
                name = referenced_name(node["$ref"])
                yield name
                yield from _reachable([components[name]], components)
            yield from _reachable(node.values(), components)
        elif isinstance(node, list):
            yield from _reachable(node, components)
