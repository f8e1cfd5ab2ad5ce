"""Metrics 2.1 "Text preparation": what becomes prose, and how it maps back to the raw answer."""

# ruff: noqa: RUF001 (characters that look alike are what is tested)

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sightline.answers.characters import fold, fold_case, normalize
from sightline.answers.models import Brand
from sightline.answers.prepare import cache_latest, find_raw_spans, prepare
from tests.answers.builders import analyze_brand
from tests.property_testing import prove


def prose_words(text, prompt=""):
    """Return the words of the prose, without extra blanks and block ends."""
    return " ".join(prepare(text, prompt).prose.replace("\x1a", " ").split())


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("ＡＣＭＥ", "ACME"),
        ("ﬁne", "fine"),
        ("Acme\u00a0Work", "Acme Work"),
        ("e\u0301", "é"),
        ("‘a’ ʼb", "'a' 'b"),
        ("“a” „b‟", '"a" "b"'),
        ("a‐b‑c‒d−e", "a-b-c-d-e"),
        ("a\u00adb", "ab"),
        ("a\u200bb\u200cc\u200dd\u2060e", "abcde"),
        ("\ufeffab", "ab"),
        ("ｱｸﾒ", "アクメ"),
        ("ｶﾞｽ", "ガス"),
        ("한", "한"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_normalizing_straightens_quotes_and_hyphens_and_drops_invisible_characters(written, normal):
    assert normalize(written)[0] == normal


@prove
@given(st.text())
@example("e\u0301")
@example("ﷺ")
@example("\u1100\u1161\u11a8")
@example("\ud800\udfff")
def test_each_normalized_character_maps_to_its_place_in_the_text(text):
    normal, places = normalize(text)
    if places is None:
        assert normal == text
        return
    assert len(places) == len(normal)
    assert places == sorted(places)
    assert all(0 <= place < len(text) for place in places)


@prove
@given(st.text())
@example("ıIiİ ßẞ ﬀ Σσς ǅ ŉ ΐ")
def test_folding_keeps_the_length(text):
    assert len(fold(text)) == len(text) == len(fold_case(text))


@prove
@given(st.text(st.characters(blacklist_categories=["Cs"])))
def test_folding_twice_is_folding_once(text):
    assert fold(fold(text)) == fold(text)
    assert fold_case(fold_case(text)) == fold_case(text)


def test_folding_compares_what_people_read_as_the_same():
    assert fold("ÉCOLE") == fold("école") == fold("ecole")
    assert fold_case("ÉCOLE") == fold_case("école") != fold_case("ecole")
    assert fold("IŞIK") == fold("ışık") == fold("İŞİK")
    assert fold("ΣΟΦΟΣ") == fold("σοφος") == fold("σοφός")


@pytest.mark.parametrize(
    ("text", "prose"),
    [
        ("See [the guide](https://x.org/acme) now", "See the guide now"),
        ("Good [1](https://x.org)", "Good"),
        ("Good [source](https://x.org)", "Good"),
        ("Good [Source](https://x.org)", "Good"),
        ("Good ([x.org](https://x.org/a))", "Good ( )"),
        ("Good [www.x.org](https://x.org/a)", "Good"),
        ("Good [1]", "Good"),
        ("Good [1,2]", "Good"),
        ("Good [1, 2] [3]", "Good"),
        ("Good[1][2][3]", "Good"),
        ("Good [^3]", "Good"),
        ("Good【4†source】", "Good"),
        ("Good【4:0†source】", "Good"),
        ("Good¹²", "Good"),
        ("Good.[^1]\n\n[^1]: Acme report", "Good."),
        ("See https://x.org/acme now", "See now"),
        ("See <https://x.org/acme> now", "See now"),
        ("See www.x.org/acme now", "See now"),
        ("![Acme](a.png) now", "now"),
        ("`acme` now", "now"),
        ("```\nacme\n```\n\nnow", "now"),
        ("a **b** *c* ~~d~~ __e__", "a b c d e"),
        ("a\nb", "a b"),
        ("A &amp; B &lt;x&gt; \\*c\\*", "A & B <x> *c*"),
        ("# H\n\n- a\n- b\n\n| c | d |\n|---|---|\n| e | f |", "H a b c d e f"),
        ("in 2024 [see note]", "in 2024 [see note]"),
        ("a [b] c", "a [b] c"),
        ("", ""),
        ("   \n\n ", ""),
    ],
)
def test_what_is_prose(text, prose):
    assert prose_words(text) == prose


def test_marks_belong_to_the_sentence_before_them():
    prepared = prepare("Acme is good.[1] Xylia is new [2, 3]. Yamira【4†source】")
    assert [mark for _, mark in prepared.marks] == ["[1]", "[2, 3]", "【4†source】"]
    before = [prepared.prose[:place].rstrip().rpartition(" ")[2] for place, _ in prepared.marks]
    assert before == ["good.", "new", "Yamira"]


def test_links_are_placed_at_their_anchor():
    prepared = prepare("Good tools. [Acme](https://acme.com/a) and [1](https://x.org)")
    assert [link.url for link in prepared.links] == ["https://acme.com/a", "https://x.org"]
    assert prepared.prose[prepared.links[0].start : prepared.links[0].end] == "Acme"
    assert prepared.prose[: prepared.links[1].start].rstrip().endswith("and")


def test_blocks_by_kind():
    text = "Intro\n\n# Head\n\n1. one\n2. two\n\n- dot\n\n| c | d |\n|---|---|\n| e | f |"
    prepared = prepare(text)
    found = [(block.kind, prepared.prose[block.start : block.end].strip()) for block in prepared.blocks]
    assert found == [
        ("paragraph", "Intro"), ("heading", "Head"), ("item", "one"), ("item", "two"), ("item", "dot"),
        ("cell", "c"), ("cell", "d"), ("cell", "e"), ("cell", "f"),
    ]  # fmt: skip
    assert [block.ordered for block in prepared.blocks if block.kind == "item"] == [True, True, False]


def test_an_echo_is_blanked_in_place():
    text = "Is Acme a good CRM? Yes, Acme is."
    prepared = prepare(text, "is acme a good crm")
    assert "Yes, Acme is." in prepared.prose and prepared.prose.count("Acme") == 1
    assert len(prepared.prose) == len(prepare(text).prose)
    assert len(prepared.folded) == len(prepared.prose)


def test_no_spans_have_no_raw_spans():
    assert find_raw_spans(prepare("Acme"), []) == []


# The raw text, and what the span must contain. A name in several pieces spans them with the markup in between.
QUILL = Brand("Quill-Öst", domains=("quill-oest.com",))
FORMATTED_NAMES = [
    ("Quill-Öst", "Quill-Öst"),
    ("QUILL-ÖST", "QUILL-ÖST"),
    ("**Quill-Öst**", "Quill-Öst"),
    ("*Quill-Öst*", "Quill-Öst"),
    ("***Quill-Öst***", "Quill-Öst"),
    ("[Quill-Öst](https://other.org/quill-öst)", "Quill-Öst"),
    ("[**Quill-Öst**](https://other.org)", "Quill-Öst"),
    ("**Quill**-Öst", "Quill**-Öst"),
    ("Quill-*Ös*t", "Quill-*Ös*t"),
    ("Quill\\-Öst", "Quill\\-Öst"),
    ("Quill&#45;Öst", "Quill&#45;Öst"),
    ("Quill-&Ouml;st", "Quill-&Ouml;st"),
    ("&#81;uill-Öst", "&#81;uill-Öst"),
    ("&#x51;uill&#x2d;&#xd6;st", "&#x51;uill&#x2d;&#xd6;st"),
    ("Ｑｕｉｌｌ－Öｓｔ", "Ｑｕｉｌｌ－Öｓｔ"),
    ("Qu\u200bill-Öst", "Qu\u200bill-Öst"),
    ("Q\u00aduill-Ö\u200dst", "Q\u00aduill-Ö\u200dst"),
    ("Quill-O\u0308st", "Quill-O\u0308st"),
    ("Quill‑Öst", "Quill‑Öst"),
    ("Quill Öst", "Quill Öst"),
    ("quill-oest.com", "quill-oest.com"),
    ("&ldquo;Quill-Öst&rdquo;", "Quill-Öst"),
    ("“Quill-Öst”", "Quill-Öst"),
    ("\\*Quill-Öst\\*", "Quill-Öst"),
    ("Quill-Öst[1]", "Quill-Öst"),
    ("Quill-Öst™", "Quill-Öst"),
    ("<b>Quill-Öst</b>", "Quill-Öst"),
    ("~~Quill-Öst~~", "Quill-Öst"),
]
LEADS = [
    "", "Text ", "日本語 ", "🚀 ", "e\u0301\u0301 ", "ﬁ ﷺ ", "&amp; &nbsp; ", "\\* \\_ ", "`code` ", "**bold** ",
    "[a](https://b.org) ",
    "https://b.org/c ", "a[1] ", "\u200b\ufeff ", "- ", "1. ", "# ", "> ", "| a | b |\n|---|---|\n| x | ", "a  \nb ",
    "- a\n  - ",
    "> - ", "<br> ", "&unknown; & ", "𝔸𝔹 ", "\x00 ", "a\r\nb ", "\ud83d ", "👩‍👩‍👧 ", "①② ",
]  # fmt: skip
TAILS = ["", " text", " 日本語", ". More.", " [1]", " é", "\n", " & so on", " **x**", " 🚀", "\n---"]

pieces = st.tuples(st.sampled_from(LEADS), st.sampled_from(FORMATTED_NAMES), st.sampled_from(TAILS))


@pytest.mark.parametrize(("written", "span"), FORMATTED_NAMES, ids=[written for written, _ in FORMATTED_NAMES])
def test_a_span_contains_the_name_as_written(written, span):
    for lead in ("", "Text ", "é 🚀 &amp; \\* "):
        raw = f"{lead}{written} tail"
        found = [raw[occurrence.start : occurrence.end] for occurrence in analyze_brand(raw, QUILL).occurrences]
        assert found == [span], raw


@pytest.mark.parametrize(
    ("name", "raw", "span"),
    [
        pytest.param("Quill-Öst", "Quill\nÖst tail", "Quill\nÖst", id="over a line break"),
        pytest.param("Quill-Öst", "a Quill-Ös&#116; tail", "Quill-Ös&#116;", id="ends in an entity"),
        pytest.param("Nestlé", "a Nestl&eacute; tail", "Nestl&eacute;", id="ends in a named entity"),
        pytest.param("Nestlé", "a Nestle\u0301 tail", "Nestle\u0301", id="ends in an accent of its own"),
        pytest.param("Nestlé", "a Nestle\u0301.", "Nestle\u0301", id="ends in an accent before a full stop"),
        pytest.param("Zenﬁ", "a Zenﬁ tail", "Zenﬁ", id="ends in a ligature"),
        pytest.param("Zenfi", "a Zenﬁ tail", "Zenﬁ", id="ends inside a ligature's letters"),
        pytest.param("H&M Store", "a H&M Store; b", "H&M Store", id="an ampersand that starts no entity"),
        pytest.param("Acme", "R&D; then Acme", "Acme", id="what looks like an entity before it"),
        pytest.param("Acme", "Tom &Jerry; Acme; Acme2", "Acme", id="what looks like an entity, once more"),
        pytest.param("Acme", "a\\b c\\ d\\1 Acme", "Acme", id="backslashes that escape nothing"),
        pytest.param("Acme", "a\\é Acme", "Acme", id="a backslash before a letter"),
        pytest.param("Acme", "a\\‑ b\\… Acme", "Acme", id="a backslash before other punctuation"),
        pytest.param(
            "Acme", "&copy; &NotEqualTilde; &CounterClockwiseContourIntegral; Acme", "Acme", id="long entities"
        ),
        pytest.param("Acme", "&#0; &#x110000; Acme", "Acme", id="entities of no character"),
        pytest.param("Acme", "<div>a &amp; \\* Acme</div>", "Acme", id="in html"),
        pytest.param("Acme", "a <!-- & --> &amp; Acme", "Acme", id="after a comment"),
        pytest.param("小米", "我推荐&#23567;米手机", "&#23567;米", id="without spaces"),
    ],
)
def test_a_span_contains_the_name_as_written_in_odd_places(name, raw, span):
    found = [raw[occurrence.start : occurrence.end] for occurrence in analyze_brand(raw, Brand(name)).occurrences]
    assert found == [span]


@prove
@given(st.lists(pieces, min_size=1, max_size=5))
def test_every_span_maps_back_to_the_name_as_written(parts):
    raw = "\n\n".join(f"{lead}{written}{tail}" for lead, (written, _), tail in parts)
    found = [raw[occurrence.start : occurrence.end] for occurrence in analyze_brand(raw, QUILL).occurrences]
    assert found == [span for _, (_, span), _ in parts]


@prove
@given(st.lists(pieces, min_size=1, max_size=5))
def test_an_occurrence_has_the_name_in_its_normalized_spelling(parts):
    raw = "\n\n".join(f"{lead}{written}{tail}" for lead, (written, _), tail in parts)
    for occurrence in analyze_brand(raw, QUILL).occurrences:
        plain = fold(unicodedata.normalize("NFKC", occurrence.text)).replace(" ", "-")
        assert plain in {"quill-ost", "quill-oest.com"}


def test_the_latest_answers_are_cached_by_their_size(monkeypatch):
    # A smaller cache.
    monkeypatch.setattr("sightline.answers.prepare.prepare_cached", cache_latest(1_000))
    texts = [f"Acme is number {number}. ".ljust(250, "x") for number in range(5)]
    first, *_, fourth = [prepare(text, "q") for text in texts[:4]]
    assert prepare(texts[0], "q") is first and prepare(texts[3], "q") is fourth
    prepare(texts[4], "q")
    assert prepare(texts[3], "q") is fourth and prepare(texts[0], "q") is not first
    assert prepare(texts[3], "another question") is not fourth
    assert prepare("y" * 8_001) is not prepare("y" * 8_001)


def test_several_threads_may_use_the_cache_at_once():
    prepare_cached = cache_latest(200)
    texts = [f"Acme {number}" for number in range(60)]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            found = list(pool.map(lambda text: prepare_cached(text, ""), texts * 3))
            assert [each.raw for each in found] == texts * 3
    cache = prepare_cached.cache  # type: ignore[attr-defined]  # set by cachetools
    assert cache.currsize == sum(len(text) for text, _ in cache) <= 200
