"""GET /domains/{domain_id}/prompts: "Active tracked prompts, pinned first. Professional and Agency"."""

from datetime import timedelta
from decimal import Decimal

import msgspec
import pytest

from sightline.accounts.models import Role
from sightline.plans.table import Plan
from sightline.prompts.models import StoredSentiment
from tests.api.assertions import DATA, assert_problem
from tests.installation import START
from tests.prompts.prompts_client import PromptsClient

GOOD = StoredSentiment(score=72.25, label="positive", responses_analyzed=4, low_data=False, mixed=False)


@pytest.fixture
async def prompts(installation, client):
    return await PromptsClient.open(installation, client)


async def test_a_prompt_has_every_field_of_the_specification(prompts):
    made = await prompts.added("  Best CRM for startups?  ", country_iso_2="us", language_code="EN")
    nothing = {"period_start": None, "period_end": None}
    assert made == {
        "id": made["id"],
        "domain_id": prompts.domain_id,
        "prompt": "Best CRM for startups?",
        "language_code": "en",
        "country_iso_2": "US",
        "user_pinned": True,
        "pinned_at": "2026-11-15T09:30:10.000000+00:00",
        "source": "added_by_you",
        "status": "active",
        "search_volume": None,
        "ai_search_volume": None,
        "ai_search_volume_state": "pending",
        "cpc_usd": None,
        "estimated_traffic_value_usd": None,
        "monthly_value_usd": None,
        "sentiment": {
            "score": None,
            "label": None,
            "responses_analyzed": 0,
            "low_data": True,
            "mixed": False,
            "measurement_state": "not_measured",
            **nothing,
        },
        "co_mentioned_brands": [],
        "prompt_metrics_period": {**nothing, "refreshed_at": None, "is_current": False},
        "consecutive_uncited": 0,
        "last_scanned_at": None,
        "created_at": "2026-11-15T09:30:10.000000+00:00",
        "measures_nothing": False,
        "tags": [],
        "replaces": None,
    }
    assert await prompts.listed() == [made]


async def test_metrics_and_values_of_a_measured_prompt(prompts):
    prompt_id = (await prompts.added())["id"]
    end = START - timedelta(days=1)
    await prompts.change(
        prompt_id,
        search_volume=1_301,
        cpc_usd=Decimal("1.15"),
        ai_search_volume=0,
        ai_search_volume_state="estimated",
        period_end=end,
        sentiment=msgspec.json.encode(GOOD),
        co_mentioned_brands=["g2.com", "a.com", "b.com", "c.com", "d.com", "e.com"],
        named_share=0.5,
        consecutive_uncited=3,
        last_scanned_at=end,
    )
    (shown,) = await prompts.listed()
    started, ended = "2026-10-15T09:30:10.000000+00:00", "2026-11-14T09:30:10.000000+00:00"
    assert shown["ai_search_volume"] == 0, "zero is valid in state estimated"
    assert (shown["search_volume"], shown["cpc_usd"]) == (1_301, 1.15)
    assert shown["monthly_value_usd"] == 1_496.15
    assert shown["estimated_traffic_value_usd"] == 748.08, "748.075, half away from zero"
    assert shown["sentiment"] == {
        "score": 72.3,
        "label": "positive",
        "responses_analyzed": 4,
        "low_data": False,
        "mixed": False,
        "measurement_state": "measured",
        "period_start": started,
        "period_end": ended,
    }
    assert shown["co_mentioned_brands"] == ["g2.com", "a.com", "b.com", "c.com", "d.com"], "up to 5"
    assert shown["prompt_metrics_period"] == {
        "period_start": started,
        "period_end": ended,
        "refreshed_at": ended,
        "is_current": True,
    }
    assert (shown["consecutive_uncited"], shown["last_scanned_at"]) == (3, ended)

    prompts.installation.clock.advance(days=29)
    (shown,) = await prompts.listed()
    assert (shown["sentiment"]["measurement_state"], shown["sentiment"]["score"]) == ("expired", None)
    assert (shown["co_mentioned_brands"], shown["estimated_traffic_value_usd"]) == ([], None)
    assert shown["prompt_metrics_period"]["is_current"] is False
    assert shown["prompt_metrics_period"]["period_end"] == ended
    assert shown["monthly_value_usd"] == 1_496.15, "search data does not belong to the period"


async def test_pinned_first_then_most_recently_added(prompts, installation):
    texts = {}
    for number in range(4):
        texts[number] = (await prompts.added(f"prompt {number}"))["id"]
        installation.clock.advance(seconds=1)
    for number in (1, 3):
        await prompts.change(texts[number], pinned_at=None)
    assert [row["prompt"] for row in await prompts.listed()] == ["prompt 2", "prompt 0", "prompt 3", "prompt 1"]


async def test_pages_of_50_without_a_repeat_or_a_gap(prompts, installation):
    """Pages cross from pinned to unpinned prompts while prompts are added."""
    for number in range(10):
        await prompts.added(f"pinned {number}")
    await installation.db.execute(
        """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, source, status, created_at)
           SELECT $1, gen_random_uuid(), $2, 'p' || n, 'p' || n, 'suggested', 'active',
                  $3::timestamptz - n % 7 * interval '1 second'
           FROM generate_series(1, 100) n""",
        prompts.workspace_id,
        prompts.domain_id,
        START,
    )
    seen, cursor = [], {}
    for page in range(3):
        response = (await prompts.get(**cursor)).json()
        seen += [row["id"] for row in response["data"]]
        assert len(response["data"]) == (50, 50, 10)[page]
        assert response["meta"]["has_more"] is (page < 2)
        cursor = {"cursor": response["meta"]["next_cursor"]}
        if page == 0:
            installation.clock.advance(seconds=1)
            await installation.db.execute(
                "UPDATE prompts SET status = 'removed', removed_at = now() WHERE id = $1", seen[20]
            )
    assert cursor["cursor"] is None
    assert len(seen) == len(set(seen)) == 110
    ordered = [row["pinned_at"] is not None for row in await prompts.listed()]
    assert ordered == [True] * 10 + [False] * 40


async def test_a_cursor_belongs_to_the_list_of_one_domain(prompts, installation):
    for number in range(51):
        await installation.db.execute(
            """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, source, status, created_at)
               VALUES ($1, gen_random_uuid(), $2, $3, $3, 'suggested', 'active', $4)""",
            prompts.workspace_id,
            prompts.domain_id,
            f"prompt {number}",
            START,
        )
    cursor = (await prompts.get()).json()["meta"]["next_cursor"]
    assert (await prompts.get(cursor=cursor)).status_code == 200
    other = PromptsClient(
        installation, prompts.client, prompts.tenant, await installation.tracked_domain(prompts.tenant, "other.com")
    )
    assert_problem(await other.get(cursor=cursor), 400, "invalid_cursor")
    assert_problem(await prompts.get(cursor=cursor[:-1]), 400, "invalid_cursor")


async def test_only_active_prompts_are_listed_and_none_of_another_domain(prompts, installation):
    other = PromptsClient(
        installation, prompts.client, prompts.tenant, await installation.tracked_domain(prompts.tenant, "other.com")
    )
    await other.added("of the other domain")
    gone = await prompts.added("gone")
    kept = await prompts.added("kept")
    await prompts.removed(gone["id"])
    assert [row["id"] for row in await prompts.listed()] == [kept["id"]]


async def test_refusals_of_the_list_in_order(installation, client):
    """No key, wrong kind, revoked, other workspace, plan, left member; then success."""
    prompts = await PromptsClient.open(installation, client, Plan.PROFESSIONAL)
    url, tenant = prompts.url, prompts.tenant
    assert_problem(await client.get(url), 401, "key_missing")
    assert_problem(await client.get(url, headers={"X-API-Key": tenant.live}), 403, "wrong_key_kind")
    stranger = await installation.tenant()
    assert_problem(await client.get(url, headers={"X-API-Key": stranger.data}), 404, "domain_not_found")
    console = await installation.console_domain(tenant.live, "console.com")
    for domain_id in (console, "nonsense", tenant.id):
        response = await client.get(f"{DATA}/domains/{domain_id}/prompts", headers={"X-API-Key": tenant.data})
        assert_problem(response, 404, "domain_not_found")
    for plan, status in {Plan.STARTER: 403, Plan.TRIAL: 403, Plan.AGENCY: 200, Plan.PROFESSIONAL: 200}.items():
        await installation.db.execute("UPDATE workspaces SET plan = $2 WHERE id = $1", tenant.workspace.id, plan)
        response = await client.get(url, headers={"X-API-Key": tenant.data})
        assert response.status_code == status
        if status == 403:
            assert assert_problem(response, 403, "plan_required")["required_plans"] == ["professional", "agency"]
    viewer = await installation.mint(tenant, await installation.member(tenant, Role.VIEWER), "data")
    assert (await client.get(url, headers={"X-API-Key": viewer})).status_code == 200
    await installation.db.execute("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", tenant.workspace.id)
    assert_problem(await client.get(url, headers={"X-API-Key": tenant.data}), 401, "key_revoked")
