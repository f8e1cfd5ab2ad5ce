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


def test_an_operation_without_a_name_is_noticed():
    @operation("data", "GET", "/new", tag="Checks", summary="New")
    async def read_something_new(exchange) -> None: ...

    assert isinstance(read_something_new, Operation)
    with pytest.raises(LookupError, match="read_something_new"):
        select_operations([*OPERATIONS, read_something_new])


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
