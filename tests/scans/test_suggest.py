"""There are always ten suggested prompts: from a platform, and where it gives fewer, from templates."""

from functools import partial

import pytest

from sightline.answers.models import Brand
from sightline.domains.home_page import fetch_home_page
from sightline.insights.editor.setup import read_site_words
from sightline.platforms.sandbox.market import Subject
from sightline.prompts.market_codes import clean_country, clean_language
from sightline.scans.suggest import SuggestionInput, complete_prompts, suggest_in_sandbox
from sightline.scans.suggestions.questions import is_whole_question, names_company
from tests.competitors.local_sites import open_sites

ACME = Brand("Acme", (), ("globex.com",))
INITECH = Brand("Initech", (), ("initech.com",))
REPLY = (
    "What should a help desk cost for ten people?",
    "How do small firms answer customers faster?",
    "Which ticket systems work without training?",
    "Is a shared inbox enough for a support team?",
    "What is the difference between live chat and tickets?",
    "How long does it take to move to a new help desk?",
    "Which support tools keep data in Europe?",
    "Can customers solve problems without an agent?",
    "What do reviewers dislike about cheap help desks?",
    "How is the speed of answers measured?",
)


@pytest.fixture
async def sites(tmp_path):
    async with open_sites(tmp_path) as opened:
        opened.serve(body=b"<title>Acme - help desk software</title>")
        yield opened


async def suggest(sites, questions=(), fault=None, *, language=None, brand=ACME, competitors=(INITECH,), category=None):
    wanted = SuggestionInput(
        domain="globex.com",
        brand=brand,
        competitors=tuple(competitors),
        language=language,
        country=None,
        category=category,
    )
    site = await read_site_words("globex.com", partial(fetch_home_page, sites.session, sites.guard))
    found = complete_prompts(wanted, questions, fault=fault, site_language=site.language)
    assert len(set(found.prompts)) == 10 and all(map(is_whole_question, found.prompts))
    return found


async def test_ten_good_questions_of_a_platform_are_used(sites):
    found = await suggest(sites, [*REPLY, "Which one is free?"], language="en")
    assert (found.prompts, found.language, found.note, found.from_templates) == (REPLY, "en", None, 0)


async def test_what_a_platform_leaves_open_is_filled_from_templates_around_the_category(sites):
    found = await suggest(sites, [*REPLY[:4], "Is Initech better than Acme?"], category="help desks", language="en")
    assert found.prompts[:4] == REPLY[:4] and found.from_templates == 6
    assert "Which help desks do experts recommend?" in found.prompts
    assert found.note == (
        "The platform's reply has 4 usable prompts. The other 6 are general questions about help desks. "
        "For better results, enter your own prompts."
    )


async def test_a_platform_that_fails_or_repeats_itself_is_replaced_by_templates(sites):
    failed = await suggest(sites, (), "ChatGPT failed: credentials rejected")
    assert "No platform suggested prompts: ChatGPT failed: credentials rejected." in failed.note
    assert failed.from_templates == 10 and failed.language == "en"
    repeated = await suggest(sites, [REPLY[0]] * 9)
    assert repeated.from_templates == 9 and "1 usable prompt." in repeated.note
    nonsense = await suggest(sites, ["best crm", "Acme vs Initech?", "[topic] for [industry]?", "?"])
    assert nonsense.from_templates == 10 and "no usable prompts" in nonsense.note
    for found in (failed, repeated, nonsense):
        assert not any(names_company(text) or "Acme" in text for text in found.prompts)


@pytest.mark.parametrize(
    "page",
    [
        None,
        (503, b"", {"content-type": "text/html"}),
        (200, b"%PDF", {"content-type": "application/pdf"}),
        (302, b"", {"location": "/"}),
        (200, b" " * 600_000 + b"<title>Help desk</title>", {"content-type": "text/html"}),
    ],
    ids=["down", "error", "not HTML", "loop", "huge"],
)
async def test_without_a_category_there_are_ten_general_prompts_and_the_way_to_better_ones(sites, page):
    sites.pages["https://globex.com/"] = page
    found = await suggest(sites)
    assert found.from_templates == 10 and found.language == "en"
    assert found.note.endswith(
        "All ten prompts are general questions about any market. "
        "For better results, say which category you sell in, or enter your own prompts."
    )


async def test_the_language_is_the_declared_one_or_that_of_the_site(sites):
    sites.serve(body="<html lang='de'><title>Helpdesk für Teams</title>".encode())
    german = await suggest(sites, category="Helpdesk-Tools")
    assert german.language == "de" and "Welche Helpdesk-Tools empfehlen Fachleute?" in german.prompts
    french = await suggest(sites, language="fr")
    assert french.language == "fr" and any("comme fournisseurs" in text for text in french.prompts)
    japanese = await suggest(sites, language="ja")
    assert japanese.language == "ja" and all(text.endswith("\uff1f") for text in japanese.prompts)
    swedish = await suggest(sites, language="sv")
    assert swedish.language == "en" and "Sightline has none in the language sv, so they are in English." in swedish.note


@pytest.mark.parametrize("name", ["Software", "Help Desk", "Which", "Value", "The Best", "Reviews", "é", "K"])
async def test_a_brand_that_is_called_like_a_common_word_gets_ten_prompts(sites, name):
    await suggest(sites, brand=Brand(name, (), ("globex.com",)))


def test_sandbox_suggestions_follow_the_language_of_the_market():
    german = suggest_in_sandbox(Subject("acme.com", "Acme"), language=None, country="DE")
    assert german.language == "de" and len(german.prompts) == 10
    assert suggest_in_sandbox(Subject("acme.com", "Acme"), language="en", country="DE").language == "en"
    swedish = suggest_in_sandbox(Subject("acme.com", "Acme"), language="sv", country=None)
    assert len(swedish.prompts) == 10 and "in English" in swedish.note


def test_country_and_language_codes_are_cleaned_or_refused():
    assert (clean_country(" de "), clean_language("DE")) == ("DE", "de")
    for wrong in ("ZZ", "DEU", "", "d", "é"):
        with pytest.raises(ValueError, match="two letters"):
            clean_country(wrong)
    for wrong in ("xx", "deu", "", "EN-US"):
        with pytest.raises(ValueError, match="two letters"):
            clean_language(wrong)
