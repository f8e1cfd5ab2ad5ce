"""Moving payloads while other processes move, store or remove payloads at the same time."""

import asyncio
import uuid
from datetime import timedelta

import pytest

from sightline.kit.clock import utc_now
from sightline.scans.partitions import first_id_at
from sightline.scans.payloads.move import move_payloads_any_workspace
from sightline.scans.payloads.object_store import PayloadStores, StoreUnavailable
from sightline.scans.payloads.read import read_payload
from sightline.worker.retention import run_retention
from tests.scans.stored_payloads import SENT, HeldUploads, open_stores, stored_answers


async def test_two_processes_that_move_in_opposite_directions_lose_nothing(
    installation, bucket, s3_server, monkeypatch
):
    _, keys = await stored_answers(installation)
    db, now = installation.db, installation.clock()
    for key in keys:  # a process that moved them to the database was killed before it deleted them from the bucket
        await open_stores(bucket).current.write(key, SENT)
    async with HeldUploads(s3_server, only_responses=True).serve(monkeypatch) as proxy:
        stores = open_stores(bucket)
        there = asyncio.create_task(move_payloads_any_workspace(db, stores, limit=1_000, now=now))
        await proxy.begun.wait()
        assert await move_payloads_any_workspace(db, PayloadStores(None, stores.current), limit=1_000, now=now) is None
        proxy.released.set()
        assert await there == 6
        assert [await read_payload(db, stores, key) is None for key in keys] == [False] * 6


async def test_a_payload_whose_answer_is_about_to_be_stored_is_not_dropped(installation, tmp_path):
    _, keys = await stored_answers(installation)
    db, now = installation.db, installation.clock()
    stores = open_stores("database", f"file:{tmp_path}/payloads")
    young = (*keys[0][:2], uuid.UUID(int=first_id_at(now).int | 1))
    await stores.former.write(young, SENT)
    for key in keys:
        await stores.former.write(key, SENT)
    assert await move_payloads_any_workspace(db, stores, limit=1_000, now=now) == 6
    assert await stores.former.list_answers(*young[:2]) == [young[2]]
    later = now + timedelta(days=2)
    assert await move_payloads_any_workspace(db, stores, limit=1_000, now=later) == 1, "it never got an answer"
    assert await stores.former.list_scans(None) == []


async def test_retention_removes_payloads_that_are_being_moved(installation, bucket, s3_server, monkeypatch):
    _, keys = await stored_answers(installation)
    db = installation.db
    later = utc_now() + timedelta(days=9)  # an id contains the real time, not that of the test's clock
    settings = installation.app_context.settings.model_copy(update={"payload_retention_days": 3})
    async with HeldUploads(s3_server).serve(monkeypatch) as proxy:
        stores = open_stores(bucket)
        move = asyncio.create_task(move_payloads_any_workspace(db, stores, limit=1_000, now=later))
        await proxy.begun.wait()
        await run_retention(db, settings, stores, now=later)
        proxy.released.set()
        await move
        await run_retention(db, settings, stores, now=later)
        assert [await read_payload(db, stores, key) for key in keys] == [None] * 6


async def test_a_payload_that_moves_while_it_is_read_is_found(installation, bucket, s3_server, monkeypatch):
    _, keys = await stored_answers(installation)
    db, now, direct = installation.db, installation.clock(), open_stores(bucket)
    await move_payloads_any_workspace(db, direct, limit=1_000, now=now)
    async with HeldUploads(s3_server, method=b"GET").serve(monkeypatch) as proxy:
        reading = asyncio.create_task(read_payload(db, open_stores("database", bucket), keys[0]))
        await proxy.begun.wait()
        back = PayloadStores(None, direct.current)
        assert await move_payloads_any_workspace(db, back, limit=1_000, now=now) == 6
        proxy.released.set()
        assert await reading


async def test_a_payload_is_read_while_another_store_is_away(installation, bucket, tmp_path, monkeypatch):
    _, keys = await stored_answers(installation)
    await open_stores(f"file:{tmp_path}").current.write(keys[0], SENT)
    await installation.db.execute("DELETE FROM answer_payloads")
    monkeypatch.setenv("AWS_ENDPOINT", "http://127.0.0.1:9")
    for stores in (open_stores(bucket, f"file:{tmp_path}"), open_stores(f"file:{tmp_path}", bucket)):
        assert await read_payload(installation.db, stores, keys[0])
        with pytest.raises(StoreUnavailable):
            await read_payload(installation.db, stores, keys[1])
