"""Corrections of answers: excluded phrases, names called wrong, and names that were missed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.answers.analyze import analyze, analyze_prepared, find_sources, rank_prepared
from sightline.answers.aspects import find_aspects
from sightline.answers.corrections import Correction, find_exclusion, find_prose_span, suggest_phrases
from sightline.answers.models import Brand
from sightline.answers.names import Lexicon
from sightline.answers.prepare import prepare
from tests.property_testing import prove


def read(text, *brands, corrections=(), others=(), prompt=""):
    prepared = prepare(text, prompt)
    return analyze_prepared(
        prepared,
        Lexicon(brands),
        find_sources(prepared, ()),
        others=others,
        prompt=prompt,
        corrections=corrections,
    )


def places(text, *brands, **more):
    return [(each.start, each.end, each.text) for each in read(text, *brands, **more).brands[0].occurrences]


def at(kind, text, words, nth=0):
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Correction(kind, start, start + len(words))


ZENDA = Brand("Zenda", (), ("zenda.com",))


@pytest.mark.parametrize(
    ("text", "phrase", "kept"),
    [
        ("Zenda Peak is a mountain. Zenda is a shop.", "zenda peak", [26]),
        ("ZENDA  PEAK is a mountain.", "Zenda Peak", []),
        ("**Zenda** peak is a mountain.", "Zenda Peak", []),
        ("Mount Zenda is high, and Zenda sells boots.", "mount zenda", [25]),
        ("Zenda Peaks is a range.", "Zenda Peak", [0]),
        ("Zenda\n\nPeak season is near.", "Zenda Peak", [0]),
        ("Zenda\u2019s peak is a mountain.", "Zenda's peak", []),
        ("Zénda Peak is a mountain.", "Zenda Péak", []),
        ("See zenda.com and Zenda Peak.", "Zenda Peak", [4]),
    ],
)
def test_a_name_inside_an_excluded_phrase_is_not_the_brand(text, phrase, kept):
    excluding = Brand("Zenda", (), ("zenda.com",), exclusions=(phrase,))
    assert [start for start, _, _ in places(text, excluding)] == kept
    assert len(places(text, ZENDA)) > len(kept) or kept in ([0], [4])


def test_phrases_are_matched_in_scripts_without_spaces():
    text = "首页推荐小米粥。小米也卖手机。"
    assert [start for start, _, _ in places(text, Brand("小米", exclusions=("小米粥",)))] == [text.index("小米也")]


def test_an_excluded_match_is_no_evidence_for_the_others():
    """Where a name is an ordinary word, a clear mention vouches for weaker ones. A wrong one must not."""
    text = "- **Summit** County: a region\n\nWe went with Summit there."
    assert len(places(text, Brand("Summit"))) == 2
    assert places(text, Brand("Summit", exclusions=("Summit County",))) == []
    assert places(text, Brand("Summit"), corrections=[at("not_this_brand", text, "Summit")]) == []


def test_a_phrase_of_one_brand_leaves_the_namesake_alone():
    text = "Zenda Peak is popular."
    found = read(text, Brand("Zenda", exclusions=("Zenda Peak",)), Brand("Zenda Outdoor", ("Zenda",)))
    assert [brand.mentioned for brand in found.brands] == [False, True]


def test_a_name_called_wrong_is_dropped_at_that_place_alone():
    text = "1. **Zenda** - a village\n2. Zenda - a shop"
    wrong = at("not_this_brand", text, "Zenda")
    assert [start for start, _, _ in places(text, ZENDA, corrections=[wrong])] == [text.rindex("Zenda")]
    nowhere = read(text, ZENDA, corrections=[wrong, at("not_this_brand", text, "Zenda", 1)])
    assert not nowhere.brands[0].mentioned and nowhere.brands[0].rank is None


def test_a_correction_holds_if_another_version_reads_more_or_less_of_the_name():
    text = "The Zenda Pro is fine."
    narrow, wide = at("not_this_brand", text, "Zenda"), at("not_this_brand", text, "The Zenda Pro is")
    for brand in (ZENDA, Brand("Zenda", ("Zenda Pro",))):
        for correction in (narrow, wide):
            assert places(text, brand, corrections=[correction]) == []


def test_a_missed_name_is_marked_with_its_rank():
    text = "1. **Globex** - rich\n2. **Zen·da** - steady"
    missing = at("missing", text, "Zen·da")
    found = read(text, ZENDA, Brand("Globex"), corrections=[missing])
    assert found.brands[0].mentioned and found.brands[0].rank == 2
    assert [(each.start, each.end, each.text) for each in found.brands[0].occurrences] == [
        (missing.start, missing.end, "Zen·da")
    ]
    assert not read(text, ZENDA, Brand("Globex")).brands[0].mentioned


def test_a_missed_name_takes_the_place_of_what_was_read_there():
    text = "1. Globex Mini is rich. 2. Acme is easy."
    missing = at("missing", text, "Globex Mini")
    for others in ((), ("Acme",), ("Globex Mini", "Acme")):
        found = read(text, ZENDA, Brand("Globex"), corrections=[missing], others=others)
        assert [brand.mentioned for brand in found.brands] == [True, False]


def test_ranks_that_are_settled_later_know_the_corrections():
    text = "1. Zenda\n2. Acme\n3. Globex"
    wrong = [at("not_this_brand", text, "Zenda")]
    prepared, lexicon = prepare(text), Lexicon([ZENDA, Brand("Globex")])
    ranking = rank_prepared(prepared, lexicon.with_others(["Acme"], prepared.folded), corrections=wrong)
    assert ranking.ranks == {2: 2, 1: 3}, "somebody else is called Zenda, and comes first"


def test_themes_know_the_corrections():
    text = "Zenda offers reliable support. Globex is cheap."
    wrong = (at("not_this_brand", text, "Zenda"),)
    assert 0 in find_aspects(text, Lexicon([ZENDA]))
    assert 0 not in find_aspects(text, Lexicon([ZENDA]), corrections=wrong)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ask **Zen** *da* now", "Zen** *da"),
        ("Ask caf&eacute; Zenda", "Zenda"),
        ("| A | Zenda |\n|---|---|\n| 1 | 2 |", "Zenda"),
        ("\uff3a\uff45\uff4e\uff44\uff41 is wide, Zénda is not", "Zénda"),
        ("\uff3a\uff45\uff4e\uff44\uff41 is wide", "\uff3a\uff45\uff4e\uff44\uff41"),
        ("[Zenda](https://zenda.com/a)", "Zenda"),
        ("two  blanks and `code` before Zenda", "Zenda"),
    ],
)
def test_a_place_of_the_answer_is_found_in_its_prose_and_back(text, words):
    missing = at("missing", text, words)
    ((start, end, _),) = places(text, Brand("Quux"), corrections=[missing])
    assert (start, end) == (missing.start, missing.end)


@pytest.mark.parametrize(("text", "words"), [("![Zenda](a.png) is nice", "Zenda"), ("```\nZenda\n```\nok", "Zenda")])
def test_what_is_not_prose_cannot_be_marked(text, words):
    missing = at("missing", text, words)
    assert find_prose_span(prepare(text), missing.start, missing.end) is None
    assert places(text, ZENDA, corrections=[missing]) == []


def test_a_marked_name_stays_marked_where_the_prose_is_blanked():
    """A later version may take the place for an echo of the question or a source list."""
    text, prompt = "Is Zenda the best shop?\n\nThere are many.", "is zenda the best shop?"
    missing = at("missing", text, "Zenda")
    assert places(text, ZENDA, prompt=prompt) == []
    assert places(text, ZENDA, prompt=prompt, corrections=[missing]) == [(3, 8, "Zenda")]


@pytest.mark.parametrize(
    ("text", "words", "phrases"),
    [
        ("Know your target audience well.", "target", ("target audience", "your target", "your target audience")),
        ("Target, a shop", "Target", ()),
        ("The **Zenda** peak", "Zenda", ("Zenda peak", "The Zenda", "The Zenda peak")),
        ("Zenda-style hats", "Zenda", ("Zenda-style",)),
        ("\n\nzenda\n\npeak", "zenda", ()),
    ],
)
def test_phrases_are_suggested_from_the_words_around_the_name(text, words, phrases):
    prepared = prepare(text)
    start = text.index(words)
    span = find_prose_span(prepared, start, start + len(words))
    assert span is not None and suggest_phrases(prepared, span) == phrases
    assert all(find_exclusion(prepared.folded, phrase, span) for phrase in phrases)


def test_an_exclusion_must_contain_the_name_at_its_place():
    prepared = prepare("Zenda Peak is not Zenda.")
    assert find_exclusion(prepared.folded, "ZENDA peak", (0, 5)) == (0, 10)
    assert find_exclusion(prepared.folded, "zenda peak", (18, 23)) is None


def test_without_corrections_nothing_changes():
    text = "1. Zenda\n2. Acme"
    assert read(text, ZENDA) == analyze(text, Lexicon([ZENDA])) == read(text, ZENDA, corrections=())


@prove
@given(st.text(alphabet="Zenda *_[](){}#|\n`é&;1.-", max_size=60), st.integers(0, 60), st.integers(1, 20))
def test_any_span_of_any_text_is_corrected_without_an_error(text, start, length):
    end = min(len(text), start + length)
    if start >= end:
        return
    dropped = places(text, ZENDA, corrections=[Correction("not_this_brand", start, end)])
    assert all(last <= start or first >= end for first, last, _ in dropped)
    added = places(text, ZENDA, corrections=[Correction("missing", start, end)])
    if find_prose_span(prepare(text), start, end) is None:
        assert added == places(text, ZENDA)
    else:
        assert any(first < end and last > start for first, last, _ in added)
