"""Copying fields between Structs."""

import msgspec
import pytest

from sightline.kit.structs import convert_struct


class Stored(msgspec.Struct):
    name: str
    score: float
    secret: str = "hidden"


class Named(msgspec.Struct):
    name: str


class Shown(msgspec.Struct):
    name: str
    score: int
    place: int = 1


def test_shared_fields_are_copied_values_win_and_the_rest_has_its_default():
    assert convert_struct(Shown, Stored("Acme", 12.6), score=13) == Shown("Acme", 13, 1)
    assert convert_struct(Shown, Stored("Acme", 12), place=2) == Shown("Acme", 12, 2)


def test_a_field_that_nobody_has_is_refused():
    with pytest.raises(TypeError, match="score"):
        convert_struct(Stored, Named("Acme"))
    with pytest.raises(TypeError, match="secret"):
        convert_struct(Shown, Stored("Acme", 12), secret="known")
