"""The sentences at the top of the Overview."""

from types import SimpleNamespace

import pytest

from sightline.insights.findings.read import Story
from sightline.insights.findings.schemas import Finding
from sightline.web.pages.dashboard.verdict import build_verdict

CTX = SimpleNamespace(domain=SimpleNamespace(brand_name="Acme"))
SHOWN = SimpleNamespace(scan=object(), filter=SimpleNamespace(part={}))


def find(kind, tier, text, competitor=None):
    since = "2026-11-12T09:30:00Z"
    return Finding(
        kind=kind, tier=tier, direction="down", text=text, competitor=competitor, period="check", since=since, p=0.01
    )


def tell(*findings):
    return build_verdict(CTX, SHOWN, Story(findings[0].text, list(findings), SimpleNamespace()))


def test_a_finding_that_is_the_headline_is_not_said_again():
    told = tell(find("cell", "watch", "On Gemini, Acme was named in 0 of 15."))
    assert (told.own, told.tier, told.is_steady, told.is_part) == ("", "", False, False)


def test_a_second_finding_that_is_not_clear_says_so():
    told = tell(find("competitor", "clear", "Mirvune rises.", "Mirvune"), find("cell", "watch", "Acme falls."))
    assert told.own == "Worth watching: Acme falls." and told.tone == ""
    assert told.tier == "Clear change of a competitor", "its name must not be taken for the brand"


@pytest.mark.parametrize(("kind", "is_part"), [("platform", True), ("brand", False)])
def test_a_clear_change_of_a_part_is_not_one_of_the_brand(kind, is_part):
    told = tell(find(kind, "clear", "Acme falls."))
    assert told.is_part == is_part and (told.tone, told.tier) == ("down", "Clear change")
