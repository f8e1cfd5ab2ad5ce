"""Cursors are opaque, URL-safe, signed and bound to a list and its filters; pages have 1 to 200 rows, 50 by default."""

import base64
import string
import uuid
from datetime import UTC, datetime
from urllib.parse import quote, urlencode

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sightline.accounts.models import build_operator_actor
from sightline.api.edge.cursors import describe_list, open_cursor, read_paging, sign_cursor
from sightline.api.edge.envelope import current_request_id
from sightline.db.keyset import Slice
from sightline.errors import Problem
from sightline.kit.clock import to_iso
from tests.property_testing import prove

KEY = b"k" * 32
WORKSPACE = uuid.UUID("0190abcd-1234-7000-8000-0123456789ab")
OTHER_WORKSPACE = uuid.UUID("0190abcd-1234-7000-8000-0123456789ac")
MOMENT = datetime(2026, 11, 14, 9, 30, 0, 123456, tzinfo=UTC)
SORT_KEY = (to_iso(MOMENT), str(WORKSPACE))
URL_SAFE = set(string.ascii_letters + string.digits + "-_")

sort_keys = st.lists(st.text(max_size=12), max_size=3).map(tuple)


def paging(query: str = "", **changes):
    given = {
        "list_name": "scans",
        "workspace_id": WORKSPACE,
        "livemode": True,
        "sized": True,
        "signing_keys": (KEY,),
        "filters": {"domain_id": "d1"},
    } | changes
    actor = build_operator_actor(given.pop("workspace_id"), livemode=given.pop("livemode"))
    context = describe_list(given.pop("list_name"), actor, given.pop("filters") or {})
    return read_paging(query, context, **given)


def next_cursor(sort_key=SORT_KEY, **changes) -> str:
    """Return the cursor as a client gets it: from the envelope of a page."""
    current_request_id.set("req")
    return paging(**changes).page(Slice([], sort_key)).meta.next_cursor


def refused(call, *args, **changes) -> Problem:
    with pytest.raises(Problem) as refusal:
        call(*args, **changes)
    return refusal.value


def assert_invalid_cursor(text: str) -> None:
    problem = refused(paging, urlencode({"cursor": text}))
    assert (problem.code, problem.kind.status) == ("invalid_cursor", 400)


# The cursor


@prove
@given(sort_keys, st.binary(max_size=40), st.binary(min_size=1, max_size=40))
def test_a_cursor_returns_its_sort_key(sort_key, context, signing_key):
    cursor = sign_cursor(sort_key, context, signing_key)
    assert set(cursor) <= URL_SAFE and quote(cursor) == cursor
    assert open_cursor(cursor, context, signing_key) == sort_key


def test_a_page_has_the_cursor_of_the_next_one():
    current_request_id.set("req")
    assert paging().after_time_and_id is None
    page = paging().page(Slice(["row"], SORT_KEY))
    assert page.data == ["row"] and page.meta.has_more is True
    assert paging(f"cursor={page.meta.next_cursor}").after_time_and_id == (MOMENT, WORKSPACE)


def test_when_next_cursor_is_null_there_are_no_more_pages():
    current_request_id.set("req")
    page = paging().page(Slice(["row"], None))
    assert page.meta.has_more is False and page.meta.next_cursor is None


def test_a_cursor_does_not_show_the_signing_key():
    assert sign_cursor(SORT_KEY, b"", KEY) != sign_cursor(SORT_KEY, b"", KEY + b"x")


# Keys of 0, 1 and 2 bytes over a multiple of three: their last character carries 6, 2 or 4 bits of the content.
@pytest.mark.parametrize("sort_key", [("ab",), ("abc",), ("abcd",), SORT_KEY])
def test_a_damaged_cursor_is_refused_whatever_character_changed(sort_key):
    cursor = next_cursor(sort_key)
    for place, old in enumerate(cursor):
        for new in sorted({*URL_SAFE, "=", "+", "/", "!", " ", "\0", "é"} - {old}):
            assert_invalid_cursor(cursor[:place] + new + cursor[place + 1 :])


@prove
@given(sort_keys, st.integers(min_value=0), st.characters(exclude_categories=()))
def test_a_damaged_cursor_is_refused(sort_key, place, character):
    cursor = sign_cursor(sort_key, b"context", KEY)
    place %= len(cursor)
    assume(cursor[place] != character)
    damaged = cursor[:place] + character + cursor[place + 1 :]
    assert refused(open_cursor, damaged, b"context", KEY).code == "invalid_cursor"


@pytest.mark.parametrize("sort_key", [("ab",), ("abc",), ("abcd",)])
def test_a_cursor_that_was_cut_or_lengthened_is_refused(sort_key):
    cursor = next_cursor(sort_key)
    for length in range(1, len(cursor)):
        assert_invalid_cursor(cursor[:length])
    for tail in ("=", "==", "A", "AAAA", "\n", " ", "%00", cursor):
        assert_invalid_cursor(cursor + tail)
    assert_invalid_cursor(" " + cursor)


@pytest.mark.parametrize("place", [0, 15, 16, 17, -1])
def test_a_cursor_with_any_changed_byte_is_refused(place):
    cursor = next_cursor()
    raw = bytearray(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    raw[place] ^= 1
    assert_invalid_cursor(base64.urlsafe_b64encode(bytes(raw)).decode().rstrip("="))


@pytest.mark.parametrize(
    "changes",
    [
        {"list_name": "domains"},
        {"list_name": "scan"},
        {"workspace_id": OTHER_WORKSPACE},
        {"livemode": False},
        {"filters": {"domain_id": "d2"}},
        {"filters": {"domain_id": ""}},
        {"filters": {"reason": "d1"}},
        {"filters": {"domain_id": "d1", "reason": "refund"}},
        {"filters": {}},
        {"filters": None},
        {"signing_keys": (b"j" * 32,)},
        {"signing_keys": (b"",)},
    ],
    ids=str,
)
def test_a_cursor_for_another_list_workspace_mode_or_filter_is_refused(changes):
    cursor = next_cursor()
    assert paging(f"cursor={cursor}").after_time_and_id == (MOMENT, WORKSPACE)
    assert refused(paging, f"cursor={cursor}", **changes).code == "invalid_cursor"


def test_a_cursor_signed_with_the_previous_key_is_accepted_and_the_next_one_has_the_new_key():
    keys = (b"new" * 11, KEY)
    assert paging(f"cursor={next_cursor()}", signing_keys=keys).after_time_and_id == (MOMENT, WORKSPACE)
    assert refused(paging, f"cursor={next_cursor(signing_keys=keys)}").code == "invalid_cursor"


def test_filters_have_no_order():
    cursor = next_cursor(filters={"a": "1", "b": "2"})
    assert paging(f"cursor={cursor}", filters={"b": "2", "a": "1"}).after_time_and_id == (MOMENT, WORKSPACE)


def test_names_and_filters_cannot_be_shifted_into_one_another():
    """Show that the parts a cursor is bound to are kept apart, not joined to one text."""
    cursor = next_cursor(list_name="scans", filters={"a": "b"})
    for changes in ({"list_name": 'scans",{"a":"b"}'}, {"list_name": "scans", "filters": {"a": 'b","c":"d'}}):
        assert refused(paging, f"cursor={cursor}", **changes).code == "invalid_cursor"


def test_an_empty_cursor_is_the_first_page_and_an_empty_page_size_the_default():
    assert paging("cursor=").is_first and paging("cursor=&page_size=7").size == 7
    assert paging("page_size=").size == 50


def test_a_cursor_works_with_another_page_size():
    assert paging(f"page_size=7&cursor={next_cursor()}").after_time_and_id == (MOMENT, WORKSPACE)


@pytest.mark.parametrize("text", ["null", "0", "AAAA", "A" * 22, "=", "====", "é", "%", "\ud7ff", "a" * 10_000])
def test_invented_cursors_are_refused(text):
    assert_invalid_cursor(text)


@prove
@given(st.text(st.characters(exclude_categories=())))
@example("A")
@example("=" * 5)
@example("\ud800")
def test_any_text_as_cursor_is_refused_as_invalid(text):
    assert refused(open_cursor, text, b"context", KEY).code == "invalid_cursor"


@prove
@given(st.one_of(st.text(), st.text("cursorpage_size=&;%+0159AF", max_size=30)))
@example("cursor")
@example("cursor=%ff")
@example("&&==&cursor=&cursor=")
def test_any_query_string_is_parsed_or_refused(query):
    try:
        assert 1 <= paging(query).size <= 200
    except Problem as problem:
        assert problem.code in {"invalid_cursor", "validation_failed"}  # noqa: PT017


# The page size


def test_the_default_page_size_is_50():
    assert paging().size == 50
    assert paging("x=1").size == 50


@pytest.mark.parametrize("size", [1, 2, 50, 199, 200])
def test_page_size_1_to_200(size):
    assert paging(f"page_size={size}").size == size


@pytest.mark.parametrize(
    "text",
    [
        *["0", "201", "-1", "-0", "1.5", "1.0", "abc", " ", " 5", "5 ", "+5", "1e2", "0x10", "1_0"],
        *["\u0663", "²", "\uff15", "1\u0660", "1000", "9" * 30, "9" * 5_000, "null", "true", "5,6", "5\n", "\0"],
    ],
    ids=lambda text: ascii(text)[:20],
)
def test_an_out_of_range_or_non_integer_page_size_is_422_that_names_it(text):
    problem = refused(paging, urlencode({"page_size": text}))
    assert (problem.code, problem.kind.status) == ("validation_failed", 422)
    assert [error["field"] for error in problem.members["errors"]] == ["page_size"]


def test_a_plus_sign_in_a_query_is_a_space():
    assert refused(paging, "page_size=+5").code == "validation_failed"


def test_lists_without_page_size_ignore_it():
    """Show that the lists of the ledger and the Data API always have pages of 50."""
    assert paging("page_size=7", sized=False).size == 50
    assert paging("page_size=nonsense", sized=False).size == 50


@pytest.mark.parametrize(
    "query", ["limit=5", "sort=name&order=desc", "Cursor=x", "page-size=0", "cursor[]=x", "%00=1", "&", "="]
)
def test_unknown_query_parameters_are_ignored(query):
    assert paging(query).size == 50
    assert paging(query).after_time_and_id is None
    assert paging(f"{query}&page_size=3").size == 3
