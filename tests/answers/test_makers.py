"""Who makes which product is decided over all answers."""

import pytest

from sightline.answers.candidates import Candidate
from sightline.answers.makers import ReadAnswer, assign_makers, find_makers


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
        (("Zorvex Air 3", "Zorvex Air 4"), "Zorvex"),
    ],
)
def test_the_maker_is_what_its_names_share(names, maker):
    assert set(makers(*names).values()) == {maker}


def test_a_word_that_stands_alone_is_a_maker():
    assert makers("Apple Watch", alone=True) == {"Apple Watch": "Apple"}


def test_a_first_word_that_rarely_stands_alone_is_not_the_whole_name():
    names = [Candidate(f"Golden Image {model}", 1, alone=model == "Deep") for model in ("Power", "Deep", "Mini")]
    assert set(assign_makers(names).values()) == {"Golden Image"}


def test_a_site_tells_how_long_the_name_is():
    assert makers("Harlan Karden Onyx", domain="harlankarden.com") == {"Harlan Karden Onyx": "Harlan Karden"}
    assert makers("Harlan Karden Onyx", domain="harlan.com") == {"Harlan Karden Onyx": "Harlan"}


def test_names_that_are_proven_nowhere_have_no_maker():
    assert makers("Quiet Operation", "Quiet Motor", proven=False) == {}
    assert makers("Quiet Motor", proven=False, domain="quiet.com") == {"Quiet Motor": "Quiet"}


def test_products_are_counted_with_their_maker():
    answers = [
        ReadAnswer(f"p{number}", "chatgpt", [Candidate(name, 1) for name in names], ())
        for number, names in enumerate([["Zorvex Mini", "Zorvex Max"], ["Zorvex Max"], ["Zorvex"]])
    ]
    (found,) = find_makers(answers)
    assert (found.name, found.answers, found.prompts) == ("Zorvex", 3, 3)
    assert found.products == ("Zorvex Max", "Zorvex Mini")


@pytest.mark.parametrize(
    ("lists", "tracked", "sure"),
    [
        ([["Zorvex X200"], ["Zorvex X300"]], 0, True),  # models of its own
        ([["Zorvex Lumera"], ["Zorvex"]], 0, True),  # a product with a name of its own
        ([["Zorvex Pro"], ["Zorvex Mini"]], 0, True),  # two products of an unusual name
        ([["Quiet Motor"], ["Quiet Case"]], 1, False),  # a label, whatever stands next to it
        ([["Zorvex"], ["Zorvex"]], 0, False),
        ([["Zorvex", "Tvarokh"], ["Zorvex", "Prostok"]], 0, False),
        ([["Zorvex", "Tvarokh"], ["Zorvex", "Prostok"]], 1, True),  # next to a tracked brand
        ([["Zorvex", "Lumio X200"], ["Zorvex", "Lumio X300"], ["Zorvex"]], 0, True),  # next to a maker
        ([["Zorvex", "Lumio X200"], ["Zorvex", "Tvarokh"], ["Zorvex"]], 0, False),  # mostly not
    ],
)
def test_a_maker_is_sure_by_its_products_or_by_the_brands_next_to_it(lists, tracked, sure):
    answers = [
        ReadAnswer(f"p{number}", "chatgpt", [Candidate(name, 1, alone=" " not in name) for name in names], (), tracked)
        for number, names in enumerate(lists)
    ]
    name = lists[0][0].split()[0]
    assert [each.sure for each in find_makers(answers) if each.name.startswith(name)] == [sure]


@pytest.mark.parametrize(("cited", "sure"), [(2, True), (1, False)])
def test_a_site_of_its_own_that_two_answers_cite_makes_a_maker_sure(cited, sure):
    sites = ["zorvex.com"] * cited + [None]
    answers = [
        ReadAnswer(f"p{number}", "chatgpt", [Candidate("Zorvex", 1, site)], ()) for number, site in enumerate(sites)
    ]
    assert [each.sure for each in find_makers(answers)] == [sure]


@pytest.mark.parametrize(
    ("names", "tracked", "sure"),
    [
        (("Zorvex Lumera", "Zorvex"), 0, False),  # which words are names is not known
        (("Zorvex X200", "Zorvex"), 0, True),
        (("Zorvex", "Zorvex"), 1, False),
        (("Zorvex", "Zorvex"), 2, True),
    ],
)
def test_other_languages_than_english_need_a_model_or_two_brands_next_to_a_name(names, tracked, sure):
    answers = [
        ReadAnswer(f"p{number}", "chatgpt", [Candidate(name, 1, alone=True)], (), tracked, is_english=False)
        for number, name in enumerate(names)
    ]
    assert [each.sure for each in find_makers(answers)] == [sure]


def test_a_name_that_nearly_always_stands_whole_is_not_cut():
    names = ["Tarnhof Molkereien"] * 5 + ["Tarnhof Eis"]
    answers = [ReadAnswer(f"p{number}", "chatgpt", [Candidate(name, 1)], ()) for number, name in enumerate(names)]
    assert {each.name: each.answers for each in find_makers(answers)} == {"Tarnhof Molkereien": 5, "Tarnhof Eis": 1}
    assert set(makers("Tarnhof Molkerei", "Tarnhof Molkerei & Hofladen", "Tarnhof Molkerei & Eis").values()) == {
        "Tarnhof Molkerei"
    }
    assert set(assign_makers([Candidate("Zorva 500", 1), *[Candidate("ZORVA 500", 1)] * 2]).values()) == {
        "Zorva 500",
        "ZORVA 500",
    }
    cut = [Candidate("Lumio X200", 1)] * 5
    assert {each.name for each in find_makers([ReadAnswer("p", "chatgpt", cut, ())])} == {"Lumio"}
