"""The path of one answer: each cell is stored once, whatever the answer says, and as failed if there is none."""

import asyncio
import uuid

import msgspec
import pytest
from structlog.testing import capture_logs

from sightline.db.failures import TransactionConflict
from sightline.jobs.queue import NewJob, enqueue
from sightline.platforms.costs.call_log import CallLog
from sightline.scans.payloads.write import PayloadWriter
from sightline.scans.running import answer
from sightline.scans.running.analysis import AnalyzedAnswer
from sightline.scans.running.answer import AnswerStore
from sightline.scans.running.cells import CellJob
from sightline.scans.running.queries import NewAnswer, store_answers_any_workspace
from tests.running_worker import until, working
from tests.scans.running.provider import build_keywords


async def count(installation, table: str) -> int:
    return await installation.db.fetchval(f"SELECT count(*) FROM {table}")


async def answers_of(console, scan) -> list[dict]:
    return (await console.get(f"/scans/{scan['id']}/answers", params={"page_size": 200})).json()["data"]


async def test_duplicate_jobs_of_a_cell_store_one_answer_and_count_it_once(live_installation, live, provider):
    provider.latency = 0.1
    scan = await live.submit(await live.domain(), keywords=build_keywords(3), platforms=["chatgpt"])
    workspace = await live_installation.db.fetchval("SELECT workspace_id FROM scans")
    async with working(live_installation):

        async def runs():
            return (await live.scan(scan["id"]))["status"] == "running"

        await until(runs)
        cell = CellJob(workspace, uuid.UUID(scan["id"]), "chatgpt", 0)
        await enqueue(live_installation.db, *[NewJob(kind="cell.live.chatgpt", payload=cell) for _ in range(4)])
        ended = await live.ended(scan["id"])
        assert (ended["status"], ended["answers_completed"], ended["answers_failed"]) == ("completed", 3, 0)

        async def idle():
            return await count(live_installation, "jobs WHERE kind LIKE 'cell%'") == 0

        await until(idle)
    assert await count(live_installation, "answers") == 3 and await count(live_installation, "answer_payloads") == 3


STRANGE = {
    "nul": "Acme\0 is a good choice, and so is Globex.",
    "huge": "Acme is a good choice, and so is Globex. " * 26_000,
    "controls": "Acme \x01\x1b[31m\x7f\ufeff\u202e is good, Globex \U0001f600 too. \ud7ff\ufffe",
}


async def test_answers_with_strange_characters_and_of_a_megabyte_are_stored(live_installation, live, provider):
    provider.says = {f"best crm {name}": text for name, text in STRANGE.items()}
    scan = await live.submit(await live.domain(), keywords=list(provider.says), platforms=["chatgpt"])
    async with working(live_installation):
        ended = await live.ended(scan["id"], seconds=60)
    assert (ended["status"], ended["answers_completed"]) == ("completed", 3)
    texts = {each["prompt"]: each["text"] for each in await answers_of(live, scan)}
    assert texts["best crm nul"] == "Acme\ufffd is a good choice, and so is Globex."
    assert len(texts["best crm huge"]) >= 1_000_000
    assert all(each["mentioned"] for each in await answers_of(live, scan))


async def test_an_answer_with_half_a_character_does_not_harm_other_answers(live_installation, live, provider):
    provider.says = {"best crm 0": "Acme is good, \udc80 half of something \ud83d and more."}
    scan = await live.submit(await live.domain(), keywords=build_keywords(2), platforms=["chatgpt"])
    async with working(live_installation):
        ended = await live.ended(scan["id"])
    assert ended["status"] == "completed" and ended["answers_completed"] + ended["answers_failed"] == 2
    assert ended["answers_completed"] >= 1


async def test_a_platform_disconnected_after_submission_gives_failed_answers(live_installation, live, provider):
    """A fault of the platform fails the answer; the scan does not hang."""
    before = await live.balance()
    scan = await live.submit(await live.domain(), keywords=build_keywords(2), platforms=["chatgpt"])
    async with working(live_installation, openai_api_key=None):
        ended = await live.ended(scan["id"])
    assert ended["status"] == "failed" and ended["answers_failed"] == 2
    assert "no longer connected" in ended["error_message"]
    assert await live.balance() == before and provider.asked.total() == 0


async def test_magic_prompts_of_the_sandbox_work_in_a_scan(installation, console):
    magic = ["sandbox:fail", "sandbox:ratelimit", "sandbox:refuse", "sandbox:garbage", "best crm"]
    scan = await console.submit(await console.domain(), keywords=magic, platforms=["chatgpt"])
    async with working(installation, ask_attempts=3):
        ended = await console.ended(scan["id"], seconds=60)
    assert (ended["status"], ended["answers_completed"], ended["answers_failed"]) == ("completed", 3, 2)
    found = {each["prompt"]: each for each in await answers_of(console, scan)}
    assert {word: found[word]["status"] for word in magic} == {
        "sandbox:fail": "failed",
        "sandbox:ratelimit": "ok",
        "sandbox:refuse": "ok",
        "sandbox:garbage": "failed",
        "best crm": "ok",
    }
    assert found["sandbox:ratelimit"]["provenance"]["attempts"] == 3
    assert found["sandbox:fail"]["fault"]["kind"] == "unavailable" and found["sandbox:fail"]["text"] == ""
    assert found["sandbox:garbage"]["fault"]["kind"] == "malformed"
    assert found["sandbox:refuse"]["mentioned"] is False


def build_answer(scan_id, workspace, number, *, job_id=0, clock):
    text = f"Acme is a good choice, says answer {number}."
    cell = CellJob(workspace, scan_id, "chatgpt", number)
    return NewAnswer(cell, uuid.uuid4(), None, AnalyzedAnswer("ok", text, b"{}"), clock(), b"payload", job_id)


@pytest.fixture
async def running_scan(installation, console):
    scan = await console.submit(await console.domain(), keywords=build_keywords(10), platforms=["chatgpt"])
    await installation.db.execute("DELETE FROM jobs")
    await installation.db.execute("UPDATE scans SET status = 'running', started_at = created_at")
    await installation.db.execute(
        """INSERT INTO scan_lanes SELECT workspace_id, id, 'chatgpt', 'sandbox.chatgpt', 40, 10, 10, 0, created_at
           FROM scans"""
    )
    return uuid.UUID(scan["id"]), await installation.db.fetchval("SELECT workspace_id FROM scans")


async def test_concurrent_copies_of_an_answer_count_once_and_the_scan_finishes_once(installation, running_scan):
    async def store():
        store = AnswerStore(installation.db, CallLog(installation.db, clock=installation.clock), PayloadWriter(None))
        task = asyncio.create_task(store.run())
        await asyncio.gather(
            *(store.store(build_answer(*running_scan, number % 10, clock=installation.clock)) for number in range(20))
        )
        task.cancel()

    await asyncio.gather(*(store() for _ in range(4)))
    assert tuple(await installation.db.fetchrow("SELECT answers_completed, answers_failed FROM scans")) == (10, 0)
    assert tuple(await installation.db.fetchrow("SELECT admitted, settled FROM scan_lanes")) == (10, 10)
    assert await count(installation, "answers") == 10 and await count(installation, "answer_payloads") == 10
    assert await installation.db.fetch("SELECT kind FROM jobs") == [("scan.finish",)]


async def test_an_answer_that_cannot_be_stored_does_not_harm_others_in_its_batch(installation, running_scan):
    store = AnswerStore(installation.db, CallLog(installation.db, clock=installation.clock), PayloadWriter(None))
    bad = msgspec.structs.replace(
        build_answer(*running_scan, 0, clock=installation.clock), analyzed=AnalyzedAnswer("ok", "half \ud800", b"{}")
    )
    batch = [bad, *(build_answer(*running_scan, number, clock=installation.clock) for number in range(1, 5))]
    waiting = [asyncio.create_task(store.store(each)) for each in batch]
    await asyncio.sleep(0)
    task = asyncio.create_task(store.run())
    results = await asyncio.gather(*waiting, return_exceptions=True)
    task.cancel()
    assert isinstance(results[0], Exception) and results[1:] == [None] * 4
    assert await count(installation, "answers") == 4


async def test_an_answer_to_a_scan_that_has_ended_is_left_out_and_its_job_is_settled(
    installation, console, running_scan
):
    scan_id, workspace_id = running_scan
    await console.post(f"/scans/{scan_id}/cancel")
    await installation.db.execute("DELETE FROM jobs")
    await enqueue(
        installation.db, NewJob(kind="cell.sandbox.chatgpt", payload=CellJob(workspace_id, scan_id, "chatgpt", 0))
    )
    job = await installation.db.fetchval("SELECT id FROM jobs")
    store = AnswerStore(installation.db, CallLog(installation.db, clock=installation.clock), PayloadWriter(None))
    task = asyncio.create_task(store.run())
    await store.store(build_answer(*running_scan, 0, job_id=job, clock=installation.clock))
    task.cancel()
    assert await count(installation, "answers") == 0 and await count(installation, "jobs") == 0
    async with installation.db.transaction() as tx:
        assert await store_answers_any_workspace(tx, [build_answer(*running_scan, 1, clock=installation.clock)]) == []


CONFLICT = """
CREATE SEQUENCE conflicts;
CREATE FUNCTION collide() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF nextval('conflicts') <= %d THEN
        RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '%s';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER collide AFTER INSERT ON answers EXECUTE FUNCTION collide();
"""


@pytest.mark.parametrize("code", ["deadlock_detected", "serialization_failure"])
async def test_after_a_few_conflicts_answers_are_stored(installation, running_scan, code, monkeypatch):
    # Pauses between attempts add up to seconds.
    monkeypatch.setattr(answer, "CONFLICT_SECONDS", 0.01)
    await installation.db.execute(CONFLICT % (3, code))
    store = AnswerStore(installation.db, CallLog(installation.db, clock=installation.clock), PayloadWriter(None))
    task = asyncio.create_task(store.run())
    with capture_logs() as logs:
        await asyncio.wait_for(store.store(build_answer(*running_scan, 0, clock=installation.clock)), 60)
    task.cancel()
    assert [each["event"] for each in logs] == ["answers_stored_again"] * 3
    assert await count(installation, "answers") == 1


async def test_conflicts_without_end_fail_the_answer_and_not_the_store(installation, running_scan, monkeypatch):
    # Pauses between attempts add up to seconds.
    monkeypatch.setattr(answer, "CONFLICT_SECONDS", 0.01)
    await installation.db.execute(CONFLICT % (1_000_000, "deadlock_detected"))
    store = AnswerStore(installation.db, CallLog(installation.db, clock=installation.clock), PayloadWriter(None))
    task = asyncio.create_task(store.run())
    with pytest.raises(TransactionConflict):
        await asyncio.wait_for(store.store(build_answer(*running_scan, 0, clock=installation.clock)), 60)
    await installation.db.execute("DROP TRIGGER collide ON answers")
    await asyncio.wait_for(store.store(build_answer(*running_scan, 0, clock=installation.clock)), 60)
    task.cancel()
    assert await count(installation, "answers") == 1
