"""Metrics 1.8 and 2.5: how an answer speaks of each brand, clause by clause, and no score when unsure."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.answers.models import Brand
from sightline.answers.scorers import SCORERS
from sightline.answers.sentiment_lexicon import label_for
from tests.answers.builders import ACME, FOUR, XYLIA, analyze_brand, analyze_text
from tests.property_testing import prove

LEXICON = SCORERS["lexicon"]


def labels(text, *brands, language="en"):
    """Return the label of each mentioned brand by name, None if it is unscored."""
    analysis = analyze_text(text, *(brands or FOUR), language=language, sentiment=LEXICON)
    return {
        brand.name: brand.sentiment.label if brand.sentiment else None for brand in analysis.brands if brand.mentioned
    }


def label(text, **more):
    return labels(text, ACME, **more)["Acme"]


@pytest.mark.parametrize(
    "text",
    [
        "Acme is excellent.",
        "Acme is the most reliable option.",
        "I recommend Acme.",
        "The excellent Acme comes from Berlin.",
        "An outstanding choice is Acme.",
        "Acme is worth a look.",
        "Users love Acme.",
        "ACME IS EXCELLENT.",
        "**Acme** is *excellent*.",
        "[Acme](https://acme.com) is excellent.[1]",
        "Acme has shops. Its support is friendly and fast.",
    ],
)
def test_praise_is_positive(text):
    assert label(text) == "positive"


@pytest.mark.parametrize(
    "text",
    [
        "Acme is terrible.",
        "Acme is slow and buggy.",
        "Users complain about Acme.",
        "Acme is overpriced.",
        "The disappointing Acme comes from Berlin.",
        "Acme is the worst.",
        "Acme has shops. Its support is rude and slow.",
    ],
)
def test_criticism_is_negative(text):
    assert label(text) == "negative"


@pytest.mark.parametrize(
    "text",
    [
        "Acme is a company from Berlin.",
        "Acme costs 10 euros a month.",
        "Acme has apps for phones and tablets.",
        "Acme is popular.",
        "Acme is best known for its shops.",
        "Acme is trusted by 500 companies.",
        "Acme ships out of Berlin.",
        "The premium plan of Acme costs 20 euros.",
        "Acme was founded in 2010 and has never had an office in Paris.",
    ],
)
def test_bare_facts_prices_and_popularity_are_neutral(text):
    assert label(text) == "neutral"


@pytest.mark.parametrize(
    "text",
    [
        "If you need reports, choose Acme.",
        "For small teams, go with Acme.",
        "Honorable mention: Acme.",
        "Acme is the cheapest of all.",
        "You can't go wrong with Acme.",
        "There is no better tool than Acme.",
        "I can't recommend Acme enough.",
        "Acme stands out.",
        "Acme is hard to beat.",
        "Acme is well suited to small teams.",
        "Acme never disappoints.",
        "Acme is trouble-free.",
        "Acme is a hassle-free tool.",
    ],
)
def test_conditional_advice_superlatives_and_set_phrases_are_positive(text):
    assert label(text) == "positive"


@pytest.mark.parametrize(
    "text", ["The support of Acme is hard to reach.", "Acme wears out.", "Parcels of Acme never arrived."]
)
def test_set_phrases_of_blame_are_negative(text):
    assert label(text) == "negative"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme is not good.", "negative"),
        ("Acme isn't reliable.", "negative"),
        ("Acme isn’t reliable.", "negative"),
        ("Acme is not the best choice.", "negative"),
        ("Acme is neither fast nor reliable.", "negative"),
        ("Acme is far from perfect.", "negative"),
        ("Acme lacks good support.", "negative"),
        ("Acme never fails.", "positive"),
        ("Acme is not only reliable but also affordable.", "positive"),
        ("Acme is not slow, it is fast.", "positive"),
    ],
)
def test_a_negation_reverses_praise_and_blame(text, expected):
    assert label(text) == expected


@pytest.mark.parametrize("text", ["Acme is not expensive.", "Acme is not bad.", "Acme is not slow."])
def test_a_negated_fault_is_not_negative(text):
    assert label(text) != "negative"


@pytest.mark.parametrize(
    "text",
    [
        "Avoid Acme.",
        "I would not recommend Acme.",
        "Steer clear of Acme.",
        "I would not recommend Acme, although it is cheap.",
        "Brands to avoid:\n\n- Acme\n- Xylia",
    ],
)
def test_advice_against_a_brand_is_negative(text):
    assert label(text) == "negative"


@pytest.mark.parametrize(
    ("text", "winner", "loser"),
    [
        ("Xylia is better than Acme.", "Xylia", "Acme"),
        ("Acme is better than Xylia.", "Acme", "Xylia"),
        ("Xylia is more reliable than Acme.", "Xylia", "Acme"),
        ("Xylia is worse than Acme.", "Acme", "Xylia"),
        ("Xylia is slower than Acme.", "Acme", "Xylia"),
        ("Acme is less reliable than Xylia.", "Xylia", "Acme"),
        ("Unlike Acme, Xylia is reliable.", "Xylia", "Acme"),
        ("Compared with Acme, Xylia is excellent.", "Xylia", "Acme"),
        ("Rather than Acme, choose Xylia.", "Xylia", "Acme"),
        ("Acme outperforms Xylia.", "Acme", "Xylia"),
        ("Xylia beats Acme.", "Xylia", "Acme"),
    ],
)
def test_the_losing_side_of_a_comparison_is_negative(text, winner, loser):
    assert labels(text) == {winner: "positive", loser: "negative"}


@pytest.mark.parametrize(
    "text",
    [
        "Unlike Acme, Xylia has an office in Berlin.",
        "Many teams switch from Acme to Xylia.",
        "Compared with Acme, Xylia has an office in Rome.",
    ],
)
def test_a_contrast_without_evaluation_is_neutral(text):
    assert labels(text) == {"Acme": "neutral", "Xylia": "neutral"}


@pytest.mark.parametrize("polarity", ["positive", "negative"])
@pytest.mark.parametrize(
    "text",
    [
        "Acme and Xylia are {}.",
        "Both Acme and Xylia are {}.",
        "Acme as well as Xylia are {}.",
        "**Acme** and **Xylia** are {}.",
    ],
)
def test_an_evaluation_of_two_brands_applies_to_both(text, polarity):
    word = {"positive": "excellent", "negative": "terrible"}[polarity]
    assert labels(text.format(word)) == {"Acme": polarity, "Xylia": polarity}


def test_an_evaluation_of_a_series_applies_to_all():
    every = {"Acme": "positive", "Xylia": "positive", "Yamira": "positive"}
    assert labels("Acme, Xylia and Yamira are excellent.") == every
    assert labels("Acme, Xylia, and Yamira are excellent.") == every


@pytest.mark.parametrize(
    "text",
    [
        "Acme is excellent, but Xylia is terrible.",
        "Acme is excellent while Xylia is terrible.",
        "Acme is excellent, whereas Xylia is terrible.",
        "Acme is excellent and Xylia is terrible.",
        "Acme is excellent; Xylia is terrible.",
        "Acme is excellent. Xylia is terrible.",
        "Acme is excellent, Xylia is terrible.",
        "While Acme is excellent, Xylia is terrible.",
        "Xylia is terrible, but Acme is excellent.",
        "Xylia is terrible while Acme is excellent.",
        "Although Xylia is terrible, Acme is excellent.",
        "An excellent choice is Acme; a terrible one is Xylia.",
        "Users complain about slow support at Xylia, while Acme gets praise.",
        "I recommend Acme; avoid Xylia.",
    ],
)
def test_brands_of_different_polarity_in_one_sentence(text):
    assert labels(text) == {"Acme": "positive", "Xylia": "negative"}


def test_a_third_brand_without_evaluation_stays_neutral():
    text = "Acme is excellent; Xylia is terrible; Yamira has an office in Berlin."
    assert labels(text) == {"Acme": "positive", "Xylia": "negative", "Yamira": "neutral"}


BY_HEAD = {"Acme": "positive", "Xylia": "negative", "Yamira": "neutral"}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "1. **Acme** – excellent and reliable.\n2. **Xylia** – slow and buggy.\n3. **Yamira** – from Berlin.",
            id="ordered",
        ),
        pytest.param("- Acme: excellent.\n- Xylia: terrible.\n- Yamira: from Berlin.", id="bullets"),
        pytest.param(
            "- **Acme**\n  - Excellent reports\n- **Xylia**\n  - Slow\n  - Buggy\n- **Yamira**\n  - From Rome",
            id="sub-items",
        ),
        pytest.param(
            "1. Acme\n\n   Excellent.\n\n2. Xylia\n\n   Terrible.\n\n3. Yamira\n\n   From Rome.", id="loose list"
        ),
        pytest.param(
            "| Tool | In short | Price |\n|---|---|---|\n"
            "| Acme | excellent | 10 |\n| Xylia | terrible | 20 |\n| Yamira | from Rome | 30 |",
            id="table rows",
        ),
        pytest.param(
            "### Acme\n\nExcellent reports.\n\n### Xylia\n\nSlow and buggy.\n\n### Yamira\n\nFrom Berlin.",
            id="headings",
        ),
        pytest.param(
            "## 1. Acme\nExcellent.\n\n- reliable sync\n\n## 2. Xylia\nSlow.\n\n- buggy\n\n## 3. Yamira\nFrom Rome.",
            id="numbered headings with lists",
        ),
    ],
)
def test_an_item_a_row_and_a_section_are_about_their_head(text):
    assert labels(text) == BY_HEAD


@pytest.mark.parametrize(
    "text",
    [
        "Choosing is hard, and many tools are terrible.\n\nAcme has shops.",
        "Acme has shops.\n\nThe weather is terrible.",
        "## Conclusion\n\nThere are excellent tools.\n\nAcme has shops.",
        "- Excellent reports matter.\n- Acme has shops.",
    ],
)
def test_an_evaluation_elsewhere_does_not_apply_to_the_brand(text):
    assert label(text) == "neutral"


@pytest.mark.parametrize("text", ["Acme is excellent, but expensive.", "Although Acme is slow, it is reliable."])
def test_one_word_of_praise_and_one_of_blame_are_neutral(text):
    assert label(text) == "neutral"


@pytest.mark.parametrize(
    "text",
    [
        "Acme is fast, reliable, intuitive and well made, but buggy, pricey, noisy and slow.",
        "Acme is reliable and easy, but slow and expensive.",
    ],
)
def test_much_praise_and_much_blame_are_left_unscored(text):
    analysis = analyze_brand(text, language="en", sentiment=LEXICON)
    assert analysis.mentioned and analysis.sentiment is None


def test_one_brand_may_be_unscored_while_another_is_scored():
    text = "Acme is fast, reliable and intuitive, but buggy, pricey and slow.\n\nXylia is excellent."
    assert labels(text) == {"Acme": None, "Xylia": "positive"}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Acme ist ein hervorragendes Werkzeug, und der Support antwortet schnell und freundlich."),
        ("fr", "Acme est un excellent outil, et son service client répond rapidement."),
        ("es", "Acme es una herramienta excelente y su equipo responde muy rápido."),
        ("pl", "Acme to znakomite narzędzie, a jego dział obsługi odpowiada bardzo szybko."),
        ("ja", "Acmeはとても使いやすく、サポートの対応も速いのでおすすめです。"),
        ("de", "Acme ist excellent, great, awesome."),
    ],
)
def test_other_languages_are_unscored_and_not_neutral(language, text):
    analysis = analyze_brand(text, language=language, sentiment=LEXICON)
    assert analysis.mentioned and analysis.sentiment is None
    if "awesome" not in text:  # without a declared language, it is detected in the text
        assert analyze_brand(text, sentiment=LEXICON).sentiment is None


def test_english_is_detected_in_the_text():
    text = "For most small teams that want to start today, Acme is an excellent and reliable choice."
    assert analyze_brand(text, sentiment=LEXICON).sentiment.label == "positive"


@pytest.mark.parametrize(
    "text", ["I have no information about Acme.", "Xylia is excellent.", "See https://acme.com/excellent."]
)
def test_not_mentioned_or_unknown_is_unscored(text):
    analysis = analyze_brand(text, ACME, XYLIA, language="en", sentiment=LEXICON)
    assert (analysis.mentioned, analysis.sentiment) == (False, None)


def test_nothing_is_scored_unless_asked_for():
    assert analyze_brand("Acme is excellent.", language="en").sentiment is None


def test_an_evaluation_of_a_derived_word_does_not_apply_to_the_brand():
    assert label("An Acme-like tool is excellent.") == "neutral"


def test_all_mentions_of_a_brand_count():
    assert label("Acme has shops.\n\nAcme is excellent.") == "positive"
    assert label("Acme is excellent.\n\nAcme is terrible.") == "neutral"
    assert label("Acme has an alias.", language="en") == "neutral"
    assert labels("AcmeSoft is excellent.", Brand("Acme", ("AcmeSoft",))) == {"Acme": "positive"}


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        (0, "negative"),
        (40, "negative"),
        (40.1, "neutral"),
        (50, "neutral"),
        (59.9, "neutral"),
        (60, "positive"),
        (100, "positive"),
    ],
)
def test_1_8_labels(score, expected):
    assert label_for(score) == expected


WORDS = st.lists(
    st.sampled_from(["excellent", "reliable", "terrible", "slow", "not", "never", "but", "from Berlin", "and"]),
    max_size=30,
).map(" ".join)


@prove
@given(WORDS)
def test_a_score_is_within_bounds_and_agrees_with_its_label(words):
    sentiment = analyze_brand(f"Acme is {words}.", language="en", sentiment=LEXICON).sentiment
    if sentiment is not None:
        assert 0 <= sentiment.score <= 100
        assert sentiment.label == label_for(sentiment.score)


@prove
@given(WORDS)
def test_an_evaluation_of_another_brand_in_its_own_paragraph_changes_nothing(words):
    assert labels(f"Acme has shops.\n\nXylia is {words}.")["Acme"] == "neutral"


@prove
@given(st.integers(1, 40))
def test_more_praise_never_lowers_a_score(times):
    once, more = (
        analyze_brand(
            f"Acme is {' and '.join(['reliable'] * count)}.", language="en", sentiment=LEXICON
        ).sentiment.score
        for count in (times, times + 1)
    )
    assert 60 <= once <= more <= 100
