"""Every wrong field of a body is named at once, in words, and nothing else is."""

import datetime as dt
import json
import re
import uuid
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, inspect

from sightline.api.app import OPERATIONS
from sightline.api.edge.body import decode_body
from sightline.api.edge.field_errors import MAX_UNKNOWN_VALUES, find_field_errors
from sightline.api.edge.problems import build_problem_document
from sightline.api_keys.schemas import KeyInput
from sightline.domains.schemas import DomainInput
from sightline.errors import MAX_FAULTS, Problem
from sightline.kit.text import CONTROL_FAULT
from sightline.prompts.imports.schemas import PromptImportInput, to_imported_prompts
from tests.property_testing import prove

BODIES = sorted({operation.body for operation in OPERATIONS if operation.body}, key=lambda body: body.__name__)


class Circle(msgspec.Struct, tag_field="shape", tag="circle"):
    radius: Annotated[float, Meta(gt=0)]


class Square(msgspec.Struct, tag_field="shape", tag="square"):
    side: Annotated[int, Meta(ge=1, le=9)]


class Everything(msgspec.Struct, forbid_unknown_fields=True):
    day: dt.date
    owner: uuid.UUID
    since: Annotated[dt.datetime, Meta(tz=True)]
    code: Annotated[str, Meta(pattern="^[a-z]{2}$")] = "de"
    shape: Circle | Square | None = None
    tags: Annotated[list[Annotated[str, Meta(max_length=3)]], Meta(min_length=2)] = msgspec.field(default_factory=list)
    level: Literal["low", "high"] | None = None
    share: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    names: Annotated[dict[str, Annotated[str, Meta(max_length=3)]], Meta(max_length=2)] = {}


def messages(document: object, model: type[msgspec.Struct]) -> dict[str, str]:
    return {field: message for field, message, _ in find_field_errors(document, model)}


def test_four_wrong_fields_have_four_entries_as_the_caller_wrote_them():
    document = {"brand_name": "", "aliases": ["Acme"] * 51, "competitors": ["a.com", {"domain": 5}], "domain": None}
    with pytest.raises(Problem) as refusal:
        decode_body(json.dumps(document).encode(), DomainInput)
    sent: Any = build_problem_document(refusal.value, request_id="r", path="/", base_url="")
    assert [(error["field"], error["message"]) for error in sent["errors"]] == [
        ("brand_name", "brand_name must not be empty"),
        ("aliases", "aliases must have at most 50 entries; it has 51"),
        ("competitors[1].domain", "competitors[1].domain must be text"),
        ("domain", "domain must be text"),
    ]
    assert sent["detail"].startswith("brand_name must not be empty; aliases must have at most 50 entries; it has 51; ")


def test_what_is_allowed_is_said_in_words():
    wrong = {"name": "x" * 201, "kind": "web", "mode": 1, "scopes": ["read", "all"], "expires_at": "tomorrow"}
    assert messages(wrong, KeyInput) == {
        "name": "must have 1 to 200 characters; it has 201",
        "kind": "must be one of console, data",
        "mode": "must be one of live, test or null",
        "scopes[1]": "must be one of audit, billing, domains, keys, read, scans, webhooks, write",
        "expires_at": "must be a time with a UTC offset such as 2026-11-16T09:30:00+00:00",
    }
    assert messages([], KeyInput) == {"body": "must be an object"}
    assert messages({}, DomainInput) == {"domain": "is required"}


def test_every_kind_of_field_has_its_sentence():
    wrong = {
        "day": "16.11.2026",
        "owner": "me",
        "since": "2026-11-16T09:30:00",
        "code": "DE",
        "shape": {"shape": "circle", "radius": 0},
        "tags": ["long"],
        "level": "medium",
        "share": 1,
        "names": {"text": "long", "id": 1},
        "other": 1,
    }
    assert messages(wrong, Everything) == {
        "day": "must be a date such as 2026-11-16",
        "owner": "must be an id such as 01990f70-3e15-7a62-b0c4-9d8e71f2a356",
        "since": "must be a time with a UTC offset such as 2026-11-16T09:30:00+00:00",
        "code": "does not have the right form",
        "shape.radius": "must be above 0",
        "tags": "must have at least 2 entries; it has 1",
        "tags[0]": "must have at most 3 characters; it has 4",
        "level": "must be one of high, low or null",
        "share": "must be below 1",
        "names.text": "must have at most 3 characters; it has 4",
        "names.id": "must be text",
        "other": "is not a known field",
    }
    square = {"day": "2026-11-16", "owner": str(uuid.uuid4()), "since": "2026-11-16T09:30:00Z", "shape": {"side": 10}}
    assert messages(square | {"shape": {"shape": "square", "side": 10}}, Everything) == {
        "shape.side": "must be from 1 to 9"
    }
    named = square | {"shape": None}
    assert messages(named | {"names": {"a": 1, "b": 2, "c": 3}}, Everything) == {
        "names": "must have at most 2 entries; it has 3"
    }
    assert messages(named | {"names": {"\x00": "a"}}, Everything) == {
        "names": "has a member whose name " + CONTROL_FAULT
    }
    assert messages(square | {"shape": {"shape": "star"}}, Everything) == {
        "shape.shape": "must be one of circle, square"
    }


def list_types(declared: inspect.Type) -> set[type]:
    found = {type(declared)}
    inner = [
        getattr(declared, name) for name in ("type", "item_type", "key_type", "value_type") if hasattr(declared, name)
    ]
    inner += [*getattr(declared, "types", ()), *(field.type for field in getattr(declared, "fields", ()))]
    for each in inner:
        found |= list_types(each)
    return found


def test_the_bodies_have_only_kinds_that_are_known_here():
    known = {inspect.StructType, inspect.Metadata, inspect.UnionType, inspect.NoneType, inspect.LiteralType}
    known |= {inspect.StrType, inspect.IntType, inspect.FloatType, inspect.BoolType, inspect.ListType}
    known |= {inspect.DateTimeType, inspect.DateType, inspect.DictType}
    for body in BODIES:
        assert list_types(inspect.type_info(body)) <= known, body


# The work is bounded by the type


class CountedList(list):
    """A list that counts how many of its elements are visited, in all lists together."""

    visited = 0

    def __iter__(self):
        for each in super().__iter__():
            CountedList.visited += 1
            yield each


def list_paths(declared: inspect.Type) -> list[tuple[str, ...]]:
    """Return the path of each list in a type, as names of members; "[]" is an element of a list."""
    match declared:
        case inspect.Metadata():
            return list_paths(declared.type)
        case inspect.UnionType():
            return [path for each in declared.types for path in list_paths(each)]
        case inspect.StructType():
            return [(field.encode_name, *path) for field in declared.fields for path in list_paths(field.type)]
        case inspect.ListType():
            return [(), *(("[]", *path) for path in list_paths(declared.item_type))]
        case _:
            return []


def with_list(path: tuple[str, ...], content: list[object]) -> object:
    """Return a document whose only content is the list at the path."""
    if not path:
        return CountedList(content)
    inner = with_list(path[1:], content)
    return CountedList([inner]) if path[0] == "[]" else {path[0]: inner}


LISTS = [
    pytest.param(operation, path, id=f"{operation.name}-{'.'.join(path)}")
    for operation in OPERATIONS
    if operation.body
    for path in list_paths(inspect.type_info(operation.body))
]


@pytest.mark.parametrize(("operation", "path"), LISTS)
@pytest.mark.parametrize("wrong", [1, None, [], {}, "\x00", float("nan")], ids=repr)
def test_the_elements_of_a_list_that_is_too_long_are_not_visited(operation, path, wrong):
    CountedList.visited = 0
    document = with_list(path, [wrong] * (operation.body_limit // 2))
    faults = {field: message for field, message, _ in find_field_errors(document, operation.body)}
    assert any("entries; it has" in message for message in faults.values()), faults
    assert CountedList.visited == path.count("[]"), "only the lists around it"


@pytest.mark.parametrize("operation", [each for each in OPERATIONS if each.body], ids=lambda each: each.name)
@pytest.mark.parametrize("shape", ["list", "object", "lists", "members"])
def test_of_unknown_fields_a_limited_number_of_values_is_visited(operation, shape):
    CountedList.visited = 0
    many = min(operation.body_limit // 2, 200_000)
    unknown = {
        "list": {"x": CountedList([0] * many)},
        "object": {"x": {str(number): CountedList([0]) for number in range(many // 10)}},
        "lists": {"x": CountedList([CountedList([0, 0]) for _ in range(many // 4)])},
        "members": {f"x{number}": CountedList([0]) for number in range(many // 10)},
    }[shape]
    list(find_field_errors(unknown, operation.body))
    assert 0 < CountedList.visited <= MAX_UNKNOWN_VALUES + 1


def test_a_bad_value_beyond_those_that_are_visited_is_refused_without_its_place():
    numbers = ", ".join(["0"] * (MAX_UNKNOWN_VALUES + 1))
    for bad, code in ((r'"\u0000"', "validation_failed"), ("NaN", "invalid_json"), (r'"\ud800"', "invalid_json")):
        with pytest.raises(Problem) as refusal:
            decode_body(f'{{"domain": "acme.com", "x": [{numbers}, {bad}]}}'.encode(), DomainInput)
        assert refusal.value.code == code


def test_of_all_faults_a_hundred_are_named():
    prompts = [{"prompt": "a", "language_code": "xx", "tags": [""]}] * 500
    with pytest.raises(Problem) as refusal:
        to_imported_prompts(decode_body(json.dumps({"prompts": prompts}).encode(), PromptImportInput))
    assert len(refusal.value.members["errors"]) == MAX_FAULTS


WEIRD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**6),
    st.floats(allow_nan=False, allow_infinity=False, width=16),
    st.sampled_from(["", "a", "acme.com", "x" * 300, "2026-11-16", "2026-11-16T09:30:00Z", "live", "2026-11-16T09:30"]),
    st.just([]),
    st.just({}),
    st.just(["a", 1]),
)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def like(declared: inspect.Type) -> st.SearchStrategy[object]:  # noqa: C901 - a case for each kind
    """Build JSON that is often right for the type, and wrong in any of its parts now and then."""
    match declared:
        case inspect.Metadata():
            return like(declared.type)
        case inspect.UnionType():
            right = st.one_of([like(each) for each in declared.types])
        case inspect.StructType():
            required = {field.encode_name: like(field.type) for field in declared.fields if field.required}
            optional = {field.encode_name: like(field.type) for field in declared.fields if not field.required}
            right = st.fixed_dictionaries(required, optional=optional)
        case inspect.ListType():
            right = st.lists(like(declared.item_type), max_size=3)
        case inspect.DictType():
            right = st.dictionaries(like(declared.key_type).filter(_is_text), like(declared.value_type), max_size=3)
        case inspect.LiteralType():
            right = st.sampled_from(declared.values)
        case inspect.DateTimeType():
            right = st.sampled_from(["2026-11-16T09:30:00Z", "2026-11-16T09:30:00.5+02:00"])
        case inspect.BoolType():
            right = st.booleans()
        case inspect.IntType() | inspect.FloatType():
            right = st.integers(0, 30)
        case inspect.StrType(pattern=str() as pattern):
            right = st.from_regex(pattern, fullmatch=True)
        case _:
            least = getattr(declared, "min_length", None) or 1
            right = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=least, max_size=least + 8)
    return st.integers(0, 9).flatmap(lambda dice: WEIRD if dice > 7 else right)


def is_refused(document: object, body: type[msgspec.Struct]) -> bool:
    try:
        msgspec.json.decode(json.dumps(document), type=body)
    except msgspec.ValidationError:
        return True
    return False


TOLD_BY_THE_DECODER = re.compile(r"`|\b(str|int|float|bool|dict|array|Expected|object\[\w+\])\b")


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
def test_a_body_has_an_error_exactly_if_the_decoder_refuses_it(body):
    seen = set()

    @prove
    @given(like(inspect.type_info(body)))
    def verify(document):
        faults = list(find_field_errors(document, body))
        assert bool(faults) is is_refused(document, body)
        seen.add(bool(faults))
        assert not any(TOLD_BY_THE_DECODER.search(message) for _, message, _ in faults)

    verify()
    assert seen == {True, False}, "the examples show only one of the two"
