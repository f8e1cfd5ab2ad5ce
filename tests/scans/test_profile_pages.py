"""Profile pages: "one page about one company", by the addresses that real review sites have."""

import pytest

from sightline.scans.profile_pages import is_profile_page

NAMES = ("Acme Anvils", "acme.com", "Globex")


@pytest.mark.parametrize(
    "url",
    [
        "trustpilot.com/review/acme.com",
        "de.trustpilot.com/review/www.elvison.com?page=2",
        "trustpilot.com/review/top-shop.com",
        "g2.com/products/slack/reviews",
        "capterra.com/p/135003/Slack",
        "capterra.com.de/software/135003/slack",
        "getapp.com/collaboration-software/a/slack",
        "softwareadvice.com/crm/slack-profile",
        "softwareadvice.com/product/135003-slack",
        "trustradius.com/products/slack/reviews",
        "gartner.com/reviews/market/crm/vendor/salesforce/product/sales-cloud",
        "sitejabber.com/reviews/chewy.com",
        "glassdoor.com/Reviews/Slack-Reviews-E950758.htm",
        "glassdoor.de/Overview/Working-at-Slack-EI_IE950758.11,16.htm",
        "trustedshops.de/bewertung/info_X0123.html",
        "omr.com/de/reviews/product/slack",
        "reviews.io/company-reviews/store/acme.com",
        "bbb.org/us/ca/san-francisco/profile/computer-software/slack-1116-1",
        "yelp.com/biz/acme-coffee-berlin",
        "tripadvisor.com/Hotel_Review-g187323-d1-Reviews-Hotel_Adlon-Berlin.html",
        "plainreviews.org/shops/elvison.co.uk",
        "plainreviews.org/brands/acme-anvils",
        "plainreviews.org/globex",
    ],
)
def test_a_page_about_one_company_is_a_profile(url):
    assert is_profile_page(url, NAMES)


@pytest.mark.parametrize(
    "url",
    [
        "trustpilot.com",
        "trustpilot.com/categories/blacksmith",
        "g2.com/categories/crm",
        "g2.com/products/slack/competitors/alternatives",
        "g2.com/compare/slack-vs-microsoft-teams",
        "capterra.com/p/135003/Slack/alternatives",
        "capterra.com/customer-relationship-management-software",
        "getapp.com/collaboration-software/best",
        "producthunt.com/categories/crm",
        "gartner.com/reviews/market/crm",
        "omr.com/de/reviews/category/crm",
        "alternativeto.net/software/slack",
        "rtings.com/headphones/reviews/best/wireless",
        "plainreviews.org/best/globex",
        "plainreviews.org/globex-and-others.html",
        "plainreviews.org/index.html",
        "techradar.com/best/globex",
        "reddit.com/r/globex",
    ],
)
def test_a_page_that_can_list_many_is_none(url):
    assert not is_profile_page(url, NAMES)
