"""Writes `models.py`: one Struct for every schema that a response or a body refers to."""

from collections.abc import Iterable
from typing import get_args

import msgspec

from scripts.sdk.annotations import (
    allow_unset,
    annotate,
    describe,
    fields_of,
    find_structs,
    is_null_by_default,
    is_nullable,
)
from scripts.sdk.python_text import HEADER, to_identifier, write_docstring
from sightline.api.edge.operations import Operation

Struct = type[msgspec.Struct]
# What any model may need. What none uses is removed by ruff.
_IMPORTS = """\
from datetime import date, datetime
from typing import Any, Literal
from msgspec import UNSET, UnsetType
from sightline_sdk._models import Model, OneOf
"""


def response_struct(operation: Operation) -> Struct:
    """Return what the response of an operation has as `data`, or what each row of its list is."""
    (struct,) = get_args(operation.response_type)
    return struct  # type: ignore[no-any-return]


def collect_structs(roots: Iterable[Struct]) -> list[Struct]:
    """Return the roots and every Struct inside of them, each after those that it refers to."""
    collected: dict[Struct, None] = {}

    def collect(struct: Struct) -> None:
        if struct in collected:
            return
        for field in fields_of(struct):
            for inside in find_structs(field.type):
                collect(inside)
        collected[struct] = None

    for root in roots:
        collect(root)
    by_name = {struct.__name__: struct for struct in collected}
    assert len(by_name) == len(collected), "two schemas have the same name"
    return list(collected)


def write_models(outputs: Iterable[Struct], bodies: Iterable[Struct]) -> str:
    """Return the source of the module. Bodies themselves become parameters; only what is inside of them is written."""
    answered = collect_structs(outputs)
    nested = [inside for body in bodies for field in fields_of(body) for inside in find_structs(field.type)]
    sent = [struct for struct in collect_structs(nested) if struct not in answered]
    written = _order_by_base([*answered, *sent])
    classes = [_write_class(struct, written, is_input=struct in sent) for struct in written]
    return (
        HEADER.format(title="Objects of the APIs.")
        + "from __future__ import annotations\n\n"  # read when a class is first decoded: the import is faster
        + _IMPORTS
        + "\n\n"
        + "\n\n".join(classes)
    )


def _order_by_base(structs: list[Struct]) -> list[Struct]:
    """Return the Structs by name, but each after its base and after what it refers to."""
    ordered: dict[Struct, None] = {}

    def place(struct: Struct) -> None:
        if struct in ordered or struct not in structs:
            return
        place(_base(struct))
        for field in fields_of(struct):
            for inside in find_structs(field.type):
                place(inside)
        ordered[struct] = None

    for struct in sorted(structs, key=lambda each: each.__name__):
        place(struct)
    return list(ordered)


def _base(struct: Struct) -> Struct:
    return struct.__bases__[0]


def _write_class(struct: Struct, written: list[Struct], *, is_input: bool) -> str:
    base = _base(struct) if _base(struct) in written else None
    inherited = {field.name for field in fields_of(base)} if base else set()
    members = [_write_member(field, is_input=is_input) for field in fields_of(struct) if field.name not in inherited]
    head = f"class {struct.__name__}({base.__name__ if base else 'Model'}, frozen=True, kw_only=True):\n"
    return head + write_docstring(struct.__doc__ or struct.__name__, "    ") + "\n" + "".join(members)


def _write_member(field: msgspec.inspect.Field, *, is_input: bool) -> str:
    assert field.encode_name == to_identifier(field.name), field
    assert field.name not in {"response", "members", "to_dict"}, f"{field.name} is something else in a model"
    kind, default = annotate(field.type), ""
    if is_nullable(field.type) and (not is_input or is_null_by_default(field)):
        default = " = None"  # an older server may not send it
    elif is_input and not field.required:
        kind, default = allow_unset(kind), " = UNSET"
    text = describe(field)
    return f"    {field.name}: {kind}{default}\n" + (write_docstring(text, "    ", one_block=True) if text else "")
