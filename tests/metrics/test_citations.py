"""Metrics 1.5, 1.9 and 1.10. URLs are normalized and tested in `answers/`; here they already are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sightline.metrics.citations import (
    count_citations,
    count_cited_answers,
    count_consecutive_uncited,
    measure_citation_rate,
    measure_citation_share,
    rank_co_mentioned,
)
from tests.metrics.builders import failed, mixed_panels, observe, panels
from tests.property_testing import prove


def test_1_5_ex_a_two_distinct_pages_in_one_answer():
    """The four spellings of the example are two URLs once normalized."""
    answers = [observe(cited_urls={"acme.com/a", "acme.com/b"})]
    assert count_citations(answers).value == 2
    assert count_cited_answers(answers).value == 1


def test_1_5_ex_b_two_answers_citing_the_same_page_are_2():
    assert count_citations([observe(cited_urls={"acme.com/a"}), observe(cited_urls={"acme.com/a"})]).value == 2


def test_1_5_ex_c_another_host_is_0():
    foreign = observe(has_sources=True, source_urls=1, source_domains=frozenset({"evil.io"}))
    assert count_citations([foreign]).value == 0
    assert measure_citation_rate([foreign]).value == 0


def test_1_5_ex_d_a_numbered_mark_for_an_owned_source_is_1():
    assert count_citations([observe(cited_urls={"acme.com"})]).value == 1


def test_1_5_the_rate_is_over_answers_with_a_source():
    answers = [
        observe(0, None, 1),
        observe(has_sources=True),
        observe(has_sources=True),
        observe(),
        observe(),
        *failed(3),
    ]
    rate = measure_citation_rate(answers)
    assert (rate.numerator, rate.denominator, rate.value) == (1, 3, pytest.approx(100 / 3))


def test_1_5_no_source_at_all_gives_null():
    assert measure_citation_rate([observe(), observe(1)]).value is None
    assert measure_citation_share([observe(has_sources=True)]).value is None
    assert count_citations([observe()]).value == 0
    assert count_citations(failed(2)).value is None


def test_1_5_branded_prompts_count_for_citations():
    assert count_citations([observe(0, None, 1), observe(0, None, 1, branded=True)]).value == 2


def test_1_5_citation_share_is_of_all_urls_cited():
    answers = [
        observe(cited_urls={"acme.com/a", "acme.com/b"}, source_urls=8),
        observe(has_sources=True, source_urls=2),
    ]
    share = measure_citation_share(answers)
    assert (share.value, share.numerator, share.denominator, share.n) == (20.0, 2, 10, 2)


@pytest.mark.parametrize(
    ("history", "run"),
    [
        pytest.param("CUUFU", 3, id="1.9 C U U F U"),
        pytest.param("UUC", 0, id="1.9 U U C"),
        pytest.param("UUUU", 4, id="1.9 U U U U"),
        pytest.param("CNN", 2, id="1.9 C N N"),
        pytest.param("FFF", 0, id="1.9 none valid"),
        pytest.param("", 0, id="1.9 never scanned"),
    ],
)
def test_1_9_consecutive_uncited(history, run):
    kinds = {
        "C": [observe(0, None, 1)],
        "U": [observe(has_sources=True)],
        "N": [observe()],
        "F": [*failed(1), *failed(1, status="no_surface")],
    }
    assert count_consecutive_uncited([kinds[letter] for letter in history]) == run


def test_1_9_any_citation_in_a_scan_resets_the_run_and_failed_answers_do_not_matter():
    uncited = [observe(1), observe(has_sources=True), *failed(2)]
    assert count_consecutive_uncited([uncited, [*uncited, observe(0, None, 1)], uncited]) == 1


def _sources(*domains, mentioned=1, **fields):
    return observe(mentioned, has_sources=True, source_domains=frozenset(domains), **fields)


def test_1_10_ex_a_by_answers_then_lift_then_name():
    answers = [_sources("g2.com", "foo.com"), _sources("g2.com"), _sources("g2.com", "bar.com")]
    rows = rank_co_mentioned(answers, frozenset())
    assert [(row.domain, row.answers) for row in rows] == [("g2.com", 3), ("bar.com", 1), ("foo.com", 1)]


def test_1_10_ex_b_never_mentioned_or_cited():
    assert rank_co_mentioned([_sources("g2.com", mentioned=0), observe()], frozenset()) == ()


def test_1_10_ex_c_only_the_owned_domain_cited():
    assert rank_co_mentioned([_sources("acme.com")], frozenset({"acme.com"})) == ()


def test_1_10_without_mentions_the_citations_decide():
    answers = [_sources("g2.com", "acme.com", mentioned=0, cited=1), _sources("foo.com", mentioned=0)]
    assert [row.domain for row in rank_co_mentioned(answers, frozenset({"acme.com"}))] == ["g2.com"]


def test_1_10_the_rarer_domain_has_the_higher_lift():
    answers = [_sources("common.com", "rare.com"), _sources("common.com", mentioned=0), observe()]
    rows = rank_co_mentioned(answers, frozenset())
    assert [(row.domain, row.lift) for row in rows] == [("rare.com", 3.0), ("common.com", 1.5)]


def test_1_10_at_most_five():
    assert len(rank_co_mentioned([_sources(*(f"s{number}.com" for number in range(9)))], frozenset())) == 5


@prove
@given(mixed_panels, st.randoms(use_true_random=False))
def test_the_order_of_answers_does_not_matter(answers, random):
    shuffled = random.sample(answers, len(answers))
    for measure in (count_citations, count_cited_answers, measure_citation_rate, measure_citation_share):
        assert measure(shuffled) == measure(answers)
    assert rank_co_mentioned(shuffled, frozenset()) == rank_co_mentioned(answers, frozenset())


@prove
@given(panels)
def test_rates_lie_within_0_and_100_and_inside_their_intervals(answers):
    for measure in (measure_citation_rate, measure_citation_share):
        figure = measure(answers)
        assert (figure.value is None) == (figure.interval is None)
        if figure.value is not None:
            assert 0 <= figure.interval.low <= figure.value + 1e-9
            assert figure.value - 1e-9 <= figure.interval.high <= 100
    assert count_cited_answers(answers).numerator <= count_citations(answers).numerator
