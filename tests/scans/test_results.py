"""Results compared with hand-computed numbers and with the formulas."""

import asyncio
import random
from datetime import date

import msgspec
import pytest

from sightline.answers.models import Brand
from sightline.metrics.coverage import measure_coverage
from sightline.metrics.figure import to_figure
from sightline.metrics.share_of_voice import measure_share_of_voice
from sightline.metrics.visibility import measure_visibility
from sightline.scans.local_check import run_check
from sightline.scans.models import ScanPlan, ScanPrompt
from sightline.scans.observations import make_observations
from sightline.scans.platform_clients import build_subject, open_platform_clients
from sightline.scans.results import build_results
from sightline.scans.rivals import finalize_ranks
from sightline.settings import Settings
from tests.scans.small_scans import ACME, GLOBEX, answer, plan, small_scan


def test_the_headline_matches_hand_computed_numbers():
    made, answers = small_scan()
    found = build_results(made, answers)
    # Visibility: 1 if named first and cited, 0 if absent, 1 if named first on a platform without citations. The failed
    # answer does not count.
    headline = found.headline
    assert (headline.visibility_score.value, headline.visibility_score.n) == (66.7, 3)
    assert (headline.visibility_score.low, headline.visibility_score.high) == (20.8, 93.9)
    assert (headline.brand_coverage_pct.value, headline.brand_coverage_pct.numerator) == (66.7, 2)
    assert (headline.ai_mentions.value, headline.ai_mentions.low) == (2, None)
    assert (headline.citation_count.value, headline.citation_count.denominator) == (1, 3)
    assert (headline.share_of_voice_pct.value, headline.share_of_voice_pct.denominator) == (50.0, 4)
    assert (headline.market_position.value, headline.market_position.denominator) == (1, 2)
    assert (headline.market_position.low, headline.market_position.high) == (1, 2)
    assert all(getattr(headline, name).early_reading for name in headline.__struct_fields__)
    assert (found.planned, found.valid, found.failed, found.unanswered) == (4, 3, 1, 0)
    assert found.incomplete and found.early_reading and not found.only_branded


def test_platforms_match_hand_computed_numbers():
    made, answers = small_scan()
    chatgpt, deepseek = build_results(made, answers).platforms
    assert (chatgpt.valid, chatgpt.planned, chatgpt.failed, chatgpt.incomplete) == (1, 2, 1, True)
    assert [(each.kind, each.answers, each.message) for each in chatgpt.faults] == [("timeout", 1, "why")]
    assert chatgpt.visibility_score.value == 100.0 and chatgpt.citation_count.value == 1
    assert (deepseek.valid, deepseek.incomplete, deepseek.faults) == (2, False, ())
    # Named first in 1 of 2 answers, on a platform where citations have no weight.
    assert deepseek.visibility_score.value == 50.0 and deepseek.brand_coverage_pct.value == 50.0
    assert chatgpt.surface_rate is None


def test_competitors_match_hand_computed_numbers():
    made, answers = small_scan()
    first, second = build_results(made, answers).competitors
    assert (first.name, first.is_own, first.position, first.mentions, first.share_of_voice_pct) == (
        "Acme", True, 1, 2, 50.0,
    )  # fmt: skip
    # Second on ChatGPT (0.5 + 0.3 · 0.6309), first on DeepSeek (1), absent: 1.68928 / 3.
    assert (second.name, second.score.value, second.position, second.mentions) == ("Globex", 56.3, 2, 2)
    assert (second.position_low, second.position_high) == (1, 2)


def test_each_prompt_has_a_cell_for_each_platform():
    made, answers = small_scan()
    first, second = build_results(made, answers).prompts
    assert (first.prompt, first.branded, first.country) == ("best crm for startups", False, None)
    named, absent = first.platforms
    assert (named.status, named.mentioned, named.cited, named.position) == ("ok", True, True, 1)
    assert (absent.status, absent.mentioned, absent.cited, absent.position) == ("ok", False, False, None)
    failed = second.platforms[0]
    assert (failed.status, failed.mentioned, failed.cited, failed.position) == ("failed", None, None, None)
    assert [cell.answer_id for cell in first.platforms] == ["0001-chatgpt", "0001-deepseek"]


def test_without_a_valid_answer_every_figure_is_missing():
    made = plan("best crm", platforms=("chatgpt",))
    found = build_results(made, [answer(made, 1, "chatgpt", "", fault="no_money")])
    for name in found.headline.__struct_fields__:
        assert getattr(found.headline, name).value is None, name
    assert found.competitors == () and found.sources == () and found.candidates == ()
    assert found.platforms[0].visibility_score.value is None and found.incomplete


def test_a_stopped_check_counts_its_unanswered_cells():
    made, answers = small_scan()
    found = build_results(made, answers[:1])
    assert (found.valid, found.failed, found.unanswered, found.incomplete) == (1, 0, 3, True)
    assert found.prompts[1].platforms[0].status == "unanswered" and found.prompts[1].platforms[0].answer_id is None
    assert found.headline.visibility_score.value == 100.0
    assert [each.unanswered for each in found.platforms] == [1, 2]


def test_an_overview_that_is_not_shown_is_not_a_failure():
    made = plan("best crm", "cheap crm", platforms=("google_ai_overviews",))
    given = [
        answer(made, 1, "google_ai_overviews", "Acme and Globex are named most often."),
        answer(made, 2, "google_ai_overviews", "", status="no_surface"),
    ]
    found = build_results(made, given)
    (platform,) = found.platforms
    assert (platform.valid, platform.no_surface, platform.failed, platform.incomplete) == (1, 1, 0, False)
    assert (platform.surface_rate.value, platform.surface_rate.n) == (50.0, 2)
    assert found.headline.brand_coverage_pct.value == 100.0 and not found.incomplete


def test_branded_prompts_are_measured_separately():
    made = plan("best crm", "is ACME's crm any good?", platforms=("chatgpt",))
    given = [
        answer(made, 1, "chatgpt", "Globex leads, and Initech follows."),
        answer(made, 2, "chatgpt", "Yes, Acme is good.", "https://acme.com/"),
    ]
    found = build_results(made, given)
    assert [prompt.branded for prompt in found.prompts] == [False, True]
    assert found.headline.brand_coverage_pct.value == 0.0 and found.headline.brand_coverage_pct.n == 1
    assert found.headline.citation_count.value == 1  # citations count everywhere
    assert found.branded.brand_coverage_pct.value == 100.0 and found.branded.brand_coverage_pct.n == 1
    only = plan("is acme good?", platforms=("chatgpt",))
    alone = build_results(only, [answer(only, 1, "chatgpt", "Yes, Acme is good.")])
    assert alone.only_branded and alone.headline.brand_coverage_pct.value == 100.0
    assert build_results(*small_scan()).branded is None


def test_a_brand_that_is_neither_named_nor_cited_comes_last_without_a_rank():
    made = plan("best crm", platforms=("chatgpt",), competitors=(GLOBEX, Brand("Aaa Nobody")))
    found = build_results(made, [answer(made, 1, "chatgpt", "Only Globex is worth a look here.")])
    assert [(row.name, row.position) for row in found.competitors] == [
        ("Globex", 1), ("Acme", None), ("Aaa Nobody", None),
    ]  # fmt: skip
    assert found.headline.market_position.value is None
    assert {row.name for row in found.competitors if row.tied} == {"Acme", "Aaa Nobody"}


def test_results_include_sentiment_only_on_request():
    made = plan("best crm", "cheap crm", "simple crm", platforms=("chatgpt",))
    given = [
        answer(made, place, "chatgpt", "Acme is excellent and highly recommended.", sentiment="model")
        for place in (1, 2, 3)
    ]
    assert build_results(made, given).sentiment is None
    found = build_results(made, given, sentiment=True).sentiment
    assert (found.label, found.scored, found.low_data) == ("positive", 3, False)


def test_unplanned_and_duplicate_answers_are_refused():
    made, answers = small_scan()
    with pytest.raises(ValueError, match="planned cell"):
        build_results(made, [*answers, answers[0]])
    with pytest.raises(ValueError, match="planned cell"):
        build_results(msgspec.structs.replace(made, platforms=("chatgpt",)), answers)


def sandbox_check(competitors=("Mirvune", "Globex"), prompts=6):
    brands = tuple(Brand(name, (), (f"{name.lower()}.com",)) for name in competitors)

    async def run():
        subject = build_subject("acme.com", ACME, brands)
        texts = [f"which coffee roasters are best, question {number}" for number in range(prompts - 1)]
        async with open_platform_clients(Settings(sandbox_latency_ms=0), subject, date(2026, 11, 15)) as clients:
            made = ScanPlan(
                domain="acme.com",
                brand=ACME,
                competitors=brands,
                prompts=tuple(ScanPrompt(id=text, text=text) for text in [*texts, "is Acme good?"]),
                platforms=tuple(clients.connectors),
                uncited=clients.uncited,
            )
            ids = map(str, range(1000, 9999))
            answers = [each async for each in run_check(made, clients, new_id=lambda: next(ids), stop=asyncio.Event())]
        return made, finalize_ranks(made, answers)

    return asyncio.run(run())


@pytest.fixture(scope="module")
def large_check():
    return sandbox_check()


def test_figures_match_the_formulas(large_check):
    made, answers = large_check
    found = build_results(made, answers)
    own, *others = make_observations(made, answers)
    assert found.headline.visibility_score == to_figure(measure_visibility(own))
    assert found.headline.brand_coverage_pct == to_figure(measure_coverage(own))
    assert found.headline.share_of_voice_pct == to_figure(measure_share_of_voice(own, others))
    for row in found.platforms:
        on_platform = [analysis for analysis in own if analysis.platform == row.platform]
        assert row.visibility_score == to_figure(measure_visibility(on_platform))
    assert sum(row.ai_mentions.value for row in found.platforms) == found.headline.ai_mentions.value
    cells = [cell for prompt in found.prompts if not prompt.branded for cell in prompt.platforms]
    assert sum(cell.mentioned is True for cell in cells) == found.headline.ai_mentions.value
    assert {cell.answer_id for prompt in found.prompts for cell in prompt.platforms} == {each.id for each in answers}
    assert sum(row.share_of_voice_pct for row in found.competitors) == pytest.approx(100, abs=0.2)


def test_results_do_not_depend_on_the_order_of_answers_and_competitors(large_check):
    made, answers = large_check
    found = build_results(made, answers)
    for seed in range(4):
        shuffled = random.Random(seed).sample(answers, len(answers))
        assert build_results(made, shuffled) == found
        settled = finalize_ranks(made, shuffled)
        assert sorted(settled, key=lambda each: each.id) == sorted(answers, key=lambda each: each.id)
    reversed_plan = msgspec.structs.replace(made, competitors=made.competitors[::-1])
    reversed_answers = [_reverse_competitors(each) for each in answers]
    assert build_results(reversed_plan, reversed_answers) == found


def _reverse_competitors(given):
    if given.analysis is None:
        return given
    own, *others = given.analysis.brands
    return msgspec.structs.replace(given, analysis=msgspec.structs.replace(given.analysis, brands=(own, *others[::-1])))


def test_results_are_unchanged_by_json_encoding(large_check):
    from sightline.scans.schemas.results import ScanMeasurements

    found = build_results(*large_check)
    assert msgspec.json.decode(msgspec.json.encode(found), type=ScanMeasurements) == found
