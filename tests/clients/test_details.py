"""The look and the recipients of a client: what is stored, and what is refused."""

import pytest

from sightline.clients.details import clean_details
from sightline.clients.look import Look
from sightline.clients.schemas import ClientDetails
from sightline.errors import Problem
from sightline.presentation.contrast import DARK_GROUND, READABLE, WHITE, find_readable_shade, measure_contrast


def test_contrast_is_that_of_wcag():
    assert measure_contrast("#000000", WHITE) == pytest.approx(21)
    assert measure_contrast("#777777", WHITE) == pytest.approx(4.48, abs=0.01)
    assert measure_contrast(WHITE, "#777777") == measure_contrast("#777777", WHITE)


@pytest.mark.parametrize("color", ["#ffee00", "#ffffff", "#000000", "#7a1f5c", "#0000ff"])
def test_a_readable_shade_can_be_read(color):
    for ground in (WHITE, DARK_GROUND):
        shade = find_readable_shade(color, ground=ground)
        assert measure_contrast(shade, ground) >= READABLE
        assert (shade == color) == (measure_contrast(color, ground) >= READABLE)


def test_details_are_stored_in_one_form():
    details = ClientDetails(
        color=" #7A1F5C ",
        sender_name="  Northlight   Agency ",
        recipients=["Anna@Acme.com", "anna@acme.com", "ben@acme.com"],
        language="de",
        timezone="Europe/Berlin",
        shows_maker=False,
    )
    assert clean_details(details) == {
        "color": "#7a1f5c",
        "sender_name": "Northlight Agency",
        "shows_maker": False,
        "recipients": ["anna@acme.com", "ben@acme.com"],
        "language": "de",
        "timezone": "Europe/Berlin",
    }
    assert clean_details(ClientDetails()) == {}
    emptied = ClientDetails(color="", sender_name=None, language="", timezone=None, recipients=[])
    assert clean_details(emptied) == {
        "color": None,
        "sender_name": None,
        "recipients": [],
        "language": None,
        "timezone": None,
    }


@pytest.mark.parametrize(
    ("details", "field", "code"),
    [
        ({"color": "red"}, "color", "format"),
        ({"color": "#12345g"}, "color", "format"),
        ({"color": "#fff}/*"}, "color", "format"),
        ({"color": "#ffee00"}, "color", "contrast"),
        ({"sender_name": "ceo@bank.com"}, "sender_name", "format"),
        ({"sender_name": "A <b>"}, "sender_name", "format"),
        ({"sender_name": "Agency\u202egnp"}, "sender_name", "format"),
        ({"sender_name": "x" * 81}, "sender_name", "format"),
        ({"recipients": ["ben@acme.com", "no address"]}, "recipients[1]", "email"),
        ({"recipients": ["a@acme.com, b@acme.com"]}, "recipients[0]", "email"),
        ({"language": "tlh"}, "language", "unsupported"),
        ({"timezone": "Mars/Olympus"}, "timezone", "unsupported"),
    ],
)
def test_what_cannot_be_used_is_refused(details, field, code):
    with pytest.raises(Problem) as refused:
        clean_details(ClientDetails(**details))
    (error,) = refused.value.members["errors"]
    assert (error["field"], error["code"]) == (field, code)


def test_a_refused_color_comes_with_its_nearest_readable_shade():
    with pytest.raises(Problem) as refused:
        clean_details(ClientDetails(color="#ffee00"))
    message = refused.value.members["errors"][0]["message"]
    assert "1.2:1" in message and find_readable_shade("#ffee00", ground=WHITE) in message


def test_what_stands_in_the_place_of_sightline():
    assert (Look().name, Look().is_own) == ("Sightline", False)
    assert Look(sender_name="Northlight").name == "Northlight"
    assert (Look(logo=b"x").name, Look(shows_maker=False).name) == ("", "")
    assert Look(color="#7a1f5c").name == "Sightline"
