"""POST /domains/{domain_id}/prompts, rule by rule."""

from random import Random

import pytest

from sightline.accounts.models import Role
from sightline.accounts.workspaces import remove_member
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from tests.api.assertions import DATA, assert_problem
from tests.prompts.tracked_prompts import Desk


@pytest.fixture
async def desk(installation, client):
    return await Desk.open(installation, client)


async def test_a_new_prompt_is_active_and_pinned_and_looked_up_soon(desk):
    made = await desk.added()
    assert (made["status"], made["user_pinned"], made["source"]) == ("active", True, "added_by_you")
    assert await desk.counts() == (1, 1)
    assert await desk.value(made["id"], "daily") is True, "adds and pins change the Daily set"
    assert await desk.jobs("prompt.volumes") == [
        {"workspace_id": desk.tenant.id, "domain_id": desk.domain_id},
    ]


@pytest.mark.parametrize("again", ["BEST  crm", " best\u00a0crm ", "\uff42\uff45\uff53\uff54 crm", "Best\n\tCRM"])
async def test_identity_is_nfkc_collapsed_white_space_and_casefolded_text(desk, again):
    """ "Adding an already pinned prompt: 201, unchanged." """
    made = await desk.added("best crm")
    desk.installation.clock.advance(minutes=5)
    assert await desk.added(again) == made
    assert await desk.counts() == (1, 1)


async def test_another_country_or_language_is_another_prompt(desk):
    made = [
        await desk.added(country_iso_2=country, language_code=language)
        for country, language in ((None, "en"), ("US", "en"), ("us", "de"), (None, "de"))
    ]
    assert len({row["id"] for row in made}) == 4
    assert (await desk.added(country_iso_2="us", language_code="DE"))["id"] == made[2]["id"]


async def test_an_unpinned_record_is_pinned_not_duplicated(desk):
    made = await desk.added()
    await desk.change(made["id"], pinned_at=None, daily=False)
    desk.installation.clock.advance(days=1)
    again = await desk.added()
    assert again == {**made, "pinned_at": "2026-11-16T09:30:10.000000+00:00"}
    assert await desk.value(made["id"], "daily") is True
    assert await desk.counts() == (1, 1)


async def test_a_removed_record_is_revived_with_its_id_and_source(desk):
    made = await desk.added()
    await desk.change(made["id"], source="suggested")
    await desk.removed(made["id"])
    assert await desk.counts() == (0, 0)
    again = await desk.added("BEST CRM")
    assert again == {**made, "source": "suggested"}
    assert await desk.counts() == (1, 1)


async def test_at_most_10_pins_of_a_domain_with_current_and_limit(desk, installation):
    first = await desk.added("prompt 0")
    for number in range(1, 10):
        await desk.added(f"prompt {number}")
    problem = assert_problem(await desk.post("prompt 10"), 409, "pin_limit_reached")
    assert (problem["current"], problem["limit"]) == (10, 10)
    assert (await desk.added("prompt 0"))["id"] == first["id"], "one that is pinned takes no further pin"
    other = Desk(installation, desk.client, desk.tenant, await installation.tracked_domain(desk.tenant, "other.com"))
    assert (await other.post("prompt 10")).status_code == 201, "per domain"
    await desk.removed(first["id"])
    assert (await desk.post("prompt 10")).status_code == 201, "removing a pinned prompt frees its pin"
    problem = assert_problem(await desk.post("prompt 0"), 409, "pin_limit_reached")
    assert problem["current"] == 10, "the pin limit applies to a revival"
    assert await desk.value(first["id"], "status") == "removed"
    assert await desk.counts() == (10, 10)


async def limited(installation, client, limit):
    desk = await Desk.open(installation, client)
    grants = installation.app_context.plans[Plan.AGENCY]
    installation.app_context.plans[Plan.AGENCY] = type(grants)(limit, *list(_values(grants))[1:])
    return desk


def _values(grants):
    return (getattr(grants, name) for name in grants.__struct_fields__)


async def test_the_prompt_limit_is_the_workspaces_with_current_and_limit(installation, client):
    desk = await limited(installation, client, 3)
    other = Desk(installation, client, desk.tenant, await installation.tracked_domain(desk.tenant, "other.com"))
    first = await desk.added("a1")
    await desk.added("a2")
    third = await other.added("a3")
    problem = assert_problem(await desk.post("a4"), 409, "prompt_limit_reached")
    assert (problem["current"], problem["limit"]) == (3, 3)
    assert (await desk.added("a1"))["id"] == first["id"], "an already tracked prompt takes no new slot"
    await desk.change(first["id"], pinned_at=None)
    assert (await desk.added("a1"))["user_pinned"] is True
    await other.removed(third["id"])
    await desk.added("a4")
    assert (await other.added("a3"))["id"] == third["id"], "a revival is never refused by prompt_limit_reached"
    assert assert_problem(await desk.post("a5"), 409, "prompt_limit_reached")["current"] == 4


async def test_prompts_of_a_removed_domain_take_no_slot(installation, client):
    desk = await limited(installation, client, 1)
    other = Desk(installation, client, desk.tenant, await installation.tracked_domain(desk.tenant, "other.com"))
    await other.added("a1")
    assert_problem(await desk.post("a2"), 409, "prompt_limit_reached")
    await installation.db.execute(
        "UPDATE domains SET status = 'removed', removed_at = now() WHERE id = $1", other.domain_id
    )
    assert (await desk.post("a2")).status_code == 201
    assert_problem(await other.post("a3"), 404, "domain_not_found")


class TestExistingId:
    async def test_pins_it_and_preserves_its_country_and_language(self, desk):
        made = await desk.added(country_iso_2="DE", language_code="de")
        await desk.change(made["id"], pinned_at=None)
        again = await desk.added("Best CRM", existing_id=made["id"], language_code="absent", country_iso_2="FR")
        assert again == made, "the country of the record stays, no language is needed"
        assert await desk.added(existing_id=made["id"], language_code="DE") == made

    async def test_unclassified_history_stays_unclassified(self, desk):
        made = await desk.added()
        await desk.change(made["id"], language_code=None, pinned_at=None)
        again = await desk.added(existing_id=made["id"], language_code="absent")
        assert (again["id"], again["language_code"], again["user_pinned"]) == (made["id"], None, True)
        problem = assert_problem(await desk.post(existing_id=made["id"]), 409, "language_conflict")
        assert problem["language_code"] is None, "a null record counts as another language"

    async def test_another_language_is_refused_with_that_of_the_record(self, desk):
        made = await desk.added(language_code="de")
        problem = assert_problem(await desk.post(existing_id=made["id"]), 409, "language_conflict")
        assert problem["language_code"] == "de"
        assert await desk.listed() == [made]

    async def test_another_text_is_422(self, desk):
        made = await desk.added()
        problem = assert_problem(await desk.post("worst crm", existing_id=made["id"]), 422, "validation_failed")
        assert problem["errors"][0]["field"] == "prompt"

    async def test_unknown_ones_are_404_before_anything_else_is_looked_at(self, desk, installation):
        other = Desk(
            installation, desk.client, desk.tenant, await installation.tracked_domain(desk.tenant, "other.com")
        )
        elsewhere = await other.added()
        for existing_id in (str(new_id()), "nonsense", "", elsewhere["id"]):
            assert_problem(await desk.post("x", existing_id=existing_id), 404, "not_found")

    async def test_a_removed_one_is_revived(self, desk):
        made = await desk.added()
        await desk.removed(made["id"])
        assert await desk.added(existing_id=made["id"]) == made


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
async def test_bad_input_names_the_field_and_adds_nothing(desk, body, field):
    answer = await desk.client.post(desk.url, json=body, headers=desk.headers())
    assert assert_problem(answer, 422, "validation_failed")["errors"][0]["field"] == field
    assert await desk.listed() == []


async def test_lengths_of_2_and_500_count_after_trimming(desk):
    assert (await desk.added(" ab "))["prompt"] == "ab"
    assert len((await desk.added(f"  {'x' * 500}  "))["prompt"]) == 500


async def test_characters_that_grow_when_they_are_normalised(desk):
    """Each of these is several characters in NFKC: known again by a digest, and apart from its neighbour."""
    some = Random(7)
    longest = "".join(chr(some.randrange(0x3300, 0x3358)) for _ in range(500))
    made = await desk.added(longest)
    assert await desk.added(f" {longest} ") == made
    assert (await desk.added(longest[:-1]))["id"] != made["id"]


async def test_the_ladder(installation, client):
    """No key → wrong kind → revoked → other workspace → plan, scope, role → invalid → success → replay."""
    desk = await Desk.open(installation, client)
    tenant = desk.tenant
    assert_problem(await client.post(desk.url, json={}), 401, "key_missing")
    assert_problem(await desk.post(key=tenant.live), 403, "wrong_key_kind")
    stranger = await installation.tenant()
    assert_problem(await desk.post(key=stranger.data_write), 404, "domain_not_found")
    answer = await client.post(desk.url, json={"prompt": "x"}, headers={"X-API-Key": desk.key})
    assert_problem(answer, 400, "idempotency_required")
    nowhere = f"{DATA}/domains/{new_id()}/prompts"
    assert_problem(await client.post(nowhere, json={}, headers=desk.headers()), 404, "domain_not_found")
    answer = await desk.post("x", idempotency="one")
    assert_problem(answer, 422, "validation_failed")
    made = await desk.post(idempotency="one")
    assert made.status_code == 201, "a failed request releases its key"
    replayed = await desk.post(idempotency="one")
    assert (replayed.status_code, replayed.content) == (201, made.content)
    assert replayed.headers["x-idempotent-replay"] == "true"
    assert_problem(await desk.post("another", idempotency="one"), 409, "idempotency_conflict")
    await installation.db.execute("UPDATE api_keys SET revoked_at = now() WHERE workspace_id = $1", tenant.workspace.id)
    assert_problem(await desk.post(), 401, "key_revoked")


async def test_every_missing_condition_is_workspace_access_required_with_its_reason(installation, client):
    """Agency plan, then `write` scope, then editor or above today; also for what does not exist."""
    desk = await Desk.open(installation, client, Plan.PROFESSIONAL)
    tenant = desk.tenant
    member = await installation.member(tenant, Role.VIEWER)
    reading = await installation.mint(tenant, member, "data")
    writing = await installation.mint(tenant, member, "data", write=True)

    async def reasons(key):
        answers = [await desk.post(key=key), await desk.delete(new_id(), key=key)]
        return {assert_problem(answer, 403, "workspace_access_required")["reason"] for answer in answers}

    assert await reasons(reading) == {"plan"}, "plan before scope and role"
    await installation.db.execute("UPDATE workspaces SET plan = 'agency' WHERE id = $1", tenant.workspace.id)
    assert await reasons(reading) == {"scope"}, "scope before role"
    assert await reasons(writing) == {"role"}
    await installation.set_role(tenant, member, Role.EDITOR)
    assert (await desk.post(key=writing)).status_code == 201, "today's role counts"
    async with installation.db.transaction() as tx:
        await remove_member(tx, tenant.workspace.id, member.id)
    assert await reasons(writing) == {"role"}, "a member who left"
    assert len(await desk.listed()) == 1
