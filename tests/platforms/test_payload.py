"""What fits is taken, what does not fit is left out: one member of a list that went wrong costs that member."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms.models import HttpReply, PlatformFault
from sightline.platforms.payload import ABSENT, Count, read, read_all, read_members, read_reply
from tests.property_testing import prove

values = st.one_of(st.none(), st.booleans(), st.integers(-5, 5), st.text(max_size=3), st.lists(st.none(), max_size=2))


class Page(msgspec.Struct):
    url: str | None = None


@prove
@given(st.lists(values, max_size=6))
def test_the_members_of_a_type_are_those_that_are_of_it_one_by_one(members):
    raw = msgspec.Raw(msgspec.json.encode(members))
    assert read_all(raw, str) == tuple(each for each in members if isinstance(each, str))
    assert read_all(raw, int) == tuple(each for each in members if type(each) is int)
    assert [read(each, object) for each in read_members(raw)] == members


def test_a_list_of_pages_with_one_that_is_none():
    raw = msgspec.Raw(b'[{"url": "a"}, {"url": 5}, null, {}, {"url": "b"}]')
    assert read_all(raw, Page) == (Page("a"), Page(), Page("b"))


@pytest.mark.parametrize(
    "raw", [ABSENT, msgspec.Raw(b""), msgspec.Raw(b"null"), msgspec.Raw(b"{}"), msgspec.Raw(b"[1")]
)
def test_what_is_no_list_has_no_members(raw):
    assert (read_all(raw, int), read_members(raw), read(raw, str)) == ((), [], None)


@pytest.mark.parametrize(
    ("written", "count"), [(b"0", 0), (b"2147483647", 2**31 - 1), (b"2147483648", None), (b"-1", None)]
)
def test_a_count_is_what_a_column_holds(written, count):
    assert read(msgspec.Raw(written), Count) == count


@pytest.mark.parametrize("body", [b"", b"   ", b"[]", b"{", b"\xff", b"[" * 100_000])
def test_a_reply_that_is_not_what_was_expected_is_malformed(body):
    with pytest.raises(PlatformFault) as fault:
        read_reply(HttpReply(200, {}, body), Page)
    assert fault.value.kind == "malformed"
