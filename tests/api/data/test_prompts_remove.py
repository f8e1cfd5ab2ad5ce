"""DELETE /domains/{domain_id}/prompts/{prompt_id}, POST …/unpin, and concurrent writes."""

import asyncio

import pytest

from sightline.kit.ids import new_id
from tests.api.assertions import DATA, assert_problem
from tests.api.data.test_prompts_add import open_with_prompt_limit
from tests.prompts.prompts_client import PromptsClient


@pytest.fixture
async def prompts(installation, client):
    return await PromptsClient.open(installation, client)


async def test_a_removed_prompt_leaves_the_list_and_requests_a_new_scoreboard(prompts, installation):
    gone, kept = await prompts.added("gone"), await prompts.added("kept")
    response = await prompts.delete(gone["id"])
    assert response.status_code == 200
    assert response.json()["data"] == {"id": gone["id"], "deleted": True}
    assert [row["id"] for row in await prompts.listed()] == [kept["id"]]
    assert await prompts.counts() == (1, 1)
    query = "SELECT status, pinned_at, daily, removed_at IS NOT NULL FROM prompts WHERE id = $1"
    assert tuple(await installation.db.fetchrow(query, gone["id"])) == ("removed", None, False, True)
    assert await prompts.jobs("scoreboard.refresh") == [
        {"workspace_id": prompts.tenant.id, "domain_id": prompts.domain_id}
    ]


async def test_an_unpinned_prompt_stays_tracked_and_frees_its_pin(prompts, client):
    first, second = await prompts.added("first"), await prompts.added("second")

    async def unpin(prompt_id):
        return await client.post(f"{prompts.url}/{prompt_id}/unpin", headers=prompts.headers())

    response = await unpin(first["id"])
    assert response.status_code == 200
    assert response.json()["data"] == {**first, "user_pinned": False, "pinned_at": None}
    assert await prompts.counts() == (2, 1)
    assert [row["id"] for row in await prompts.listed()] == [second["id"], first["id"]]
    assert (await unpin(first["id"])).status_code == 200  # it is not pinned, and stays as it is
    await prompts.removed(second["id"])
    assert_problem(await unpin(second["id"]), 404, "not_found")


async def test_what_is_not_an_active_tracked_prompt_of_the_domain_is_not_found(prompts, installation):
    other = PromptsClient(
        installation, prompts.client, prompts.tenant, await installation.tracked_domain(prompts.tenant, "other.com")
    )
    elsewhere, gone = await other.added(), await prompts.added()
    await prompts.removed(gone["id"])
    for prompt_id in (gone["id"], elsewhere["id"], str(new_id()), "nonsense"):
        assert_problem(await prompts.delete(prompt_id), 404, "not_found")
    assert len(await other.listed()) == 1


async def test_refusals_in_order(prompts, installation, client):
    """No key → wrong kind → other workspace → header → domain → prompt → success → replay, not 404."""
    made = await prompts.added()
    url = f"{prompts.url}/{made['id']}"
    assert_problem(await client.delete(url), 401, "key_missing")
    assert_problem(await prompts.delete(made["id"], key=prompts.tenant.live), 403, "wrong_key_kind")
    other = await installation.tenant()
    assert_problem(await prompts.delete(made["id"], key=other.data_write), 404, "domain_not_found")
    assert_problem(await client.delete(url, headers={"X-API-Key": prompts.key}), 400, "idempotency_required")
    nowhere = f"{DATA}/domains/{new_id()}/prompts/{made['id']}"
    assert_problem(await client.delete(nowhere, headers=prompts.headers()), 404, "domain_not_found")
    first = await prompts.delete(made["id"], idempotency="one")
    again = await prompts.delete(made["id"], idempotency="one")
    assert (again.status_code, again.content) == (200, first.content)
    assert again.headers["x-idempotent-replay"] == "true"
    assert_problem(await prompts.delete(made["id"], idempotency="two"), 404, "not_found")
    await installation.db.execute(
        "UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", prompts.workspace_id
    )
    assert_problem(await prompts.delete(made["id"], idempotency="one"), 401, "key_revoked")


async def test_one_of_fifty_concurrent_adds_takes_the_last_slot(installation, client):
    """The adds go to two domains of the workspace, so a lock on one domain would not be enough."""
    prompts = await open_with_prompt_limit(installation, client, 3)
    other = PromptsClient(
        installation, client, prompts.tenant, await installation.tracked_domain(prompts.tenant, "other.com")
    )
    await prompts.added("first")
    await other.added("second")
    responses = await asyncio.gather(*((prompts, other)[n % 2].post(f"racer {n}") for n in range(50)))
    assert sorted(response.status_code for response in responses) == [201] + [409] * 49
    refusals = [response.json() for response in responses if response.status_code == 409]
    assert {(each["code"], each["current"], each["limit"]) for each in refusals} == {("prompt_limit_reached", 3, 3)}
    assert len(await prompts.listed()) + len(await other.listed()) == 3
    assert (await prompts.counts())[0] + (await other.counts())[0] == 3


async def test_one_of_many_concurrent_adds_takes_the_last_pin(prompts):
    for number in range(9):
        await prompts.added(f"prompt {number}")
    responses = await asyncio.gather(*(prompts.post(f"racer {n}") for n in range(20)))
    assert sorted(response.status_code for response in responses) == [201] + [409] * 19
    assert await prompts.counts() == (10, 10)


async def test_concurrent_adds_of_the_same_prompt_create_one_record(prompts):
    responses = await asyncio.gather(*(prompts.post("Best CRM") for _ in range(20)))
    assert {response.status_code for response in responses} == {201}
    assert len({response.json()["data"]["id"] for response in responses}) == 1
    assert await prompts.counts() == (1, 1)


async def test_concurrent_adds_and_removals_keep_the_counts_correct(prompts):
    made = [await prompts.added(f"prompt {number}") for number in range(8)]
    works = [prompts.delete(each["id"]) for each in made[:6]] + [prompts.post(f"more {n}") for n in range(6)]
    await asyncio.gather(*works)
    shown = await prompts.listed()
    assert await prompts.counts() == (len(shown), sum(row["user_pinned"] for row in shown))
