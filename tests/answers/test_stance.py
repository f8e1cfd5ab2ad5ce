"""Metrics 2.3 "Stance" in English: each phrase, how far it reaches, and what only looks negative."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest

from tests.answers.builders import ACME, XYLIA, YAMIRA, analyze_brand, analyze_text, stances


@pytest.mark.parametrize(
    "text",
    [
        "Unlike Acme, Xylia is free.",
        "Xylia, unlike Acme, is free.",
        "Xylia is free, unlike Acme.",
        "Use Xylia instead of Acme.",
        "Instead of Acme, use Xylia.",
        "Choose Xylia rather than Acme.",
        "Rather than Acme, choose Xylia.",
        "Compared with Acme, Xylia is cheap.",
        "Compared to Acme, Xylia is cheap.",
        "Xylia is cheap compared with Acme.",
        "The best alternatives to Acme start with Xylia.",
        "Xylia is an alternative to Acme.",
        "Many teams switch from Acme to Xylia.",
        "Teams switching from Acme like Xylia.",
        "They switched from Acme to Xylia last year.",
        "Xylia is cheaper than Acme.",
        "Xylia is better than Acme.",
        "Xylia costs less than Acme.",
        "Xylia has more features than Acme does.",
        "Xylia is no better than Acme.",
        "XYLIA IS CHEAPER THAN ACME.",
        "Xylia is cheaper than **Acme**.",
        "Xylia is cheaper than [Acme](https://acme.com).",
        "Xylia is cheaper than Acme's starter plan.",
    ],
)
def test_contrast(text):
    analysis = analyze_text(text, ACME, XYLIA)
    acme, xylia = analysis.brands
    assert (acme.mentioned, acme.stance, acme.rank) == (True, "contrast", None)
    assert (xylia.stance, xylia.rank) == ("neutral", 1)


@pytest.mark.parametrize(
    "text",
    [
        "Avoid Acme.",
        "I would avoid Acme.",
        "You should avoid Acme for now.",
        "Steer clear of Acme.",
        "It is best to steer clear of Acme.",
        "I would not recommend Acme.",
        "I do not recommend Acme.",
        "I don't recommend Acme.",
        "I don’t recommend Acme.",
        "I can't recommend Acme.",
        "I cannot recommend Acme.",
        "I wouldn't recommend Acme to anyone.",
        "We do not currently recommend Acme.",
        "I would not really recommend buying Acme.",
        "Acme is not recommended.",
        "I would never recommend Acme.",
        "Avoid **Acme**.",
        "AVOID ACME.",
        "- Avoid Acme: it is slow.",
    ],
)
def test_discouraged(text):
    analysis = analyze_brand(text)
    assert (analysis.mentioned, analysis.stance, analysis.rank) == (True, "discouraged", None)
    assert all(occurrence.stance == "discouraged" for occurrence in analysis.occurrences)


@pytest.mark.parametrize(
    "text",
    [
        "I have no information about Acme.",
        "I have no information on Acme.",
        "There is no information about Acme in my sources.",
        "I don't have any information about Acme.",
        "I'm not familiar with Acme.",
        "I am not familiar with Acme.",
        "I’m not familiar with Acme.",
        "I am not familiar with a company called Acme.",
        "I couldn't find Acme.",
        "I couldn't find any information about Acme.",
        "I could not find anything about Acme.",
        "I couldn’t find a brand called Acme.",
    ],
)
def test_unknown_is_not_a_mention(text):
    analysis = analyze_brand(text)
    assert (analysis.mentioned, analysis.stance) == (False, "unknown")
    assert (analysis.occurrences, analysis.rank, analysis.sentiment) == ((), None, None)


@pytest.mark.parametrize(
    "text",
    [
        "I couldn't find reviews of Acme.",
        "I couldn't find any reviews of Acme.",
        "I could not find prices for Acme.",
        "I couldn't find Acme's prices.",
        "I have no information about Acme's pricing.",
        "I have no information about the price of Acme.",
        "I'm not familiar with the roadmap of Acme.",
    ],
)
def test_unknown_only_when_the_brand_itself_is_not_known(text):
    analysis = analyze_brand(text)
    assert (analysis.mentioned, analysis.stance, analysis.rank) == (True, "neutral", 1)


@pytest.mark.parametrize(
    "text",
    [
        "Not only Acme but Xylia is free.",
        "Not only Acme but also others are free.",
        "You can't go wrong with Acme.",
        "You can’t go wrong with Acme.",
        "You cannot go wrong with Acme.",
        "There is no better tool than Acme.",
        "There is no better choice for teams than Acme.",
        "There's no better option than Acme.",
    ],
)
def test_positive_phrases_that_contain_a_negation(text):
    analysis = analyze_brand(text)
    assert (analysis.stance, analysis.rank) == ("neutral", 1)


@pytest.mark.parametrize(
    "text",
    [
        "To avoid high fees, use Acme.",
        "Acme helps you avoid high fees.",
        "If you want to avoid ads, Acme is the right choice.",
        "You can avoid lock-in with Acme.",
        "I can't recommend Acme enough.",
        "I cannot recommend Acme highly enough.",
        "I would not hesitate to recommend Acme.",
        "Don't avoid Acme.",
        "There is no reason to avoid Acme.",
        "Do not overlook Acme.",
        "Don't miss Acme.",
        "Nothing beats Acme.",
        "Acme is not the only option, but a good one.",
        "Acme is not expensive.",
        "Acme has no free plan.",
        "Acme does not sell data.",
        "It is not cheap, but I recommend Acme.",
        "Recommendations differ, and not all people who write about this field recommend Acme.",
        "I recommend Acme, not the others.",
        "Acme, unlike Xylia, is free.",
        "Unlike Xylia, Acme is free.",
        "Compared with Xylia, Acme is cheap.",
        "Acme is cheaper than Xylia.",
        "Acme rather than Xylia is my choice.",
        "Use Acme instead of Xylia.",
        "Acme is an alternative to Xylia.",
        "Switch from Xylia to Acme.",
        "More than 500 shops sell Acme.",
        "Acme has more than 500 shops.",
        "Acme costs less than 5 euros.",
        "Avoid Xylia; Acme is better.",
        "Avoid Xylia, but Acme is fine.",
        "Avoid Xylia. Acme is fine.",
        "I would not recommend Xylia, but Acme is great.",
        "I'm not familiar with Xylia, but Acme is well known.",
        "Acme is unavoidable in this field.",
        "A noteworthy mention: Acme.",
    ],
)
def test_what_looks_negative_and_is_not(text):
    assert analyze_brand(text, ACME, XYLIA).stance == "neutral"


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("I would not recommend Acme.", "discouraged"),
        ("I would not under any normal conditions recommend Acme.", "discouraged"),  # four words in between
        ("It is not that I and all of my many friends here recommend Acme.", "neutral"),
        ("Not cheap, so I recommend Acme.", "neutral"),
        ("It does not sync; I recommend Acme.", "neutral"),
    ],
)
def test_a_negation_reaches_five_tokens_of_the_same_clause(text, stance):
    assert analyze_brand(text).stance == stance


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Should you avoid Acme?", "neutral"),
        ("**Why do experts not recommend Acme?**", "neutral"),
        ("Πρέπει να αποφύγετε την Acme;", "neutral"),
        ("Acmeは避けるべきでしょうか。", "neutral"),
        ("I'd avoid Acme – shall I compare others?", "discouraged"),
        ("Avoid Acme: why pay for what others include?", "discouraged"),
        ("- Avoid Acme;", "discouraged"),
        ("Acmeは避けたほうがよいのではないでしょうか。", "discouraged"),
        ("I'm not familiar with Acme, could you tell me what it sells?", "unknown"),
    ],
)
def test_a_question_is_no_warning(text, stance):
    assert analyze_brand(text).stance == stance


def test_a_phrase_reaches_each_brand_of_its_list():
    assert stances("Avoid Acme and Xylia. Yamira is fine.", ACME, XYLIA, YAMIRA) == {
        "Acme": "discouraged",
        "Xylia": "discouraged",
        "Yamira": "neutral",
    }
    assert stances("Unlike Acme or Xylia, Yamira is free.", ACME, XYLIA, YAMIRA) == {
        "Acme": "contrast",
        "Xylia": "contrast",
        "Yamira": "neutral",
    }
    assert stances("I'm not familiar with Acme or Xylia.", ACME, XYLIA) == {"Acme": "unknown", "Xylia": "unknown"}


def test_a_discouraged_stance_holds_to_the_end_of_its_paragraph():
    analysis = analyze_brand("Avoid Acme. The support of Acme is slow.\nAcme is dear.\n\nAcme has shops.")
    assert [o.stance for o in analysis.occurrences] == ["discouraged", "discouraged", "discouraged", "neutral"]
    assert (analysis.stance, analysis.rank) == ("neutral", 1)
    held = analyze_brand("Avoid Acme. The support of Acme is slow.")
    assert (held.stance, held.rank) == ("discouraged", None)


def test_a_discouraged_stance_does_not_apply_to_earlier_mentions_or_other_brands():
    analysis = analyze_text("Acme has shops. Avoid Acme. Xylia has shops.", ACME, XYLIA)
    assert [o.stance for o in analysis.brands[0].occurrences] == ["neutral", "discouraged"]
    assert (analysis.brands[0].stance, analysis.brands[1].stance) == ("neutral", "neutral")


def test_a_contrast_ends_with_its_sentence():
    assert analyze_brand("Unlike Acme, Xylia is free. Acme has shops.", ACME, XYLIA).stance == "neutral"


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("Unlike Acme, Xylia is free.\n\nAvoid Acme.\n\nAcme has shops.", "neutral"),
        ("Avoid Acme.\n\nUnlike Acme, Xylia is free.", "discouraged"),
        ("Unlike Acme, Xylia is free.\n\nAvoid Acme.", "discouraged"),
        ("Unlike Acme, Xylia is free.\n\nUse Xylia instead of Acme.", "contrast"),
        ("Xylia is free.", None),
        ("See https://acme.com.", None),
        ("`Acme`", None),
        ("An Acme-like tool.", "neutral"),
    ],
)
def test_the_stance_of_an_answer(text, stance):
    assert analyze_brand(text, ACME, XYLIA).stance == stance


def test_1_2_ex_d_a_contrast_is_a_mention():
    assert analyze_brand("Unlike Acme, Foo is free").mentioned


PRICE_TABLE = "\n\n| Tool | Price |\n|---|---|\n| Acme | $29 |\n| Xylia | $19 |\n| Yamira | $9 |"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I wouldn't touch Acme." + PRICE_TABLE, id="table"),
        pytest.param(PRICE_TABLE.strip() + "\n\nI wouldn't touch Acme.", id="table before"),
        pytest.param("Avoid Acme.\n\nAcme costs $29 per month.", id="price"),
        pytest.param("Avoid Acme.\n\n- Acme: 29 EUR\n- Xylia: 19 EUR", id="list of prices"),
        pytest.param("Acme vermeiden!\n\nAcme kostet 29 € im Monat.", id="price in German"),
        pytest.param("Avoid Acme.\n\nIts prices are public ([Acme](https://acme.com/p)).", id="linked source"),
        pytest.param("Avoid Acme.\n\nIts prices are public. Source: Acme", id="source"),
        pytest.param("Avoid Acme.\n\nIts prices are public.\n\n[Acme](https://acme.com)", id="link alone"),
        pytest.param("**Brands to avoid:**\n\n- Acme\n- Xylia" + PRICE_TABLE, id="heading that warns"),
    ],
)
def test_2_3_a_cell_a_price_or_a_source_does_not_override_a_warning(text):
    found = analyze_brand(text)
    assert (found.mentioned, found.stance, found.rank) == (True, "discouraged", None)
    assert {occurrence.stance for occurrence in found.occurrences} == {"discouraged"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Avoid Acme.\n\nAcme is a CRM for large teams in many lands.", id="a statement"),
        pytest.param("Avoid Acme.\n\nAt $29, Acme is excellent value." + PRICE_TABLE, id="praise with a price"),
        pytest.param("Avoid Acme.\n\n- Acme\n- Xylia", id="an entry of a list"),
        pytest.param("Avoid Acme.\n\n| Tool |\n|---|\n| Acme is the best for large teams |", id="a full cell"),
    ],
)
def test_2_3_any_other_neutral_mention_still_does(text):
    assert analyze_brand(text).stance == "neutral"


def test_2_3_a_cell_still_overrides_a_contrast():
    assert analyze_brand("Unlike Acme, Xylia is free." + PRICE_TABLE).stance == "neutral"
