"""What a site sells is read from its title and description, or found in lists; a slogan gives nothing."""

import pytest

from sightline.scans.suggestions.offers import find_offer
from sightline.scans.suggestions.site_words import SiteWords, parse_site_words
from sightline.scans.suggestions.word_files import LANGUAGES, load_categories, load_words

GERMAN = "Wir verkaufen seit über dreißig Jahren Matratzen und Betten aus eigener Herstellung."


@pytest.mark.parametrize(
    ("title", "description", "category", "noun"),
    [
        ("Acme \u2013 Project Management Software for Teams", "", "software", "project management software"),
        ("The Best Customer Feedback Platform | Acme", "", "software", "customer feedback platforms"),
        ("Invoice and Accounting Software for Small Firms - Acme", "", "software", "accounting software"),
        ("Hotel booking software for family hotels", "", "software", "hotel booking software"),
        ("Trail Running Shoes | Acme", "", "shop", "brands of trail running shoes"),
        ("Acme CRM Tools", "", "software", "CRM tools"),
        ("Acme", "Acme makes award-winning noise cancelling headphones.", "electronics", "noise cancelling headphones"),
        ("Acme: welcome", "The smart way to run a team. With our CRM, sales teams win.", "software", "CRM systems"),
        ("Acme | Open a bank account in minutes", "", "finance", "online banks"),
        ("Free shipping on every order | Acme", "", "shop", "online shops"),
        ("Acme | The best hotels, flights and car rentals", "", "travel", "hotel chains"),
        ("Acme: gym clothes and more", "The gym is our home.", "shop", "clothing brands"),
        (
            "The visual workspace",
            "Acme is the visual collaboration platform for teams.",
            "software",
            "visual collaboration platforms",
        ),
    ],
)
def test_an_english_offer_is_read_from_title_and_description(title, description, category, noun):
    offer = find_offer(SiteWords(title, description, "en"), "en", ["Acme"])
    assert (offer.category, offer.label, offer.known) == (category, noun, True)


@pytest.mark.parametrize(
    ("language", "title", "noun"),
    [
        ("de", "Laufschuhe online kaufen | Acme", "Laufschuhmarken"),
        ("de", "Acme: Ihre Kfz-Versicherung", "Versicherungen"),
        ("fr", "Logiciel de comptabilité pour indépendants", "logiciels de comptabilité"),
        ("es", "Bodega familiar y vinos de la Rioja", "bodegas"),
        ("ja", "アクメ・会計ソフト", "会計ソフト"),
        ("it", "Acme, viaggi su misura", "agenzie di viaggio"),
        ("de", "Project management software", "Projektmanagement-Tools"),  # an English page, German questions
    ],
)
def test_other_languages_use_the_nouns_of_their_lists(language, title, noun):
    assert find_offer(SiteWords(title), language, ["Acme"]).label == noun


@pytest.mark.parametrize(
    "title",
    [
        "Your journey starts here",
        "Acme",
        "",
        "All-in-one platform",
        "Acme software",
        "Cordless Garden Tools",  # no software
        "The end of the story",  # "thé" is another word
    ],
)
def test_slogans_and_the_own_name_are_no_offer(title):
    offer = find_offer(SiteWords(title, "", "en"), "en", ["Acme"])
    assert offer.label in {"companies in this market", "software"}


def test_words_of_the_brand_are_no_part_of_an_offer():
    assert find_offer(SiteWords("Notion productivity tools"), "en", ["Notion"]).label == "productivity tools"


def test_a_site_that_was_not_read_has_the_most_general_offer():
    assert not find_offer(None, "fr", ["Acme"]).known


def test_every_language_has_a_noun_for_each_category_and_the_first_four_for_each_offer():
    known = load_categories()
    for language in LANGUAGES:
        words = load_words(language)
        assert words.categories.keys() == known.categories.keys() | {"general"}, language
        assert words.offers.keys() <= known.offers.keys(), language
        assert words.offers.keys() == known.offers.keys() or language not in LANGUAGES[:4], language
    assert {entry[0] for entry in known.offers.values()} <= known.categories.keys()


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            '<html lang="de-AT"><head><title> Acme \n Matratzen </title></head>',
            SiteWords("Acme Matratzen", "", "de"),
        ),
        ('<meta property="og:title" content="Acme &amp; Co">', SiteWords("Acme & Co", "", None)),
        (
            f'<html lang="en"><title>Acme</title><meta name="description" content="{GERMAN}">',
            SiteWords("Acme", GERMAN, "de"),
        ),
    ],
    ids=["title", "open graph", "declared language is wrong"],
)
def test_the_words_of_a_page(html, expected):
    assert parse_site_words(html) == expected


def test_a_page_without_words_and_a_hostile_one():
    assert parse_site_words("<p>Hello</p>") is None and parse_site_words("") is None
    found = parse_site_words(f"<title>{'anvil ' * 100_000}</title>" + "<div>" * 5_000)
    assert len(found.title) <= 300 and not found.title.endswith(" ")
