"""Payloads outside the database: in a folder, and in a bucket of a real S3-compatible server on this machine."""

import asyncio
import errno
import json
import os
import socket
import uuid
import zlib
from datetime import timedelta
from functools import partial
from itertools import pairwise

import pytest
from structlog.testing import capture_logs

from sightline.kit.clock import utc_now
from sightline.platforms.costs.call_log import CallLog
from sightline.scans.partitions import first_id_at
from sightline.scans.payloads.move import move_payloads_any_workspace, remove_orphans_any_workspace
from sightline.scans.payloads.object_store import PayloadStores, StoreUnavailable
from sightline.scans.payloads.read import read_payload
from sightline.scans.payloads.write import PayloadWriter
from sightline.scans.running.analysis import AnalyzedAnswer
from sightline.scans.running.answer import AnswerStore
from sightline.scans.running.cells import CellJob
from sightline.scans.running.queries import NewAnswer
from sightline.settings import Settings, SettingsError
from sightline.worker.retention import run_payload_moves, run_retention
from tests.installation import Installation
from tests.process.serving.processes import run
from tests.running_worker import Console, until, working
from tests.scans.stored_payloads import PRESENT, SENT, open_stores, stored_answers
from tests.web.page_browser import open_browser


@pytest.fixture(params=["folder", "bucket"])
def store(request, tmp_path):
    """Return the address of an empty store."""
    return f"file:{tmp_path}/payloads" if request.param == "folder" else request.getfixturevalue("bucket")


async def test_payloads_move_to_the_store_are_read_back_and_leave_with_their_answers(installation, store):
    _, keys = await stored_answers(installation)
    db, stores, now = installation.db, open_stores(store), installation.clock()
    assert await move_payloads_any_workspace(db, stores, limit=1_000, now=now) == len(keys) == 6
    assert await db.fetchval(PRESENT) == 0 and await move_payloads_any_workspace(db, stores, limit=1_000, now=now) == 0
    assert [await read_payload(db, stores, key) for key in keys] == ['{\n  "text": "Acme"\n}'] * 6
    foreign = (uuid.uuid4(), *keys[0][1:])
    assert await read_payload(db, stores, foreign) is None, "of another workspace"

    await db.execute("DELETE FROM answers WHERE id = $1", keys[0][2])
    for _ in range(2):  # the second run finds the end
        await remove_orphans_any_workspace(db, stores.current, now=now)
    assert await read_payload(db, stores, keys[0]), "it may belong to an answer that is about to be stored"
    later = utc_now() + timedelta(days=9)  # an id contains the real time, not that of the test's clock
    await remove_orphans_any_workspace(db, stores.current, now=later)
    assert [await read_payload(db, stores, key) is None for key in keys] == [True, *[False] * 5]

    back = PayloadStores(None, stores.current)
    assert await move_payloads_any_workspace(db, back, limit=1_000, now=now) == 5
    assert await db.fetchval(PRESENT) == 5 and await stores.current.list_scans(None) == []
    await move_payloads_any_workspace(db, stores, limit=1_000, now=now)
    settings = installation.app_context.settings.model_copy(update={"payload_retention_days": 3})
    await run_retention(db, settings, stores, now=later)
    assert [await read_payload(db, stores, key) for key in keys] == [None] * 6


async def test_a_move_that_dies_is_continued(installation, database_url, tmp_path, bucket):
    _, keys = await stored_answers(installation)
    db, folder = installation.db, f"file:{tmp_path}/payloads"
    shared = {"database_url": database_url, "data_dir": tmp_path / "cli", "secret_key": "s" * 40}
    await move_payloads_any_workspace(db, open_stores(folder), limit=1_000, now=installation.clock())
    for current, former in ((bucket, folder), ("database", bucket)):
        move = partial(run, "payloads", "move", "--json", **shared, payload_store=current, payload_store_former=former)
        assert move(test_crash_at="after_payloads_copied").returncode == 137
        stores = open_stores(current, former)
        assert len(await stores.former.list_answers(*keys[0][:2])) == 6, "not deleted yet"
        assert [await read_payload(db, stores, key) is None for key in keys] == [False] * 6
        done = move()
        assert done.returncode == 0 and json.loads(done.stdout) == {"moved": 6}, done.stderr
        assert await stores.former.list_scans(None) == []
        assert [await read_payload(db, PayloadStores(stores.current), key) is None for key in keys] == [False] * 6


async def test_one_run_looks_for_payloads_without_answers_in_many_workspaces(installation, store):
    now, folder = installation.clock(), open_stores(store).current
    for _ in range(3):
        old = uuid.UUID(int=first_id_at(now - timedelta(days=2)).int | 1)
        await folder.write((uuid.uuid4(), uuid.uuid4(), old), SENT)
    assert len(await folder.list_scans(None)) == 3
    await remove_orphans_any_workspace(installation.db, folder, now=now)
    assert await folder.list_scans(None) == []


async def test_what_a_dying_worker_left_of_a_payload_is_removed(installation, tmp_path):
    now, folder = installation.clock(), open_stores(f"file:{tmp_path}").current
    places = [tmp_path / f"{uuid.uuid4()}/{uuid.uuid4()}/{uuid.uuid4()}#1" for _ in range(2)]
    for place, days in zip(places, (0, 2), strict=True):
        place.parent.mkdir(parents=True)
        place.write_bytes(SENT)
        os.utime(place, times=((now - timedelta(days=days)).timestamp(),) * 2)
    await remove_orphans_any_workspace(installation.db, folder, now=now)
    assert [place.exists() for place in places] == [True, False], "the first one may be written at this moment"
    assert [scan_id for _, scan_id in await folder.list_scans(None)] == [uuid.UUID(places[0].parent.name)]


async def test_others_cannot_read_payloads_in_a_folder_that_existed_before(tmp_path):
    tmp_path.chmod(0o755)
    old, new = ((uuid.uuid4(), uuid.uuid4(), uuid.uuid4()) for _ in range(2))
    (tmp_path / str(old[0])).mkdir(mode=0o755)
    store = open_stores(f"file:{tmp_path}").current
    for key in (old, new):
        await store.write(key, SENT)
        assert (tmp_path / str(key[0])).stat().st_mode & 0o777 == 0o700
        assert await store.read(key) == SENT


async def test_new_folders_survive_a_crash_of_the_machine_with_their_payload(tmp_path, monkeypatch):
    flush, flushed = os.fsync, set()

    def record(handle):
        flushed.add(os.fstat(handle).st_ino)
        flush(handle)

    # Only a crash of the machine would show what was flushed.
    monkeypatch.setattr(os, "fsync", record)
    workspace, scan, answer = key = (uuid.uuid4(), uuid.uuid4(), uuid.uuid4())
    await open_stores(f"file:{tmp_path}").current.write(key, SENT)
    places = (tmp_path, tmp_path / f"{workspace}", tmp_path / f"{workspace}/{scan}")
    assert flushed == {each.stat().st_ino for each in (*places, places[-1] / f"{answer}")}


async def test_a_folder_may_contain_what_is_not_ours(installation, tmp_path):
    _, keys = await stored_answers(installation)
    db, now = installation.db, installation.clock()
    stores = open_stores(f"file:{tmp_path}/payloads")
    await run_payload_moves(db, stores, now=now)
    scan = tmp_path / "payloads" / str(keys[0][0]) / str(keys[0][1])
    for foreign in (tmp_path / "payloads" / "lost+found", scan.parent / "notes"):
        foreign.mkdir()
    for foreign in (tmp_path / "payloads" / "README", scan / ".DS_Store"):
        foreign.write_text("not ours")
    await run_payload_moves(db, stores, now=now)
    back = open_stores("database", f"file:{tmp_path}/payloads")
    assert await move_payloads_any_workspace(db, back, limit=1_000, now=now) == 6
    assert (scan / ".DS_Store").exists() and (tmp_path / "payloads" / "lost+found").exists()


@pytest.mark.parametrize("depth", [1, 2, 3], ids=["workspace", "scan", "answer"])
async def test_a_link_in_the_folder_leads_nowhere(installation, tmp_path, depth):
    """Someone who may write to the folder links an address to a place outside, where files look like payloads."""
    now = installation.clock()
    key = workspace, scan, answer = (*(uuid.uuid4() for _ in range(2)), first_id_at(now - timedelta(days=9)))
    outside, inside = (tmp_path / name / f"{workspace}/{scan}/{answer}" for name in ("outside", "payloads"))
    outside.parent.mkdir(parents=True)
    outside.parents[2].chmod(0o755)
    leftover = outside.with_name("left#1")
    for place in (outside, leftover):
        place.write_bytes(b"secret")
        os.utime(place, times=((now - timedelta(days=9)).timestamp(),) * 2)
    linked = [inside.parents[1], inside.parent, inside][depth - 1]
    linked.parent.mkdir(parents=True, exist_ok=True)
    linked.symlink_to([outside.parents[1], outside.parent, outside][depth - 1])
    folder = open_stores(f"file:{tmp_path}/payloads").current
    before = {
        each: (each.stat().st_mode, each.is_file() and each.read_bytes()) for each in outside.parents[2].rglob("*")
    }
    assert await folder.read(key) is None and await folder.list_answers(workspace, scan) == []
    with pytest.raises(StoreUnavailable):
        await folder.write(key, SENT)
    await folder.delete_answers(workspace, scan, [answer])
    await folder.delete_unfinished(workspace, scan, before=now)
    await remove_orphans_any_workspace(installation.db, folder, now=now)
    assert before == {
        each: (each.stat().st_mode, each.is_file() and each.read_bytes()) for each in outside.parents[2].rglob("*")
    }
    assert linked.is_symlink()


async def test_the_folder_itself_may_be_a_link(tmp_path):
    (tmp_path / "disk").mkdir()
    (tmp_path / "payloads").symlink_to(tmp_path / "disk")
    store, key = open_stores(f"file:{tmp_path}/payloads").current, (uuid.uuid4(), uuid.uuid4(), uuid.uuid4())
    await store.write(key, SENT)
    assert await store.read(key) == SENT and await store.list_answers(*key[:2]) == [key[2]]
    assert (tmp_path / "disk" / f"{key[0]}/{key[1]}/{key[2]}").exists()


@pytest.mark.parametrize(
    "odd", ["..", "%2e%2e", "..%2f..", "%2fetc%2fpasswd", "{answer}%00", "{answer}%2f..", "%7B{answer}%7D"]
)
async def test_no_address_of_a_page_or_the_api_leaves_the_payloads(installation, tmp_path, odd):
    dashboard, keys = await stored_answers(installation)
    _, scan, answer = keys[0]
    (tmp_path / "passwd").write_bytes(SENT)
    async with (
        Installation.on(installation.db, tmp_path, payload_store=f"file:{tmp_path}/payloads") as configured,
        open_browser(configured, dashboard.tenant.owner) as browser,
    ):
        await run_payload_moves(installation.db, configured.app_context.payloads, now=installation.clock())
        for path in (f"{scan}/{odd}", f"{odd}/{answer}"):
            shown = await browser.get(f"{dashboard.path}/answers/{path.format(answer=answer)}/payload")
            assert shown.status_code in {404, 422} and "Acme" not in shown.text, path


async def test_the_page_of_an_answer_leads_to_what_the_platform_sent(installation, tmp_path, store):
    dashboard, keys = await stored_answers(installation)
    path = f"{dashboard.path}/answers/{keys[0][1]}/{keys[0][2]}"
    async with (
        Installation.on(installation.db, tmp_path, payload_store=store) as configured,
        open_browser(configured, dashboard.tenant.owner) as browser,
    ):
        assert f'href="{path}/payload"' in (await browser.get(path)).text
        for stored in (6, 0):
            assert await installation.db.fetchval(PRESENT) == stored
            assert "&#34;text&#34;: &#34;Acme&#34;" in (await browser.get(f"{path}/payload")).text
            await run_payload_moves(installation.db, configured.app_context.payloads, now=installation.clock())
        await configured.app_context.payloads.current.delete_scan(*keys[0][:2])
        assert "There is no stored response" in (await browser.get(f"{path}/payload")).text


async def read_stored(installation, key, payload):
    """Store a payload, and return what is read, and the longest time without a turn for others, as a share."""
    changed = "UPDATE answer_payloads SET payload = $1 WHERE answer_id = $2"
    await installation.db.execute(changed, zlib.compress(payload), key[2])
    loop, turns = asyncio.get_running_loop(), []

    async def take_turns():
        while True:
            turns.append(loop.time())
            await asyncio.sleep(0.001)

    others = asyncio.create_task(take_turns())
    await asyncio.sleep(0.01)
    text = await read_payload(installation.db, open_stores("database"), key)
    await asyncio.sleep(0.01)
    others.cancel()
    return text, max(after - before for before, after in pairwise(turns)) / (turns[-1] - turns[0])


async def test_large_payloads_hold_up_nobody_and_deep_ones_are_shown_as_they_are(installation):
    _, keys = await stored_answers(installation)
    text, longest = await read_stored(installation, keys[0], b"[1%s]" % (b",1" * 450_000))
    assert text.startswith("[\n  1,\n") and text.endswith("…") and longest < 0.5
    text, _ = await read_stored(installation, keys[0], b"[1%s]" % (b",1" * 600_000))
    assert text.startswith("[1,1,") and text.endswith("…"), "too large to be formatted in a moment"
    deep = b"[" * 100_000 + b"]" * 100_000
    assert (await read_stored(installation, keys[0], deep))[0] == deep.decode()


async def test_a_check_writes_its_payloads_to_the_store(installation, tmp_path):
    tenant = await installation.tenant()
    async with Console(installation, tenant.test) as console:
        domain_id = await console.domain()
        async with working(installation, sandbox_latency_ms=0, payload_store=f"file:{tmp_path}/payloads"):
            scan = await console.submit(domain_id, selected_platforms=["chatgpt"], customer_keywords=["best anvil"])
            ended = await console.ended(scan["id"])
    assert ended["status"] == "completed" and await installation.db.fetchval(PRESENT) == 0
    key = (tenant.workspace.id, uuid.UUID(scan["id"]))
    stores = open_stores(f"file:{tmp_path}/payloads")
    answers = await stores.current.list_answers(*key)
    assert len(answers) == ended["answers_completed"] and await read_payload(
        installation.db, stores, (*key, answers[0])
    )


async def test_a_payload_is_written_once_while_its_answer_waits_for_the_database(installation, tmp_path):
    payloads = PayloadWriter(open_stores(f"file:{tmp_path}").current)
    store = AnswerStore(installation.db, CallLog(installation.db, clock=installation.clock), payloads)
    await installation.db.close()
    with capture_logs() as logs:
        storing = asyncio.create_task(store.run())
        waiting = asyncio.create_task(store.store(new_answer()))

        async def tried(times):
            return [each["event"] for each in logs].count("answer_storage_delayed") >= times

        await until(partial(tried, 1))
        (written,) = (each for each in tmp_path.rglob("*") if each.is_file())
        before = written.stat()
        await until(partial(tried, 3))
    assert os.path.samestat(before, written.stat()), "a file that is written again is another file"
    await installation.db.open()
    await asyncio.wait_for(waiting, 20)
    storing.cancel()


def new_answer():
    cell = CellJob(uuid.uuid4(), uuid.uuid4(), "chatgpt", 0)
    return NewAnswer(cell, uuid.uuid4(), None, AnalyzedAnswer("ok", "", b"{}"), None, SENT)


async def test_a_full_disk_and_a_store_that_is_away_cost_nobody_an_answer(tmp_path, monkeypatch, s3_server):
    writer = PayloadWriter(open_stores(f"file:{tmp_path}/payloads").current)
    answers = [new_answer(), new_answer()]
    assert [each.payload for each in await writer.write(answers)] == [b"", b""]

    def fail(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    # As on a full disk.
    monkeypatch.setattr(os, "fsync", fail)
    assert [each.payload for each in await writer.write(answers)] == [SENT, SENT], "kept for the database"
    monkeypatch.undo()
    assert [each.payload for each in await writer.write(answers)] == [SENT, SENT], "not tried again for a while"
    # The pause after a failure takes a minute.
    monkeypatch.setattr("sightline.scans.payloads.write.PAUSE_SECONDS", 0)
    for name, value in {"ENDPOINT": "http://127.0.0.1:9", "REGION": "x"}.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    away = open_stores("s3://payloads").current
    assert [each.payload for each in await PayloadWriter(away).write(answers)] == [SENT, SENT]
    with pytest.raises(StoreUnavailable):
        await away.read((uuid.uuid4(), uuid.uuid4(), uuid.uuid4()))


async def test_a_store_that_never_responds_delays_answers_once_and_nothing_else(bucket, monkeypatch):
    # A batch may take ten seconds.
    monkeypatch.setattr("sightline.scans.payloads.write.BATCH_SECONDS", 1)
    answers = [new_answer() for _ in range(200)]
    with socket.create_server(("127.0.0.1", 0)) as silent:  # accepts connections, and never reads from them
        monkeypatch.setenv("AWS_ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
        writer = PayloadWriter(open_stores(bucket).current)
        writing = asyncio.create_task(writer.write(answers))
        await asyncio.sleep(0.5)
        assert not writing.done()
        await asyncio.wait_for(asyncio.to_thread(int), 5)  # as a lookup of a host name does
        assert list(await asyncio.wait_for(writing, 8)) == answers, "all kept for the database"
        assert await asyncio.wait_for(writer.write(answers), 0.5) == answers, "not tried again for a while"


@pytest.mark.parametrize("address", ["", "folder", "file:relative", "s3:/bucket", "https://bucket"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(ValueError, match="must be database"):
        Settings(payload_store=address)


@pytest.mark.parametrize(
    ("current", "former"),
    [("file:/p", "file:/p"), ("file:/p", "file:///p/"), ("file:/p", "file:/q/../p"), ("s3://b/x", "s3://b/x/")],
)
def test_the_current_store_as_the_former_one_is_refused(current, former):
    with pytest.raises(ValueError, match="must be another place"):
        Settings(payload_store=current, payload_store_former=former)


def test_a_link_to_the_current_store_as_the_former_one_is_refused(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "payloads")
    with pytest.raises(ValueError, match="must be another place"):
        Settings(payload_store=f"file:{tmp_path}/payloads", payload_store_former=f"file:{tmp_path}/link")


@pytest.mark.parametrize(
    ("current", "former"), [("database", "database"), ("s3://b/x", "s3://b"), ("file:/p/new", "file:/p")]
)
def test_another_place_as_the_former_store_is_accepted(current, former):
    assert Settings(payload_store=current, payload_store_former=former).payload_store_former == former


def test_a_store_without_its_package_says_what_to_install(monkeypatch, tmp_path):
    # As where the extra is not installed.
    monkeypatch.setitem(__import__("sys").modules, "obstore.store", None)
    with pytest.raises(SettingsError, match="objects"):
        open_stores(f"file:{tmp_path}")
