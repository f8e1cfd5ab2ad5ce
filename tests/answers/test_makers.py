"""Who makes which product is decided over all answers."""

import pytest

from sightline.answers.candidates import Candidate
from sightline.answers.makers import assign_makers, find_makers


def makers(*names, **more):
    return assign_makers(Candidate(name, 1, **more) for name in names)


@pytest.mark.parametrize(
    ("names", "maker"),
    [
        (("Zorvex Mini", "Zorvex Max 2"), "Zorvex"),
        (("Zorvex", "Zorvex Mini"), "Zorvex"),
        (("Zorvex B37", "Zorvex B37 Massager"), "Zorvex"),
        (("Le Cravel Classic", "Le Cravel Signature"), "Le Cravel"),
        (("New Halden 1080", "New Halden Rebel"), "New Halden"),
        (("Solid & Striped",), "Solid & Striped"),
        (("Swimsuits For All",), "Swimsuits For All"),
        (("Golden Image Power", "Golden Image Deep"), "Golden Image"),
        (("Frankia Bikinis",), "Frankia Bikinis"),
    ],
)
def test_the_maker_is_what_its_names_share(names, maker):
    assert set(makers(*names).values()) == {maker}


def test_a_word_that_stands_alone_is_a_maker():
    assert makers("Apple Watch", alone=True) == {"Apple Watch": "Apple"}


def test_a_site_tells_how_long_the_name_is():
    assert makers("Harlan Karden Onyx", domain="harlankarden.com") == {"Harlan Karden Onyx": "Harlan Karden"}
    assert makers("Harlan Karden Onyx", domain="harlan.com") == {"Harlan Karden Onyx": "Harlan"}


def test_names_that_are_proven_nowhere_have_no_maker():
    assert makers("Quiet Operation", "Quiet Motor", proven=False) == {}
    assert makers("Quiet Motor", proven=False, domain="quiet.com") == {"Quiet Motor": "Quiet"}


def test_products_are_counted_with_their_maker():
    answers = [
        (f"p{number}", "chatgpt", [Candidate(name, 1) for name in names], ())
        for number, names in enumerate([["Zorvex Mini", "Zorvex Max"], ["Zorvex Max"], ["Zorvex"]])
    ]
    (found,) = find_makers(answers)
    assert (found.name, found.answers, found.prompts) == ("Zorvex", 3, 3)
    assert found.products == ("Zorvex Max", "Zorvex Mini")
