"""Metrics 1.1 and 2.2: what is a mention and what is only a name somewhere in the answer."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import pytest

from tests.answers.builders import analyze_brand, analyze_text, count


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Acme is a tool.", id="text"),
        pytest.param("- Acme\n- other", id="bullet item"),
        pytest.param("1. Acme", id="ordered item"),
        pytest.param("- one\n  - two\n    - Acme", id="nested item"),
        pytest.param("# Acme", id="heading"),
        pytest.param("Acme\n====\n\ntext", id="underlined heading"),
        pytest.param("| Tool | Price |\n|---|---|\n| Acme | 3 |", id="table cell"),
        pytest.param("| Acme | Price |\n|---|---|\n| one | 3 |", id="table header"),
        pytest.param("> Acme is a tool.", id="quotation"),
        pytest.param("See [Acme](https://other.org/review).", id="link anchor"),
        pytest.param("See [the Acme review][1].\n\n[1]: https://other.org/review", id="reference link"),
        pytest.param("<b>Acme</b> is a tool.", id="inline html"),
        pytest.param("<p>Acme is a tool.</p>", id="html block"),
        pytest.param("- [ ] Acme", id="task"),
        pytest.param("Ac*m*e", id="emphasis inside"),
        pytest.param("&#65;cme", id="entity"),
        pytest.param("\\Acme", id="backslash that escapes nothing"),
    ],
)
def test_1_1_a_name_in_the_prose_is_a_mention(text):
    assert count(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("See https://acme.com/pricing for more.", id="bare URL"),
        pytest.param("See <https://acme.com/pricing> for more.", id="autolink"),
        pytest.param("See [here](https://acme.com) for more.", id="URL of a link"),
        pytest.param("See https://other.org/acme?brand=acme#acme for more.", id="in another URL"),
        pytest.param("See [acme.com](https://acme.com) for more.", id="host anchor"),
        pytest.param("See [www.acme.com](https://acme.com) for more.", id="host anchor with www"),
        pytest.param("See [https://acme.com/a](https://acme.com/a) for more.", id="URL anchor"),
        pytest.param("![Acme](https://acme.com/logo.png)", id="image alt"),
        pytest.param("![the Acme logo](logo.png) is shown.", id="image alt in a sentence"),
        pytest.param("Tools exist.[^1]\n\n[^1]: Acme, annual report.", id="footnote definition"),
        pytest.param(
            "Tools exist.\n\nSources:\n- [Acme](https://acme.com)\n- [Other](https://other.org)", id="sources"
        ),
        pytest.param("Tools exist.\n\n## References\n\n1. [Acme blog](https://acme.com/blog)", id="references"),
        pytest.param("Tools exist.\n\n**Sources**\n\n- Acme – https://acme.com", id="bold heading of sources"),
        pytest.param("Tools exist.\n\nSources: [Acme](https://acme.com), [B](https://b.org)", id="sources in a line"),
        pytest.param("Run `acme install` first.", id="inline code"),
        pytest.param("```sh\nacme install\n```", id="fenced code"),
        pytest.param("Text:\n\n    acme install\n", id="indented code"),
        pytest.param("~~~\nAcme", id="code fence that never ends"),
    ],
)
def test_1_1_a_name_elsewhere_is_not_a_mention(text):
    analysis = analyze_brand(text)
    assert (analysis.mentioned, analysis.occurrences, analysis.rank, analysis.stance) == (False, (), None, None)


@pytest.mark.parametrize(
    "text",
    [
        "See [acme.com](https://acme.com/a) for more.",
        "See [here](https://acme.com/a) for more.",
        "See https://acme.com/a for more.",
        "See <https://acme.com/a> for more.",
        "See [1](https://acme.com/a).",
        "Tools exist.[^1]\n\n[^1]: https://acme.com/a",
        "Tools exist.[^1]\n\n[^1]: [Acme](https://acme.com/a)",
        "Tools exist.\n\nSources:\n- [Acme](https://acme.com/a)",
        "Tools exist.\n\nSources:\n1. https://acme.com/a",
        '<a href="https://acme.com/a">here</a>',
    ],
)
def test_1_1_url_only_is_m_0_k_1(text):
    analysis = analyze_brand(text)
    assert (analysis.mentioned, analysis.cited_urls) == (False, ("acme.com/a",))


def test_1_1_mentioned_and_cited_are_independent():
    assert not analyze_brand("Acme is a tool.").cited
    assert analyze_brand("Acme is a tool, see https://acme.com.").mentioned
    assert analyze_brand("Other tools.", cited=[("https://acme.com", None)]).cited


def test_occurrences_count_only_names_in_the_prose():
    text = (
        "What about Acme or Xylia? Acme is good (see https://acme.com/acme and `acme`). ![Acme](a.png)\n\n"
        "```\nAcme\n```\n\n[acme.com](https://acme.com) Acme’s plans.[^1]\n\n[^1]: Acme.\n\n"
        "Sources:\n\n- [Acme](https://acme.com)\n"
    )
    assert count(text, prompt="what about acme or xylia") == 2


@pytest.mark.parametrize(
    ("prompt", "answer", "occurrences"),
    [
        pytest.param("Is Acme a good CRM?", "Is Acme a good CRM? Yes.", 0, id="the question word for word"),
        pytest.param("Is Acme good?", "Is Acme good? Yes.", 0, id="a short question"),
        pytest.param("is acme a good crm", "**Is Acme a good CRM?**\n\nYes.", 0, id="as a bold line"),
        pytest.param("Is Acme a good CRM?", "## Is Acme a good CRM?\n\nYes.", 0, id="as a heading"),
        pytest.param("Is Acme a good CRM?", "Is Acme a good CRM? Acme is.", 1, id="only the first sentence"),
        pytest.param("is acme good for small teams", "Acme is good today. Yes.", 1, id="3 of 4 tokens stay"),
        pytest.param("is acme good for small teams", "Acme is good for today. Yes.", 0, id="4 of 5 tokens go"),
        pytest.param("acme", "Acme is a tool for teams. Yes.", 1, id="share of the sentence, not of the prompt"),
        pytest.param(
            "Which of all the many tools, among them Acme and Xylia and others, is the best for me in Berlin?",
            "Which is the best for me, Acme? Xylia is.",
            0,
            id="a long prompt does not dilute it",
        ),
        pytest.param("Is Acme a good CRM?", "Yes. Is Acme a good CRM?", 1, id="not at the start"),
        pytest.param("", "Acme is a tool.", 1, id="no prompt"),
        pytest.param("推荐Acme吗", "推荐Acme吗？推荐Xylia。", 0, id="without spaces"),
    ],
)
def test_an_echoed_question_is_not_prose(prompt, answer, occurrences):
    assert count(answer, prompt=prompt) == occurrences


def test_a_refusal_that_names_the_brand_is_a_mention():
    analysis = analyze_text("I can't say whether Acme or Xylia is better.")
    assert [brand.mentioned for brand in analysis.brands] == [True, True, False, False]
    assert [brand.stance for brand in analysis.brands] == ["neutral", "neutral", None, None]
    assert not any(brand.mentioned for brand in analyze_text("I can't recommend brands.").brands)


def test_brands_are_returned_in_the_order_of_the_lexicon():
    assert [brand.name for brand in analyze_text("Zentro, Acme").brands] == ["Acme", "Xylia", "Yamira", "Zentro"]
