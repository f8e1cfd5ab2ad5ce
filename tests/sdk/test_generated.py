"""The generated part of the SDK is what the declared operations make of it."""

import pytest

from scripts.sdk.generate import PACKAGE, generate
from scripts.sdk.names import select_operations
from sightline.api.app import OPERATIONS
from sightline.api.edge.operations import Operation, operation


def test_the_committed_files_are_those_that_make_sdk_writes():
    generated = generate()
    for name, source in generated.items():
        assert (PACKAGE / name).read_text() == source, f"{name} is not up to date: run `make sdk`"
    resources = {f"resources/{file.name}" for file in (PACKAGE / "resources").glob("*.py")}
    assert resources <= generated.keys()


async def read_something_new(exchange) -> None: ...


def test_an_operation_without_a_method_is_refused():
    declare = operation("data", "GET", "/new", tag="Checks", summary="New")
    with pytest.raises(AssertionError, match="the SDK method of read_something_new"):
        declare(read_something_new)


@pytest.mark.parametrize("method", ["checks.list", "news.list"])
def test_a_method_that_is_there_twice_or_has_an_unknown_resource_is_noticed(method):
    new = operation("data", "GET", "/new", tag="Checks", summary="New", sdk=method)(read_something_new)
    assert isinstance(new, Operation)
    with pytest.raises(LookupError, match=method.replace(".", "', '")):
        select_operations([*OPERATIONS, new])


def test_operations_for_signed_in_people_are_left_out():
    left_out = {each.name for each in OPERATIONS} - {each.name for each in select_operations(OPERATIONS)}
    assert left_out == {
        "create_session",
        "read_session",
        "delete_session",
        "bootstrap_account",
        "revoke_all_keys",
        "start_checkout",
        "recover_checkout",
    }
