"""Corrections are recomputed like a new alias: figures of all stored answers follow, and nothing is charged."""

from uuid import UUID

import pytest

from sightline.domains.recomputations.request import request_recompute
from sightline.domains.tracking.change import BrandChanges
from sightline.domains.tracking.queries import find_tracked_domain
from sightline.kit.ids import new_id
from sightline.scans.queries import find_scan
from sightline.scoreboard.recompute.preview import preview_brand
from sightline.scoreboard.recompute.run import request_recompute_if_renamed
from tests.running_worker import until, working
from tests.scans.corrections.corrections_client import CorrectionsClient

WRONG = "The Acme Peak trail is steep."
RIGHT = "1. Globex\n2. Acme, a good anvil"
MISSED = "1. Initech\n2. Akme, a steady anvil\n3. Globex"
ALSO_MISSED = "You could ask Akme for an offer."


@pytest.fixture
async def corrections(installation, client):
    return await CorrectionsClient.open(installation, client, WRONG, RIGHT, MISSED)


async def settle(corrections):
    """Let a worker do all recomputations that were requested."""
    installation = corrections.installation

    async def is_done():
        rows = await installation.db.fetch("SELECT status FROM recomputations")
        fresh = await installation.db.fetchval("SELECT bool_and(shown = revision) FROM scoreboards")
        return fresh and rows and all(row[0] == "done" for row in rows)

    async with working(installation, sandbox_latency_ms=0):
        await until(is_done, seconds=60)


async def read_figures(corrections, scan_id=None):
    """Return how many answers name the brand, by the scoreboard and by the stored check."""
    path = f"/domains/{corrections.history.domain_id}/analytics"
    board = (await corrections.get(path))["data"]["headline"]["ai_mentions"]["value"]
    past = (await corrections.get(path, scan_id=scan_id or corrections.scans[0]))["data"]
    return board, past["headline"]["ai_mentions"]["value"]


async def test_a_wrong_name_is_dropped_and_comes_back_when_the_correction_is_undone(corrections, installation):
    second = await corrections.check(WRONG, RIGHT, MISSED)
    made = await corrections.correct("not_this_brand", WRONG, "Acme")
    assert (await corrections.own(WRONG))["mentioned"], "until it is recomputed"
    await settle(corrections)
    assert not (await corrections.own(WRONG))["mentioned"] and (await corrections.own(RIGHT))["mentioned"]
    assert (await corrections.own(WRONG, second))["mentioned"], "the correction is of one answer"
    assert await read_figures(corrections) == (2, 1) and await read_figures(corrections, second) == (2, 2)
    await corrections.undo(made["id"])
    await settle(corrections)
    assert (await corrections.own(WRONG))["mentioned"] and await read_figures(corrections) == (2, 2)
    assert await installation.db.fetchval("SELECT count(*) FROM credit_entries WHERE delta < 0") == 0


async def test_an_excluded_phrase_holds_in_every_answer_and_every_later_check(corrections):
    second = await corrections.check(WRONG, RIGHT, MISSED)
    made = await corrections.correct("not_this_brand", WRONG, "Acme", phrase="acme peak")
    await settle(corrections)
    for scan_id in corrections.scans:
        assert not (await corrections.own(WRONG, scan_id))["mentioned"]
        assert (await corrections.own(RIGHT, scan_id))["position"] == 2
    assert await read_figures(corrections, second) == (1, 1)
    await corrections.undo(made["id"])
    await settle(corrections)
    assert await read_figures(corrections, second) == (2, 2)


async def test_a_missed_name_is_found_with_its_rank_in_all_answers(installation, client):
    corrections = await CorrectionsClient.open(installation, client, MISSED, ALSO_MISSED)
    made = await corrections.correct("missing", MISSED, "Akme")
    await settle(corrections)
    own = await corrections.own(MISSED)
    assert (own["mentioned"], own["position"]) == (True, 2)
    assert [(each["start"], each["end"], each["text"]) for each in own["occurrences"]] == [
        (made["start"], made["end"], "Akme")
    ]
    assert (await corrections.own(ALSO_MISSED))["mentioned"], "the words are a name now"
    assert await read_figures(corrections) == (2, 2)
    await corrections.undo(made["id"])
    await settle(corrections)
    assert await read_figures(corrections) == (0, 0)


async def test_a_missed_name_can_be_marked_in_one_answer_alone(installation, client):
    corrections = await CorrectionsClient.open(installation, client, MISSED, ALSO_MISSED)
    await corrections.correct("missing", MISSED, "Akme", add_name=False)
    await settle(corrections)
    assert (await corrections.own(MISSED))["position"] == 2
    assert not (await corrections.own(ALSO_MISSED))["mentioned"]


async def test_corrections_survive_another_version_of_the_extractor(corrections, installation):
    """Answers that an older version analyzed are analyzed again; so are ours, when the next version comes."""
    await corrections.correct("not_this_brand", WRONG, "Acme")
    await corrections.correct("missing", MISSED, "Akme", add_name=False)
    await settle(corrections)
    before = [await corrections.own(text) for text in (WRONG, RIGHT, MISSED)]
    await installation.db.execute("UPDATE scan_results SET extractor_version = 'older'")
    async with installation.db.transaction() as tx:
        workspace_id, domain_id = corrections.history.workspace_id, corrections.history.domain_id
        await request_recompute(tx, workspace_id, domain_id, "brand_changed", now=installation.clock())
    await settle(corrections)
    versions = await installation.db.fetch("SELECT DISTINCT extractor_version FROM scan_results")
    assert [row[0] for row in versions] != ["older"], "it was analyzed again"
    assert [await corrections.own(text) for text in (WRONG, RIGHT, MISSED)] == before
    assert [each["mentioned"] for each in before] == [False, True, True]


async def test_a_correction_outlives_the_answer_that_it_was_made_on(corrections, installation):
    second = await corrections.check(WRONG, RIGHT, MISSED)
    made = await corrections.correct("not_this_brand", WRONG, "Acme", phrase="acme peak")
    await installation.db.execute("DELETE FROM answers WHERE id = $1", made["answer_id"])
    await settle(corrections)
    assert not (await corrections.own(WRONG, second))["mentioned"]
    assert [each["text"] for each in await corrections.listed()] == ["Acme"]


async def test_a_correction_that_was_made_while_its_check_ran_is_noticed_at_the_end(corrections):
    """As long as the domain has no completed check, nothing can be recomputed."""
    installation, history = corrections.installation, corrections.history
    await corrections.correct("not_this_brand", WRONG, "Acme")
    await installation.db.execute("DELETE FROM recomputations")
    await installation.db.execute("DELETE FROM jobs WHERE kind = 'domain.recompute'")
    for expected in (["waiting"], ["done"]):
        scan = await find_scan(installation.db, history.workspace_id, UUID(corrections.scans[0]))
        await request_recompute_if_renamed(installation.db, scan, now=installation.clock())
        assert [status for status, _ in await corrections.recomputations()] == expected
        await settle(corrections)
    assert not (await corrections.own(WRONG))["mentioned"]


async def test_the_preview_of_names_knows_the_corrections(corrections, installation):
    await corrections.correct("not_this_brand", WRONG, "Acme")
    await corrections.correct("missing", MISSED, "Akme", add_name=False)
    await settle(corrections)
    domain = await find_tracked_domain(installation.db, corrections.history.workspace_id, corrections.history.domain_id)
    changes = BrandChanges(aliases=["Globex"])
    preview = await preview_brand(installation.db, corrections.history.workspace_id, domain, changes)
    assert preview.mentions == (2, 2)


async def test_a_correction_during_the_recomputation_is_not_lost(corrections):
    """The second change is made while the first may be running: both hold in the end."""
    installation = corrections.installation
    first = await corrections.body("not_this_brand", WRONG, "Acme")
    second = await corrections.body("missing", MISSED, "Akme", add_name=False)

    async def has_both():
        shown = [(await corrections.own(text))["mentioned"] for text in (WRONG, MISSED)]
        return shown == [False, True]

    async with working(installation, sandbox_latency_ms=0):
        assert (await corrections.post(first)).status_code == 201
        await until(lambda: installation.db.fetchval("SELECT count(*) FROM recomputations WHERE status <> 'waiting'"))
        assert (await corrections.post(second, idempotency=str(new_id()))).status_code == 201
        await until(has_both, seconds=60)
