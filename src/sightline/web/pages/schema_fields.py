"""A JSON schema as rows that a person can read: name, type, what is allowed, what it means."""

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
    place: str = ""
    """Where a parameter is sent: path, query or header."""

    @classmethod
    def of_parameter(cls, parameter: Json) -> "FieldDoc":
        schema = parameter["schema"]
        return cls(
            name=parameter["name"],
            type=_type_of(schema, {}),
            required=parameter["required"],
            limits=_limits_of(schema),
            description=parameter["description"],
            place=parameter["in"],
        )


def list_fields(schema: Json, components: Json, prefix: str = "") -> list[FieldDoc]:
    """Every field, those of nested objects after their parent with a dotted name."""
    return list(_walk(schema, components, prefix))


def _walk(schema: Json, components: Json, prefix: str) -> Iterator[FieldDoc]:
    for variant in _variants(schema, components):
        if variant.get("type") == "array":
            yield from _walk(variant["items"], components, f"{prefix.removesuffix('.')}[].")
        required = variant.get("required", [])
        for name, member in variant.get("properties", {}).items():
            yield FieldDoc(
                name=prefix + name,
                type=_type_of(member, components),
                required=name in required,
                limits=_limits_of(member),
                description=member.get("description", ""),
            )
            yield from _walk(member, components, f"{prefix}{name}.")


def _variants(schema: Json, components: Json) -> Iterator[Json]:
    """What the schema may be, with references followed."""
    if "$ref" in schema:
        yield from _variants(components[schema["$ref"].rpartition("/")[2]], components)
    elif "anyOf" in schema:
        for variant in schema["anyOf"]:
            yield from _variants(variant, components)
    else:
        yield schema


def _type_of(schema: Json, components: Json) -> str:
    return " or ".join(dict.fromkeys(_name_of(variant, components) for variant in _variants(schema, components)))


def _name_of(schema: Json, components: Json) -> str:
    if "enum" in schema:
        return " | ".join(f'"{value}"' for value in schema["enum"])
    if schema.get("type") == "array":
        inside = _type_of(schema["items"], components)
        return f"array of {inside}"
    return _FORMATS.get(schema.get("format", "")) or str(schema["type"])


def _limits_of(schema: Json) -> str:
    """Lengths, ranges and the default, in words."""
    if "anyOf" in schema:
        return ", ".join(limits for variant in schema["anyOf"] if (limits := _limits_of(variant)))
    longest = schema.get("maxLength")
    said = [
        f"{schema.get('minLength', 0)} to {longest} characters" if longest else "",
        f"{schema['minimum']} to {schema['maximum']}" if "maximum" in schema else "",
        f"at most {schema['maxItems']}" if "maxItems" in schema else "",
        f"default {schema['default']}" if schema.get("default") not in (None, "", []) else "",
    ]
    return ", ".join(text for text in said if text)
