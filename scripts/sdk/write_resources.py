"""Writes one module for each resource, with its sync and its async methods, and the module that lists them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scripts.sdk.annotations import fields_of, find_structs
from scripts.sdk.names import RESOURCES, method_of, to_class_name
from scripts.sdk.parameters import (
    Parameter,
    is_event_stream,
    read_body_parameters,
    read_header_parameters,
    read_path_parameters,
    read_query_parameters,
)
from scripts.sdk.python_text import HEADER, write_docstring, write_import
from scripts.sdk.write_models import response_struct
from sightline.api.edge.operations import ApiName, Operation
from sightline.api.event_types import SCAN_STREAM_EVENTS

_API_TITLES: dict[ApiName, str] = {"console": "Console API", "data": "Data API"}
_BASES = {"scans": ("_waiting", "ScanWaiting"), "webhooks": ("_unwrapping", "WebhookUnwrapping")}
"""Resources with methods that are written by hand."""
# What any resource may need. What it does not use is removed by ruff.
_IMPORTS = """\
from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal
from msgspec import UNSET, UnsetType
from sightline_sdk._calls import build_call, omit_none, to_segment
from sightline_sdk._models import OneOf
from sightline_sdk._pages import AsyncPagedList, PagedList
from sightline_sdk._streams import AsyncByteStream, AsyncEventStream, ByteStream, EventStream
"""


class Flavor(NamedTuple):
    """What differs between the sync and the async methods."""

    prefix: str
    define: str
    wait: str


SYNC = Flavor("", "def", "")
ASYNC = Flavor("Async", "async def", "await ")


def write_resource(resource: str, operations: Sequence[Operation]) -> str:
    base_module, base = _BASES.get(resource, ("_resource", "Resource"))
    models = {_model(operation) for operation in operations} - {""}
    models |= {name for operation in operations for name in _body_models(operation)}
    return (
        HEADER.format(title=f"{RESOURCES[resource]}.")
        + "from __future__ import annotations\n\n"
        + _IMPORTS
        + write_import(f"sightline_sdk.{base_module}", [base, f"Async{base}"])
        + write_import("sightline_sdk.models", models)
        + "\n\n"
        + "\n\n".join(_write_class(resource, operations, flavor) for flavor in (SYNC, ASYNC))
    )


def _write_class(resource: str, operations: Iterable[Operation], flavor: Flavor) -> str:
    base = _BASES.get(resource, ("", "Resource"))[1]
    operations = list(operations)
    (api,) = {operation.api for operation in operations}
    title = f"{RESOURCES[resource]} ({_API_TITLES[api]})."
    head = f"class {flavor.prefix}{to_class_name(resource)}({flavor.prefix}{base}):\n"
    methods = [_write_method(operation, flavor) for operation in operations]
    return head + write_docstring(title, "    ") + "\n" + "\n".join(methods)


def _write_method(operation: Operation, flavor: Flavor) -> str:
    path, body = read_path_parameters(operation), read_body_parameters(operation)
    query, header = read_query_parameters(operation), read_header_parameters(operation)
    names = [parameter.name for parameter in (*path, *body, *query, *header)]
    assert len(set(names)) == len(names), f"{operation.name} has two parameters of one name"
    # Python wants parameters without a default first; these are keywords, so their order is free.
    keywords = sorted([*body, *query, *header], key=lambda parameter: bool(parameter.default))
    declared = ["self", *(each.declaration for each in path), *(["*"] if keywords else [])]
    declared += [each.declaration for each in keywords]
    returned, result = _write_result(operation, flavor)
    is_lazy = operation.is_list or operation.stream_media_type is not None  # nothing is requested before it is read
    meanings = {parameter.name: parameter.meaning for parameter in (*path, *keywords)}
    return (
        f"    {'def' if is_lazy else flavor.define} {method_of(operation)[1]}({', '.join(declared)}) -> {returned}:\n"
        + write_docstring(operation.description, "        ", meanings)
        + f"        call = {_write_call(operation, path, body, query)}\n"
        + f"        return {result}\n"
    )


def _write_call(operation: Operation, path: list[Parameter], body: list[Parameter], query: list[Parameter]) -> str:
    address = operation.path
    for parameter in path:
        address = address.replace(f"{{{parameter.name}}}", f"{{to_segment({parameter.name})}}")
    arguments = [f'"{operation.api}"', f'"{operation.method}"', f'{"f" if path else ""}"{address}"']
    if query:
        arguments.append(f"query={_write_members(query)}")
    if operation.body is not None:
        arguments.append(f"body={_write_members(body)}")
    if not operation.is_read:
        arguments.append("idempotency_key=idempotency_key")
    if is_event_stream(operation):
        arguments.append('headers={"Last-Event-ID": last_event_id} if last_event_id else None')
    return f"build_call({', '.join(arguments)})"


def _write_members(parameters: list[Parameter]) -> str:
    return "{" + ", ".join(f'"{each.member}": {each.value}' for each in parameters) + "}"


def _write_result(operation: Operation, flavor: Flavor) -> tuple[str, str]:
    """Return the annotation of the result, and the expression that makes it."""
    model = _model(operation)
    if is_event_stream(operation):
        kind = f"{flavor.prefix}EventStream"
        return f"{kind}[{model}]", f"{kind}(self._transport, call, {model})"
    if operation.stream_media_type is not None:
        kind = f"{flavor.prefix}ByteStream"
        return kind, f"{kind}(self._transport, call)"
    if operation.is_list:
        kind = f"{flavor.prefix}PagedList"
        return f"{kind}[{model}]", f"{kind}(self._transport, call, {model})"
    return model, f"{flavor.wait}self._transport.fetch(call, {model})"


def _model(operation: Operation) -> str:
    if is_event_stream(operation):
        (data,) = {schema.data for schema in SCAN_STREAM_EVENTS.values()}
        return data.__name__
    return "" if operation.stream_media_type is not None else response_struct(operation).__name__


def _body_models(operation: Operation) -> set[str]:
    if operation.body is None:
        return set()
    return {inside.__name__ for field in fields_of(operation.body) for inside in find_structs(field.type)}


def write_resources(resources: Iterable[str]) -> str:
    """Return the module with all resources of both clients."""
    listed = list(resources)
    imports = "".join(
        write_import(f"sightline_sdk.resources.{name}", [to_class_name(name), f"Async{to_class_name(name)}"])
        for name in sorted(listed)
    )
    return (
        HEADER.format(title="The resources of a client.")
        + write_import("sightline_sdk._transport", ["AsyncTransport", "Transport"])
        + imports
        + "\n\n"
        + "\n\n".join(_write_list(listed, flavor) for flavor in (SYNC, ASYNC))
    )


def _write_list(resources: list[str], flavor: Flavor) -> str:
    lines = [f"        self.{name} = {flavor.prefix}{to_class_name(name)}(transport)\n" for name in resources]
    return (
        f"class {flavor.prefix}Resources:\n"
        f"    def __init__(self, transport: {flavor.prefix}Transport) -> None:\n" + "".join(lines)
    )
