"""The insights that a Full Check generates, and what it does not change."""

import asyncio
import json

import pytest

from sightline.accounts.workspaces import set_plan
from sightline.insights.recommendations.robots import RobotsFile
from sightline.plans.table import Plan
from tests.insights.anvil_market import BEST, SMALL, market_answer, open_market, weaken_perplexity
from tests.scan_history import ScriptedAnswer

PARTS = ("competitors", "themes", "recommendations", "opportunities", "prompt_suggestions")


async def found(history, table, column):
    return [json.loads(row[column]) for row in await history.rows(table)]


async def snapshot(history):
    return {table: await history.rows(table) for table in PARTS}


async def test_brand_themes_with_count_share_and_a_verbatim_quote(installation):
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    themes = {theme["descriptor"]: theme for theme in await found(history, "themes", "theme")}
    theme = themes["ease of use"]
    assert (theme["kind"], theme["answers"], theme["share"]) == ("distinctive", 5, 100.0)
    assert (theme["prompts"], theme["platforms"], theme["positive"], theme["change"]) == (1, 5, 5, None)
    (quote,) = theme["quotes"]
    assert quote["text"] in market_text(SMALL) and "easy to use" in quote["text"]
    assert quote["answer_id"] in theme["answer_ids"] and len(theme["answer_ids"]) == 5
    assert {row["scan_id"] for row in await history.rows("themes")} == {scan_id}
    assert [row["place"] for row in await history.rows("themes")] == list(range(len(themes)))


def market_text(prompt):
    return market_answer(type("P", (), {"text": prompt}), "chatgpt").text


@pytest.mark.parametrize("plan", Plan, ids=str)
async def test_brand_themes_professional_and_agency_only(installation, plan):
    history = await open_market(installation, plan=plan)
    await history.run_full_check(market_answer)
    assert bool(await history.rows("themes")) == (plan in {Plan.PROFESSIONAL, Plan.AGENCY})
    assert await history.rows("recommendations") != []


async def test_themes_of_an_earlier_plan_are_removed_by_the_next_full_check(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    async with installation.db.transaction() as tx:
        await set_plan(tx, history.workspace_id, Plan.STARTER, now=installation.clock())
    assert await history.rows("themes") != []
    await history.run_full_check(market_answer)
    assert await history.rows("themes") == []


async def test_a_theme_says_what_became_of_it_since_the_full_check_before(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    await history.run_full_check(lambda *_: "Acme is overpriced, and smiths know it. Globex is fine.")
    (theme,) = await found(history, "themes", "theme")
    assert (theme["descriptor"], theme["polarity_label"]) == ("price", "negative")
    assert theme["change"] == {"share": 0.0, "verdict": "no_clear_change"}, "five matched cells prove nothing"
    trace = json.loads(await installation.db.fetchval("SELECT trace FROM theme_traces"))
    assert len(trace["cells"]) == 15 and {*map(tuple, (cell[2] for cell in trace["cells"]))} == {("price",)}


async def test_one_row_for_each_action_with_the_answers_that_prove_it(installation):
    """A third-party page is cited by answers that name a competitor and not us; so is a competitor's own page."""
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    rows = {row["kind"]: row for row in await found(history, "recommendations", "recommendation")}
    assert set(rows) == {"get_listed", "answer_question"}
    listed, question = rows["get_listed"], rows["answer_question"]
    assert (listed["subject"], listed["site_type"]) == ("g2.com/categories/anvils", "directory")
    assert [prompt["text"] for prompt in listed["prompts"]] == [BEST]
    assert (question["page_kind"], [page["url"] for page in question["pages"]]) == ("page", ["globex.com/anvils"])
    assert {proof["scan_id"] for row in rows.values() for proof in row["proofs"]} == {str(scan_id)}


async def test_a_negative_theme_points_at_the_pages_that_carry_the_claim(installation):
    history = await open_market(installation)

    def blame(prompt, platform):
        return ScriptedAnswer("Acme is overpriced and terrible. Globex is fine.", cited=("https://smithing.org/rant",))

    await history.run_full_check(blame)
    rows = await found(history, "recommendations", "recommendation")
    fixes = [row for row in rows if row["kind"] == "fix_claim"]
    assert [page["url"] for row in fixes for page in row["pages"]] == ["smithing.org/rant"], "a page is in one row only"


async def test_prompts_that_two_checks_miss_after_many_that_named_the_brand_are_to_be_won_back(installation):
    history = await open_market(installation)
    named = lambda *_: "Acme is what most smiths buy."  # noqa: E731
    for _ in range(3):
        first = await history.run_full_check(named)
    missing = lambda *_: "Globex is what most smiths buy."  # noqa: E731
    second = await history.run_full_check(missing)
    rows = await found(history, "recommendations", "recommendation")
    assert "win_back" not in {row["kind"] for row in rows}, "one check may be chance"
    third = await history.run_full_check(missing)
    rows = {row["kind"]: row for row in await found(history, "recommendations", "recommendation")}
    lost = rows["win_back"]
    day = await installation.db.fetchval("SELECT completed_at::date::text FROM scans WHERE id = $1", first)
    assert (lost["subject"], len(lost["prompts"])) == (day, 3)
    assert {proof["scan_id"] for proof in lost["proofs"]} == {str(second), str(third)}
    assert (lost["share"], lost["other_share"]) == ({"named": 0, "answers": 30}, {"named": 45, "answers": 45})


async def test_robots_txt_of_the_own_site_is_read_once_for_a_platform_that_does_worse(installation):
    history = await open_market(installation)
    script = await weaken_perplexity(history)
    asked = []

    async def fetch(domain):
        asked.append(domain)
        return RobotsFile(f"https://{domain}/robots.txt", "User-agent: PerplexityBot\nDisallow: /", exists=True)

    scan_id = await history.run_scan("full_check", script, insights=False)
    await installation.db.execute("UPDATE scans SET answers_source = 'live' WHERE id = $1", scan_id)
    for _ in range(2):
        await history.generate_insights(scan_id, fetch_robots=fetch)
    assert asked == ["acme.com"]
    (door,) = [row for row in await found(history, "recommendations", "recommendation") if row["kind"] == "open_door"]
    assert (door["robots"]["outcome"], door["robots"]["blocked"]) == ("blocked", ["PerplexityBot"])


async def test_nobody_is_contacted_for_made_up_answers(installation):
    history = await open_market(installation)
    script = await weaken_perplexity(history)

    async def fetch(domain):
        raise AssertionError(domain)

    scan_id = await history.run_scan("full_check", script, insights=False)
    await history.generate_insights(scan_id, fetch_robots=fetch)
    rows = await found(history, "recommendations", "recommendation")
    assert [row["robots"] for row in rows if row["kind"] == "open_door"] == [None]


async def test_nothing_significant_says_so_and_never_invents_a_task(installation):
    history = await open_market(installation)
    await history.run_full_check(
        lambda prompt, platform: ScriptedAnswer("Acme, Globex and Initech all do.", cited=("https://acme.com/",))
    )
    rows = await found(history, "recommendations", "recommendation")
    assert [row["kind"] for row in rows] == ["nothing_significant"]


async def test_competitors_are_suggested_and_never_tracked_by_themselves(installation):
    history = await open_market(installation)

    def say(prompt, platform):
        return "1. **Hooli** - a fine anvil\n2. **Globex** - heavy\n3. **Vandelay** - light"

    await history.run_full_check(say)
    rows = await history.rows("competitors")
    assert {row["found_as"] for row in rows} == {"Hooli", "Vandelay"}
    assert {(row["status"], row["discovery_source"]) for row in rows} == {("suggested", "detected")}


async def test_brand_themes_and_recommendations_change_only_after_a_full_check(installation):
    history = await open_market(installation)
    await history.run_full_check(market_answer)
    before = await snapshot(history)
    await history.run_daily_check(lambda prompt, platform: "Initech is terrible and Acme is slow.")
    assert await snapshot(history) == before


async def test_running_twice_changes_nothing_and_neither_does_an_older_check(installation):
    history = await open_market(installation)
    first = await history.run_full_check(lambda prompt, platform: "Acme is fine and Globex is heavy.")
    second = await history.run_full_check(market_answer)
    before = await snapshot(history)
    installation.clock.advance(hours=1)
    await history.generate_insights(second)
    await history.generate_insights(first)
    assert await snapshot(history) == before


async def test_the_next_run_completes_what_a_crash_left_undone(installation):
    history = await open_market(installation)
    scan_id = await history.run_full_check(market_answer)
    whole = await snapshot(history)
    await installation.db.execute("DELETE FROM opportunities")
    await installation.db.execute("DELETE FROM drawn_insights WHERE part = 'opportunities'")
    await history.generate_insights(scan_id)
    again = await snapshot(history)
    assert [row["prompt_id"] for row in again["opportunities"]] == [row["prompt_id"] for row in whole["opportunities"]]
    assert {**again, "opportunities": []} == {**whole, "opportunities": []}


async def test_the_report_is_requested_only_after_a_full_check(installation):
    history = await open_market(installation)
    await history.run_daily_check(market_answer)
    assert await history.jobs("report") == []
    scan_id = await history.run_full_check(market_answer)
    assert await history.jobs("report") == [{"workspace_id": str(history.workspace_id), "scan_id": str(scan_id)}]


async def test_the_free_audit_only_suggests_competitors(installation):
    history = await open_market(installation)
    await history.run_scan(
        "free_audit", lambda prompt, platform: "1. **Globex** - good\n2. **Initech** - light\n3. **Hooli** - new"
    )
    before = await snapshot(history)
    assert before.pop("competitors") != []
    assert before == {table: [] for table in before}
    assert await history.jobs("report") == []


async def test_a_domain_removed_meanwhile_gets_no_insights(installation):
    history = await open_market(installation)
    installation.clock.advance(days=1)
    scan_id = await history.run_scan("full_check", market_answer, insights=False)
    await installation.db.execute(
        "UPDATE domains SET status = 'removed', removed_at = $2 WHERE id = $1", history.domain_id, installation.clock()
    )
    await history.generate_insights(scan_id)
    assert await snapshot(history) == {table: [] for table in PARTS}
    assert await history.jobs("report") == []


async def test_two_workers_with_the_same_check_generate_once(installation):
    history = await open_market(installation)
    installation.clock.advance(days=1)
    scan_id = await history.run_scan("full_check", market_answer, insights=False)
    await asyncio.gather(*(history.generate_insights(scan_id) for _ in range(3)))
    for table, row in (("themes", "theme"), ("recommendations", "recommendation")):
        rows = [json.dumps(each) for each in await found(history, table, row)]
        assert len(rows) == len(set(rows)) > 0
    assert len(await history.jobs("report")) == 1


async def test_unconfirmed_competitors_and_single_neutral_words_are_not_themes(installation):
    history = await open_market(installation)
    text = (
        "1. **Acme** is reliable and has a superb hardened face.\n2. **Hooli** - a rising name.\n"
        "3. **Globex** - known.\n\nAcme and Hooli are good alternatives."
    )
    await history.run_full_check(lambda *_: text)
    themes = [theme["descriptor"] for theme in await found(history, "themes", "theme")]
    assert set(themes) == {"reliability", "hardened face"}
