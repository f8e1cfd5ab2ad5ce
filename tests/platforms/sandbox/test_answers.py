"""Every platform in every language gives answers in its own style, with sources that point into the text."""

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.platforms import catalog
from sightline.platforms.models import Question
from sightline.platforms.sandbox.answers import answer_question, write_answer
from sightline.platforms.sandbox.market import SandboxRival, Subject
from sightline.platforms.sandbox.phrasebook import load_phrasebook
from sightline.platforms.sandbox.prompts import LANGUAGES, choose_language
from sightline.platforms.sandbox.seeded_random import SeededRandom, normal, uniform
from sightline.platforms.sandbox.writing import read_styles
from tests.platforms.sandbox.samples import ACME, DAY, PLATFORMS, PROMPTS, days, plan_cell, strip_markup
from tests.property_testing import prove


def assert_valid_answer(answer):
    if answer.status == "no_surface":
        assert answer.text == "" and not answer.cited
        return
    assert answer.status == "ok" and 20 <= len(answer.text) <= 5000
    assert answer.text == answer.text.strip()
    for source in answer.cited:
        assert source.spans and source.title
        for span in source.spans:
            assert 0 <= span.start < span.end <= len(answer.text)
            assert answer.text[span.start : span.end].strip()
    for source in (*answer.cited, *answer.retrieved):
        parts = urlsplit(source.url)
        assert parts.scheme == "https" and "." in parts.netloc and source.url.isascii() and " " not in source.url
    assert {source.url for source in answer.cited} <= {source.url for source in answer.retrieved}


def test_the_sandbox_serves_every_platform_of_the_catalogue():
    assert {platform.key for platform in catalog.PLATFORMS} == set(PLATFORMS) == set(read_styles())


@pytest.mark.parametrize("platform", PLATFORMS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_and_platform(language, platform):
    sizes = []
    for day in days(12):
        answer = answer_question(ACME, Question(PROMPTS[language], None, language), platform, day)
        assert_valid_answer(answer)
        plan = plan_cell(ACME, PROMPTS[language], platform, None, language, day)
        if answer.status == "ok" and plan.form not in {"short", "refusal", "code", "code_only"}:
            text = strip_markup(answer.text)
            per_word = {"ja": 2.5, "zh": 2.0}.get(language)  # characters, because words are not separated by spaces
            sizes.append(len(text) / per_word if per_word else len(text.split()))
        assert not re.search(r"\{\w+\}|<[^>]*\|", answer.text)  # no slot is left unfilled
        text = re.sub(r"```.*?```", "", answer.text, flags=re.DOTALL)
        assert "  " not in text and " ," not in text and ".." not in text
    assert min(sizes) >= 65 and max(sizes) <= 350


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_is_in_its_language(language):
    """It contains only sentences from the file of its own language."""
    words = {
        "en": " the ",
        "de": " und ",
        "fr": " les ",
        "es": " los ",
        "it": " per ",
        "pt": " para ",
        "nl": " voor ",
        "pl": " dla ",
        "ja": "です",
        "zh": "的",
    }
    text = "".join(
        answer_question(ACME, Question(PROMPTS[language], None, language), "chatgpt", day).text for day in days(6)
    )
    assert words[language] in text
    assert ("です" in text) == (language == "ja")


def test_answers_rarely_look_alike():
    texts = [
        answer_question(ACME, Question(PROMPTS["en"], "US", "en"), platform, day).text
        for platform in PLATFORMS
        for day in days(20)
    ]
    shown = [text for text in texts if len(text) > 200]
    assert len(set(shown)) == len(shown)
    first_lines = {text.splitlines()[0] for text in shown}
    assert len(first_lines) > 20


@pytest.mark.parametrize(
    ("platform", "sign"),
    [("chatgpt", r" \(\[[\w.-]+\]\(https://"), ("perplexity", r"[^\s\[]\[\d+\]"), ("grok", r"\[\[\d+\]\]\(https://")],
)
def test_each_platform_marks_its_sources_in_its_own_style(platform, sign):
    for other in PLATFORMS:
        text = "\n".join(write_answer(plan_cell(ACME, PROMPTS["en"], other, day=day)).text for day in days(10))
        assert bool(re.search(sign, text)) == (other == platform), other


def test_mark_numbers_refer_to_the_list_of_sources():
    for day in days(20):
        for platform in ("perplexity", "grok"):
            answer = write_answer(plan_cell(ACME, PROMPTS["en"], platform, day=day))
            marks = {int(number) for number in re.findall(r"\[(\d+)\]", answer.text)}
            assert marks == set(range(1, len(answer.cited) + 1))


@pytest.mark.parametrize("platform", ["deepseek", "local"])
def test_some_platforms_never_cite(platform):
    for day in days(20):
        answer = answer_question(ACME, Question(PROMPTS["en"], "US", "en"), platform, day)
        assert not answer.cited and not answer.retrieved and not answer.queries and answer.usage.searches is None


def test_overviews_sometimes_show_nothing_and_others_always_answer():
    def shares(platform, times):
        rows = [
            answer_question(ACME, Question(f"best crm, number {n}", "US", "en"), platform, day).status
            for n in range(20)
            for day in days(times)
        ]
        return rows.count("no_surface") / len(rows)

    assert 0.05 < shares("google_ai_overviews", 10) < 0.3
    assert all(shares(platform, 2) == 0 for platform in PLATFORMS if platform != "google_ai_overviews")


def test_usage_and_model_are_reported():
    answer = answer_question(ACME, Question(PROMPTS["en"], "US", "en"), "chatgpt", DAY)
    assert answer.model == "sandbox-chatgpt" and answer.id.startswith("sbx_")
    assert answer.usage.input_tokens > 5 and answer.usage.output_tokens > 20
    assert answer.usage.searches == len(answer.queries) >= 1


def test_the_same_page_is_cited_in_many_answers():
    pages = [
        {source.url for source in write_answer(plan_cell(ACME, PROMPTS["en"], platform, day=day)).cited}
        for platform in ("chatgpt", "perplexity", "gemini")
        for day in days(20)
    ]
    counts = {url: sum(url in urls for urls in pages) for url in set().union(*pages)}
    assert max(counts.values()) > 20


def test_a_brand_is_praised_for_the_same_things_everywhere_in_different_words():
    aspects = load_phrasebook("en", "crm").aspects
    wordings = {phrase: aspect.name for aspect in aspects for phrase in aspect.praise}
    found = set()
    for platform in ("gemini", "chatgpt"):
        for day in days(40):
            for line in write_answer(plan_cell(ACME, PROMPTS["en"], platform, day=day)).text.splitlines():
                if re.match(r"[*\-\d. ]+\*\*Acme", line):
                    found |= {phrase for phrase in wordings if phrase in line}
    assert len({wordings[phrase] for phrase in found}) <= 5
    assert len(found) >= 6


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("What are the best CRM tools for small teams?", "best CRM tools for small teams"),
        ("Which CRM tools do experts recommend this year?", "CRM tools experts recommend this year"),
        ("How much do good CRM tools cost?", "good CRM tools cost"),
        ("Trello vs Asana", "Trello vs Asana"),
        ("what is the?", "what is the"),
    ],
)
def test_the_first_search_is_the_question_in_keywords(prompt, expected):
    assert write_answer(plan_cell(ACME, prompt, "perplexity")).queries[0] == expected


@pytest.mark.parametrize(
    ("language", "country", "prompt", "expected"),
    [
        ("de", "US", "x", "de"),
        ("DE", None, "x", "de"),
        ("pt-BR", None, "x", "pt"),
        ("zh_CN", None, "x", "zh"),
        ("sv", "DE", "x", "en"),
        (None, "DE", "x", "de"),
        (None, "br", "x", "pt"),
        (None, "CH", "x", "en"),
        (None, None, "おすすめは", "ja"),
        (None, "US", "最好的手机", "zh"),
        (None, None, "best phone", "en"),
        ("", "", "", "en"),
    ],
)
def test_the_language_of_an_answer(language, country, prompt, expected):
    assert choose_language(language, country, prompt) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Acme y Initech", "Acme e Initech"), ("Acme y Globex", "Acme y Globex"), ("hilo y hielo", "hilo y hielo")],
)
def test_spanish_conjunctions_change_before_the_same_sound(text, expected):
    assert load_phrasebook("es", "crm").fix(text) == expected
    assert load_phrasebook("pt", "crm").fix(text) == text


# Odd input

domains = st.sampled_from(["acme.com", "xn--bcher-kva.de", "xn--r8jz45g.xn--zckzah", "a" * 63 + ".co.uk"])
pieces = st.sampled_from(
    [
        "{b}",
        "{0}",
        "%s",
        "{",
        "}",
        "{{}}",
        "**",
        "|",
        "\n",
        "```",
        "[1](x)",
        "<a|b>",
        "vs",
        "Acme",
        "😀",
        "\u200f",
        "\x00",
        "?",
    ]
)
prompts = st.one_of(
    st.text(max_size=500), st.lists(pieces, max_size=30).map(" ".join), st.lists(pieces, max_size=60).map("".join)
)


@prove
@given(domains, st.text(max_size=30), prompts, st.sampled_from(PLATFORMS), st.sampled_from(LANGUAGES))
def test_odd_domains_names_and_prompts_never_break_an_answer(domain, brand, prompt, platform, language):
    subject = Subject(domain, brand, (SandboxRival("{r} | **x**", "r.com"),), (brand[::-1],))
    for day in days(3):
        answer = answer_question(subject, Question(prompt, None, language), platform, day)
        assert answer.status == "no_surface" or 20 <= len(answer.text) <= 5000
        for source in answer.cited:
            assert all(0 <= span.start < span.end <= len(answer.text) for span in source.spans)


def test_braces_in_names_and_prompts_stay_unchanged():
    subject = Subject("acme.com", "{b}races")
    plans = [plan_cell(subject, f"is {{b}}races good, {n}? {{cats}}", "chatgpt") for n in range(120)]
    reviews = [plan for plan in plans if plan.form == "plain"]
    echoes = [plan for plan in plans if plan.form == "echo"]
    assert reviews and all("{b}races" in write_answer(plan).text for plan in reviews)
    assert echoes and all(write_answer(plan).text.splitlines()[0].endswith("{cats}") for plan in echoes)


# Chance


def test_chance_is_uniform_and_normal():
    draws = [uniform("x", number) for number in range(4000)]
    assert 0.48 < sum(draws) / len(draws) < 0.52 and min(draws) > 0 and max(draws) < 1
    bells = [normal("x", number) for number in range(4000)]
    assert abs(sum(bells)) / len(bells) < 0.06 and 0.95 < sum(b * b for b in bells) / len(bells) < 1.06


def test_seeded_random_draws_weights_shuffles_and_ranges():
    rng = SeededRandom("weights")
    picks = [rng.weighted([("a", 3.0), ("b", 1.0), ("c", 0.0)]) for _ in range(4000)]
    assert 0.72 < picks.count("a") / len(picks) < 0.78 and "c" not in picks
    assert sorted(SeededRandom("s").shuffled(range(20))) == list(range(20))
    assert {SeededRandom("between", n).between(2, 4) for n in range(50)} == {2, 3, 4}
