"""A newer server within v1: members and values that this SDK does not know never break it."""

from inspect import signature

import httpx2
import msgspec
import pytest
from msgspec import inspect

from scripts.sdk.names import method_of, select_operations
from sightline.api.app import OPERATIONS
from sightline.api.edge.operations import Operation
from sightline.api.openapi.examples import EXAMPLES
from sightline_sdk import Sightline

ANSWERED = [operation for operation in select_operations(OPERATIONS) if operation.stream_media_type is None]


def age(kind: inspect.Type, value):
    """Return what a newer server might send: one more member in every object, another value in every set."""
    if isinstance(kind, inspect.Metadata):
        return age(kind.type, value)
    if isinstance(kind, inspect.UnionType):
        fitting = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
        return value if value is None else age(fitting[0], value)
    if isinstance(kind, inspect.LiteralType | inspect.EnumType):
        return "added_later"
    if isinstance(kind, inspect.StructType):
        aged = {field.encode_name: age(field.type, value[field.encode_name]) for field in kind.fields}
        return aged | {"added_later": {"value": 1}}
    if isinstance(kind, inspect.ListType | inspect.VarTupleType):
        return [age(kind.item_type, each) for each in value]
    if isinstance(kind, inspect.DictType):
        return value | ({"added_later": 1} if isinstance(kind.value_type, inspect.IntType) else {})
    return value


@pytest.mark.parametrize("operation", ANSWERED, ids=lambda operation: operation.name)
def test_members_and_values_that_are_added_later_are_accepted(operation: Operation):
    example = msgspec.json.decode(msgspec.json.encode(EXAMPLES[operation.name].response))
    body = age(inspect.type_info(operation.response_type), example)
    http = httpx2.Client(transport=httpx2.MockTransport(lambda _: httpx2.Response(200, json=body)))
    client = Sightline("sk_live_x" if operation.api == "console" else "dk_live_x", http_client=http)
    resource, name = method_of(operation)
    method = getattr(getattr(client, resource), name)
    required = [each for each in signature(method).parameters.values() if each.default is each.empty]
    positional = ["x" for each in required if each.kind is each.POSITIONAL_OR_KEYWORD]
    result = method(*positional, **{each.name: "x" for each in required if each.kind is each.KEYWORD_ONLY})
    rows = result.first_page().data if operation.is_list else [result]
    assert rows and all(row.members["added_later"] == {"value": 1} for row in rows)
