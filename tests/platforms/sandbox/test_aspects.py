"""What brands are known for: it lasts, drifts slowly, differs between brands and is the same in every language."""

from statistics import mean

import pytest

from sightline.platforms.sandbox.phrasebook import find_asked_aspect, find_profile
from tests.platforms.sandbox.samples import DAY

BRANDS = [f"brand{number}" for number in range(60)]


def profile_of(brand, language="en", days=0, sector="headphones"):
    return find_profile("acme.com", brand, language, sector, (DAY.toordinal() + days) // 7)


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_no_brand_is_praised_and_criticized_for_the_same_thing(language):
    for brand in BRANDS:
        profile = profile_of(brand, language)
        assert len(set(profile.strengths)) == 4 and 1 <= len(set(profile.weaknesses)) <= 2
        assert not set(profile.strengths) & set(profile.weaknesses)
        assert not profile.defensible & set(profile.weaknesses)


def test_a_character_lasts_for_weeks_and_changes_over_years():
    def kept(days):
        return mean(len({*profile_of(b).strengths} & {*profile_of(b, days=days).strengths}) / 4 for b in BRANDS)

    assert kept(7) > 0.95
    assert 0.75 < kept(56) < kept(7)
    assert 0.5 < kept(800) < 0.85


def test_brands_differ():
    assert len({profile_of(brand).strengths for brand in BRANDS}) > 50
    praised = [sum(place in profile_of(brand).strengths for brand in BRANDS) for place in range(11)]
    assert min(praised) > 5


def test_a_brand_has_the_same_character_in_every_language():
    """English has more aspects, so that only those that are in both can be compared."""
    for brand in BRANDS:
        english = [place for place in profile_of(brand).strengths if place < 8]
        assert len(set(english) - set(profile_of(brand, "fr").strengths)) <= 1


@pytest.mark.parametrize(
    ("prompt", "place"),
    [
        ("Which headphone brands offer long battery life?", 2),
        ("headphones with good Battery Life, please", 2),
        ("Which sounds best?", None),
        ("", None),
    ],
)
def test_the_aspect_that_a_question_names(prompt, place):
    assert find_asked_aspect("en", "headphones", prompt) == place
