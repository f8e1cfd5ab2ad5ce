"""Metrics 2.2: names that are also words need evidence of 2 or more. Each rule is tested alone and with others."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.answers.models import Brand
from tests.answers.builders import analyze_brand, analyze_text, count
from tests.property_testing import prove

APPLE = Brand("Apple", domains=("apple.com",), category_words=("phone", "phones", "laptops"))
NOTION = Brand("Notion", domains=("notion.so",), category_words=("notes", "workspace"))
MONDAY = Brand("Monday", aliases=("monday.com",), domains=("monday.com",), category_words=("project", "boards"))
TARGET = Brand("Target", domains=("target.com",), category_words=("store", "stores", "groceries"))
LINEAR = Brand("Linear", domains=("linear.app",), category_words=("issues", "tracker"))
HP = Brand("HP", aliases=("Hewlett Packard",), domains=("hp.com",), category_words=("laptops", "printer", "printers"))
OSCAR = Brand("Oscar", domains=("hioscar.com",), category_words=("insurance",))
AMBIGUOUS = (APPLE, NOTION, MONDAY, TARGET, LINEAR, HP, OSCAR)
RIVAL = Brand("Xylia", domains=("xylia.com",))

every = pytest.mark.parametrize("brand", AMBIGUOUS, ids=lambda brand: brand.name)
every_word = pytest.mark.parametrize("brand", [b for b in AMBIGUOUS if b is not HP], ids=lambda brand: brand.name)


@every
def test_a_name_alone_is_not_enough(brand):
    assert count(brand.name, brand) == 0
    assert count(brand.name.lower(), brand) == 0
    assert count(f"{brand.name}? Hmm.", brand, RIVAL) == 0


def test_an_acronym_in_capitals_is_worth_one_more_point():
    """Inside a sentence "HP" is a name, "hp" and "300 HP" are not; the list does not have this rule."""
    assert count("Perhaps HP?", HP, RIVAL) == 1
    assert count("Perhaps hp?", HP, RIVAL) == 0
    assert count("Perhaps 300 HP?", HP, RIVAL) == 0
    assert count("HP", HP, RIVAL) == 0


@every_word
def test_plus_1_capitalized_inside_a_sentence_is_not_enough_alone(brand):
    assert count(f"Perhaps {brand.name}?", brand, RIVAL) == 0


@every_word
def test_plus_1_capitalized_and_plus_1_another_brand_in_the_sentence(brand):
    assert count(f"Perhaps {brand.name} next to Xylia?", brand, RIVAL) == 1
    assert count(f"Perhaps {brand.name}? Look for Xylia.", brand, RIVAL) == 0


@every_word
def test_plus_1_capitalized_and_plus_1_category_word(brand):
    word = brand.category_words[0]
    assert count(f"Perhaps this {word}, {brand.name}?", brand) == 1
    assert count(f"Perhaps {brand.name}? One two three four five six seven eight nine ten {word}.", brand) == 0


@every
def test_plus_1_capitalized_and_plus_1_possessive(brand):
    assert count(f"Perhaps {brand.name}'s?", brand) == 1
    assert count(f"Perhaps {brand.name}’s?", brand) == 1


@pytest.mark.parametrize("brand", [APPLE, NOTION, TARGET, LINEAR, HP, OSCAR], ids=lambda brand: brand.name)
def test_plus_1_capitalized_and_plus_1_by_or_from(brand):
    assert count(f"Perhaps made by {brand.name}?", brand) == 1
    assert count(f"Perhaps one from {brand.name}?", brand) == 1


@every
def test_plus_2_list_item_head_bold_or_heading(brand):
    assert count(f"- {brand.name}\n- something", brand) == 1
    assert count(f"1. {brand.name}: something\n2. something", brand) == 1
    assert count(f"## {brand.name}\n\nsomething", brand) == 1
    assert count(f"### 1. {brand.name}\n\nsomething", brand) == 1
    assert count(f"**{brand.name}**, something", brand) == 1


@every
def test_plus_2_domain_form_in_the_sentence(brand):
    domain = brand.domains[0]
    assert count(f"{brand.name} ({domain})", brand) == 2
    assert count(f"Hmm. {brand.name}? See {domain}", brand) == 1  # the domain form itself, in another sentence


@every
def test_plus_2_owned_url_in_the_sentence(brand):
    assert count(f"{brand.name} ([here](https://www.{brand.domains[0]}/about))", brand) == 1
    assert count(f"[{brand.name}](https://{brand.domains[0]})", brand) == 1
    assert count(f"{brand.name} ([here](https://www.xylia.com/about))", brand, RIVAL) == 0
    assert count(f"{brand.name} ([here](https://www.not{brand.domains[0]}/about))", brand) == 0


@every_word
def test_two_single_points_at_the_start_of_a_sentence(brand):
    word = brand.category_words[0]
    assert count(f"{brand.name}, Xylia", brand, RIVAL) == 0
    assert count(f"{brand.name}, Xylia: {word}", brand, RIVAL) == 1
    assert count(f"{brand.name}'s {word}", brand, RIVAL) == 1


@every
def test_minus_2_lower_case(brand):
    name, word = brand.name.lower(), brand.category_words[0]
    assert count(f"Perhaps {name} next to Xylia?", brand, RIVAL) == 0
    assert count(f"Perhaps {name}, Xylia: {word}", brand, RIVAL) == 0
    assert count(f"Perhaps {name}'s {word}, Xylia", brand, RIVAL) == 0
    assert count(f"- {name}\n- something", brand) == 0
    assert count(f"**{name}**, something", brand) == 0


@every
def test_minus_2_lower_case_is_outweighed_by_four_points(brand):
    name, word, domain = brand.name.lower(), brand.category_words[0], brand.domains[0]
    assert count(f"Perhaps {name} ({domain}), Xylia: {word}", brand, RIVAL) == 2


@pytest.mark.parametrize(
    ("brand", "text"),
    [
        (MONDAY, "We meet on Monday."),
        (MONDAY, "We meet on Monday with Xylia."),
        (MONDAY, "The project ends on Monday."),
        (MONDAY, "Finish the project by Monday."),
        (MONDAY, "The store opens every Monday morning, says Xylia."),
        (NOTION, "I reject the notion that Xylia is best."),
        (NOTION, "The Notion that notes are enough is wrong."),
        (NOTION, "The notion of a workspace is old."),
        (TARGET, "Know your target audience before you open stores."),
        (TARGET, "Know your Target audience, says Xylia."),
        (TARGET, "Xylia has a target market of stores."),
        (LINEAR, "Use linear regression to predict issues."),
        (LINEAR, "A course in Linear algebra from Xylia."),
        (APPLE, "She baked an apple pie with Xylia phones."),
        (APPLE, "She ordered Apple pie from Xylia."),
        (HP, "The engine gives 300 HP at full load."),
        (HP, "The engine gives 300 hp at full load."),
        (OSCAR, "She won an Oscar last year."),
        (OSCAR, "I asked Oscar about it."),
    ],
)
def test_minus_2_known_other_sense_and_everyday_words(brand, text):
    assert count(text, brand, RIVAL) == 0


@pytest.mark.parametrize(
    ("brand", "text"),
    [
        (APPLE, "I would buy phones from Apple."),
        (APPLE, "Good phones come from Samsung, Apple and Xylia."),
        (NOTION, "For notes, many people like Notion."),
        (NOTION, "Compare Notion with Xylia."),
        (MONDAY, "You can plan a project with Monday or Xylia."),
        (MONDAY, "Try monday.com."),
        (MONDAY, "Try Monday.com."),
        (TARGET, "You can buy groceries at Target."),
        (TARGET, "Among the stores, Target's range is wide."),
        (LINEAR, "For issues, engineers like Linear."),
        (HP, "For printers, take HP."),
        (HP, "Xylia and HP sell them."),
        (HP, "Hewlett Packard sells them."),
        (OSCAR, "For insurance, look at Oscar."),
    ],
)
def test_enough_evidence_in_everyday_sentences(brand, text):
    assert count(text, brand, RIVAL) == 1


def test_each_occurrence_is_weighed_by_itself():
    text = "Compare Notion with Xylia.\n\nI reject the notion that this matters, and any notion of it."
    assert count(text, NOTION, RIVAL) == 1


@pytest.mark.parametrize("side", ["before", "after"])
@pytest.mark.parametrize(("tokens", "occurrences"), [(1, 1), (8, 1), (9, 0), (12, 0)])
@pytest.mark.parametrize("filler", ["so", "notwithstanding"])
def test_category_word_within_8_tokens(side, tokens, occurrences, filler):
    between = f"{filler} " * (tokens - 1)
    text = f"Perhaps Apple {between}phones" if side == "after" else f"Perhaps phones {between}Apple"
    assert count(text, APPLE) == occurrences


def test_category_words_are_whole_words():
    assert count("Perhaps Apple saxophones?", Brand("Apple", category_words=("phone",))) == 0


def test_category_words_of_the_brand_are_evidence_for_its_competitors_too():
    analysis = analyze_text("For notes, many people like Linear.", NOTION, Brand("Linear"))
    assert analysis.brands[1].mentioned


def test_an_ambiguous_brand_is_not_evidence_for_another():
    assert not any(brand.mentioned for brand in analyze_text("Set a target on monday.", TARGET, MONDAY).brands)


def test_the_longest_match_wins_over_the_ambiguous_name():
    analysis = analyze_text("Perhaps Apple Music or Xylia?", APPLE, Brand("Apple Music"), RIVAL)
    assert [len(brand.occurrences) for brand in analysis.brands] == [0, 1, 1]
    analysis = analyze_text("The phones and the Apple Watch are nice.", APPLE, RIVAL)
    assert len(analysis.brands[0].occurrences) == 1


def test_a_name_that_is_not_a_word_needs_no_evidence():
    for text in ("xylia", "Xylia", "on xylia"):
        assert count(text, RIVAL) == 1


_PARTS = (
    "Notion costs less than Xylia.",
    "Linear is quick. Yamira has a free plan. Notion offers templates.",
    "I have a notion that Zentro and Target differ.",
    "Perhaps Monday?",
    "We met on Monday, next to Target.",
    "- **Best overall:** Notion\n- **Best value:** Apple\n- Linear: quick",
    "### Apple Fit Pro\n\nQuick.",
    "Compare Apple, Linear and Xylia.",
    "A linear process, an apple a day.",
)


@prove
@given(
    st.lists(st.sampled_from(_PARTS), min_size=1, max_size=5),
    st.sampled_from(("Notion", "Linear", "Target", "Apple", "Monday")),
    st.sets(st.sampled_from(("Notion", "Linear", "Target", "Apple", "Monday", "Xylia", "Yamira", "Zentro"))),
)
def test_the_figure_of_a_brand_does_not_depend_on_the_competitors(parts, name, others):
    text = "\n\n".join(parts)
    competitors = [Brand(other) for other in sorted(others - {name})]
    alone, among = analyze_brand(text, Brand(name)), analyze_brand(text, Brand(name), *competitors)
    assert (among.mentioned, among.occurrences) == (alone.mentioned, alone.occurrences)


def test_a_name_before_what_is_sold_and_a_title_at_a_head_are_the_brand():
    moon, beats = Brand("Moon"), Brand("Beats")
    assert count("Moon Electric Toothbrush: quiet and small.", moon, prompt="best electric toothbrush") == 1
    assert count("Moon Landing Records: a list.", moon, prompt="best electric toothbrush") == 0
    assert count("- Beats Fit Pro: light\n- Another one\n", beats) == 1
    assert count("- Beats and drums: loud\n- Another one\n", beats) == 0
