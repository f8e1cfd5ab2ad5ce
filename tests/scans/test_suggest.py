"""Suggested prompts are read from any form of reply, or built from templates if the reply has none."""

import pytest

from sightline.platforms.sandbox.market import Subject
from sightline.prompts.market_codes import clean_country, clean_language
from sightline.scans.suggest import (
    build_question,
    build_templates,
    parse_suggestions,
    suggest_in_sandbox,
    suggest_live,
)
from tests.scans.small_scans import ACME, GLOBEX

QUESTIONS = (
    "Which CRM is easiest to set up?",
    "What does a CRM cost for five people?",
    "Are there free CRM tools for startups?",
)


@pytest.mark.parametrize(
    "reply",
    [
        "\n".join(f"{place}. {text}" for place, text in enumerate(QUESTIONS, 1)),
        "Sure! Here are they:\n\n" + "\n".join(f"- **{text}** [1]" for text in QUESTIONS) + "\n\nShall I go on?",
        "\n".join(f"{place}) “{text}” ([g2.com](https://g2.com/x))" for place, text in enumerate(QUESTIONS, 1)),
        '```json\n["' + '", "'.join(QUESTIONS) + '"]\n```',
        "\n\n".join(QUESTIONS),
        "\n".join(
            f"* {text}" for text in (QUESTIONS[0], "Is Acme any good?", QUESTIONS[0].lower(), *QUESTIONS[1:], "ok")
        ),
    ],
    ids=["numbered", "bullets", "links", "json", "lines", "branded and repeated"],
)
def test_suggestions_are_read_from_any_form_of_reply(reply):
    assert parse_suggestions(reply, ACME) == QUESTIONS


@pytest.mark.parametrize("reply", ["", "I cannot help with that.", "[1, 2, 3]", "[" * 5000, "{}\n" * 10, "- \n- \n- "])
def test_replies_without_questions_give_no_suggestions(reply):
    assert parse_suggestions(reply, ACME) == ()


def test_at_most_ten_suggestions_are_read():
    topics = ["ads", "books", "cars", "dogs", "eggs", "fish", "golf", "hats", "ink", "jam", "kites", "lamps"]
    reply = "\n".join(f"{place}. Where do people buy {topic} these days?" for place, topic in enumerate(topics, 1))
    assert len(parse_suggestions(reply, ACME)) == 10


async def test_suggestions_come_from_a_platform_and_its_failure_is_reported():
    asked = []

    async def ask(question):
        asked.append(question)
        return "\n".join(f"{place}. {text}" for place, text in enumerate(QUESTIONS, 1)), None

    found = await suggest_live("acme.com", ACME, (), language="en", country="US", ask=ask)
    assert (found.prompts, found.language, found.note) == (QUESTIONS, "en", None)
    assert asked == [build_question("acme.com", ACME, language="en", country="US")] and "acme.com" in asked[0]

    async def fail(_):
        return "", "ChatGPT failed: credentials refused"

    found = await suggest_live("acme.com", ACME, (GLOBEX,), language="de", country=None, ask=fail)
    assert "credentials refused" in found.note and found.prompts == build_templates("acme.com", ACME, (GLOBEX,))
    assert found.language is None  # templates are always in English


def test_templates_name_competitors_or_else_the_brand():
    assert all("Globex" in text and "Acme" not in text for text in build_templates("acme.com", ACME, (GLOBEX,)))
    assert all("Acme" in text for text in build_templates("acme.com", ACME, ()))


def test_sandbox_suggestions_follow_the_language_of_the_market():
    german = suggest_in_sandbox(Subject("acme.com", "Acme"), language=None, country="DE")
    assert german.language == "de" and len(german.prompts) == 10
    assert suggest_in_sandbox(Subject("acme.com", "Acme"), language="en", country="DE").language == "en"


def test_country_and_language_codes_are_cleaned_or_refused():
    assert (clean_country(" de "), clean_language("DE")) == ("DE", "de")
    for wrong in ("ZZ", "DEU", "", "d", "é"):
        with pytest.raises(ValueError, match="two letters"):
            clean_country(wrong)
    for wrong in ("xx", "deu", "", "EN-US"):
        with pytest.raises(ValueError, match="two letters"):
            clean_language(wrong)
