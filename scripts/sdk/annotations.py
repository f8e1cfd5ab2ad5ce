"""Types of the server's schemas as annotations of the SDK.

Ids are text. Times are `datetime`. Where the server has a fixed set of values, the SDK accepts any text, so that a
value of a newer server does not break it.
"""

from collections.abc import Iterator

import msgspec
from msgspec import inspect

from scripts.sdk.python_text import write_one_of

_PLAIN: dict[type[inspect.Type], str] = {
    inspect.StrType: "str",
    inspect.IntType: "int",
    inspect.FloatType: "float",
    inspect.BoolType: "bool",
    inspect.UUIDType: "str",
    inspect.DateTimeType: "datetime",
    inspect.DateType: "date",
    inspect.AnyType: "Any",
    inspect.RawType: "Any",
    inspect.NoneType: "None",
}
_FORMATS = {"date-time": "datetime", "date": "date"}
_LISTS = (inspect.ListType, inspect.VarTupleType, inspect.SetType, inspect.FrozenSetType)


def annotate(kind: inspect.Type, *, sequence: str = "list") -> str:
    """Return the annotation of a type. `sequence` is what lists are called: parameters accept any sequence."""
    if isinstance(kind, inspect.Metadata):
        text_format = (kind.extra_json_schema or {}).get("format", "")
        is_text = isinstance(kind.type, inspect.StrType)
        return _FORMATS.get(text_format, "str") if is_text else annotate(kind.type, sequence=sequence)
    if isinstance(kind, inspect.UnionType):
        return _annotate_union(kind, sequence)
    if isinstance(kind, inspect.LiteralType | inspect.EnumType):
        return write_one_of(_values(kind))
    if isinstance(kind, inspect.StructType):
        return kind.cls.__name__
    if isinstance(kind, _LISTS):
        return f"{sequence}[{annotate(kind.item_type, sequence=sequence)}]"
    if isinstance(kind, inspect.DictType):
        return f"dict[str, {annotate(kind.value_type)}]"
    return _PLAIN[type(kind)]


def _annotate_union(kind: inspect.UnionType, sequence: str) -> str:
    """Return the members in their order, with one set of values instead of several, and None at the end."""
    members = [_unwrap(member) for member in kind.types]
    values = [value for member in members if _has_values(member) for value in _values(member)]
    parts = [annotate(member, sequence=sequence) for member in kind.types if not _has_values(_unwrap(member))]
    if values:
        parts.insert(0, write_one_of(values))
    ordered = dict.fromkeys(sorted(parts, key=lambda part: part == "None"))
    return " | ".join(ordered)


def _unwrap(kind: inspect.Type) -> inspect.Type:
    return kind.type if isinstance(kind, inspect.Metadata) else kind


def _has_values(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.LiteralType | inspect.EnumType)


def _values(kind: inspect.Type) -> list[str]:
    if isinstance(kind, inspect.EnumType):
        return [member.value for member in kind.cls]
    assert isinstance(kind, inspect.LiteralType)
    assert all(isinstance(value, str) for value in kind.values), kind
    return [str(value) for value in kind.values]


def allow_unset(annotation: str) -> str:
    """Return the annotation of a member that may be left out, with None at the end."""
    return f"{annotation.removesuffix(' | None')} | UnsetType{' | None' if annotation.endswith(' | None') else ''}"


def is_nullable(kind: inspect.Type) -> bool:
    kind = _unwrap(kind)
    return isinstance(kind, inspect.UnionType) and any(isinstance(each, inspect.NoneType) for each in kind.types)


def is_null_by_default(field: inspect.Field) -> bool:
    """Return whether null means the same as leaving the member out."""
    return not field.required and field.default is None


def describe(field: inspect.Field) -> str:
    kind = field.type
    return (kind.extra_json_schema or {}).get("description", "") if isinstance(kind, inspect.Metadata) else ""


def find_structs(kind: inspect.Type) -> Iterator[type[msgspec.Struct]]:
    """Yield the Structs that a type refers to directly, also inside lists and unions."""
    if isinstance(kind, inspect.Metadata):
        yield from find_structs(kind.type)
    elif isinstance(kind, inspect.StructType):
        yield kind.cls
    elif isinstance(kind, inspect.UnionType):
        for member in kind.types:
            yield from find_structs(member)
    elif isinstance(kind, _LISTS):
        yield from find_structs(kind.item_type)
    elif isinstance(kind, inspect.DictType):
        yield from find_structs(kind.value_type)


def fields_of(struct: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    assert info.tag is None, f"{struct.__name__} is a tagged Struct, which the SDK does not know"
    return info.fields
