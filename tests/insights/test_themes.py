"""Brand Themes of answers: what is counted, merged and quoted. Without a database."""

import uuid

import pytest

from sightline.answers.models import Brand
from sightline.insights.aspect_counts import count_aspects
from sightline.insights.inputs import build_insight_inputs
from sightline.insights.themes import find_claims, find_themes
from sightline.scans.answer_files.measure import to_scan_answer
from sightline.scans.answer_files.parallel_analysis import analyze_in_order
from sightline.scans.answer_files.records import FileAnswer
from sightline.scans.models import ScanPlan, ScanPrompt

PROMPTS = tuple(ScanPrompt(id=str(uuid.UUID(int=number)), text=text) for number, text in enumerate(("vacuums", "mops")))
PLATFORMS = ("chatgpt", "gemini", "claude")
PLAN = ScanPlan(
    domain="acme.com", brand=Brand("Acme"), competitors=(Brand("Globex"),), prompts=PROMPTS, platforms=PLATFORMS
)


def read(*texts, language="en"):
    """Return the inputs of answers with these texts, by turns to two prompts on three platforms."""
    answers = [
        to_scan_answer(
            FileAnswer(
                line=number + 1,
                id=str(uuid.UUID(int=100 + number)),
                prompt=PROMPTS[number % 2].text,
                platform=PLATFORMS[number % 3],
                text=text,
                language=language,
            ),
            PROMPTS[number % 2],
        )
        for number, text in enumerate(texts)
    ]
    return build_insight_inputs(PLAN, list(analyze_in_order(answers, PLAN.tracked, None, processes=0)))


def list_themes(*texts, previous=None, **options):
    return find_themes(count_aspects(read(*texts, **options)), previous)


QUIET = "Acme is very quiet, even on carpets. Globex has poor battery life, most testers say."


def test_a_theme_has_its_counts_and_quotes_about_the_brand_alone():
    (theme,) = list_themes(*[QUIET] * 5, "Acme is noisy on wooden floors. Globex is fine.")
    assert (theme.descriptor, theme.answers, theme.prompts, theme.platforms) == ("noise level", 6, 2, 3)
    assert (theme.positive, theme.neutral, theme.negative, theme.polarity_label) == (5, 0, 1, "positive")
    assert [quote.text for quote in theme.quotes] == ["Acme is very quiet, even on carpets."]
    assert theme.few_answers and theme.change is None


def test_quotes_show_both_opinions_where_answers_differ():
    (theme,) = list_themes(*[QUIET] * 3, *["Acme is noisy on wooden floors. Globex is fine."] * 3)
    assert theme.polarity_label == "neutral"
    assert {quote.text for quote in theme.quotes} == {
        "Acme is very quiet, even on carpets.",
        "Acme is noisy on wooden floors.",
    }


def test_noun_phrases_of_one_meaning_are_one_theme():
    texts = ["Acme comes with an excellent ear cup.", "Acme comes with excellent earcups."] * 3
    (theme,) = list_themes(*texts)
    assert theme.answers == 6


def test_the_same_sentences_are_not_shown_as_two_themes():
    both = ["Acme has a comfortable handle for long days.", "Acme has a really comfortable handle, testers say."]
    assert [theme.descriptor for theme in list_themes(*both * 3)] == ["comfort"]
    few, enough = (["Acme is quiet and easy to clean."] * answers for answers in (3, 6))
    assert (len(list_themes(*few)), len(list_themes(*enough))) == (1, 2), "few answers need a quote of their own"
    apart = ["Acme has a great handle on each side.", "Acme is comfortable to carry upstairs."]
    assert {theme.descriptor for theme in list_themes(*apart * 3)} == {"comfort", "handle"}


def test_discovered_rivals_are_compared_with_and_recurring_criticism_is_a_claim():
    text = "1. **Acme Mini** - quiet but overpriced for what it is\n2. **Hoovex S5** - quiet and light\n"
    inputs = read(*[text] * 6)
    assert [rival.name for rival in inputs.rivals if not rival.tracked] == ["Hoovex S5"]
    counts = count_aspects(inputs)
    themes = {theme.descriptor: theme for theme in find_themes(counts)}
    assert themes["noise level"].z < themes["price"].z, "rivals are quiet, too"
    (claim,) = find_claims(counts, inputs)
    assert (claim.descriptor, len(claim.answer_ids), claim.platforms, claim.recurs) == ("price", 6, 3, True)
    assert "overpriced" in claim.quotes[0].text


def test_a_single_criticism_is_found_and_does_not_recur():
    inputs = read("Acme is overpriced, and that is known. Globex is fine.", *[QUIET] * 5)
    (claim,) = find_claims(count_aspects(inputs), inputs)
    assert (claim.descriptor, len(claim.answer_ids), claim.recurs) == ("price", 1, False)
    inputs = read(*["Many say that next to Globex the Acme is overpriced, and so on."] * 6)
    assert [(claim.recurs, claim.quotes) for claim in find_claims(count_aspects(inputs), inputs)] == [(False, ())]


def test_the_next_full_check_compares_with_the_trace():
    before = count_aspects(read(*[QUIET] * 6)).to_trace()
    (theme,) = list_themes(*["Acme is affordable, and that is rare here. Globex is fine."] * 6, previous=before)
    assert (theme.change.share, theme.change.verdict) == (0, "new"), "no answer of six cells said it before"
    (same,) = list_themes(*[QUIET] * 6, previous=before)
    assert (same.change.share, same.change.verdict) == (100, "no_clear_change")


@pytest.mark.parametrize("language", ["fi", "ja"])
def test_nothing_is_built_on_an_unread_language(language):
    texts = {
        "fi": "Acme on todella hiljainen ja edullinen imuri, ja testaajat pitävät siitä kovasti. Globex on huono.",
        "ja": "Acme は静かで安いと評判です。バッテリーも長持ちします。Globex はうるさいと言われています。",
    }
    counts = count_aspects(read(*[texts[language]] * 6, language=language))
    assert find_themes(counts) == [] and counts.total == 0
    assert counts.unread == {language: 6} and counts.to_trace().unread == {language: 6}
