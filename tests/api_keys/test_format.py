"""The format of keys: a prefix, 32 characters of base62 and a CRC32 checksum of 6 characters."""

import hashlib
import string
import zlib

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sightline.api_keys.format import KeyFormat, digest_key, last_four, make_key, parse_key
from tests.property_testing import prove

BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
FORMATS = {
    "sk_live_": ("console", True),
    "sk_test_": ("console", False),
    "dk_live_": ("data", True),
}
kinds = st.sampled_from(list(FORMATS.values()))


def checksum(body: str) -> str:
    """Compute the checksum independently of the code, so that a mistake there is found."""
    number = zlib.crc32(body.encode("ascii"))
    return "".join(BASE62[number // 62**place % 62] for place in range(5, -1, -1))


def build_key(prefix: str, entropy: str = "A" * 32) -> str:
    return prefix + entropy + checksum(prefix + entropy)


@pytest.mark.parametrize(("prefix", "shape"), FORMATS.items())
def test_prefix_32_characters_of_base62_and_6_of_crc32(prefix, shape):
    kind, livemode = shape
    key = make_key(kind, livemode=livemode)
    assert key.startswith(prefix)
    assert len(key) == 8 + 32 + 6
    assert set(key[8:]) <= set(BASE62)
    assert key[-6:] == checksum(key[:-6])
    assert parse_key(key) == KeyFormat(kind, livemode)
    assert last_four(key) == key[-4:] and len(last_four(key)) == 4


@pytest.mark.parametrize(("prefix", "shape"), FORMATS.items())
def test_a_key_built_by_the_same_rule_is_valid(prefix, shape):
    assert parse_key(build_key(prefix)) == KeyFormat(*shape)


def test_there_are_no_test_keys_of_the_data_api():
    with pytest.raises(StopIteration):
        make_key("data", livemode=False)
    assert parse_key(build_key("dk_test_")) is None


@pytest.mark.parametrize(
    "prefix",
    ["dk_test_", "pk_live_", "sk_prod_", "SK_LIVE_", "sk-live-", "sk_live-", "ssk_live", "________", "00000000"],
)
def test_an_unknown_prefix_is_refused_even_with_a_valid_checksum(prefix):
    assert parse_key(build_key(prefix)) is None


@pytest.mark.parametrize("key", ["", "sk_live_", "sk_live_" + "A" * 38, "sk_test_" + "0" * 38, "Bearer x", "\0" * 46])
def test_an_invented_key_is_refused(key):
    assert parse_key(key) is None


def test_white_space_and_other_lengths_are_refused():
    key = build_key("sk_live_")
    for near in (f" {key}", f"{key} ", f"{key}\n", key[1:], key[:-1], key + key, build_key("sk_live_", "A" * 31)):
        assert parse_key(near) is None


@pytest.mark.parametrize("digit", ["٣", "３", "²", "𝟛", "à", "\ud800"])  # noqa: RUF001 - that is the point
@pytest.mark.parametrize("place", [0, 8, 39, 40, 45])
def test_digits_of_other_scripts_are_refused(digit, place):
    key = build_key("sk_live_", "3" * 32)
    assert parse_key(key[:place] + digit + key[place + 1 :]) is None


@prove
@given(kinds, st.integers(0, 45), st.characters(exclude_categories=()))
def test_a_mistyped_key_is_refused_without_touching_the_database(shape, place, character):
    """Show that every change of a single character is found."""
    key = make_key(shape[0], livemode=shape[1])
    assume(key[place] != character)
    assert parse_key(key[:place] + character + key[place + 1 :]) is None


def test_every_single_base62_change_of_one_key_is_found():
    key = build_key("sk_test_", "0aA9zZ" * 5 + "xY")
    for place in range(len(key)):
        for character in BASE62 + "_":
            if character != key[place]:
                assert parse_key(key[:place] + character + key[place + 1 :]) is None


@prove
@given(kinds, st.integers(8, 44))
def test_two_swapped_characters_are_found(shape, place):
    key = make_key(shape[0], livemode=shape[1])
    assume(key[place] != key[place + 1])
    assert parse_key(key[:place] + key[place + 1] + key[place] + key[place + 2 :]) is None


def test_a_key_of_one_kind_cannot_be_relabeled():
    key = make_key("console", livemode=False)
    assert parse_key("sk_live_" + key[8:]) is None
    assert parse_key("dk_live_" + key[8:]) is None


@prove
@given(st.text(st.characters(exclude_categories=()), max_size=60))
@example("sk_live_" + "\ud800" * 38)
def test_any_text_has_a_format_or_none(text):
    assert parse_key(text) is None


def test_keys_are_unique_and_use_the_whole_alphabet():
    keys = [make_key("console", livemode=True) for _ in range(2_000)]
    assert len(set(keys)) == len(keys)
    for place in range(8, 40):
        assert len({key[place] for key in keys}) == 62  # a character is missing once in 10^12 runs


def test_only_a_sha_256_of_the_key_is_stored():
    key = make_key("data", livemode=True)
    assert digest_key(key) == hashlib.sha256(key.encode()).digest()
    assert len(digest_key(key)) == 32
    assert digest_key(key) != digest_key(make_key("data", livemode=True))
