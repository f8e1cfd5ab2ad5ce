"""Every field of a document that is not valid, each with what is wrong and what is allowed. Pure.

The decoder stops at the first such field. This module walks the document along the same type, and says in words what
the decoder would say in its own terms. The type bounds the work, not the document: a list or a map that is too long is
one fault, and its elements are not visited. Of unknown fields, which no type bounds, only some values are visited.
"""

import datetime as dt
import math
import re
import uuid
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import Meta, inspect

from sightline.errors import Fault
from sightline.kit.text import CONTROL_FAULT, has_control_characters

Kind = str

MAX_UNKNOWN_VALUES = 1_000
_SURROGATE = re.compile("[\ud800-\udfff]")

_LISTS = (inspect.ListType, inspect.SetType, inspect.FrozenSetType, inspect.VarTupleType)
_KINDS: dict[type[inspect.Type], Kind] = {
    inspect.StrType: "text",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.StructType: "an object",
    inspect.DictType: "an object",
    inspect.UUIDType: "an id such as 01990f70-3e15-7a62-b0c4-9d8e71f2a356",
    inspect.DateType: "a date such as 2026-11-16",
    **dict.fromkeys(_LISTS, "a list"),
}
_FORMATS: dict[type[inspect.Type], Any] = {inspect.UUIDType: uuid.UUID, inspect.DateType: dt.date}


class _Choice(inspect.Type):
    """The values that a field may have, of all literals and enumerations that it is declared with."""

    values: tuple[object, ...]


@cache
def _type_of(model: type[msgspec.Struct]) -> inspect.Type:
    return inspect.type_info(model)


def find_field_errors(document: object, model: type[msgspec.Struct]) -> Iterator[Fault]:
    """Yield the faults of a decoded JSON document: what the model refuses, and values that no field may have.

    The latter are NaN, lone surrogates and control characters: text like JSON can contain them. They are found in
    unknown fields, too, up to `MAX_UNKNOWN_VALUES`.
    """
    yield from _Walk().check(document, _type_of(model), "")


class _Walk:
    """One walk through a document. It counts how many values of unknown fields it may still visit."""

    def __init__(self) -> None:
        self._unknown_left = MAX_UNKNOWN_VALUES

    def check(self, value: object, declared: inspect.Type, path: str) -> Iterator[Fault]:
        if fault := _check_characters(value):
            yield path or "body", fault, "invalid"
            return
        alternatives = list(_list_alternatives(declared))
        fitting = [each for each in alternatives if _takes(each, value)]
        tagged = {each.tag: each for each in fitting if isinstance(each, inspect.StructType) and each.tag_field}
        if not fitting:
            allowed = list(dict.fromkeys(map(_name_kind, alternatives)))
            yield path or "body", f"must be {_join(allowed)}", "invalid"
        elif len(tagged) > 1:
            yield from self._check_tagged(value, tagged, path)
        elif len(fitting) == 1:
            yield from self._check_fitting(value, fitting[0], path)
        else:
            yield from min((list(self._check_fitting(value, each, path)) for each in fitting), key=len)

    def _check_fitting(self, value: Any, declared: inspect.Type, path: str) -> Iterator[Fault]:
        """Yield what is wrong with a value of the right kind, and with what it contains."""
        if fault := _check_content(value, declared):
            yield path or "body", fault, "invalid"
        if isinstance(declared, inspect.StructType):
            yield from self._check_object(value, declared, path)
        elif isinstance(declared, _LISTS) and not _is_too_long(value, declared):
            for index, member in enumerate(value):
                yield from self.check(member, declared.item_type, f"{path}[{index}]")
        elif isinstance(declared, inspect.DictType) and not _is_too_long(value, declared):
            for name, member in value.items():
                if fault := _check_characters(name):
                    yield path or "body", f"has a member whose name {fault}", "invalid"
                else:
                    yield from self.check(member, declared.value_type, _below(path, name))

    def _check_object(self, value: dict[str, object], declared: inspect.StructType, path: str) -> Iterator[Fault]:
        if declared.tag_field is not None and value.get(declared.tag_field, declared.tag) != declared.tag:
            yield _below(path, declared.tag_field), f"must be {declared.tag}", "invalid"
        for field in declared.fields:
            name = field.encode_name
            if name in value:
                yield from self.check(value[name], field.type, _below(path, name))
            elif field.required:
                yield _below(path, name), "is required", "required"
        known = {field.encode_name for field in declared.fields} | {declared.tag_field}
        if declared.forbid_unknown_fields:
            for name in value.keys() - known:
                yield _below(path, name), "is not a known field", "unknown"
        else:
            yield from self._check_unknown(value, known, path)

    def _check_tagged(self, value: Any, tagged: dict[Any, inspect.StructType], path: str) -> Iterator[Fault]:
        """Check an object whose tag says which of several types it has."""
        tag_field = next(iter(tagged.values())).tag_field
        assert tag_field is not None
        if tag_field not in value:
            yield _below(path, tag_field), "is required", "required"
        elif (tag := value[tag_field]) not in list(tagged):
            yield _below(path, tag_field), f"must be one of {', '.join(map(str, tagged))}", "invalid"
        else:
            yield from self._check_object(value, tagged[tag], path)

    def _check_unknown(self, value: dict[str, object], known: Collection[str | None], path: str) -> Iterator[Fault]:
        for fault in islice(_visit_members(value, known, path), self._unknown_left):
            self._unknown_left -= 1
            if fault:
                yield fault


def _visit_members(value: dict[str, object], known: Collection[str | None], path: str) -> Iterator[Fault | None]:
    """Yield, for each unknown member and for all that it contains, what no field may have, or None."""
    for name, member in value.items():
        if name in known:
            continue
        if fault := _check_characters(name):
            yield path or "body", f"has a member whose name {fault}", "invalid"
        else:
            yield from _visit(member, _below(path, name))


def _visit(value: object, path: str) -> Iterator[Fault | None]:
    fault = _check_characters(value)
    yield (path, fault, "invalid") if fault else None
    if isinstance(value, dict):
        yield from _visit_members(value, (), path)
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _visit(member, f"{path}[{index}]")


def _check_characters(value: object) -> str | None:
    """Return what is wrong with a text or number that no field may have."""
    if isinstance(value, str):
        if has_control_characters(value):
            return CONTROL_FAULT
        if _SURROGATE.search(value):
            return "contains half of a surrogate pair"
    return "must be a finite number" if isinstance(value, float) and not math.isfinite(value) else None


def _list_alternatives(declared: inspect.Type) -> Iterator[inspect.Type]:
    """Yield the types that a value may have, null last, and all choices as one."""
    types: list[inspect.Type] = []
    _flatten(declared, types)
    choices = [value for each in types if isinstance(each, inspect.LiteralType) for value in each.values]
    choices += [member.value for each in types if isinstance(each, inspect.EnumType) for member in each.cls]
    nullable = any(isinstance(each, inspect.NoneType) for each in types)
    plain = (inspect.LiteralType, inspect.EnumType, inspect.NoneType)
    yield from (each for each in types if not isinstance(each, plain))
    if choices:
        yield _Choice(tuple(sorted(set(choices), key=str)))
    if nullable:
        yield inspect.NoneType()


def _flatten(declared: inspect.Type, types: list[inspect.Type]) -> None:
    if isinstance(declared, inspect.Metadata):
        _flatten(declared.type, types)
    elif isinstance(declared, inspect.UnionType):
        for each in declared.types:
            _flatten(each, types)
    else:
        types.append(declared)


def _takes(declared: inspect.Type, value: object) -> bool:
    """Return whether JSON of this kind may become the type, whatever its content."""
    match declared:
        case inspect.AnyType():
            return True
        case inspect.NoneType():
            return value is None
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.IntType():
            return isinstance(value, int) and not isinstance(value, bool)
        case inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case inspect.StructType() | inspect.DictType():
            return isinstance(value, dict)
        case _Choice():
            return any(value == each and type(value) is type(each) for each in declared.values)
        case _:
            return isinstance(value, list if isinstance(declared, _LISTS) else str)


def _check_content(value: Any, declared: inspect.Type) -> str | None:
    annotation: Any
    match declared:
        case inspect.StrType():
            return _check_length(len(value), declared, "character") or _check_pattern(value, declared)
        case inspect.IntType() | inspect.FloatType():
            return _check_range(value, declared)
        case inspect.DateTimeType():
            annotation = Annotated[dt.datetime, Meta(tz=declared.tz)]
        case inspect.UUIDType() | inspect.DateType():
            annotation = _FORMATS[type(declared)]
        case _:
            has_entries = isinstance(declared, (*_LISTS, inspect.DictType))
            return _check_length(len(value), declared, "entry") if has_entries else None
    return None if _converts(value, annotation) else f"must be {_name_kind(declared)}"


def _check_pattern(text: str, declared: inspect.StrType) -> str | None:
    if declared.pattern is None or _converts(text, Annotated[str, Meta(pattern=declared.pattern)]):
        return None
    return "does not have the right form"


def _is_too_long(value: Collection[object], declared: Any) -> bool:
    return declared.max_length is not None and len(value) > declared.max_length


def _check_length(length: int, declared: Any, unit: str) -> str | None:
    least, most = declared.min_length or 0, declared.max_length
    if least <= length and (most is None or length <= most):
        return None
    units = "entries" if unit == "entry" else f"{unit}s"
    if length == 0 and least == 1:
        return "must not be empty"
    if most is None:
        return f"must have at least {least} {units}; it has {length}"
    allowed = f"{least} to {most:,}" if least else f"at most {most:,}"
    return f"must have {allowed} {unit if most == 1 else units}; it has {length:,}"


def _check_range(value: float, declared: inspect.IntType | inspect.FloatType) -> str | None:
    if declared.ge is not None and declared.le is not None and not declared.ge <= value <= declared.le:
        return f"must be from {declared.ge:,} to {declared.le:,}"
    if declared.ge is not None and value < declared.ge:
        return f"must be at least {declared.ge:,}"
    if declared.gt is not None and value <= declared.gt:
        return f"must be above {declared.gt:,}"
    if declared.le is not None and value > declared.le:
        return f"must be at most {declared.le:,}"
    if declared.lt is not None and value >= declared.lt:
        return f"must be below {declared.lt:,}"
    return None


def _converts(value: str, annotation: Any) -> bool:
    try:
        msgspec.convert(value, annotation)
    except msgspec.ValidationError:
        return False
    return True


def _name_kind(declared: inspect.Type) -> Kind:
    if isinstance(declared, _Choice):
        return f"one of {', '.join(map(str, declared.values))}" if len(declared.values) > 1 else str(declared.values[0])
    if isinstance(declared, inspect.DateTimeType):
        return "a time with a UTC offset such as 2026-11-16T09:30:00+00:00"
    return _KINDS.get(type(declared), "text")


def _join(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _below(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
