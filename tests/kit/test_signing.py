"""Short signed texts."""

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.kit.signing import Signer

KEY, FORMER = b"k" * 32, b"f" * 32


@given(st.binary(), st.binary(), st.binary())
def test_a_text_is_valid_for_its_purpose_and_context_alone(content, context, other):
    text = Signer(b"cursor", KEY).sign(content, context)
    assert Signer(b"cursor", KEY).open(text, context) == content
    assert Signer(b"device", KEY).open(text, context) is None
    assert Signer(b"cursor", FORMER).open(text, context) is None
    assert (Signer(b"cursor", KEY).open(text, other) == content) is (other == context)


def test_content_cannot_move_into_the_context():
    text = Signer(b"cursor", KEY).sign(b"ab", b"c")
    signature = base64.urlsafe_b64decode(text + "==")[:16]
    moved = base64.urlsafe_b64encode(signature + b"b").decode().rstrip("=")
    assert Signer(b"cursor", KEY).open(moved, b"ca") is None


def test_a_former_key_opens_and_does_not_sign():
    both = Signer(b"cursor", KEY, FORMER)
    assert both.open(Signer(b"cursor", FORMER).sign(b"a")) == b"a"
    assert Signer(b"cursor", FORMER).open(both.sign(b"a")) is None


@pytest.mark.parametrize("damage", ["", "A", "é", "\x00", "====", "a b", "A" * 21])
def test_damaged_texts_have_no_content(damage):
    assert Signer(b"cursor", KEY).open(damage) is None


@given(st.binary(min_size=1), st.data())
def test_no_other_text_has_the_same_content(content, data):
    text = Signer(b"cursor", KEY).sign(content)
    place = data.draw(st.integers(0, len(text) - 1))
    character = data.draw(st.characters(codec="ascii").filter(lambda each: each != text[place]))
    assert Signer(b"cursor", KEY).open(text[:place] + character + text[place + 1 :]) is None
    assert Signer(b"cursor", KEY).open(f"{text}=") is None
