"""Values of the wrong type are left out: a malformed member of a list costs only that member."""

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
def test_members_of_another_type_are_left_out(members):
    raw = msgspec.Raw(msgspec.json.encode(members))
    assert read_all(raw, str) == tuple(each for each in members if isinstance(each, str))
    assert read_all(raw, int) == tuple(each for each in members if type(each) is int)
    assert [read(each, object) for each in read_members(raw)] == members


def test_a_malformed_page_is_left_out():
    raw = msgspec.Raw(b'[{"url": "a"}, {"url": 5}, null, {}, {"url": "b"}]')
    assert read_all(raw, Page) == (Page("a"), Page(), Page("b"))


@pytest.mark.parametrize(
    "raw", [ABSENT, msgspec.Raw(b""), msgspec.Raw(b"null"), msgspec.Raw(b"{}"), msgspec.Raw(b"[1")]
)
def test_a_value_that_is_not_a_list_has_no_members(raw):
    assert (read_all(raw, int), read_members(raw), read(raw, str)) == ((), [], None)


@pytest.mark.parametrize(
    ("written", "count"), [(b"0", 0), (b"2147483647", 2**31 - 1), (b"2147483648", None), (b"-1", None)]
)
def test_only_counts_that_fit_the_column_are_read(written, count):
    assert read(msgspec.Raw(written), Count) == count


@pytest.mark.parametrize("body", [b"", b"   ", b"[]", b"{", b"\xff", b"[" * 100_000])
def test_an_unexpected_reply_is_malformed(body):
    with pytest.raises(PlatformFault) as fault:
        read_reply(HttpReply(200, {}, body), Page)
    assert fault.value.kind == "malformed"
