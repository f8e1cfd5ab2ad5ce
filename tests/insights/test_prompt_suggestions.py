"""Suggestions from the answers of a market and around its category: their origins, and what is left out."""

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.insights.inputs import build_insight_inputs
from sightline.insights.prompt_candidates import find_candidates
from sightline.insights.prompt_suggestions import propose_prompts
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt
from sightline.scans.suggestions.templates import list_languages

TEXTS = ("best family tent under $300", "Which family tent is waterproof?", "cheap family tents with two rooms")
ANSWER = """1. **Globex Dome 4** - Good ventilation, a long warranty, and ideal for long road trips.
2. **Hooli Basecamp 6** - Great ventilation, easy to set up, best for windy beaches.
3. **Acme Trail 5** - Easy to set up, with a good warranty.

How long should a family tent last in strong sun? Is Globex a good choice for a family tent?
Would you like a comparison? Which one suits you?
See https://tents.example.com/best-family-tents?ref=a for more."""


def suggest(*texts, language="en", answer=ANSWER, queries=(), known=None, category=None):
    prompts = tuple(
        ScanPrompt(id=str(number), text=text, language=language, country="US") for number, text in enumerate(texts)
    )
    brand = Brand("Acme", domains=("acme.com",))
    plan = ScanPlan(domain="acme.com", brand=brand, prompts=prompts, platforms=("chatgpt", "gemini"))
    answers = [
        analyze_answer(
            ScanAnswer(
                id=f"{prompt.id} {platform}",
                prompt=prompt,
                platform=platform,
                status="ok",
                text=answer.replace("{answer}", f"{prompt.id} {platform}"),
                queries=queries,
                provenance=Provenance(surface="api", vendor="file"),
            ),
            Lexicon(plan.tracked),
        )
        for prompt in prompts
        for platform in plan.platforms
    ]
    inputs = build_insight_inputs(plan, answers)
    found = propose_prompts(inputs, find_candidates(inputs, category), known or texts, None)
    return {each.prompt: each for each in found}


def test_whole_questions_of_platforms_and_templates_around_the_category_are_suggested():
    queries = ("Which family tents survive a festival?", "family tents for festivals 2025", "tent site:acme.com")
    found = suggest(*TEXTS, queries=queries, category="family tents")
    origins = {text: (each.origin, each.origin_subjects, each.origin_answers) for text, each in found.items()}
    platforms = ("chatgpt", "gemini")
    assert origins["Which family tents survive a festival?"] == ("fan_out", platforms, 6)
    assert origins["How long should a family tent last in strong sun?"] == ("question", platforms, 6)
    templates = [text for text, each in found.items() if each.origin == "template"]
    assert len(templates) >= 5 and all("family tents" in text for text in templates)
    assert {found[text].origin_subjects for text in templates} == {("family tents",)}
    assert {(each.language_code, each.country_iso_2) for each in found.values()} == {("en", "US")}
    assert "Is Globex a good choice for a family tent?" not in found, "it would measure Globex alone"
    assert not any("Acme" in text or "http" in text or text.startswith("Would you") for text in found)


def test_without_a_category_nothing_is_made_up():
    found = suggest(*TEXTS, queries=("family tents for festivals 2025",))
    assert set(found) == {"How long should a family tent last in strong sun?"}


def test_a_question_of_one_answer_alone_is_not_suggested():
    question = "How many people sleep in a family tent, {answer}?"
    assert suggest(*TEXTS, answer=question) == {}
    assert len(suggest(*TEXTS, answer=question.replace(", {answer}", ""))) == 1


def test_with_a_category_there_are_at_least_five_suggestions_in_every_language_with_templates():
    for language in list_languages():
        found = suggest("tält", "zelt", language=language, answer="Nothing.", category="tents")
        assert len(found) >= 5, language


def test_what_a_known_prompt_asks_already_is_left_out():
    offered = [text for text, each in suggest(*TEXTS, category="family tents").items() if each.origin == "template"]
    left = suggest(*TEXTS, known=[*TEXTS, offered[0].lower()], category="family tents")
    assert offered[0] not in left and offered[1] in left


def test_nothing_is_built_on_an_unread_language():
    assert suggest("bästa familjetält", "vilket familjetält är vattentätt", language="sv", category="tält") == {}
    assert suggest("bestes familienzelt", "welches familienzelt ist dicht", language="de") == {}
