"""Opportunities and prompt suggestions after a Full Check (metrics 6 and 1.12)."""

import json

import pytest

from sightline.metrics.opportunity import score_opportunity, winnability_factor
from sightline.prompts.queries import mark_removed
from sightline.prompts.suggestions.origins import describe_origin
from tests.insights.anvil_market import BEST, PROMPTS, market_answer, open_market
from tests.scan_history import ScanHistory, ScriptedAnswer


async def opportunities_of(history) -> dict[str, dict]:
    rows = await history.rows("opportunities")
    return {found["prompt"]: found | {"id": row["id"]} for row in rows if (found := json.loads(row["opportunity"]))}


async def suggestions_of(history) -> dict[str, dict]:
    return {row["prompt"]: row for row in await history.rows("prompt_suggestions")}


async def set_volume(history, text, volume):
    await history.installation.db.execute(
        "UPDATE prompts SET ai_search_volume = $2, ai_search_volume_state = 'estimated' WHERE prompt = $1", text, volume
    )


async def test_an_opportunity_is_a_gap_where_people_ask_and_the_answer_can_be_won(installation):
    history = await open_market(installation)
    await set_volume(history, BEST, 2400)
    await history.run_full_check(market_answer)
    (found,) = (await opportunities_of(history)).values()  # the brand is named for SMALL, and nobody for LOUD
    assert (found["prompt"], found["gap"], found["demand"], found["demand_unknown"]) == (BEST, 1.0, 1.0, False)
    # Half of the citations lead to a list, the other half to a competitor; there is no repeat yet.
    assert found["winnability"] == pytest.approx(winnability_factor(0.5, 0.5, 0.5))
    assert found["score"] == pytest.approx(score_opportunity(1, 1, 0.6))
    assert {each["name"]: each["answers"] for each in found["competitors"]} == {"Globex": 5, "Initech": 5}
    assert {each["domain"]: (each["citations"], each["winnable"]) for each in found["sources"]} == {
        "g2.com": (5, True),
        "globex.com": (5, False),
    }
    assert len(found["answer_ids"]) == 5


async def test_an_opportunity_says_what_could_be_won_and_what_the_best_rival_does(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    (found,) = (await opportunities_of(history)).values()
    assert (found["gap_answers"], found["valid_answers"]) == (5, 5)
    assert (found["winnable_citations"], found["citations"]) == (5, 10)
    assert [(page["url"], page["type"], page["answers"], page["winnable"]) for page in found["pages"]] == [
        ("g2.com/categories/anvils", "review", 5, True),
        ("globex.com/anvils", "competitor", 5, False),
    ]
    assert found["best_rival"] == {
        "name": "Globex",
        "answers": 5,
        "mean_place": 1.0,
        "pages": ["globex.com/anvils"],
        "answer_ids": found["answer_ids"],
    }
    for part in (*found["competitors"], *found["sources"], *found["pages"]):
        assert part["answer_ids"] == found["answer_ids"], "all five name and cite the same"


async def test_the_site_of_a_brand_that_is_not_tracked_has_the_type_that_sources_show(installation):
    history = await open_market(installation)
    await history.run_full_check(
        lambda *_: ScriptedAnswer(
            "1. Hooli is a sound pick.\n2. Globex comes next.", cited=("https://hooli.com/a", "https://globex.com/a")
        )
    )
    for found in (await opportunities_of(history)).values():
        assert {each["domain"]: (each["type"], each["winnable"]) for each in found["sources"]} == {
            "hooli.com": ("other", False),
            "globex.com": ("competitor", False),
        }


async def test_a_profile_page_of_one_company_cannot_be_won_but_its_site_can(installation):
    profile, category = "trustpilot.com/review/elvison.com", "trustpilot.com/categories/anvils"
    history = await open_market(installation)
    await history.run_full_check(
        lambda *_: ScriptedAnswer("Globex is a sound pick.", cited=(f"https://{profile}", f"https://{category}"))
    )
    for found in (await opportunities_of(history)).values():
        assert {page["url"]: page["winnable"] for page in found["pages"]} == {profile: False, category: True}
        assert [each["winnable"] for each in found["sources"]] == [True]
        assert found["winnable_citations"] == found["citations"]


async def test_unknown_demand_is_said(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    (found,) = (await opportunities_of(history)).values()
    assert (found["demand_unknown"], found["demand"]) == (True, None)
    assert found["score"] == pytest.approx(score_opportunity(None, 1, 0.6))


async def test_an_answer_that_changes_between_repeats_can_be_changed(installation):
    history = await open_market(installation)
    await history.run_daily_check(lambda prompt, platform: "It depends on the forge, as always.")
    await history.run_full_check(market_answer)
    found = (await opportunities_of(history))[BEST]
    assert found["winnability"] == pytest.approx(winnability_factor(0.5, 0.5, 1.0))


async def test_a_failed_answer_is_no_change(installation):
    history = await open_market(installation)
    await history.run_daily_check(
        lambda prompt, platform: None if platform == "chatgpt" else "It depends on the forge."
    )
    await history.run_full_check(market_answer)
    found = (await opportunities_of(history))[BEST]
    assert found["winnability"] == pytest.approx(winnability_factor(0.5, 0.5, 0.5))


async def test_an_opportunity_keeps_its_id_and_goes_when_the_gap_is_closed(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    first = await opportunities_of(history)
    await history.run_full_check(market_answer)
    assert (await opportunities_of(history))[BEST]["id"] == first[BEST]["id"]
    await history.run_full_check(lambda prompt, platform: "Acme and Globex are both fine.")
    assert await opportunities_of(history) == {}


async def test_branded_and_removed_prompts_are_no_opportunities(installation):
    history = await open_market(installation)
    branded = await history.add_prompt("is the acme anvil any good")
    assert branded
    gone = await history.add_prompt("anvils by mail order")
    installation.clock.advance(days=1)
    say = lambda prompt, platform: "Globex is what most smiths buy."  # noqa: E731
    scan_id = await history.run_scan("full_check", say, insights=False)
    async with installation.db.transaction() as tx:
        await mark_removed(tx, history.workspace_id, history.domain_id, gone, now=installation.clock())
    await history.generate_insights(scan_id)
    assert set(await opportunities_of(history)) == set(PROMPTS)


async def test_new_prompts_are_questions_that_say_where_they_come_from(installation):
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    found = await suggestions_of(history)
    said = {
        text: describe_origin(row["origin"], row["origin_subjects"], row["origin_answers"])
        for text, row in found.items()
    }
    every = "ChatGPT, Gemini, Perplexity, Claude and Copilot"
    assert said == {
        "Which brands make the best anvils for farriers?": f"{every} searched for this in 5 answers",
        "Which anvil face is hard enough for tool steel?": f"{every} raised this question in 5 answers",
    }
    assert {(row["status"], row["scan_id"], row["language_code"]) for row in found.values()} == {
        ("open", scan_id, "en")
    }
    assert all(0 < row["priority"] <= 100 for row in found.values())


async def test_what_was_removed_or_dismissed_is_not_proposed_again(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    before = await suggestions_of(history)
    text = "Which brands make the best anvils for farriers?"
    await installation.db.execute("UPDATE prompt_suggestions SET status = 'dismissed' WHERE prompt = $1", text)
    await history.run_full_check(market_answer)
    after = await suggestions_of(history)
    assert set(before) <= set(after) and after[text]["status"] == "dismissed"


async def test_never_tracked_by_themselves_and_at_most_twenty_open(installation):
    history = await open_market(installation)
    kinds = ["cast", "forged", "welded", "vintage", "travel", "farrier", "bench", "silent", "double", "block"]
    uses = ["for knife makers", "for jewelry schools", "for railroad museums", "for horse farms"]
    for use in uses:
        queries = tuple(f"Which {kind} anvil is best {use}?" for kind in kinds)
        await history.run_full_check(
            lambda prompt, platform, queries=queries: ScriptedAnswer("An anvil? Globex makes most.", queries=queries)
        )
    rows = await history.rows("prompt_suggestions")
    assert len(rows) == 20, "ten of each check, and what is not decided leaves no room"
    assert len(await history.rows("prompts")) == len(PROMPTS)


async def test_a_suggestion_keeps_the_market_of_the_prompt_that_led_to_it(installation):
    history = await ScanHistory.open(installation)
    await history.add_prompt("welcher amboss eignet sich", language="de", country="AT")
    question = "Welcher Amboss eignet sich für kleine Werkstätten?"

    def say(prompt, platform):
        return ScriptedAnswer("Globex ist beliebt.", queries=("amboss gebraucht kaufen", question))

    await history.run_full_check(say)
    (row,) = await history.rows("prompt_suggestions")
    assert (row["prompt"], row["language_code"], row["country_iso_2"]) == (question, "de", "AT")
