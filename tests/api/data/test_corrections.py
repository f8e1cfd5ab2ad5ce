"""GET, POST and DELETE /domains/{domain_id}/corrections."""

import asyncio

import pytest

from sightline.accounts.models import Role
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.scans.corrections.models import MAX_CORRECTIONS
from tests.api.assertions import DATA, assert_problem
from tests.scans.corrections.corrections_client import CorrectionsClient

WRONG = "The Acme Peak trail is steep. Acme sells anvils."
MISSED = "Try **Akme Forge** first. `Acme` is code."
ONLY_OTHERS = "Globex is fine."


@pytest.fixture
async def corrections(installation, client):
    return await CorrectionsClient.open(installation, client, WRONG, MISSED, ONLY_OTHERS)


async def test_a_wrong_name_is_corrected_with_who_and_when(corrections, installation):
    made = await corrections.correct("not_this_brand", WRONG, "Acme", phrase=" acme  Peak ")
    key_id = await installation.db.fetchval("SELECT id::text FROM api_keys WHERE 'write' = ANY(scopes)")
    assert made == {
        "id": made["id"],
        "domain_id": str(corrections.history.domain_id),
        "scan_id": corrections.scans[0],
        "answer_id": (await corrections.answer(WRONG))["id"],
        "kind": "not_this_brand",
        "start": 4,
        "end": 8,
        "text": "Acme",
        "phrase": "acme Peak",
        "name": None,
        "created_by": str(corrections.history.tenant.owner.id),
        "api_key_id": key_id,
        "created_at": "2026-11-15T09:30:10.000000+00:00",
    }
    assert await corrections.listed() == [made]
    assert await corrections.recomputations() == [("waiting", "answer_corrected")]


async def test_missed_words_become_a_name_and_undoing_removes_it(corrections):
    made = await corrections.correct("missing", MISSED, "Akme Forge")
    assert made["name"] == "Akme Forge" and (await corrections.domain())["aliases"] == ["Akme Forge"]
    await corrections.undo(made["id"])
    assert (await corrections.domain())["aliases"] == [] and await corrections.listed() == []


async def test_a_name_has_no_marks_of_the_text(installation, client):
    text = "Try **Akme** Forge first."
    corrections = await CorrectionsClient.open(installation, client, text)
    made = await corrections.correct("missing", text, "Akme** Forge")
    assert (made["text"], made["name"]) == ("Akme** Forge", "Akme Forge")
    assert (await corrections.domain())["aliases"] == ["Akme Forge"]


async def test_missed_words_can_hold_for_one_answer_alone(corrections):
    made = await corrections.correct("missing", MISSED, "Akme Forge", add_name=False)
    assert made["name"] is None and (await corrections.domain())["aliases"] == []


@pytest.mark.parametrize(("text", "words"), [("They make anvils.", "They"), ("Ask our company for it.", "our company")])
async def test_words_that_are_no_name_do_not_become_one(installation, client, text, words):
    corrections = await CorrectionsClient.open(installation, client, text)
    assert (await corrections.correct("missing", text, words))["name"] is None
    assert (await corrections.domain())["aliases"] == []


async def test_a_name_that_two_corrections_stand_for_goes_with_the_second(installation, client):
    text = "Akme is good. Akme is cheap."
    corrections = await CorrectionsClient.open(installation, client, text)
    first = await corrections.correct("missing", text, "Akme")
    second = await corrections.correct("missing", text, "Akme", nth=1)
    assert first["name"] == second["name"] == "Akme"
    await corrections.undo(first["id"])
    assert (await corrections.domain())["aliases"] == ["Akme"]
    await corrections.undo(second["id"])
    assert (await corrections.domain())["aliases"] == []


async def test_a_name_that_was_entered_by_hand_stays_when_a_correction_is_undone(corrections, installation):
    await installation.db.execute("UPDATE domains SET aliases = '{Akme Forge}'")
    made = await corrections.correct("missing", MISSED, "Akme Forge")
    assert made["name"] is None
    await corrections.undo(made["id"])
    assert (await corrections.domain())["aliases"] == ["Akme Forge"]


async def test_the_same_correction_twice_is_one_with_the_latest_choice(corrections, installation):
    first = await corrections.correct("not_this_brand", WRONG, "Acme")
    installation.clock.advance(minutes=1)
    assert await corrections.correct("not_this_brand", WRONG, "Acme") == first
    changed = await corrections.correct("not_this_brand", WRONG, "Acme", phrase="Acme Peak")
    assert (changed["id"], changed["phrase"]) == (first["id"], "Acme Peak")
    assert changed["created_at"] > first["created_at"]
    assert await corrections.listed() == [changed]

    named = await corrections.correct("missing", MISSED, "Akme Forge")
    assert await corrections.correct("missing", MISSED, "Akme Forge") == named
    here = await corrections.correct("missing", MISSED, "Akme Forge", add_name=False)
    assert (here["id"], here["name"]) == (named["id"], None)
    assert (await corrections.domain())["aliases"] == []


async def test_concurrent_corrections_of_one_place_are_one(corrections):
    body = await corrections.body("missing", MISSED, "Akme Forge")
    responses = await asyncio.gather(*(corrections.post(body) for _ in range(10)))
    assert {response.status_code for response in responses} == {201}
    assert len({response.json()["data"]["id"] for response in responses}) == 1
    assert len(await corrections.listed()) == 1 and (await corrections.domain())["aliases"] == ["Akme Forge"]
    assert await corrections.recomputations() == [("waiting", "brand_changed")], "one recomputation for all of them"


async def test_a_replay_and_a_crash_between_leave_one(corrections):
    body = await corrections.body("not_this_brand", WRONG, "Acme")
    first, again = [await corrections.post(body, idempotency="one") for _ in range(2)]
    assert again.content == first.content and again.headers["x-idempotent-replay"] == "true"
    assert_problem(await corrections.post({**body, "phrase": "x"}, idempotency="one"), 409, "idempotency_conflict")
    gone = first.json()["data"]["id"]
    deleted = [await corrections.delete(gone, idempotency="two") for _ in range(2)]
    assert [each.json()["data"] for each in deleted] == [{"id": gone, "deleted": True}] * 2
    assert_problem(await corrections.delete(gone), 404, "not_found")


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"start": 60, "end": 64}, "end", "the length of the answer"),
        ({"start": 8, "end": 8}, "end", "after start"),
        ({"start": 5, "end": 9}, "text", "“cme ”"),
        ({"text": "acme"}, "text", "“Acme”"),
        ({"start": -1}, "start", ""),
        ({"start": 9, "end": 13, "text": "Peak"}, "text", "not marked at this place"),
        ({"kind": "missing"}, "text", "marked as the brand already"),
        ({"kind": "other"}, "kind", ""),
        ({"text": ""}, "text", ""),
        ({"phrase": "Acme"}, "phrase", "one more word"),
        ({"phrase": "steep trail"}, "phrase", "contain the name"),
        ({"phrase": "Acme sells"}, "phrase", "contain the corrected words"),
        ({"phrase": "\u200b"}, "phrase", "1 to 200"),
        ({"phrase": "x" * 201}, "phrase", ""),
    ],
)
async def test_what_does_not_fit_the_answer_is_refused_with_a_sentence(corrections, changes, field, words):
    body = await corrections.body("not_this_brand", WRONG, "Acme")
    response = await corrections.post({**body, **changes})
    assert_problem(response, 422, "validation_failed")
    (error,) = response.json()["errors"]
    assert error["field"] == field and words in error["message"]
    assert await corrections.listed() == [] and await corrections.recomputations() == []


async def test_a_phrase_that_is_a_name_of_the_brand_is_refused(corrections, installation):
    await installation.db.execute("UPDATE domains SET aliases = '{Acme Peak}'")
    body = await corrections.body("not_this_brand", WRONG, "Acme", phrase="Acme Peak")
    response = await corrections.post(body)
    assert_problem(response, 422, "validation_failed")
    assert "remove that name in the settings" in response.json()["detail"]


async def test_words_outside_the_prose_are_refused(corrections):
    response = await corrections.post(await corrections.body("missing", MISSED, "Acme"))
    assert_problem(response, 422, "validation_failed")
    assert response.json()["errors"][0]["code"] == "not_prose"


async def test_an_answer_without_text_has_nothing_to_correct(corrections, installation):
    body = await corrections.body("missing", ONLY_OTHERS, "Globex")
    await installation.db.execute("UPDATE answers SET status = 'failed', text = ''")
    assert_problem(await corrections.post(body), 422, "validation_failed")


async def test_another_correction_of_the_same_place_is_a_conflict(corrections):
    made = await corrections.correct("missing", MISSED, "Akme Forge")
    for kind, words in (("not_this_brand", "Akme Forge"), ("missing", "Forge")):
        response = await corrections.post(await corrections.body(kind, MISSED, words))
        assert_problem(response, 409, "correction_conflict")
        assert response.json()["correction_id"] == made["id"]


async def test_a_domain_has_a_limited_number_of_corrections(corrections, installation):
    made = await corrections.correct("not_this_brand", WRONG, "Acme")
    await installation.db.execute(
        """INSERT INTO corrections
           SELECT workspace_id, gen_random_uuid(), domain_id, scan_id, answer_id, kind, n * 100, n * 100 + 1, words,
                  phrase, name, created_by, api_key_id, created_at
           FROM corrections, generate_series(1, $1) AS n""",
        MAX_CORRECTIONS - 1,
    )
    response = await corrections.post(await corrections.body("not_this_brand", WRONG, "Acme", nth=1))
    assert_problem(response, 409, "correction_limit_reached")
    assert (response.json()["current"], response.json()["limit"]) == (MAX_CORRECTIONS, MAX_CORRECTIONS)
    assert await corrections.correct("not_this_brand", WRONG, "Acme") == made, "the same one needs no new place"
    await corrections.undo(made["id"])
    await corrections.correct("not_this_brand", WRONG, "Acme", nth=1)


async def test_a_brand_has_a_limited_number_of_names(corrections, installation):
    await installation.db.execute("UPDATE domains SET aliases = $1", [f"Name {number}" for number in range(50)])
    response = await corrections.post(await corrections.body("missing", MISSED, "Akme Forge"))
    assert_problem(response, 422, "validation_failed")
    assert response.json()["errors"][0]["field"] == "add_name"
    await corrections.correct("missing", MISSED, "Akme Forge", add_name=False)


async def test_the_list_is_paged_newest_first(corrections, installation):
    made = []
    for nth in range(2):
        made.append(await corrections.correct("not_this_brand", WRONG, "Acme", nth=nth))
        installation.clock.advance(seconds=1)
    await installation.db.execute(
        """INSERT INTO corrections
           SELECT workspace_id, gen_random_uuid(), domain_id, scan_id, answer_id, kind, n * 100, n * 100 + 1, words,
                  phrase, name, created_by, api_key_id, created_at - n * interval '1 minute'
           FROM corrections, generate_series(1, 60) AS n WHERE id = $1""",
        made[0]["id"],
    )
    path = f"/domains/{corrections.history.domain_id}/corrections"
    first = await corrections.get(path)
    second = await corrections.get(path, cursor=first["meta"]["next_cursor"])
    assert [len(first["data"]), len(second["data"]), second["meta"]["has_more"]] == [50, 12, False]
    assert [row["id"] for row in first["data"][:2]] == [made[1]["id"], made[0]["id"]]
    rows = first["data"] + second["data"]
    assert len({row["id"] for row in rows}) == 62
    assert [row["created_at"] for row in rows] == sorted((row["created_at"] for row in rows), reverse=True)


async def test_refusals_in_order(corrections, installation, client):
    """No key, wrong kind, read scope, lower plan, lower role, other workspace, no header, unknown ids."""
    tenant, body = corrections.history.tenant, await corrections.body("not_this_brand", WRONG, "Acme")
    assert_problem(await client.post(corrections.url, json=body), 401, "key_missing")
    assert_problem(await corrections.post(body, key=tenant.live), 403, "wrong_key_kind")
    response = await client.post(corrections.url, json=body, headers={"X-API-Key": corrections.key})
    assert_problem(response, 400, "idempotency_required")
    assert_problem(await corrections.post(body, key=tenant.data), 403, "workspace_access_required")
    stranger = await installation.tenant()
    assert_problem(await corrections.post(body, key=stranger.data_write), 404, "domain_not_found")
    smaller = await installation.tenant(Plan.PROFESSIONAL)
    assert_problem(await corrections.post(body, key=smaller.data_write), 403, "workspace_access_required")
    viewer = await installation.member(tenant, Role.EDITOR)
    key = await installation.mint(tenant, viewer, "data", write=True)
    await installation.set_role(tenant, viewer, Role.VIEWER)
    assert_problem(await corrections.post(body, key=key), 403, "workspace_access_required")
    for changes, code in (
        ({"scan_id": str(new_id())}, "scan_not_found"),
        ({"scan_id": "nonsense"}, "scan_not_found"),
        ({"answer_id": str(new_id())}, "not_found"),
        ({"answer_id": "nonsense"}, "not_found"),
    ):
        assert_problem(await corrections.post({**body, **changes}), 404, code)
    assert await corrections.listed() == []


async def test_strangers_neither_see_nor_undo_a_correction(corrections, installation, client):
    made = await corrections.correct("not_this_brand", WRONG, "Acme")
    stranger = await installation.tenant()
    own = f"{DATA}/domains/{await installation.tracked_domain(stranger)}/corrections"
    headers = corrections.headers(stranger.data_write)
    assert (await client.get(own, headers=headers)).json()["data"] == []
    assert_problem(await client.get(corrections.url, headers=headers), 404, "domain_not_found")
    assert_problem(await client.delete(f"{own}/{made['id']}", headers=headers), 404, "not_found")
    assert_problem(await corrections.delete(made["id"], key=stranger.data_write), 404, "domain_not_found")
    body = await corrections.body("not_this_brand", WRONG, "Acme")
    foreign = await client.post(own, json=body, headers=corrections.headers(stranger.data_write))
    assert_problem(foreign, 404, "scan_not_found")
    other = await installation.tracked_domain(corrections.history.tenant, "other.com")
    elsewhere = f"{DATA}/domains/{other}/corrections"
    assert_problem(await client.post(elsewhere, json=body, headers=corrections.headers()), 404, "scan_not_found")
    assert_problem(await client.delete(f"{elsewhere}/{made['id']}", headers=corrections.headers()), 404, "not_found")
    assert len(await corrections.listed()) == 1
