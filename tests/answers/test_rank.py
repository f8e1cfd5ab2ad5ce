"""Metrics 2.4 "Rank": the examples under their names, and each sentence of the rule."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.answers.builders import analyze_text, ranks
from tests.property_testing import prove


def test_2_4_ex_a():
    analysis = analyze_text("1. Xylia\n2. **Acme** is good\n3. Yamira")
    assert analysis.brands[0].rank == 2
    assert analysis.rank_source == "ordered"
    assert analysis.n_brands == 3


def test_2_4_ex_b():
    analysis = analyze_text("Unlike Acme, Xylia and Yamira are free.")
    assert [brand.rank for brand in analysis.brands[:3]] == [None, 1, 2]
    assert analysis.rank_source == "first_mention"
    assert analysis.n_brands == 2


def test_2_4_ex_c():
    text = "Popular tools include Acme and Xylia.\n\n{0} Xylia\n{1} Yamira\n{2} Acme\n"
    assert analyze_text(text.format("1.", "2.", "3.")).brands[0].rank == 3
    assert analyze_text(text.format("-", "-", "-")).brands[0].rank == 3


def test_2_4_ex_d():
    analysis = analyze_text("My pick: Acme.\n\n1. Xylia\n2. Yamira\n")
    assert [brand.rank for brand in analysis.brands[:3]] == [1, 2, 3]
    assert analysis.rank_source == "verdict"


# In each list below the intro names the brands in another order, so that the ranks show which one decided.
INTRO = "I looked at Zentro, Yamira, Xylia and Acme.\n\n"
LISTED = {"Acme": 1, "Xylia": 2, "Yamira": 3, "Zentro": 4}
AS_NAMED = {"Zentro": 1, "Yamira": 2, "Xylia": 3, "Acme": 4}


@pytest.mark.parametrize(
    ("body", "source"),
    [
        pytest.param("1. Acme\n2. Xylia\n3. Yamira\n4. Zentro", "ordered", id="ordered"),
        pytest.param("1) Acme\n2) Xylia\n3) Yamira\n4) Zentro", "ordered", id="ordered with brackets"),
        pytest.param("1. **Acme** – good\n2. **Xylia** – fine\n3. **Yamira**\n4. **Zentro**", "ordered", id="bold"),
        pytest.param(
            "1. **[Acme](https://acme.com)**: good\n2. [Xylia](https://xylia.com)\n3. Yamira (paid)\n4. *Zentro*",
            "ordered",
            id="links",
        ),
        pytest.param(
            "### 1. Acme\nText.\n\n### 2. Xylia\nText.\n\n### 3. Yamira\n\n### 4. Zentro",
            "ordered",
            id="numbered headings",
        ),
        pytest.param("- Acme\n- Xylia\n- Yamira\n- Zentro", "bullet", id="bullets"),
        pytest.param(
            "* **Acme:** good\n* **Xylia:** fine\n* **Yamira:** ok\n* **Zentro:** ok", "bullet", id="bold bullets"
        ),
        pytest.param(
            "| Tool | Price |\n|---|---|\n| Acme | 1 |\n| Xylia | 2 |\n| **Yamira** | 3 |\n| Zentro | 4 |",
            "table",
            id="table, first column",
        ),
        pytest.param(
            "| | Acme | Xylia | Yamira | Zentro |\n|---|---|---|---|---|\n| Price | 1 | 2 | 3 | 4 |",
            "table",
            id="table, header row",
        ),
    ],
)
def test_a_list_of_brands_decides_the_order(body, source):
    analysis = analyze_text(INTRO + body)
    assert {brand.name: brand.rank for brand in analysis.brands} == LISTED
    assert (analysis.rank_source, analysis.n_brands) == (source, 4)


def test_headings_of_three_brands_decide_the_order():
    assert ranks(INTRO + "## Acme\n\nText.\n\n## Xylia\n\nText.\n\n## Yamira\n\nText.\n\n## Zentro\n\nText.") == LISTED


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        pytest.param("1. Acme\n2. Xylia", {"Acme": 1, "Xylia": 2, "Zentro": 3, "Yamira": 4}, id="ordered of 2"),
        pytest.param(
            "### 1. Acme\n\n### 2. Xylia",
            {"Acme": 1, "Xylia": 2, "Zentro": 3, "Yamira": 4},
            id="numbered headings of 2",
        ),
        pytest.param("- Acme\n- Xylia\n- Yamira", {"Acme": 1, "Xylia": 2, "Yamira": 3, "Zentro": 4}, id="bullets of 3"),
        pytest.param("1. Acme\n2. nothing", AS_NAMED, id="ordered of 1 is no list of brands"),
        pytest.param("- Acme\n- Xylia", AS_NAMED, id="bullets of 2 are no list of brands"),
        pytest.param("## Acme\n\n## Xylia", AS_NAMED, id="headings of 2 are no list of brands"),
        pytest.param(
            "| Tool | Price |\n|---|---|\n| Acme | 1 |\n| Xylia | 2 |", AS_NAMED, id="a table of 2 is no list of brands"
        ),
        pytest.param(
            "| | Acme | Xylia |\n|---|---|---|\n| Price | 1 | 2 |", AS_NAMED, id="a header of 2 is no list of brands"
        ),
    ],
)
def test_how_many_brand_heads_make_a_list(body, expected):
    analysis = analyze_text(INTRO + body)
    assert {brand.name: brand.rank for brand in analysis.brands} == expected
    assert (analysis.rank_source == "first_mention") == (expected == AS_NAMED)


def test_the_order_is_among_brand_headed_items():
    assert ranks("1. Think about price\n2. Xylia\n3. Ask friends\n4. Acme") == {"Xylia": 1, "Acme": 2}


def test_the_first_list_decides():
    first = "1. Acme\n2. Xylia\n\n"
    second = "1. Xylia\n2. Acme\n"
    assert ranks(f"{first}Another view:\n\n{second}") == {"Acme": 1, "Xylia": 2}
    assert ranks(f"{first}## Then\n\n- Yamira\n- Xylia\n- Acme\n") == {"Acme": 1, "Xylia": 2, "Yamira": 3}
    assert ranks("- Yamira\n- Xylia\n- Acme\n\nThen:\n\n1. Acme\n2. Xylia") == {"Yamira": 1, "Xylia": 2, "Acme": 3}
    assert ranks("- Yamira\n- Xylia\n\nThen:\n\n1. Acme\n2. Xylia") == {"Acme": 1, "Xylia": 2, "Yamira": 3}


def test_a_list_that_is_too_short_goes_on_in_the_next_of_its_kind():
    text = "Zentro costs less.\n\n**First choice**\n\n- Acme\n- Xylia\n\n**Also good**\n\n- Yamira\n- Zentro\n"
    assert ranks(text) == LISTED


def test_bold_lines_below_headings_that_praise_are_entries():
    parts = [
        f"### {praise}:\n\n**{name} Mini**\nPrice: $9\n\n* Built-in timer\n* Bulkier than before\n"
        for praise, name in [("Top pick", "Acme"), ("Runner-up", "Xylia"), ("Best for travel", "Yamira")]
    ]
    analysis = analyze_text(f"Zentro, Yamira and Xylia are known.\n\n{''.join(parts)}")
    assert {brand.name: brand.rank for brand in analysis.brands} == LISTED
    assert analysis.rank_source == "bullet"


def test_an_ordinary_name_in_bold_below_praise_takes_a_place():
    parts = [
        f"### {praise}:\n\n**{name}**\nPrice: $9\n"
        for praise, name in [("Top pick", "Philips Power"), ("Runner-up", "Xylia"), ("Best for travel", "Yamira X2")]
    ]
    assert ranks("\n".join(parts)) == {"Xylia": 2, "Yamira": 3}


@pytest.mark.parametrize(
    "head",
    ["Avoid Acme", "**Acme** – avoid Acme", "Acme: not recommended", "Steer clear of Acme", "Unlike Acme, cheap"],
)
def test_contrast_and_discouraged_heads_are_skipped(head):
    assert ranks(f"1. Xylia\n2. {head}\n3. Yamira") == {"Xylia": 1, "Yamira": 2}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Zentro is popular.\n\n1. Acme\n2. Xylia", {"Acme": 1, "Xylia": 2, "Zentro": 3}, id="intro"),
        pytest.param("1. Acme: like Zentro\n2. Xylia", {"Acme": 1, "Xylia": 2, "Zentro": 3}, id="item body"),
        pytest.param(
            "1. Acme\n   - works with Zentro\n2. Xylia", {"Acme": 1, "Xylia": 2, "Zentro": 3}, id="nested item"
        ),
        pytest.param(
            "1. Acme\n\n   Zentro owns it.\n\n2. Xylia", {"Acme": 1, "Xylia": 2, "Zentro": 3}, id="item paragraph"
        ),
        pytest.param(
            "1. Acme\n2. Xylia\n\nHonorable mentions: Zentro",
            {"Acme": 1, "Xylia": 2, "Zentro": 3},
            id="honorable mention",
        ),
        pytest.param(
            "1. Acme\n2. Xylia\n\nAlso:\n\n1. Zentro\n2. Yamira",
            {"Acme": 1, "Xylia": 2, "Zentro": 3, "Yamira": 4},
            id="second list",
        ),
        pytest.param(
            "Unlike Zentro, Yamira is new.\n\n1. Acme\n2. Xylia\n\nZentro is old.",
            {"Acme": 1, "Xylia": 2, "Yamira": 3, "Zentro": 4},
            id="first non-contrast mention",
        ),
        pytest.param("1. Acme, cheaper than Zentro\n2. Xylia", {"Acme": 1, "Xylia": 2}, id="only contrast"),
    ],
)
def test_every_other_brand_comes_after_the_heads_by_first_non_contrast_mention(text, expected):
    assert ranks(text) == expected


@pytest.mark.parametrize(
    "verdict", ["Best overall: Acme", "My pick: Acme.", "**Best overall:** Acme", "My top pick is Acme."]
)
def test_a_verdict_before_the_list_is_rank_1_and_the_rest_shift(verdict):
    analysis = analyze_text(f"{verdict}\n\n1. Xylia\n2. Yamira\n3. Acme\n")
    assert [brand.rank for brand in analysis.brands[:3]] == [1, 2, 3]
    assert analysis.rank_source == "verdict"
    outside = analyze_text(f"{verdict}\n\n1. Xylia\n2. Yamira\n")
    assert [brand.rank for brand in outside.brands[:3]] == [1, 2, 3]
    assert ranks(f"{verdict}\n\n- Xylia\n- Yamira\n- Zentro\n") == {"Acme": 1, "Xylia": 2, "Yamira": 3, "Zentro": 4}


@pytest.mark.parametrize(
    "verdict", ["Best overall: Acme", "My pick: Acme.", "**Best overall:** Acme", "My top pick is Acme."]
)
def test_a_verdict_after_the_list_changes_nothing(verdict):
    analysis = analyze_text(f"1. Xylia\n2. Yamira\n3. Acme\n\n{verdict}")
    assert [brand.rank for brand in analysis.brands[:3]] == [3, 1, 2]
    assert analysis.rank_source == "ordered"


def test_a_verdict_without_a_list_changes_nothing():
    analysis = analyze_text("Xylia is fine and Yamira too. Best overall: Acme.")
    assert [brand.rank for brand in analysis.brands[:3]] == [3, 1, 2]
    assert analysis.rank_source == "first_mention"
    assert analyze_text("Best overall: Acme. Xylia is fine too.").rank_source == "first_mention"


def test_without_a_list_the_order_is_that_of_the_first_non_contrast_mention():
    assert ranks("Xylia beats Acme, and Yamira.") == {"Xylia": 1, "Acme": 2, "Yamira": 3}
    assert ranks("Unlike Acme, Xylia is free. Yamira is not. Acme is old.") == {"Xylia": 1, "Yamira": 2, "Acme": 3}
    assert ranks("Avoid Acme. Xylia is free.") == {"Xylia": 1}


def test_the_domain_form_and_the_anchor_count_as_first_mention():
    assert ranks("Try yamira.io, [Xylia](https://xylia.com) or Acme.") == {"Yamira": 1, "Xylia": 2, "Acme": 3}


def test_without_recommended_brands_there_are_no_ranks():
    for text in ("", "No names at all.", "Avoid Acme.", "See https://acme.com", "I have no information about Acme."):
        analysis = analyze_text(text)
        assert (analysis.n_brands, analysis.rank_source) == (0, None)
        assert all(brand.rank is None for brand in analysis.brands)


@pytest.mark.parametrize(
    "body",
    [
        "1. **Acme**\n\nText.\n\n2. **Xylia**\n\nText.\n\n3. **Yamira**\n\nText.\n\n4. **Zentro**\n\nText.",
        "1. Acme\n\nText.\n\n2. Xylia\n\n- cheap\n- nice\n\n3. Yamira\n\n4. Zentro",
        "1. Acme\n   - cheap\n   - nice\n2. Xylia\n   - dear\n3. Yamira\n4. Zentro",
        "1. Acme\n   > quote\n2. Xylia\n\n   Text.\n\n3. Yamira\n4. Zentro",
        "**1. Acme**\n\nText.\n\n**2. Xylia**\n\nText.\n\n**3. Yamira**\n\nText.\n\n**4. Zentro**",
    ],
)
def test_paragraphs_between_the_items_do_not_break_a_list(body):
    analysis = analyze_text(INTRO + body)
    assert {brand.name: brand.rank for brand in analysis.brands} == LISTED
    assert analysis.rank_source == "ordered"


PARTS = st.sampled_from(
    [
        "1. Acme\n2. Xylia\n",
        "- Yamira\n- Acme\n- Zentro\n",
        "Unlike Zentro, Xylia is free.",
        "My pick: Yamira.",
        "Avoid Acme.",
        "| A | B |\n|--|--|\n| Acme | 1 |\n| Zentro | 2 |\n| Xylia | 3 |\n",
        "### 1. Zentro\n\n### 2. Yamira",
        "Acme-like tools.",
        "Xylia, Yamira and Acme.",
        "Nothing.",
        "I have no information about Xylia.",
        "- Avoid Yamira\n- Acme\n- Xylia\n",
        "## Acme",
    ]
)


@prove
@given(st.lists(PARTS, max_size=6))
def test_ranks_are_1_to_n_and_only_of_brands_that_are_recommended_somewhere(parts):
    analysis = analyze_text("\n\n".join(parts))
    ranked = sorted(brand.rank for brand in analysis.brands if brand.rank is not None)
    assert len(set(ranked)) == len(ranked) and all(1 <= rank <= analysis.n_brands for rank in ranked)
    assert (analysis.rank_source is None) == (not ranked)
    for brand in analysis.brands:
        recommended = any(occurrence.stance == "neutral" and not occurrence.derived for occurrence in brand.occurrences)
        assert (brand.rank is not None) == recommended
