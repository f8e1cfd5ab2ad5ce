"""DELETE /domains/{domain_id}/prompts/{prompt_id}, rule by rule; and many writers at once."""

import asyncio

import pytest

from sightline.kit.ids import new_id
from tests.api.assertions import DATA, assert_problem
from tests.api.data.test_prompts_add import limited
from tests.prompts.tracked_prompts import Desk


@pytest.fixture
async def desk(installation, client):
    return await Desk.open(installation, client)


async def put_cell(desk, prompt_id, platform):
    await desk.installation.db.execute(
        """INSERT INTO cells (workspace_id, domain_id, prompt_id, platform, base, scan_id, scope, answer_id, status,
                              stale, checked_at, seen_at)
           VALUES ($1, $2, $3, $4, true, $3, 'full_check', $3, 'ok', false, now(), now())""",
        desk.workspace_id,
        desk.domain_id,
        prompt_id,
        platform,
    )


async def test_it_leaves_the_list_and_the_scoreboard_and_stays_in_history(desk, installation):
    gone, kept = await desk.added("gone"), await desk.added("kept")
    for prompt in (gone, kept):
        for platform in ("chatgpt", "gemini"):
            await put_cell(desk, prompt["id"], platform)
    answer = await desk.delete(gone["id"])
    assert answer.status_code == 200
    assert answer.json()["data"] == {"id": gone["id"], "deleted": True}
    assert [row["id"] for row in await desk.listed()] == [kept["id"]]
    assert await desk.counts() == (1, 1)
    cells = await installation.db.fetch("SELECT prompt_id::text FROM cells")
    assert [row[0] for row in cells] == [kept["id"]] * 2
    query = "SELECT status, pinned_at, daily, removed_at IS NOT NULL FROM prompts WHERE id = $1"
    assert tuple(await installation.db.fetchrow(query, gone["id"])) == ("removed", None, False, True)
    assert await desk.jobs("scoreboard.refresh") == [{"workspace_id": desk.tenant.id, "domain_id": desk.domain_id}]


async def test_what_is_not_an_active_tracked_prompt_of_the_domain_is_not_found(desk, installation):
    other = Desk(installation, desk.client, desk.tenant, await installation.tracked_domain(desk.tenant, "other.com"))
    elsewhere, gone = await other.added(), await desk.added()
    await desk.removed(gone["id"])
    for prompt_id in (gone["id"], elsewhere["id"], str(new_id()), "nonsense"):
        assert_problem(await desk.delete(prompt_id), 404, "not_found")
    assert len(await other.listed()) == 1


async def test_the_ladder(desk, installation, client):
    """No key → wrong kind → other workspace → header → domain → prompt → success → replay, not 404."""
    made = await desk.added()
    url = f"{desk.url}/{made['id']}"
    assert_problem(await client.delete(url), 401, "key_missing")
    assert_problem(await desk.delete(made["id"], key=desk.tenant.live), 403, "wrong_key_kind")
    stranger = await installation.tenant()
    assert_problem(await desk.delete(made["id"], key=stranger.data_write), 404, "domain_not_found")
    assert_problem(await client.delete(url, headers={"X-API-Key": desk.key}), 400, "idempotency_required")
    nowhere = f"{DATA}/domains/{new_id()}/prompts/{made['id']}"
    assert_problem(await client.delete(nowhere, headers=desk.headers()), 404, "domain_not_found")
    first = await desk.delete(made["id"], idempotency="one")
    again = await desk.delete(made["id"], idempotency="one")
    assert (again.status_code, again.content) == (200, first.content)
    assert again.headers["x-idempotent-replay"] == "true"
    assert_problem(await desk.delete(made["id"], idempotency="two"), 404, "not_found")
    await installation.db.execute("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", desk.workspace_id)
    assert_problem(await desk.delete(made["id"], idempotency="one"), 401, "key_revoked")


async def test_fifty_adds_at_one_slot_below_the_limit_one_passes(installation, client):
    """Over two domains of the workspace, so that no lock of a single domain would do."""
    desk = await limited(installation, client, 3)
    other = Desk(installation, client, desk.tenant, await installation.tracked_domain(desk.tenant, "other.com"))
    await desk.added("first")
    await other.added("second")
    answers = await asyncio.gather(*((desk, other)[n % 2].post(f"racer {n}") for n in range(50)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 49
    refusals = [answer.json() for answer in answers if answer.status_code == 409]
    assert {(each["code"], each["current"], each["limit"]) for each in refusals} == {("prompt_limit_reached", 3, 3)}
    assert len(await desk.listed()) + len(await other.listed()) == 3
    assert (await desk.counts())[0] + (await other.counts())[0] == 3


async def test_many_at_once_for_the_last_pin_one_passes(desk):
    for number in range(9):
        await desk.added(f"prompt {number}")
    answers = await asyncio.gather(*(desk.post(f"racer {n}") for n in range(20)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 19
    assert await desk.counts() == (10, 10)


async def test_the_same_new_prompt_many_times_at_once_is_one_record(desk):
    answers = await asyncio.gather(*(desk.post("Best CRM") for _ in range(20)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.json()["data"]["id"] for answer in answers}) == 1
    assert await desk.counts() == (1, 1)


async def test_adds_and_removals_at_once_leave_true_counts(desk):
    made = [await desk.added(f"prompt {number}") for number in range(8)]
    works = [desk.delete(each["id"]) for each in made[:6]] + [desk.post(f"more {n}") for n in range(6)]
    await asyncio.gather(*works)
    shown = await desk.listed()
    assert await desk.counts() == (len(shown), sum(row["user_pinned"] for row in shown))
