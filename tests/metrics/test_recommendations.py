"""Metrics 6: each row of the table fires on its evidence, lists its proof, and does not fire one step below."""

import msgspec
import pytest

from sightline.metrics.recommendations import (
    CitedPage,
    ClaimFacts,
    PromptFacts,
    Recommendation,
    find_cited_unnamed,
    find_claims,
    find_missing_listings,
    find_missing_pages,
    find_named_uncited,
    find_retrieved_uncited,
    find_unknown_brand,
    find_weak_countries,
    find_weak_platforms,
    recommend,
)
from tests.metrics.builders import from_rows, observe


def _facts(rows, **fields):
    return PromptFacts(prompt_id="q", brand=tuple(from_rows(rows)), **fields)


def _page(owner, answers=3):
    return CitedPage(f"{owner}.com/best", owner, tuple(f"a{number}" for number in range(answers)))


@pytest.mark.parametrize(
    ("gap", "valid", "page", "fires"),
    [
        (3, 6, _page("third_party"), True),
        (2, 5, _page("third_party"), False),
        (4, 4, _page("third_party"), False),
        (5, 5, _page("third_party", 2), False),
        (5, 5, _page("competitor"), False),
    ],
)
def test_6_get_listed_on_that_exact_page(gap, valid, page, fires):
    facts = _facts(
        [(0,)] * valid, competitors=(tuple(from_rows([(1, 1)] * gap + [(0,)] * (valid - gap))),), pages=(page,)
    )
    expected = Recommendation(kind="get_listed", subject=page.url, prompt_id="q", answer_ids=page.answer_ids)
    assert find_missing_listings(facts) == ([expected] if fires else [])


@pytest.mark.parametrize(
    ("history", "rivals", "fires"),
    [("UUUUU", 3, True), ("UUUUU", 2, False), ("UUUU", 3, False), ("UUUUUC", 3, False), ("CUUNUFUU", 3, True)],
)
def test_6_publish_a_page_for_the_question(history, rivals, fires):
    kinds = {
        "U": {"has_sources": True},
        "C": {"cited": 1},
        "N": {},
        "F": {"status": "failed"},
    }
    facts = _facts(
        [], history=tuple(observe(**kinds[letter]) for letter in history), pages=(_page("competitor", rivals),)
    )
    found = find_missing_pages(facts)
    assert [row.kind for row in found] == (["publish_page"] if fires else [])
    if fires:
        assert found[0].pages == ("competitor.com/best",)
        assert {"a0", "a1", "a2"} < set(found[0].answer_ids)
        assert len(found[0].answer_ids) == 8


@pytest.mark.parametrize(
    ("rows", "fires"),
    [
        ([(1, 1, 0)] * 5 + [(0,)] * 5, True),
        ([(1, 1, 0)] * 4 + [(0,)] * 6, False),
        ([(1, 1, 0)] * 9 + [(1, 1, 1)], False),
        ([(1, 1, 0)] * 10 + [(1, 1, 1)], True),
        ([(1, 1, 0)] * 2, False),
    ],
)
def test_6_make_your_own_page_citable(rows, fires):
    facts = _facts(rows)
    found = find_named_uncited(facts)
    assert [row.kind for row in found] == (["make_citable"] if fires else [])
    if fires:
        proof = tuple(one.answer_id for one in facts.brand if one.mentioned and not one.cited)
        assert found[0].answer_ids == proof


def test_6_platforms_that_never_cite_do_not_ask_for_a_citable_page():
    facts = _facts([(1, 1, 0)] * 8)
    uncited = [msgspec.structs.replace(answer, platform_cites=False) for answer in facts.brand]
    assert find_named_uncited(msgspec.structs.replace(facts, brand=tuple(uncited))) == []


@pytest.mark.parametrize(("answers", "fires"), [(2, False), (3, True)])
def test_6_rules_that_need_three_answers(answers, fires):
    cited = _facts([(0, None, 1)] * answers + [(1, 1, 1)] * 4)
    retrieved = _facts([], retrieved_uncited=tuple(f"a{number}" for number in range(answers)))
    unknown = [observe(stance="unknown") for _ in range(answers)] + [observe(1, stance="contrast")] * 5
    for found, kind in (
        (find_cited_unnamed(cited), "name_the_claim"),
        (find_retrieved_uncited(retrieved), "tighten_page"),
        (find_unknown_brand(unknown), "entity_basics"),
    ):
        assert [(row.kind, len(row.answer_ids)) for row in found] == ([(kind, answers)] if fires else [])


@pytest.mark.parametrize(("answers", "platforms", "fires"), [(3, 2, True), (2, 2, False), (9, 1, False)])
def test_6_fix_the_source_of_a_claim(answers, platforms, fires):
    claim = ClaimFacts(
        descriptor="slow support", platforms=platforms, pages=("x.com/1",), answer_ids=tuple(map(str, range(answers)))
    )
    assert [(row.kind, row.subject, row.pages) for row in find_claims(claim)] == (
        [("fix_source", "slow support", ("x.com/1",))] if fires else []
    )


def _by_part(key, prompts):
    """Return observations of three parts, of which "weak" never names the brand and the others always do."""
    return [
        observe(part != "weak", **{"prompt_id": f"q{prompt}", key: part})
        for prompt in range(prompts)
        for part in ("weak", "good", "fine")
    ]


@pytest.mark.parametrize(("prompts", "fires"), [(5, False), (6, True)])
def test_6_one_platform_or_country_below_the_rest_by_the_paired_test(prompts, fires):
    for rule, key, kind in (
        (find_weak_platforms, "platform", "platform_access"),
        (find_weak_countries, "country", "local_page"),
    ):
        found = rule(_by_part(key, prompts))
        assert [(row.kind, row.subject, len(row.answer_ids)) for row in found] == (
            [(kind, "weak", prompts)] if fires else []
        )


def test_6_without_significant_findings_no_task_is_invented():
    assert recommend([], [], []) == (Recommendation(kind="nothing_significant"),)
    healthy = [observe(1, 1, 1, prompt_id=f"q{n}", platform=p) for n in range(9) for p in "ab"]
    facts = PromptFacts(prompt_id="q0", brand=tuple(healthy[:2]))
    assert [row.kind for row in recommend([facts], healthy, [])] == ["nothing_significant"]


def test_6_all_rules_are_applied():
    unnamed = _facts([(0, None, 1)] * 3)
    claim = ClaimFacts(descriptor="dear", platforms=2, answer_ids=("1", "2", "3"))
    observations = [*_by_part("platform", 6), *(observe(stance="unknown") for _ in range(3))]
    kinds = [row.kind for row in recommend([unnamed], observations, [claim])]
    assert kinds == ["name_the_claim", "fix_source", "platform_access", "entity_basics"]
