"""Questions are read from any form of reply; what names a company, repeats another or is unfinished is left out."""

import pytest

from sightline.answers.models import Brand
from sightline.scans.suggestions.reply import is_whole_question, names_company, read_reply
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
        "\n\n".join(QUESTIONS) + "\n\nWould you like me to write more of these questions?",
        "\n".join(
            f"* {text}" for text in (QUESTIONS[0], "Is Acme any good?", QUESTIONS[0].lower(), *QUESTIONS[1:], "ok")
        ),
    ],
    ids=["numbered", "bullets", "links", "json", "lines and an offer", "branded and repeated"],
)
def test_questions_are_read_from_any_form_of_reply(reply):
    assert read_reply(reply, ACME, (), most=10) == QUESTIONS


@pytest.mark.parametrize("reply", ["", "I cannot help with that.", "[1, 2, 3]", "[" * 5000, "{}\n" * 10, "- \n- \n- "])
def test_replies_without_questions_give_none(reply):
    assert read_reply(reply, ACME, (), most=10) == ()


def test_the_same_question_nine_times_is_one_question():
    reply = "\n".join(f"{place}. Which CRM tool is the best for small teams?" for place in range(1, 10))
    assert len(read_reply(reply, ACME, (), most=10)) == 1
    reply = "\n".join(
        f"{place}. {text}"
        for place, text in enumerate(
            ("Which CRM is the best for small teams?", "Which is the best CRM for small teams?"), 1
        )
    )
    assert len(read_reply(reply + "\n3. x", ACME, (), most=10)) == 1


def test_no_more_than_five_questions_begin_alike():
    topics = ["ads", "books", "cars", "dogs", "eggs", "fish", "golf"]
    reply = "\n".join(f"{place}. Where do people buy cheap {topic} online?" for place, topic in enumerate(topics, 1))
    assert len(read_reply(reply, ACME, (), most=10)) == 5
    assert len(read_reply(reply, ACME, (), most=4)) == 4


@pytest.mark.parametrize(
    "text",
    [
        "Which tools integrate with Slack and calendars?",
        "What are good alternatives to HubSpot for teams?",
        "Is Salesforce too expensive for a small team?",
        "Which headphones beat the WH-1000XM5 on a plane?",
        "Quelles sont les alternatives à Doctolib pour un cabinet ?",
        "Welche Alternativen zu HubSpot gibt es für kleine Teams?",
        "SalesforceとHubSpotの違いは何ですか\uff1f",
        "Which iAcme device is the best for work?",
    ],
)
def test_questions_that_name_a_company_are_recognized(text):
    assert names_company(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which CRM is best for B2B sales in Germany?",
        "How do I find a good dentist in Leeds?",
        "Which hotels in New York are good for families?",
        "What Is The Best CRM For Small Teams?",
        "Welche Projektmanagement-Software eignet sich für kleine Teams in München?",
        "Which headphones work with an iPhone and a Mac?",
        "Can I use English or French textbooks with it?",
        "¿Qué software de contabilidad es mejor para autónomos en España?",
        "CRMツールを選ぶときのポイントは何ですか\uff1f",
        "Which one should I buy if I travel a lot?",
    ],
)
def test_places_terms_and_capitals_of_a_title_are_no_companies(text):
    assert not names_company(text)


@pytest.mark.parametrize(
    "text",
    [
        "best crm for startups",
        "Which CRM?",
        "which crm is easiest to set up?",
        "Which CRM is best for [industry]?",
        "Which CRM is best for companies in ...?",
        "Which is the the best CRM for teams?",
        "Which CRM is best? Which one is cheap?",
        "Which CRM (for teams is the best?",
        "See https://acme.com for which CRM is best?",
        "Would you like me to write more of them?",
        "Soll ich weitere Fragen dazu schreiben?",
    ],
)
def test_unfinished_questions_and_offers_are_no_prompts(text):
    assert not is_whole_question(text)


def test_tracked_competitors_are_left_out_in_any_language():
    reply = "1. Ist Globex eine gute Wahl für Büros?\n2. Was kostet ein guter Bürostuhl?\n3. Lohnt sich ein Stehpult?"
    assert read_reply(reply, ACME, (GLOBEX,), most=10) == (
        "Was kostet ein guter Bürostuhl?",
        "Lohnt sich ein Stehpult?",
    )
    assert len(read_reply(reply, Brand("Initech"), (), most=10)) == 3
