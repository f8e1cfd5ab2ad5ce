"""Schemas of the OpenAPI document, taken from the types that handlers return and bodies are decoded into."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from sightline.api.edge.operations import Operation
from sightline.api.openapi.fields import MEANINGS

Json = dict[str, Any]

_REF = "#/components/schemas/"
_ENVELOPE = re.compile(r"(?P<envelope>One|Page)_(?P<inside>\w+)_")
_SUFFIXES = {"One": "Response", "Page": "Page"}


class Shapes(NamedTuple):
    """The component schemas, and a reference into them for each operation's response and body."""

    components: dict[str, Json]
    responses: dict[str, Json]
    bodies: dict[str, Json]


def describe_shapes(operations: Iterable[Operation]) -> Shapes:
    answers: dict[str, Any] = {}
    inputs: dict[str, Any] = {}
    for operation in operations:
        if operation.streams is None:
            answers[operation.name] = operation.returns
        if operation.body is not None:
            inputs[operation.name] = operation.body
    types = [*answers.values(), *inputs.values()]
    refs, raw = msgspec.json.schema_components(types, ref_template=_REF + "{name}")
    components = {_tidy_name(name): _tidy(schema) for name, schema in raw.items()}
    tidied = [_tidy(ref) for ref in refs]
    shapes = Shapes(
        components,
        dict(zip(answers, tidied, strict=False)),
        dict(zip(inputs, tidied[len(answers) :], strict=True)),
    )
    _complete_responses(shapes)
    _explain_fields(components)
    return shapes


def named(name: str) -> Json:
    return {"$ref": _REF + name}


def name_in(ref: str) -> str:
    return ref.removeprefix(_REF)


def _tidy_name(name: str) -> str:
    """`One_Domain_` and `Page_Domain_` are how a generic prints; clients generated from the document want words."""
    found = _ENVELOPE.fullmatch(name)
    return found["inside"] + _SUFFIXES[found["envelope"]] if found else name


def _tidy(node: Any) -> Any:
    if isinstance(node, list):
        return [_tidy(member) for member in node]
    if not isinstance(node, dict):
        return node
    # A title is the name of a type; a field of that name is described by a schema, and stays.
    tidied = {name: _tidy(member) for name, member in node.items() if name != "title" or isinstance(member, dict)}
    if "$ref" in tidied:
        tidied["$ref"] = _REF + _tidy_name(name_in(tidied["$ref"]))
    if all(isinstance(value, str) for value in tidied.get("enum", [None])):
        tidied["type"] = "string"
    return tidied


def _complete_responses(shapes: Shapes) -> None:
    """A response never leaves a member out, whatever default its Struct has: what was not measured is null."""
    sent_to_us = set(_reachable(shapes.bodies.values(), shapes.components))
    for name in set(_reachable(shapes.responses.values(), shapes.components)) - sent_to_us:
        schema = shapes.components[name]
        if "properties" in schema:
            schema["required"] = list(schema["properties"])
            for field in schema["properties"].values():
                field.pop("default", None)


def _reachable(nodes: Iterable[Any], components: dict[str, Json]) -> Iterator[str]:
    """Names of the components that the nodes refer to, directly or through others. No component contains itself."""
    for node in nodes:
        if isinstance(node, dict):
            if "$ref" in node:
                name = name_in(node["$ref"])
                yield name
                yield from _reachable([components[name]], components)
            yield from _reachable(node.values(), components)
        elif isinstance(node, list):
            yield from _reachable(node, components)


def _explain_fields(components: dict[str, Json]) -> None:
    for name, schema in components.items():
        for field, described in schema.get("properties", {}).items():
            meaning = MEANINGS.get(f"{name}.{field}") or MEANINGS.get(field)
            if meaning is not None:
                described["description"] = meaning
