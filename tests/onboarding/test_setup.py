"""Completing the setup: everything at once, and the first check "runs as soon as setup completes"."""

import asyncio
import json
from datetime import timedelta

import pytest

from sightline.domains.schemas import CompetitorInput
from sightline.errors import Problem
from sightline.plans.table import Plan, build_plan_table
from sightline.platforms.pauses import pause_platform
from sightline.scans.scheduling.platform_choice import clean_choice, select_platforms
from sightline.scans.states import Priority, ScanStatus
from tests.installation import START


async def refuse(tracking, workspace_id, *prompts, **given):
    """Return the refusal, and assert that nothing of the setup was stored."""
    domain_id = (await tracking.track(workspace_id)).id
    with pytest.raises(Problem) as refused:
        await tracking.set_up(workspace_id, domain_id, *prompts, **given)
    found = await tracking.db.fetchrow(
        """SELECT status, anchor_at, brand_name, (SELECT count(*) FROM prompts), (SELECT count(*) FROM scans),
                  (SELECT count(*) FROM competitors) FROM domains"""
    )
    assert tuple(found) == ("setup", None, "acme", 0, 0, 0)
    return refused.value


async def test_a_domain_that_is_set_up_is_active_and_its_week_starts_now(tracking):
    workspace_id = await tracking.workspace()
    made = await tracking.track_and_set_up(workspace_id)
    assert made.domain.status == "active"
    assert await tracking.db.fetchval("SELECT anchor_at FROM domains") == START
    assert (made.domain.next_check_at, made.domain.next_check_scope) == (START + timedelta(days=1), "daily_check")


async def test_the_first_full_check_runs_as_soon_as_setup_completes(tracking):
    workspace_id = await tracking.workspace(Plan.STARTER)
    made = await tracking.track_and_set_up(workspace_id, "acme.com", "best crm", "cheapest crm")
    scan = made.first_check
    assert (scan.measurement_scope, scan.priority, scan.created_at) == ("full_check", Priority.FIRST, START)
    assert (scan.credits_charged, scan.livemode, scan.answers_total) == (0, True, 8)
    assert made.domain.platforms == scan.selected_platforms
    key = await tracking.db.fetchval("SELECT key FROM jobs WHERE kind = 'scan.start'")
    assert key == f"start:{scan.id}"


async def test_the_trial_has_its_first_full_check_too(tracking):
    made = await tracking.track_and_set_up(await tracking.workspace(Plan.TRIAL))
    assert (made.first_check.measurement_scope, len(made.first_check.selected_platforms)) == ("full_check", 3)


async def test_brand_competitors_and_markets_are_stored_and_measured_from_the_first_check(tracking):
    workspace_id = await tracking.workspace(Plan.AGENCY)
    made = await tracking.track_and_set_up(
        workspace_id,
        "acme.com",
        "best crm",
        brand_name="Acme Inc",
        aliases=["Acme Cloud"],
        owned_domains=["acme.io"],
        competitors=[CompetitorInput("globex.com", "Globex"), CompetitorInput("initech.com")],
        countries=["de", "US", "DE"],
        language_code="EN",
    )
    assert (made.domain.brand_name, made.domain.competitor_count) == ("Acme Inc", 2)
    brand = json.loads(made.first_check.brand)
    assert (brand["brand"]["name"], brand["brand"]["aliases"]) == ("Acme Inc", ["Acme Cloud"])
    assert brand["brand"]["domains"] == ["acme.com", "acme.io"]
    assert {rival["name"] for rival in brand["competitors"]} == {"Globex", "initech.com"}
    markets = await tracking.db.fetchrow("SELECT language_code, countries FROM domains")
    assert tuple(markets) == ("en", ["DE", "US"])


async def test_every_text_is_asked_in_every_country_and_without_one_it_is_global(tracking):
    workspace_id = await tracking.workspace(Plan.AGENCY)
    here = await tracking.track_and_set_up(workspace_id, "acme.com", "best crm", "cheapest crm", countries=["DE", "US"])
    asked = [(prompt["text"], prompt["country"]) for prompt in json.loads(here.first_check.prompts)]
    assert sorted(asked) == [("best crm", "DE"), ("best crm", "US"), ("cheapest crm", "DE"), ("cheapest crm", "US")]
    everywhere = await tracking.track_and_set_up(workspace_id, "globex.com", "best crm")
    (prompt,) = json.loads(everywhere.first_check.prompts)
    assert (prompt.get("country"), prompt["language"]) == (None, "en")


async def test_accepted_suggestions_are_marked_as_suggested_unless_the_customer_also_typed_them(tracking):
    workspace_id = await tracking.workspace()
    suggested = ["Which CRM is best?", "which crm is  BEST?", "best crm"]
    await tracking.track_and_set_up(workspace_id, "acme.com", "best crm", suggested=suggested)
    rows = await tracking.db.fetch("SELECT prompt, source FROM prompts")
    assert dict(rows) == {"best crm": "added_by_you", "Which CRM is best?": "suggested"}


async def test_a_daily_set_exists_from_the_first_day(tracking):
    workspace_id = await tracking.workspace(Plan.STARTER)
    await tracking.track_and_set_up(workspace_id, "acme.com", *(f"prompt {i}" for i in range(15)))
    assert await tracking.db.fetchval("SELECT count(*) FROM prompts WHERE daily") == 10


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"prompts": []}, "prompts"),
        ({"prompts": ["x"]}, "prompts[0].prompt"),
        ({"prompts": ["fine"], "suggested": ["x"]}, "suggested[0].prompt"),
        ({"countries": ["DE", "XX"]}, "countries[1]"),
        ({"language_code": "english"}, "language_code"),
        ({"brand_name": "  "}, "brand_name"),
        ({"owned_domains": ["localhost"]}, "owned_domains[0]"),
    ],
)
async def test_invalid_fields_are_named_and_nothing_is_stored(tracking, given, field):
    problem = await refuse(tracking, await tracking.workspace(), **given)
    assert problem.code == "validation_failed"
    assert [error["field"] for error in problem.members["errors"]] == [field]


async def test_more_prompts_than_the_plan_allows_are_refused_as_a_whole(tracking):
    problem = await refuse(
        tracking, await tracking.workspace(Plan.FREE), *(f"prompt {i}" for i in range(6)), countries=["DE", "US"]
    )
    assert (problem.code, problem.members) == ("prompt_limit_reached", {"current": 0, "limit": 10})


async def test_setup_is_refused_while_no_platform_of_the_plan_is_available(tracking):
    async with tracking.db.transaction() as tx:
        for key in ("chatgpt", "gemini", "perplexity"):
            await pause_platform(tx, key, now=START)
    problem = await refuse(tracking, await tracking.workspace(Plan.TRIAL))
    assert (problem.code, problem.members["platforms"]) == ("platform_unavailable", ["chatgpt", "gemini", "perplexity"])


async def test_a_setup_is_completed_once_however_often_it_is_sent(tracking):
    workspace_id = await tracking.workspace()
    domain_id = (await tracking.track(workspace_id)).id
    tried = await asyncio.gather(*(tracking.set_up(workspace_id, domain_id) for _ in range(3)), return_exceptions=True)
    assert sorted(getattr(result, "code", "done") for result in tried) == ["domain_exists", "domain_exists", "done"]
    assert await tracking.scopes(workspace_id) == ["full_check"]


# Platforms


def test_a_choice_is_kept_within_the_plan_and_all_of_them_is_no_choice():
    plans = build_plan_table({})
    starter = plans[Plan.STARTER]
    enabled = {"chatgpt", "gemini", "claude"}
    assert clean_choice(["gemini"], Plan.STARTER, starter, enabled) == ["gemini"]
    assert clean_choice(["gemini", "chatgpt"], Plan.STARTER, starter, enabled) is None, "all that can be asked"
    assert clean_choice(["gemini"], Plan.FREE, plans[Plan.FREE], enabled) is None, "the audit asks all of its plan"
    assert select_platforms(starter, ["gemini", "claude"]) == ("gemini",)
    assert select_platforms(starter, ["claude"]) == select_platforms(starter, None), "none is left after a downgrade"
    for chosen in ([], ["claude"]):
        with pytest.raises(Problem) as refused:
            clean_choice(chosen, Plan.STARTER, starter, enabled)
        assert refused.value.members["errors"][0]["field"] == "platforms"


async def test_checks_ask_the_chosen_platforms(tracking):
    workspace_id = await tracking.workspace(Plan.STARTER)
    made = await tracking.track_and_set_up(workspace_id, "acme.com", platforms=["perplexity", "chatgpt"])
    assert made.first_check.selected_platforms == made.domain.platforms == ["chatgpt", "perplexity"]
    await tracking.end_scan(workspace_id, made.first_check.id, ScanStatus.COMPLETED)
    tracking.installation.clock.advance(days=1)
    assert await tracking.tick() == 1
    daily = "SELECT selected_platforms FROM scans WHERE measurement_scope = 'daily_check'"
    assert await tracking.db.fetchval(daily) == ["chatgpt", "perplexity"]
