"""Of proposed questions, those that name a company, repeat another or are unfinished are left out."""

import pytest

from sightline.answers.models import Brand
from sightline.scans.suggestions.questions import choose_questions, is_whole_question, names_company
from tests.scans.small_scans import ACME, GLOBEX

QUESTIONS = (
    "Which CRM is easiest to set up?",
    "What does a CRM cost for five people?",
    "Are there free CRM tools for startups?",
)


def test_branded_repeated_and_unfinished_questions_are_left_out():
    proposed = (QUESTIONS[0], "Is Acme any good?", QUESTIONS[0].lower(), *QUESTIONS[1:], "ok", "Shall I go on?", "")
    assert choose_questions(proposed, ACME, (), most=10) == QUESTIONS
    dressed = [f"**{text}** [1]" for text in QUESTIONS[:2]] + [f"“{QUESTIONS[2]}” ([g2.com](https://g2.com/x))"]
    assert choose_questions(dressed, ACME, (), most=10) == QUESTIONS


def test_the_same_question_in_other_words_is_one_question():
    proposed = ["Which CRM is the best for small teams?", "Which is the best CRM for small teams?"]
    assert len(choose_questions([*proposed * 4, "x"], ACME, (), most=10)) == 1


def test_no_more_than_five_questions_begin_alike():
    topics = ["ads", "books", "cars", "dogs", "eggs", "fish", "golf"]
    proposed = [f"Where do people buy cheap {topic} online?" for topic in topics]
    assert len(choose_questions(proposed, ACME, (), most=10)) == 5
    assert len(choose_questions(proposed, ACME, (), most=4)) == 4


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
    proposed = ("Ist Globex eine gute Wahl für Büros?", "Was kostet ein guter Bürostuhl?", "Lohnt sich ein Stehpult?")
    assert choose_questions(proposed, ACME, (GLOBEX,), most=10) == (
        "Was kostet ein guter Bürostuhl?",
        "Lohnt sich ein Stehpult?",
    )
    assert len(choose_questions(proposed, Brand("Initech"), (), most=10)) == 3
