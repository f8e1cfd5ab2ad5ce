"""The trained scorer: its input, its scores, and that it is loaded only when something is scored."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import json
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.answers import scorers, sentiment_model
from sightline.answers.analyze import analyze
from sightline.answers.mentions import find_mentions
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from sightline.answers.scorers import SCORERS, parse_scorer_name
from sightline.answers.sentiment_input import LONGEST, shorten
from sightline.answers.sentiment_model import (
    Calibration,
    Probabilities,
    combine,
    decide,
    load_model,
    open_model,
    to_score,
)
from sightline.answers.sentiment_scope import Clause, find_clauses
from sightline.answers.stance import find_stances
from tests.answers.builders import ACME, FOUR, XYLIA, analyze_brand, analyze_text
from tests.property_testing import prove

MODEL = SCORERS["model"]
SURE = Calibration("1", 1.0, 0.5, 0.5)


def label(text, *others, brand=ACME, language="en"):
    sentiment = analyze_brand(text, brand, *others, language=language, sentiment=MODEL).sentiment
    return None if sentiment is None else sentiment.label


def clauses(text, *brands):
    prepared = prepare(text, "")
    mentions = find_mentions(prepared, Lexicon(brands or FOUR), lambda: "en", "")
    return find_clauses(prepared, mentions, find_stances(prepared, mentions), frozenset(range(4)))


def written(text, *brands):
    """Return each clause with the name marked, as the model receives it."""
    return [
        f"{each.text[: each.start]}<{each.text[each.start : each.end]}>{each.text[each.end :]}"
        for each in clauses(text, *brands)
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme is excellent, fast and a joy to use.", "positive"),
        ("Acme is slow, unreliable and its support never answers.", "negative"),
        ("Acme was founded in 2009 and has its seat in Berlin.", "neutral"),
    ],
)
def test_plain_praise_blame_and_facts(text, expected):
    assert label(text) == expected


def test_two_brands_in_one_sentence_get_their_own_labels():
    text = "Acme is wonderful and reliable, while Xylia is a slow, buggy mess."
    assert (label(text, XYLIA), label(text, ACME, brand=XYLIA)) == ("positive", "negative")


def test_a_brand_listed_under_a_warning_is_negative():
    assert label("Brands to avoid:\n\n- Acme\n- Xylia") == "negative"


@pytest.mark.parametrize("language", ["de", "fr", "ja", None])
def test_another_language_stays_unscored(language):
    text = "Acme ist hervorragend, sehr zuverlässig und unsere klare Empfehlung für alle."
    assert analyze_brand(text, language=language, sentiment=MODEL).sentiment is None


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Acme ist hervorragend, sehr zuverlässig und unsere klare Empfehlung.", "de", "language"),
        ("Acme is superb but dreadful, a joy and a nightmare.", "en", "doubt"),
        ("There are several Acme-like tools.", "en", "no_opinion"),
        ("Acme CRM\nGlobex CRM\nSalesforce\nHubSpot\nPipedrive", None, "no_opinion"),  # detected as Swedish
        ("1. Acme\n2. Globex\n3. Initech\n4. Umbrella\n5. Hooli", None, "no_opinion"),  # as Romanian
        ("| Tool | Price |\n|---|---|\n| Acme | $29 |\n| Globex | $19 |", None, "no_opinion"),
        ("Acme, hands down!", None, "doubt"),
        ("1. Acme\n2. Globex\n3. Initech", "de", "language"),
        ("Acme ist hervorragend, sehr zuverlässig und unsere klare Empfehlung.", None, "language"),
        ("Acmeは安くて使いやすいので、初めての人におすすめできるツールです。", None, "language"),
        ("Acme is excellent, fast and a joy to use.", "en", None),
        ("Nobody is named here.", "en", None),
    ],
)
def test_a_brand_without_a_sentiment_says_why(text, language, expected):
    found = analyze_brand(text, language=language, sentiment=MODEL)
    assert found.unscored == expected and (found.sentiment is None or found.unscored is None)


def test_without_a_scorer_there_is_no_reason():
    assert analyze_brand("Acme ist hervorragend.", language="de").unscored is None


def test_a_sentiment_names_its_scorer_and_version():
    text = "Acme is excellent, fast and a joy to use."
    version = load_model().calibration.version
    assert analyze_brand(text, language="en", sentiment=MODEL).sentiment.scorer == f"model {version}"


def test_the_same_answer_gives_the_same_scores():
    text = "1. **Acme** – great support.\n2. **Xylia** – pricey and clunky.\n\nOverall, Acme wins."
    first = analyze_text(text, *FOUR, language="en", sentiment=MODEL)
    assert first == analyze_text(text, *FOUR, language="en", sentiment=MODEL)


def test_a_clause_is_the_sentence_and_what_follows_about_the_brand():
    text = "Many tools exist. Acme is fast. It is cheap, too. Xylia is slow."
    assert written(text, ACME, XYLIA) == ["<Acme> is fast. It is cheap, too", "<Xylia> is slow."]


def test_a_brand_that_is_named_twice_in_a_sentence_has_one_clause():
    assert written("Acme is good because Acme listens.", ACME) == ["<Acme> is good because Acme listens."]


def test_text_below_a_heading_belongs_to_its_brand():
    (first,) = written("## Acme\n\nGreat reports.\n\n- Slow support", ACME)
    assert first.startswith("<Acme>.Great reports") and "Slow support" in first


def test_of_a_long_passage_the_sentences_nearest_to_the_name_are_read():
    text = "Acme is here. " + "It has one more feature that somebody may want to know about. " * 30
    (only,) = written(text, ACME)
    assert only.startswith("<Acme> is here.") and only.count("It has") == 2


def test_rows_of_specifications_are_left_out():
    text = "### 1. Acme S6\n\n- **Price:** ~$350\n- **Weight:** 2.4 kg\n- **Why:** Excellent tone, easy to play."
    assert written(text, ACME) == ["<Acme> S6.Why: Excellent tone, easy to play."]


def test_a_label_heading_below_the_name_is_read():
    text = "### Acme S6\n\n#### Best value\n\n*$349*\n\n### Xylia\n\n#### Easy setup"
    assert written(text, ACME, XYLIA) == ["<Acme> S6.Best value", "<Xylia>.Easy setup"]
    assert written("## Phones\n\n### Acme\n\n### Xylia", ACME, XYLIA) == ["<Acme>", "<Xylia>"]


def test_a_label_in_the_row_of_a_table_is_read():
    text = "| Category | Pick |\n| --- | --- |\n| Best for travel | Acme |\n| Best value | Xylia |"
    assert written(text, ACME) == ["Best for travel.<Acme>"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("### Acme S6 Original\n\n*$349.00*", True),
        ("Acme Go 14 (16GB RAM, 1TB SSD)", True),
        ("### Acme S6 Original\n\nBest value", False),
        ("Acme broke twice.", False),
        ("### Acme S6\n\nIt broke after 2 days.", False),
    ],
)
def test_a_title_with_prices_is_neutral_without_the_model(text, expected):
    (clause,) = clauses(text, ACME)
    assert clause.is_specification is expected


def test_a_clause_without_a_word_of_praise_or_blame_is_plain():
    assert [each.is_plain for each in clauses("Acme makes boots. Xylia is excellent.")] == [True, False]


def test_a_hostile_answer_costs_no_more_than_a_long_one():
    assert len(clauses("Acme. Xylia. " * 5_000)) <= 96


def test_a_derived_name_and_an_unknown_one_have_no_clauses():
    assert clauses("An Acme-like tool is great.", ACME) == []
    assert clauses("I have no information about Acme.", ACME) == []


@prove
@given(text=st.text(max_size=80), name=st.text(min_size=1, max_size=40), more=st.text(max_size=400))
def test_an_input_is_never_too_long_and_always_has_its_markers(text, name, more):
    build = load_model().inputs
    ids = build.build(f"{text}{name}{more}", len(text), len(text) + len(name))
    assert len(ids) <= LONGEST
    assert (ids.count(build.open), ids.count(build.close), ids.count(build.last)) == (1, 1, 1)
    assert ids[0] == build.first and ids[-1] == build.last


def test_markers_in_a_text_are_treated_as_words():
    build = load_model().inputs
    ids = build.build("[OPEN] [SEP] Acme [CLOSE]", 13, 17)
    assert ids.count(build.open) == 1 and ids.count(build.last) == 1


def test_clauses_that_differ_only_in_numbers_are_the_same_to_the_model():
    build = load_model().inputs
    assert build.build("Acme costs $1,299.99.", 0, 4) == build.build("Acme costs $89.", 0, 4)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(10, 10, (10, 10)), (100, 100, (10, 10)), (4, 100, (4, 16)), (100, 4, (16, 4))],
)
def test_shortening_keeps_the_text_nearest_to_the_name(before, after, expected):
    left, right = shorten(list(range(before)), list(range(after)), 20)
    assert (len(left), len(right)) == expected
    assert list(left) == list(range(before))[before - len(left) :] and list(right) == list(range(len(right)))


def test_a_plain_mention_does_not_weaken_praise():
    praise, plain, blame = (
        Probabilities(0.02, 0.03, 0.95),
        Probabilities(0.02, 0.96, 0.02),
        Probabilities(0.95, 0.03, 0.02),
    )
    assert decide(combine([praise, plain]), SURE, "x").label == "positive"
    assert decide(combine([plain, plain]), SURE, "x").label == "neutral"
    assert decide(combine([praise, blame]), SURE, "x") is None  # praise and blame are both strong, so it is unscored


def test_below_the_threshold_there_is_no_label():
    unsure = Probabilities(0.3, 0.3, 0.4)
    assert decide(unsure, SURE, "x") is None
    assert decide(unsure, Calibration("1", 1.0, 0.4, 0.4), "x").label == "positive"


@prove
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_score_lies_on_the_side_of_its_label(bad, plain, good):
    whole = bad + plain + good
    if whole < 0.01:
        return
    found = decide(Probabilities(bad / whole, plain / whole, good / whole), Calibration("1", 1.0, 0.0, 0.0), "x")
    bounds = {"negative": (0, 40), "neutral": (40, 60), "positive": (60, 100)}
    lowest, highest = bounds[found.label]
    assert lowest <= found.score <= highest


def test_certain_praise_scores_100_and_certain_blame_0():
    assert (to_score("positive", 1.0), to_score("negative", -1.0), to_score("neutral", 0.0)) == (100, 0, 50)


def test_every_clause_gets_its_own_verdict_in_order():
    texts = ["Acme is excellent.", "Acme is terrible and unreliable.", "Acme has offices in Rome."] * 20
    probabilities = load_model().classify([Clause(0, text, 0, 4) for text in texts])
    best = [max(("negative", "neutral", "positive"), key=lambda each: getattr(one, each)) for one in probabilities]
    assert best == ["positive", "negative", "neutral"] * 20


def test_a_clause_is_read_once_and_its_verdict_does_not_depend_on_others():
    model = open_model(Path(str(files("sightline.answers").joinpath("data", "sentiment"))))
    alone = model.classify([Clause(0, "Acme is excellent.", 0, 4)])
    (verdict,) = model.known.values()
    again = model.classify(
        [Clause(0, text, 0, 4) for text in ("Acme is excellent.", "Acme is a mess.", "Acme is a mess.")]
    )
    assert len(model.known) == 2 and verdict in model.known.values() and again[0] == alone[0]


def test_remembered_verdicts_are_bounded(monkeypatch):
    # Thousands of verdicts take minutes.
    monkeypatch.setattr(sentiment_model, "REMEMBERED", 10)
    model = open_model(Path(str(files("sightline.answers").joinpath("data", "sentiment"))))
    for word in ("fine", "good", "bad", "slow", "fast", "old", "new", "odd", "big", "wet", "dry", "hot", "red", "shy"):
        model.classify([Clause(0, f"Acme is {word}.", 0, 4)])
    assert 0 < len(model.known) <= 10


def test_a_plain_clause_is_nearer_to_neutral():
    text = "Acme still makes the digital ones from the eighties."
    (without,) = load_model().classify([Clause(0, text, 0, 4)])
    (plain,) = load_model().classify([Clause(0, text, 0, 4, is_plain=True)])
    assert plain.neutral > without.neutral and sum(
        getattr(plain, label) for label in ("negative", "neutral", "positive")
    ) == pytest.approx(1)


@pytest.mark.parametrize(
    "text",
    [
        "1. **Acme X200**\n   - Heated scraping for sore muscles\n2. **Xylia**\n   - Small",
        "- **Acme**: five blades, 70,000 cuts a minute, wet and dry.\n- **Xylia**: four blades.",
        "- **Acme**: no monthly fee, no contract, no app needed\n- **Xylia**: $5 a month",
        "- **Acme**: no lag, no glitches, never slow\n- **Xylia**: quick",
    ],
)
def test_a_list_without_a_word_of_blame_is_never_negative(text):
    found = analyze(text, Lexicon([ACME, XYLIA]), language="en", sentiment=load_model()).brands[0]
    assert found.mentioned and (found.sentiment is None or found.sentiment.label != "negative")


def test_praise_is_not_scored_where_blame_is_likely_too():
    both = Probabilities(0.22, 0.03, 0.75)
    assert decide(both, Calibration("1", 1.0, 0.5, 0.7, 0.2), "x") is None
    assert decide(both, Calibration("1", 1.0, 0.5, 0.7, 0.3), "x").label == "positive"
    assert decide(both, Calibration("1", 1.0, 0.5, 0.8, 0.3), "x") is None


def test_the_setting_names_the_scorer():
    assert [parse_scorer_name(each) for each in ("model", "off")] == ["model", None]


def test_nothing_is_scored_if_the_model_cannot_be_loaded(monkeypatch):
    def broken():
        raise OSError("no such file")

    # The installed files are complete.
    monkeypatch.setattr(scorers, "load_model", broken)
    scorers.load_if_possible.cache_clear()
    try:
        sentiment = analyze("Acme is excellent.", Lexicon([ACME]), language="en", sentiment=MODEL).brands[0].sentiment
    finally:
        scorers.load_if_possible.cache_clear()
    assert sentiment is None


def test_the_model_libraries_are_not_imported_until_something_is_scored():
    code = (
        "import sys; from sightline.answers import analyze, gold, phrase_encoder, scorers; "
        "import sightline.scans.running.analyzer_process; "
        "from sightline.answers.models import Brand; from sightline.answers.names import Lexicon; "
        "analyze.analyze('Acme is excellent.', Lexicon([Brand('Acme')]), language='en'); "
        "print([name for name in ('onnxruntime', 'tokenizers', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_model_card_describes_the_shipped_model():
    folder = files("sightline.answers").joinpath("data", "sentiment")
    figures = json.loads(folder.joinpath("figures.json").read_text())
    card = folder.joinpath("CARD.md").read_text()
    calibration = load_model().calibration
    assert figures["bytes"] == len(folder.joinpath("model.onnx").read_bytes())
    assert figures["sha256"] in card and f"not scored below a confidence of {calibration.threshold}" in card
    assert figures["calibration"]["temperature"] == calibration.temperature
