"""The fields of a JSON schema as table rows: name, type, limits and description."""

from collections.abc import Iterator
from typing import NamedTuple

from sightline.api.openapi.components import Json

_FORMATS = {"uuid": "uuid", "date-time": "timestamp"}


class FieldDoc(NamedTuple):
    name: str
    type: str
    required: bool
    limits: str
    description: str
    location: str = ""
    """Where a parameter is sent: path, query or header."""

    @classmethod
    def from_parameter(cls, parameter: Json, components: Json) -> "FieldDoc":
        schema = parameter["schema"]
        return cls(
            name=parameter["name"],
            type=_describe_type(schema, components),
            required=parameter["required"],
            limits=_describe_limits(schema),
            description=parameter["description"],
            location=parameter["in"],
        )


def list_fields(schema: Json, components: Json) -> list[FieldDoc]:
    """Return every field; those of nested objects follow their parent and have dotted names.

    The fields of a kind of object are listed at its first use; later uses refer to that one.
    """
    return list(_walk(schema, components, "", {}))


def _walk(schema: Json, components: Json, prefix: str, listed: dict[str, str]) -> Iterator[FieldDoc]:
    for variant in _variants(schema, components):
        if variant.get("type") == "array":
            yield from _walk(variant["items"], components, f"{prefix.removesuffix('.')}[].", listed)
        required = variant.get("required", [])
        for name, member in variant.get("properties", {}).items():
            kind = ", ".join(_list_kinds(member))
            earlier = listed.get(kind)
            yield FieldDoc(
                name=prefix + name,
                type=_describe_type(member, components),
                required=name in required,
                limits=f"same fields as {earlier}" if earlier else _describe_limits(member),
                description=member.get("description", ""),
            )
            if kind and not earlier:
                listed[kind] = prefix + name
            if not earlier:
                yield from _walk(member, components, f"{prefix}{name}.", listed)


def _list_kinds(schema: Json) -> Iterator[str]:
    """Yield the names of the objects that a schema refers to."""
    if "$ref" in schema:
        yield schema["$ref"].rpartition("/")[2]
    for variant in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else ())):
        yield from _list_kinds(variant)


def _variants(schema: Json, components: Json) -> Iterator[Json]:
    """Yield the alternatives of a schema, with references resolved."""
    if "$ref" in schema:
        yield from _variants(components[schema["$ref"].rpartition("/")[2]], components)
    elif "anyOf" in schema:
        for variant in schema["anyOf"]:
            yield from _variants(variant, components)
    else:
        yield schema


def _describe_type(schema: Json, components: Json) -> str:
    return " or ".join(dict.fromkeys(_name_type(variant, components) for variant in _variants(schema, components)))


def _name_type(schema: Json, components: Json) -> str:
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if schema.get("type") == "array":
        item_type = _describe_type(schema["items"], components)
        return f"array of {item_type}"
    return _FORMATS.get(schema.get("format", "")) or str(schema["type"])


def _describe_limits(schema: Json) -> str:
    """Return lengths, ranges and the default as a phrase."""
    if "anyOf" in schema:
        return ", ".join(limits for variant in schema["anyOf"] if (limits := _describe_limits(variant)))
    max_length = schema.get("maxLength")
    parts = [
        f"{schema.get('minLength', 0)} to {max_length} characters" if max_length else "",
        f"{schema['minimum']} to {schema['maximum']}" if "maximum" in schema else "",
        f"at most {schema['maxItems']}" if "maxItems" in schema else "",
        f"default {schema['default']}" if schema.get("default") not in (None, "", []) else "",
    ]
    return ", ".join(part for part in parts if part)
