"""Topics of prompts: by meaning in English, by shared words elsewhere."""

from sightline.insights.topics import name_topics
from sightline.scans.models import ScanPrompt

ENGLISH = (
    "best crm for startups",
    "crm for small business",
    "crm with email automation",
    "invoice software for freelancers",
    "cheap invoice software",
    "project management for agencies",
    "best project management tool for remote teams",
    "where do llamas sleep?",
)
GERMAN = ("bester Amboss für Anfänger", "Amboss gebraucht", "Welcher Hammer taugt etwas?")


def name(texts, language):
    prompts = [ScanPrompt(id=text, text=text, language=language) for text in texts]
    return name_topics(prompts)


def test_english_prompts_share_a_topic_by_meaning_named_by_a_phrase_of_theirs():
    named = name(ENGLISH, "en")
    assert [named.get(text) for text in ENGLISH[:7]] == [
        "crm",
        "crm",
        "crm",
        "invoice software",
        "invoice software",
        "project management",
        "project management",
    ]
    assert named.get(ENGLISH[7]) is None, "it stands alone"


def test_other_prompts_share_a_topic_by_a_content_word():
    assert list(name(GERMAN, "de").values())[:2] == ["Amboss", "Amboss"]
    assert name(["?"], "ja") == {}


def test_a_prompt_in_another_language_does_not_change_the_topics_of_english_prompts():
    prompts = [ScanPrompt(id=text, text=text, language="en") for text in ENGLISH]
    german = [ScanPrompt(id=text, text=text, language="de") for text in GERMAN]
    assert name(ENGLISH, "en").items() <= name_topics([*prompts, *german]).items()
