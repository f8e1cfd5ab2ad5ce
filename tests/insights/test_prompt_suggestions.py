"""Suggestions from the answers of a market: their origins, and what is left out."""

from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.insights.inputs import build_insight_inputs
from sightline.insights.prompt_candidates import find_candidates
from sightline.insights.prompt_suggestions import propose_prompts
from sightline.scans.analyze_answer import analyze_answer
from sightline.scans.models import Provenance, ScanAnswer, ScanPlan, ScanPrompt

TEXTS = ("best family tent under $300", "Which family tent is waterproof?", "cheap family tents with two rooms")
ANSWER = """1. **Globex Dome 4** - Good ventilation, a long warranty, and ideal for long road trips.
2. **Hooli Basecamp 6** - Great ventilation, easy to set up, best for windy beaches.
3. **Acme Trail 5** - Easy to set up, with a good warranty.

How long should a family tent last in strong sun? Is Globex a good choice for a family tent?
Would you like a comparison? Which one suits you?
See https://tents.example.com/best-family-tents?ref=a for more."""


def suggest(*texts, language="en", answer=ANSWER, queries=(), known=None):
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
                text=answer,
                queries=queries,
                provenance=Provenance(surface="api", vendor="file"),
            ),
            Lexicon(plan.tracked),
        )
        for prompt in prompts
        for platform in plan.platforms
    ]
    inputs = build_insight_inputs(plan, answers)
    found = propose_prompts(inputs, find_candidates(inputs, ()), known or texts, None)
    return {each.prompt: each for each in found}


def test_every_origin_leads_to_questions_in_the_market_of_the_prompts():
    found = suggest(*TEXTS, queries=("family tents for festivals 2025", "acme tent reviews", "tent site:acme.com"))
    origins = {text: (each.origin, each.origin_subjects, each.origin_answers) for text, each in found.items()}
    platforms = ("chatgpt", "gemini")
    assert origins["What are the best family tents for festivals?"] == ("fan_out", platforms, 6)
    assert origins["How long should a family tent last in strong sun?"] == ("question", platforms, 6)
    assert origins["Which family tent has the best ventilation?"] == ("aspect", ("ventilation",), 6)
    assert origins["Which family tent is best for windy beaches?"] == ("use", ("windy beaches",), 6)
    rivals = [each for each in found.values() if each.origin == "rivals"]
    assert [each.origin_subjects for each in rivals] == [("Globex", "Hooli")]
    assert {each.origin_subjects for each in found.values() if each.origin == "stage"} <= {
        ("learn",),
        ("compare",),
        ("use",),
        ("switch",),
    }
    assert len(found) == 10
    assert {(each.language_code, each.country_iso_2) for each in found.values()} == {("en", "US")}
    assert "Is Globex a good choice for a family tent?" not in found, "it would measure Globex alone"
    assert not any("Acme" in text or "http" in text or "you" in text.split() for text in found)


def test_what_a_known_prompt_asks_in_other_words_is_left_out():
    worded = "Which family tent has the best ventilation?"
    assert worded in suggest(*TEXTS)
    assert worded not in suggest(*TEXTS, known=[*TEXTS, "best ventilated family tent"])


def test_nothing_is_built_on_an_unread_language():
    assert suggest("bästa familjetält", "vilket familjetält är vattentätt", language="sv") == {}
    assert set(suggest("bestes familienzelt", "welches familienzelt ist dicht", language="de")) == set()
