"""Analyzing hostile answers: nothing raises, nothing takes long, and no span is outside the text.

The time limit is generous: a slow machine passes, but a pattern that backtracks over the whole text does not.
"""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import subprocess
import sys
from itertools import pairwise, permutations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sightline.answers.models import Brand
from tests.answers.builders import ACME, FOUR, analyze_text
from tests.answers.hostile import BAIT, DEEP, HUNDREDS, LONG, MEGA, ODD, ORDINARY, SHARED, STANCE_PHRASES, TECH
from tests.property_testing import prove

# Each takes a few seconds on an idle machine, and several times that on a busy one.
bounded = pytest.mark.timeout(60)
MIXED = (
    *FOUR,
    Brand("Apple", domains=("apple.com",), category_words=("phone",)),
    Brand("HP"),
    Brand("小米"),
    Brand("Żabka"),
)


def sample(names):
    """Leave four of five to `make test-slow`."""
    return [pytest.param(name, marks=[pytest.mark.slow] if place % 5 else []) for place, name in enumerate(names)]


def analyze_and_verify(text, *brands, **more):
    """Analyze an answer, and assert what is true of every analysis."""
    analysis = analyze_text(text, *brands, **more)
    spans = sorted((o.start, o.end) for brand in analysis.brands for o in brand.occurrences)
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))
    ranked = sorted(brand.rank for brand in analysis.brands if brand.rank is not None)
    assert len(set(ranked)) == len(ranked) and all(1 <= rank <= analysis.n_brands for rank in ranked)
    for brand in analysis.brands:
        assert brand.mentioned == bool(brand.occurrences)
        assert brand.mentioned == (brand.stance in {"neutral", "contrast", "discouraged"})
        assert brand.rank is None or brand.stance == "neutral"
        assert set(brand.cited_urls) <= {citation.url for citation in analysis.citations}
    return analysis


@bounded
@pytest.mark.parametrize("name", sample(LONG))
def test_long_answers(name):
    build, brands = LONG[name]
    analyze_and_verify(build(), *brands)


@bounded
@pytest.mark.parametrize("name", sample(DEEP))
def test_deeply_nested_answers(name):
    analyze_and_verify(DEEP[name]())


@bounded
@pytest.mark.parametrize("unit", sample(BAIT))
def test_slow_pattern_bait(unit):
    text = BAIT[unit]()[:20_000]
    analyze_and_verify(text, prompt="Which tool is best, Acme or Xylia?")
    analyze_and_verify(f"Acme {text[:10_000]} Xylia {text[:10_000]} Acme")


@bounded
@pytest.mark.parametrize("language", sample(STANCE_PHRASES))
def test_stance_phrases_in_disorder(language):
    analyze_and_verify(STANCE_PHRASES[language]())


@bounded
@pytest.mark.slow
@pytest.mark.parametrize("unit", BAIT)
def test_slow_pattern_bait_at_full_length(unit):
    analyze_and_verify(BAIT[unit](), prompt="Which tool is best, Acme or Xylia?")


@bounded
@pytest.mark.parametrize("name", sample(ODD))
def test_odd_answers(name):
    analyze_and_verify(ODD[name](), ACME, *TECH)


@bounded
def test_a_prompt_of_1_mb():
    analyze_and_verify("Is Acme good? Acme is.", prompt="Is Acme good? " * (MEGA // 14))
    analyze_and_verify("Is Acme good " * (MEGA // 13), prompt="Is Acme good " * (MEGA // 13))
    analyze_and_verify("Apple " * 10_000, *TECH, prompt=" ".join(f"word{n}" for n in range(100_000)))


@bounded
def test_a_hundred_thousand_sources():
    sources = [(f"https://acme.com/{n % 50_000}", f"title {n}") for n in range(100_000)]
    assert len(analyze_and_verify("Good tools exist.", cited=sources).brands[0].cited_urls) == 50_000


@bounded
@pytest.mark.parametrize(
    "url",
    [
        "https://acme.com/" + "a" * MEGA,
        "https://acme.com/?" + "a=b&" * (MEGA // 4),
        "https://" + "a." * (MEGA // 2) + "com",
        "https://www.google.com/url?q=" * 30_000,
        "https://www.google.com/url?" + "q=a&" * (MEGA // 4),
        "https://www.bing.com/ck/a?u=a1" + "A" * MEGA,
        "https://" + "xn--" * 1_000 + ".com",
        "https://" + "é" * 100_000 + ".com",
        "https://acme.com/" + "%2" * 100_000,
        "https://acme.com/\x00\ud800",
        "https://\ud800.com",
        "https://acme.com:99999999/",
        "https://[::1]/",
        "https://[" * 1_000,
    ],
    ids=lambda url: ascii(url[:40]),
)
def test_a_source_with_a_hostile_address(url):
    analyze_and_verify("Acme.", cited=[(url, None), (url, "t" * MEGA), (url, "a." * 100_000), ("https://t.co/1", url)])


@bounded
def test_hostile_brand_names():
    brands = [
        Brand(name, aliases=(name,), domains=(name,), category_words=(name,), products=(name,))
        for name in (*" .-&a[\\*NL\x00\ud800\x1a\ue000", "", "()", "é" * 300, "a-" * 300, "a b c d e f g h")
    ]  # fmt: skip
    analyze_and_verify("a b c d e f g h N L ( [ \\ * - & . \x00 \ud800 \x1a \ue000 a-a-a " + "é" * 300, *brands)
    analyze_and_verify("Acme", Brand("Acme"), Brand("Acme"), Brand("ACME"))


@bounded
def test_a_name_after_thousands_of_others_is_found():
    analysis = analyze_and_verify("Acme " * 5_000 + "and Xylia, unlike Yamira.")
    assert [brand.mentioned for brand in analysis.brands] == [True, True, True, False]
    assert [brand.rank for brand in analysis.brands] == [1, 2, None, None]
    assert len(analysis.brands[0].occurrences) == 5_000


@pytest.mark.parametrize("mark", ["\ue000", "\uf8ff", "\x1a", "\x00", "\ufffd", "N", "L"])
def test_a_character_that_the_analyzer_may_use_internally(mark):
    for text in (
        "{} than Acme",
        "Acme is better than {}.",
        "Unlike {} and Acme, Xylia is free.",
        "Avoid {}, {} or Acme. {}",
    ):
        assert analyze_and_verify(text.format(*[mark] * 3)).brands[0].mentioned
    assert analyze_and_verify(f"Unlike {mark}, Acme is better than Xylia.").brands[1].stance == "contrast"


MEMORY_SCRIPT = """
import resource, sys
from tests.answers.hostile import *
from tests.answers.builders import analyze_text
table = {**{name: (build, FOUR) for name, build in {**DEEP, **ODD, **BAIT}.items()}, **LONG}
build, brands = table[sys.argv[1]]
text = build()
analyze_text("Acme is a good tool for small teams, Orlenem and others say.", *brands)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
analyze_text(text, *brands)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "1 MB of ordinary prose",
        "1 MB of the name",
        "1 MB of an ambiguous name and competitors",
        "1 MB of one Han name",
        "one sentence of 300 KB with hundreds of names",
        "one long address referred to often",
        "a wide table of many short rows",
        "a letter with 100,000 accents",
        "quotations",
    ],
)
def test_memory_does_not_grow_beyond_300_mb(name):
    child = subprocess.run(
        [sys.executable, "-c", MEMORY_SCRIPT, name], capture_output=True, text=True, check=True, timeout=60
    )
    assert int(child.stdout) < 300


MARKDOWN = st.text(st.sampled_from("*_`~[]()<>!#-+|\\&;:.,'\"^ \n\t1 2 a A @ / = 【】 † • “ ’ – 的 ア 한"), max_size=80)
WORDS = st.sampled_from(
    [
        "Acme", "acme", "ACME", "Acme's", "acme.com", "@acme", "Acme-like", "**Acme**", "[Acme](https://acme.com)",
        "Ac**me**", "ＡＣＭＥ", "Xylia", "Yamira", "Zentro",
        "Apple", "apple", "HP", "小米", "Żabki", "unlike", "instead of", "rather than", "compared with",
        "alternatives to", "switch from", "than", "avoid", "steer clear of",
        "not", "recommend", "no information about", "not familiar with", "couldn't find", "reviews of", "not only",
        "but", "can't go wrong with", "there is no better", "phone",
        "My pick:", "best overall:", "Sources:", "1.", "2.", "-", "#", "###", ">", "|", "\n", "\n\n", "\n- ", "\n1. ",
        "\n\n## ", "\n|a|b|\n|-|-|\n|", "```", "`", "[1]", "[^1]",
        "\n\n[^1]:", "【4†source】", "https://acme.com/a", "https://www.google.com/url?q=https://acme.com", "<b>",
        "</b>", "<!--", "-->", "&amp;", "&#65;cme", "\\", "\u200b", "\u0301",
        "\ud800", "\x00", "\x1a", "\ue000", ".", ",", ";", "!", "?", "。", "而不是", "とは違って", "보다",
        "nicht empfehlen",
        "evite", "لا أنصح", "statt",
    ]
)  # fmt: skip
ANSWERS = st.one_of(
    st.text(max_size=200),
    st.text(st.characters(), max_size=100),
    MARKDOWN,
    st.lists(WORDS, max_size=40).map(" ".join),
    st.lists(st.one_of(WORDS, MARKDOWN, st.text(max_size=10)), max_size=25).map("".join),
)
many_examples = settings(prove, max_examples=8 * prove.max_examples)


@many_examples
@given(ANSWERS, st.one_of(st.just(""), ANSWERS), st.sampled_from([None, "en", "pl", "tr", "ar", "ja", "de", "xx", ""]))
@example("\ud800", "\udfff", None)
@example("\x1a", "", None)
@example("Acme\x1aAcme", "", None)
@example("\ue000 than \ue000", "", None)
def test_nothing_raises(text, prompt, language):
    analyze_and_verify(text, *MIXED, prompt=prompt, language=language)


@pytest.mark.slow
@many_examples
@given(ANSWERS, st.lists(st.tuples(ANSWERS, st.none() | ANSWERS), max_size=3))
def test_nothing_raises_with_any_source(text, sources):
    analyze_and_verify(text, *MIXED, cited=sources)


@prove
@given(ANSWERS)
def test_the_same_answer_gives_the_same_analysis(text):
    assert analyze_text(text, *MIXED) == analyze_text(text, *MIXED)


@prove
@given(ANSWERS, st.permutations(MIXED))
def test_the_order_of_the_brands_changes_nothing(text, order):
    expected = {brand.name: brand for brand in analyze_text(text, *MIXED).brands}
    assert {brand.name: brand for brand in analyze_text(text, *order).brands} == expected


def test_the_order_of_the_brands_changes_nothing_where_names_overlap():
    one, two, three = (
        Brand("Acme"),
        Brand("Acme Music", aliases=("Quorvex",)),
        Brand("Music Xylia", aliases=("Quorvex", "Acmes")),
    )
    text = "Acme Music Xylia and Quorvex. The Acmes. Acme's Quorvex, Music Xylia."
    analyses = [
        {brand.name: brand for brand in analyze_text(text, *order).brands} for order in permutations([one, two, three])
    ]
    assert all(analysis == analyses[0] for analysis in analyses)
    text = LONG["1 MB of a shared alias and its brands"][0]()[:2_000]
    analyses = [{brand.name: brand for brand in analyze_text(text, *order).brands} for order in permutations(SHARED)]
    assert all(analysis == analyses[0] for analysis in analyses)


def test_many_brands_are_found_and_ordinary_words_are_not():
    text = "We compared " + ", ".join(brand.name for brand in HUNDREDS) + "."
    assert [brand.rank for brand in analyze_and_verify(text, *HUNDREDS).brands] == list(range(1, len(HUNDREDS) + 1))
    assert not any(brand.mentioned for brand in analyze_and_verify("target gap shell visa square", *ORDINARY).brands)
