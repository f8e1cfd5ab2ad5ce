"""The generated part of the SDK is what the declared operations make of it."""

import pytest

from scripts.sdk.generate import PACKAGE, generate
from scripts.sdk.names import select_operations
from sightline.api.app import OPERATIONS
from sightline.api.edge.operations import Resource


def test_the_committed_files_are_those_that_make_sdk_writes():
    generated = generate()
    for name, source in generated.items():
        assert (PACKAGE / name).read_text() == source, f"{name} is not up to date: run `make sdk`"
    resources = {f"resources/{file.name}" for file in (PACKAGE / "resources").glob("*.py")}
    assert resources <= generated.keys()


CHECKS = Resource("data", "Checks", "", {"checks": "Checks"})


async def read_something_new(exchange) -> None: ...


def test_an_operation_without_a_method_is_refused():
    with pytest.raises(AssertionError, match="the SDK method of read_something_new"):
        CHECKS.operation("GET", "/new", summary="New")(read_something_new)


def test_a_method_of_an_undescribed_resource_is_refused():
    with pytest.raises(AssertionError, match="news"):
        CHECKS.operation("GET", "/new", summary="New", sdk="news.list")(read_something_new)


def test_a_method_that_is_there_twice_is_noticed():
    new = CHECKS.operation("GET", "/new", summary="New", sdk="checks.list")(read_something_new)
    with pytest.raises(LookupError, match="checks', 'list"):
        select_operations([*OPERATIONS, new])


def test_operations_for_signed_in_people_are_left_out():
    left_out = {each.name for each in OPERATIONS} - {each.name for each in select_operations(OPERATIONS)}
    assert left_out == {
        "create_session",
        "continue_session",
        "confirm_session",
        "read_session",
        "delete_session",
        "bootstrap_account",
        "revoke_all_keys",
        "start_checkout",
        "recover_checkout",
    }
