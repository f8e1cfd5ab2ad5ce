"""POST /domains/{domain_id}/prompts."""

from random import Random

import msgspec
import pytest

from sightline.accounts.members import end_membership
from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from tests.api.assertions import DATA, assert_problem
from tests.prompts.prompts_client import PromptsClient


@pytest.fixture
async def prompts(installation, client):
    return await PromptsClient.open(installation, client)


async def test_a_new_prompt_is_active_and_pinned_and_its_volume_lookup_is_enqueued(prompts):
    made = await prompts.added()
    assert (made["status"], made["user_pinned"], made["source"]) == ("active", True, "added_by_you")
    assert await prompts.counts() == (1, 1)
    assert await prompts.value(made["id"], "daily") is True, "adds and pins change the Daily set"
    assert await prompts.jobs("prompt.volumes") == [
        {"workspace_id": prompts.tenant.id, "domain_id": prompts.domain_id},
    ]


@pytest.mark.parametrize("again", ["BEST  crm", " best\u00a0crm ", "\uff42\uff45\uff53\uff54 crm", "Best\n\tCRM"])
async def test_identity_is_nfkc_collapsed_white_space_and_casefolded_text(prompts, again):
    """Adding an already pinned prompt returns 201 and changes nothing."""
    made = await prompts.added("best crm")
    prompts.installation.clock.advance(minutes=5)
    assert await prompts.added(again) == made
    assert await prompts.counts() == (1, 1)


async def test_another_country_or_language_is_another_prompt(prompts):
    made = [
        await prompts.added(country_iso_2=country, language_code=language)
        for country, language in ((None, "en"), ("US", "en"), ("us", "de"), (None, "de"))
    ]
    assert len({row["id"] for row in made}) == 4
    assert (await prompts.added(country_iso_2="us", language_code="DE"))["id"] == made[2]["id"]


async def test_an_unpinned_record_is_pinned_not_duplicated(prompts):
    made = await prompts.added()
    await prompts.change(made["id"], pinned_at=None, daily=False)
    prompts.installation.clock.advance(days=1)
    again = await prompts.added()
    assert again == {**made, "pinned_at": "2026-11-16T09:30:10.000000+00:00"}
    assert await prompts.value(made["id"], "daily") is True
    assert await prompts.counts() == (1, 1)


async def test_a_removed_prompt_is_restored_with_its_id_and_source(prompts):
    made = await prompts.added()
    await prompts.change(made["id"], source="suggested")
    await prompts.removed(made["id"])
    assert await prompts.counts() == (0, 0)
    again = await prompts.added("BEST CRM")
    assert again == {**made, "source": "suggested"}
    assert await prompts.counts() == (1, 1)


async def test_at_most_10_pins_of_a_domain_with_current_and_limit(prompts, installation):
    first = await prompts.added("prompt 0")
    for number in range(1, 10):
        await prompts.added(f"prompt {number}")
    problem = assert_problem(await prompts.post("prompt 10"), 409, "pin_limit_reached")
    assert (problem["current"], problem["limit"]) == (10, 10)
    assert (await prompts.added("prompt 0"))["id"] == first["id"], "one that is pinned takes no further pin"
    other = PromptsClient(
        installation, prompts.client, prompts.tenant, await installation.tracked_domain(prompts.tenant, "other.com")
    )
    assert (await other.post("prompt 10")).status_code == 201, "per domain"
    await prompts.removed(first["id"])
    assert (await prompts.post("prompt 10")).status_code == 201, "removing a pinned prompt frees its pin"
    problem = assert_problem(await prompts.post("prompt 0"), 409, "pin_limit_reached")
    assert problem["current"] == 10, "the pin limit applies to a revival"
    assert await prompts.value(first["id"], "status") == "removed"
    assert await prompts.counts() == (10, 10)


async def open_with_prompt_limit(installation, client, limit):
    """Return a client of a workspace whose plan has this prompt limit."""
    prompts = await PromptsClient.open(installation, client)
    plans = installation.app_context.plans
    plans[Plan.AGENCY] = msgspec.structs.replace(plans[Plan.AGENCY], tracked_prompts=limit)
    return prompts


async def test_the_prompt_limit_applies_to_the_whole_workspace(installation, client):
    prompts = await open_with_prompt_limit(installation, client, 3)
    other = PromptsClient(
        installation, client, prompts.tenant, await installation.tracked_domain(prompts.tenant, "other.com")
    )
    first = await prompts.added("a1")
    await prompts.added("a2")
    third = await other.added("a3")
    problem = assert_problem(await prompts.post("a4"), 409, "prompt_limit_reached")
    assert (problem["current"], problem["limit"]) == (3, 3)
    assert (await prompts.added("a1"))["id"] == first["id"], "an already tracked prompt takes no new slot"
    await prompts.change(first["id"], pinned_at=None)
    assert (await prompts.added("a1"))["user_pinned"] is True
    await other.removed(third["id"])
    await prompts.added("a4")
    assert (await other.added("a3"))["id"] == third["id"], "a revival is never refused by prompt_limit_reached"
    assert assert_problem(await prompts.post("a5"), 409, "prompt_limit_reached")["current"] == 4


async def test_prompts_of_a_removed_domain_take_no_slot(installation, client):
    prompts = await open_with_prompt_limit(installation, client, 1)
    other = PromptsClient(
        installation, client, prompts.tenant, await installation.tracked_domain(prompts.tenant, "other.com")
    )
    await other.added("a1")
    assert_problem(await prompts.post("a2"), 409, "prompt_limit_reached")
    await installation.db.execute(
        "UPDATE domains SET status = 'removed', removed_at = now() WHERE id = $1", other.domain_id
    )
    assert (await prompts.post("a2")).status_code == 201
    assert_problem(await other.post("a3"), 404, "domain_not_found")


class TestExistingId:
    async def test_pins_it_and_preserves_its_country_and_language(self, prompts):
        made = await prompts.added(country_iso_2="DE", language_code="de")
        await prompts.change(made["id"], pinned_at=None)
        again = await prompts.added("Best CRM", existing_id=made["id"], language_code="absent", country_iso_2="FR")
        assert again == made, "the country of the record stays, no language is needed"
        assert await prompts.added(existing_id=made["id"], language_code="DE") == made

    async def test_unclassified_history_stays_unclassified(self, prompts):
        made = await prompts.added()
        await prompts.change(made["id"], language_code=None, pinned_at=None)
        again = await prompts.added(existing_id=made["id"], language_code="absent")
        assert (again["id"], again["language_code"], again["user_pinned"]) == (made["id"], None, True)
        problem = assert_problem(await prompts.post(existing_id=made["id"]), 409, "language_conflict")
        assert problem["language_code"] is None, "a null record counts as another language"

    async def test_another_language_is_refused_with_that_of_the_record(self, prompts):
        made = await prompts.added(language_code="de")
        problem = assert_problem(await prompts.post(existing_id=made["id"]), 409, "language_conflict")
        assert problem["language_code"] == "de"
        assert await prompts.listed() == [made]

    async def test_another_text_is_422(self, prompts):
        made = await prompts.added()
        problem = assert_problem(await prompts.post("worst crm", existing_id=made["id"]), 422, "validation_failed")
        assert problem["errors"][0]["field"] == "prompt"

    async def test_an_unknown_id_is_404_before_the_rest_is_validated(self, prompts, installation):
        other = PromptsClient(
            installation, prompts.client, prompts.tenant, await installation.tracked_domain(prompts.tenant, "other.com")
        )
        elsewhere = await other.added()
        for existing_id in (str(new_id()), "nonsense", "", elsewhere["id"]):
            assert_problem(await prompts.post("x", existing_id=existing_id), 404, "not_found")

    async def test_a_removed_prompt_is_restored(self, prompts):
        made = await prompts.added()
        await prompts.removed(made["id"])
        assert await prompts.added(existing_id=made["id"]) == made


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "prompt"),
        ({"prompt": None, "language_code": "en"}, "prompt"),
        ({"prompt": 7, "language_code": "en"}, "prompt"),
        ({"prompt": "x", "language_code": "en"}, "prompt"),
        ({"prompt": " x ", "language_code": "en"}, "prompt"),
        ({"prompt": "x" * 501, "language_code": "en"}, "prompt"),
        ({"prompt": "a\u0000b", "language_code": "en"}, "prompt"),
        ({"prompt": "best crm"}, "language_code"),
        ({"prompt": "best crm", "language_code": None}, "language_code"),
        ({"prompt": "best crm", "language_code": "xx"}, "language_code"),
        ({"prompt": "best crm", "language_code": "eng"}, "language_code"),
        ({"prompt": "best crm", "language_code": "en", "country_iso_2": "XX"}, "country_iso_2"),
        ({"prompt": "best crm", "language_code": "en", "country_iso_2": "USA"}, "country_iso_2"),
        ({"prompt": "best crm", "language_code": "en", "country_iso_2": "\ufb01"}, "country_iso_2"),
        ({"prompt": "best crm", "language_code": "en", "country_iso_2": ""}, "country_iso_2"),
        ({"prompt": "best crm", "language_code": "en", "existing_id": 5}, "existing_id"),
    ],
)
async def test_bad_input_names_the_field_and_adds_nothing(prompts, body, field):
    response = await prompts.client.post(prompts.url, json=body, headers=prompts.headers())
    assert assert_problem(response, 422, "validation_failed")["errors"][0]["field"] == field
    assert await prompts.listed() == []


async def test_lengths_of_2_and_500_count_after_trimming(prompts):
    assert (await prompts.added(" ab "))["prompt"] == "ab"
    assert len((await prompts.added(f"  {'x' * 500}  "))["prompt"]) == 500


async def test_characters_that_expand_under_nfkc(prompts):
    """Each character becomes several in NFKC; the digest recognizes it and tells it from its neighbor."""
    some = Random(7)
    longest = "".join(chr(some.randrange(0x3300, 0x3358)) for _ in range(500))
    made = await prompts.added(longest)
    assert await prompts.added(f" {longest} ") == made
    assert (await prompts.added(longest[:-1]))["id"] != made["id"]


async def test_refusals_in_order(installation, client):
    """No key → wrong kind → revoked → other workspace → plan, scope, role → invalid → success → replay."""
    prompts = await PromptsClient.open(installation, client)
    tenant = prompts.tenant
    assert_problem(await client.post(prompts.url, json={}), 401, "key_missing")
    assert_problem(await prompts.post(key=tenant.live), 403, "wrong_key_kind")
    other = await installation.tenant()
    assert_problem(await prompts.post(key=other.data_write), 404, "domain_not_found")
    response = await client.post(prompts.url, json={"prompt": "x"}, headers={"X-API-Key": prompts.key})
    assert_problem(response, 400, "idempotency_required")
    nowhere = f"{DATA}/domains/{new_id()}/prompts"
    assert_problem(await client.post(nowhere, json={}, headers=prompts.headers()), 404, "domain_not_found")
    response = await prompts.post("x", idempotency="one")
    assert_problem(response, 422, "validation_failed")
    made = await prompts.post(idempotency="one")
    assert made.status_code == 201, "a failed request releases its key"
    replayed = await prompts.post(idempotency="one")
    assert (replayed.status_code, replayed.content) == (201, made.content)
    assert replayed.headers["x-idempotent-replay"] == "true"
    assert_problem(await prompts.post("another", idempotency="one"), 409, "idempotency_conflict")
    await installation.db.execute("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", tenant.workspace.id)
    assert_problem(await prompts.post(), 401, "key_revoked")


async def test_every_missing_condition_is_workspace_access_required_with_its_reason(installation, client):
    """Agency plan, then `write` scope, then the current role editor or above; also for unknown ids."""
    prompts = await PromptsClient.open(installation, client, Plan.PROFESSIONAL)
    tenant = prompts.tenant
    member = await installation.member(tenant, Role.VIEWER)
    reading = await installation.mint(tenant, member, "data")
    writing = await installation.mint(tenant, member, "data", write=True)

    async def reasons(key):
        responses = [await prompts.post(key=key), await prompts.delete(new_id(), key=key)]
        return {assert_problem(response, 403, "workspace_access_required")["reason"] for response in responses}

    assert await reasons(reading) == {"plan"}, "plan before scope and role"
    await installation.db.execute("UPDATE workspaces SET plan = 'agency' WHERE id = $1", tenant.workspace.id)
    assert await reasons(reading) == {"scope"}, "scope before role"
    assert await reasons(writing) == {"role"}
    await installation.set_role(tenant, member, Role.EDITOR)
    assert (await prompts.post(key=writing)).status_code == 201, "today's role counts"
    async with installation.db.transaction() as tx:
        await end_membership(tx, tenant.workspace.id, member.id)
    assert await reasons(writing) == {"role"}, "a member who left"
    assert len(await prompts.listed()) == 1
