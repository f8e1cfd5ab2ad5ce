"""Cited sites: how often they are cited, who owns them, and their type."""

import pytest

from sightline.answers.models import Brand
from sightline.scans.sources import classify_site, list_sources
from tests.scans.small_scans import answer, plan

CITED = (
    "https://www.g2.com/a",
    "https://g2.com/a/?utm_source=x",
    "https://g2.com/b",
    "https://blog.acme.com/x",
    "https://globex.com/",
)


def test_sites_are_counted_by_answers_and_pages():
    made = plan("best crm", "cheap crm", platforms=("chatgpt",))
    given = [
        answer(made, 1, "chatgpt", "Acme or Globex, says everybody.", *CITED),
        answer(made, 2, "chatgpt", "Acme or Globex, says everybody.", "https://g2.com/a"),
    ]
    rows = list_sources(made, given)
    assert [(row.domain, row.answers, row.urls, row.type) for row in rows] == [
        ("g2.com", 2, 2, "review"),
        ("acme.com", 1, 1, "own"),
        ("globex.com", 1, 1, "competitor"),
    ]
    assert [(row.is_own, row.is_competitor) for row in rows] == [(False, False), (True, False), (False, True)]


def test_owning_a_host_does_not_mean_owning_the_whole_domain():
    made = plan("best player", platforms=("chatgpt",), brand=Brand("Apple Music", (), ("music.apple.com",)))
    given = answer(made, 1, "chatgpt", "Try some of these players.", "https://music.apple.com/us", "https://apple.com/")
    assert {(row.domain, row.is_own, row.type) for row in list_sources(made, [given])} == {
        ("music.apple.com", True, "own"),
        ("apple.com", False, "shop"),
    }


@pytest.mark.parametrize(
    ("domain", "urls", "kind"),
    [
        ("trustpilot.com", ["trustpilot.com/review/acme.com"], "review"),
        ("wikipedia.org", ["de.wikipedia.org/wiki/Kaffee"], "encyclopaedia"),
        ("reddit.com", ["reddit.com/r/coffee"], "forum"),
        ("youtube.com", ["youtube.com/watch?v=1"], "video"),
        ("amazon.co.uk", ["amazon.co.uk/dp/1"], "shop"),
        ("nytimes.com", ["nytimes.com/a"], "news"),
        ("techradar.com", ["techradar.com/best/crm"], "list"),
        ("ftc.gov", ["ftc.gov/a"], "government"),
        ("service.gov.uk", ["service.gov.uk/a"], "government"),
        ("economie.gouv.fr", ["economie.gouv.fr/a"], "government"),
        ("meti.go.jp", ["meti.go.jp/a"], "government"),
        ("plainreviews.org", ["plainreviews.org/x"], "review"),
        ("coffee-compass.com", ["coffee-compass.com/ranking"], "list"),
        ("some-blog.com", ["some-blog.com/10-best-crm-tools", "some-blog.com/about"], "other"),
        ("some-blog.com", ["some-blog.com/best-crm-tools"], "list"),
        ("acme-daily.com", ["acme-daily.com/x"], "news"),
        ("govtech-fans.com", ["govtech-fans.com/x"], "other"),
        ("nobody-knows.io", [], "other"),
    ],
)
def test_sites_are_classified_by_domain_and_urls(domain, urls, kind):
    assert classify_site(domain, urls) == kind
