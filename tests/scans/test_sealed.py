"""Sealed months: answers that left the database as Parquet, and are read, listed, exported and deleted as before."""

import csv
import io
import os
import subprocess
import sys
import uuid
import zipfile
from importlib import import_module

import pytest

import sightline.scans.sealed.store
from sightline.accounts.models import build_operator_actor
from sightline.errors import Problem
from sightline.jobs.retry import Retry
from sightline.offboarding import delete, export
from sightline.offboarding.models import EraseJob, ExportJob
from sightline.scans.payloads.object_store import IN_DATABASE, PayloadFolder
from sightline.scans.sealed.queries import claim_sealing_any_workspace
from sightline.scans.sealed.seal import SealFailed
from sightline.worker.retention import run_retention, run_sealing
from tests.scans.dated_history import add_alias, open_history
from tests.scans.stored_payloads import open_stores
from tests.web.page_browser import open_browser

_ROWS = """SELECT (SELECT count(*) FROM answers), (SELECT count(*) FROM answer_facts),
                  (SELECT count(*) FROM answer_payloads),
                  (SELECT count(*) FROM scan_rows WHERE name IN ('answers', 'mentions', 'citations'))"""


class SealedHistory:
    """Three Full Checks, the oldest of which is sealed after so many days."""

    def __init__(self, installation, dashboard, folder):
        self.installation, self.dashboard, self.folder = installation, dashboard, folder
        self.settings = installation.app_context.settings
        self.sealed = installation.app_context.sealed
        self.sealed.folders = open_stores(f"file:{folder}").folders
        self.client = installation.client(X_API_Key=dashboard.tenant.data_write)

    @property
    def files(self):
        return sorted(self.folder.glob("*/sealed/*/*.parquet"))

    async def seal(self, **days):
        settings = self.settings.model_copy(update={"seal_answers_after_days": 35, **days})
        await run_sealing(self.installation.db, settings, self.sealed, now=self.installation.clock())

    async def get(self, path, **query):
        return await self.client.get(f"/api/v1/ext/{path}", params=query)

    async def rows(self):
        return tuple(await self.installation.db.fetchrow(_ROWS))

    async def read_all(self):
        """Return everything that is read of answers: lists, single answers and tables."""
        self.installation.clock.advance(minutes=2)  # for the limit of requests
        read = {}
        for scan_id in self.dashboard.scans:
            listed = (await self.get(f"scans/{scan_id}/answers")).json()["data"]
            read[f"list {scan_id}"] = listed
            for each in listed:
                read[each["id"]] = (await self.get(f"scans/{scan_id}/answers/{each['id']}")).json()["data"]
        domain = f"domains/{self.dashboard.history.domain_id}"
        for name in ("answers", "mentions", "citations", "daily_metrics", "prompt_metrics", "sources", "competitors"):
            text = {"text": "yes"} if name == "answers" else {}
            page = await self.get(f"{domain}/tables/{name}", page_size=100, **text)
            assert page.status_code == 200, page.text
            read[name] = sorted(page.json()["data"], key=lambda row: row["row_id"])
            streamed = (await self.get(f"{domain}/tables/{name}.csv", **text)).text
            read[f"{name}.csv"] = sorted(csv.reader(io.StringIO(streamed)))
        return read


@pytest.fixture
async def history(installation, dated_ids, tmp_path):
    dashboard = await open_history(installation)
    opened = SealedHistory(installation, dashboard, tmp_path / "store")
    yield opened
    await opened.client.aclose()


async def test_a_sealed_month_reads_like_one_in_the_database(history):
    before = await history.read_all()
    await history.seal()
    assert await history.rows() == (12, 12, 12, 6), "the month of the first check has left the database"
    assert len(history.files) == 5
    first, second, _ = history.dashboard.scans
    marked = await history.installation.db.fetch("SELECT id FROM scans WHERE answers_sealed_at IS NOT NULL")
    assert [row[0] for row in marked] == [first]
    assert (await history.get(f"scans/{first}")).json()["data"]["answers_expired_at"] is None
    assert await history.read_all() == before
    assert (await history.get(f"scans/{first}/answers/{uuid.uuid4()}")).status_code == 404
    assert (await history.get(f"scans/{second}/answers/{before[f'list {first}'][0]['id']}")).status_code == 404
    paged = await history.get(f"scans/{first}/answers", page_size=4)
    cursor = paged.json()["meta"]["next_cursor"] if "meta" in paged.json() else None
    assert cursor is None or (await history.get(f"scans/{first}/answers", cursor=cursor)).status_code == 200


async def list_all(history, **query):
    """Return every page of the list of answers, and how many the page in the web app counts."""
    found, cursor = [], {}
    while True:
        page = await history.get(f"domains/{history.dashboard.history.domain_id}/answers", **query, **cursor)
        assert page.status_code == 200, page.text
        body = page.json()
        found += body["data"]
        if not body["meta"]["next_cursor"]:
            return found
        cursor = {"cursor": body["meta"]["next_cursor"]}


async def test_lists_reach_across_the_border(history):
    first, second, third = map(str, history.dashboard.scans)
    filters = [
        {"checks": "all"},
        {"checks": "all", "brand": "named"},
        {"checks": "all", "q": "anvils"},
        {"checks": "all", "q": "anvil nowhere"},
        {"checks": "all", "q": "the"},
        {"checks": "all", "competitor": "Globex", "platform": "perplexity"},
        {"checks": "all", "site": "acme.com"},
        {"checks": "all", "without": "Globex"},
        {"checks": "all", "status": "not_failed", "sentiment": "scored"},
        {"check": first},
        {"check": first, "brand": "absent"},
        {"check": first, "counted": "headline"},
        {"check": second, "against": first, "change": "gained"},
        {"check": first, "against": second},
        {"check": third, "against": first, "change": "gained"},
        {"check": third, "against": second, "change": "gained"},
        {},
    ]
    before = [await list_all(history, **each) for each in filters]
    assert len(before[0]) == 18 and len(before[2]) > 0 and before[3] == before[4] == [] and before[13], "they select"
    async with open_browser(history.installation, history.dashboard.tenant.owner) as browser:
        paths = [
            f"{history.dashboard.path}/answers?" + "&".join(f"{name}={value}" for name, value in each.items())
            for each in filters
        ]
        pages = [(await browser.get(path)).text.partition("<main")[2] for path in paths]
        await history.seal()
        history.installation.clock.advance(minutes=2)
        assert [await list_all(history, **each) for each in filters] == before
        after = [(await browser.get(path)).text.partition("<main")[2] for path in paths]
    assert [len(each) for each in after] == [len(each) for each in pages]


async def test_an_answer_of_a_sealed_month_opens_and_can_no_longer_be_corrected(history):
    first = history.dashboard.scans[0]
    path = (await history.dashboard.answers(first))["chatgpt"]
    answer_id = path.rpartition("/")[2]
    await history.seal()
    async with open_browser(history.installation, history.dashboard.tenant.owner) as browser:
        page = await browser.get(path)
        assert page.status_code == 200 and "Acme" in page.text and 'id="corrections"' not in page.text
        assert "are no longer stored" not in (await browser.get(f"{history.dashboard.path}/checks/{first}")).text
    wrong = {
        "scan_id": str(first),
        "answer_id": answer_id,
        "start": 14,
        "end": 18,
        "text": "Acme",
        "kind": "not_this_brand",
    }
    path = f"/api/v1/ext/domains/{history.dashboard.history.domain_id}/corrections"
    refused = await history.client.post(path, json=wrong, headers={"Idempotency-Key": str(uuid.uuid4())})
    assert (refused.status_code, refused.json()["code"]) == (409, "answers_sealed"), refused.text


async def test_a_new_alias_leaves_sealed_answers_as_they_are(history):
    await history.seal()
    before = await history.read_all()
    done = await add_alias(history.installation, history.dashboard.history, "Initech Works")
    assert tuple(done) == ("done", 3, 3, 1)
    first = str(history.dashboard.scans[0])
    after = await history.read_all()
    sealed = [name for name in before if name.startswith(f"list {first}")]
    assert sealed and all(after[name] == before[name] for name in sealed)


@pytest.mark.parametrize("place", ["after_sealed_files_written", "after_answers_sealed"])
async def test_a_process_that_is_killed_while_sealing_loses_nothing(history, place):
    before = await history.read_all()
    rows = await history.rows()
    killed = run_in_process(history, "seal", place)
    assert killed.returncode == 137, killed.stderr
    marked = await history.installation.db.fetchval("SELECT count(*) FROM scans WHERE answers_sealed_at IS NOT NULL")
    if place == "after_sealed_files_written":
        assert (marked, await history.rows(), len(history.files)) == (0, rows, 5)
    else:
        assert (marked, (await history.rows())[:2], len(history.files)) == (1, (18, 18), 5), "not yet dropped"
    assert await history.read_all() == before
    await history.seal()
    assert (await history.rows())[:3] == (12, 12, 12)
    assert len(history.files) == 5, "what the process left behind is gone"
    assert await history.read_all() == before
    await history.seal()
    assert len(history.files) == 5, "a sealed month is never written again"


def run_in_process(history, step, place):
    """Seal or remove in another process, which is killed at a crash point."""
    program = f"""
import asyncio, datetime
from sightline.db.engine import Database
from sightline.settings import Settings
from sightline.scans.payloads.object_store import open_payload_stores
from sightline.scans.sealed.store import open_sealed_months
from sightline.worker.retention import run_sealing

async def main():
    days = {{"seal_answers_after_days": 35}} | ({{"answer_retention_days": 35}} if {step!r} == "remove" else {{}})
    settings = Settings(payload_store="file:{history.folder}", **days)
    db = Database({history.installation.db.url!r}, pool_size=3)
    await db.open()
    sealed = open_sealed_months(settings, open_payload_stores(settings))
    now = datetime.datetime.fromisoformat({history.installation.clock().isoformat()!r})
    await run_sealing(db, settings, sealed, now=now)

asyncio.run(main())
"""
    environment = {**os.environ, "SIGHTLINE_TEST_CRASH_AT": place}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=False
    )


async def test_answers_that_change_while_they_are_written_are_not_sealed(history, monkeypatch):
    write_file = PayloadFolder.write_file

    async def write_and_analyze_again(folder, path, source):
        await write_file(folder, path, source)
        if "/answers/" in path:
            await history.installation.db.execute("UPDATE scan_results SET metrics_version = metrics_version")

    with monkeypatch.context() as patch:
        # Another worker analyzes the answers again at this moment.
        patch.setattr(PayloadFolder, "write_file", write_and_analyze_again)
        await history.seal()
    assert (await history.rows())[:3] == (18, 18, 18)
    await history.installation.db.execute(
        """INSERT INTO recomputations (workspace_id, id, domain_id, reason, status, created_at, updated_at)
           SELECT workspace_id, gen_random_uuid(), domain_id, 'brand_changed', 'running', now(), now()
           FROM scans LIMIT 1"""
    )
    await history.seal()
    assert (await history.rows())[:3] == (18, 18, 18), "nor while they are analyzed again"
    await history.installation.db.execute("DELETE FROM recomputations")
    await history.seal()
    assert (await history.rows())[:3] == (12, 12, 12)


async def test_a_file_that_differs_when_it_is_read_back_seals_nothing(history, monkeypatch):
    read_digest = PayloadFolder.read_digest

    async def read_damaged(folder, path):
        size, digest = await read_digest(folder, path)
        return size, digest[::-1]

    with monkeypatch.context() as patch:
        # The disk returns other bytes than were written.
        patch.setattr(PayloadFolder, "read_digest", read_damaged)
        with pytest.raises(SealFailed):
            await history.seal()
    assert (await history.rows())[:3] == (18, 18, 18)
    await history.seal()
    assert len(history.files) == 5


async def test_the_retention_of_answers_deletes_sealed_months_too(history):
    first = history.dashboard.scans[0]
    await history.seal()
    assert len(history.files) == 5
    killed = run_in_process(history, "remove", "after_sealed_month_expired")
    assert killed.returncode == 137, killed.stderr
    assert len(history.files) == 5
    gone = await history.get(f"scans/{first}/answers")
    assert (gone.status_code, gone.json()["code"]) == (410, "answers_expired")
    await history.seal(answer_retention_days=35)
    assert history.files == []
    assert (await history.get(f"scans/{first}")).json()["data"]["answers_expired_at"] is not None
    assert await history.installation.db.fetchval("SELECT count(*) FROM sealed_months") == 0


async def test_files_that_are_gone_or_cannot_be_read_are_refused(history, monkeypatch):
    first = history.dashboard.scans[0]
    await history.seal()

    async def refusal(path=f"scans/{first}/answers"):
        refused = await history.get(path)
        return refused.status_code, refused.json()["code"]

    table = f"domains/{history.dashboard.history.domain_id}/tables/answers.csv"
    with monkeypatch.context() as patch:
        # An installation without the extra.
        patch.setattr(sightline.scans.sealed.store, "has_packages", lambda: False)
        assert await refusal() == (503, "sealed_reader_missing")
        assert await refusal(table) == (503, "sealed_reader_missing")
        async with open_browser(history.installation, history.dashboard.tenant.owner) as browser:
            page = await browser.get(f"{history.dashboard.path}/answers?check={first}")
            assert page.status_code == 503 and "sightline-ai[sealed]" in page.text
        await history.seal()
    with monkeypatch.context() as patch:
        # The limit of time, for a query that takes minutes.
        patch.setattr(sightline.scans.sealed.store, "SECONDS", 0.2)
        with pytest.raises(Problem, match="took too long"):
            await history.sealed.fetch(
                history.installation.db,
                history.dashboard.tenant.workspace.id,
                [first],
                ["answers"],
                "SELECT count(*) FROM range(1000000000) a, range(1000) b, answers",
            )
    answers = next(path for path in history.files if path.parent.name == "answers")
    content = answers.read_bytes()
    answers.write_bytes(content[:100])
    assert await refusal() == (503, "sealed_months_unavailable")
    answers.unlink()
    assert await refusal() == (410, "answers_expired")


async def test_the_export_has_sealed_months_and_the_deletion_leaves_no_file(history):
    before = await history.read_all()
    await history.seal()
    installation, tenant = history.installation, history.dashboard.tenant
    actor = build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)
    others = history.folder / str(uuid.uuid4()) / "sealed" / "answers" / "2026-01-x.parquet"
    others.parent.mkdir(parents=True)
    others.write_bytes(b"of another workspace")
    async with installation.db.transaction() as tx:
        export_id = await export.request_export(tx, actor, now=installation.clock())
    given = (installation.db, installation.app_context.settings, IN_DATABASE, history.sealed)
    await export.make_export(*given, ExportJob(tenant.workspace.id, export_id), now=installation.clock())
    parts = await export.open_export(installation.db, actor, export_id, now=installation.clock())
    archive = zipfile.ZipFile(io.BytesIO(b"".join([part async for part in parts])))
    files = {path.read_bytes() for path in history.files if path != others}
    sealed = {archive.read(name) for name in archive.namelist() if name.startswith("sealed/")}
    assert sealed == files and len(files) == 5
    rows = archive.read("tables/acme.com/answers.csv").decode()
    assert sorted(csv.reader(io.StringIO(rows))) == before["answers.csv"]
    await installation.db.execute(
        "INSERT INTO workspace_deletions VALUES ($1, $2, $3, $3)",
        tenant.workspace.id,
        tenant.owner.id,
        installation.clock(),
    )
    async with installation.db.transaction() as tx:
        await claim_sealing_any_workspace(tx)
        with pytest.raises(Retry):  # another process is writing sealed months
            await delete.erase_workspace(*given, EraseJob(tenant.workspace.id), now=installation.clock())
    assert len(history.files) == 6
    await history.seal()  # a closed workspace is not sealed
    await delete.erase_workspace(*given, EraseJob(tenant.workspace.id), now=installation.clock())
    assert history.files == [others]
    assert await installation.db.fetchval("SELECT count(*) FROM workspaces WHERE id = $1", tenant.workspace.id) == 0


async def test_months_are_sealed_and_read_in_a_bucket(history, bucket):
    before = await history.read_all()
    history.sealed.folders = open_stores(bucket).folders
    await history.seal()
    assert (await history.rows())[:3] == (12, 12, 12) and history.files == []
    assert await history.read_all() == before
    await history.seal(answer_retention_days=35)
    assert (await history.get(f"scans/{history.dashboard.scans[0]}/answers")).status_code == 410
    assert await history.sealed.folders[0].list_files(str(history.dashboard.tenant.workspace.id)) == []


async def test_only_a_new_installation_seals_without_being_told(history):
    installation, stores = history.installation, open_stores(f"file:{history.folder}")
    installation.clock.advance(days=400)
    await run_sealing(installation.db, history.settings, history.sealed, now=installation.clock())
    assert len(history.files) == 5, "the month that ended more than 400 days ago"
    assert (await history.rows())[:3] == (12, 12, 12)
    await installation.db.execute("UPDATE installation SET has_default_retention = false")
    installation.clock.advance(days=400)
    for step, given in ((run_sealing, history.sealed), (run_retention, stores)):
        await step(installation.db, history.settings, given, now=installation.clock())
    assert (len(history.files), (await history.rows())[:3]) == (5, (12, 12, 12)), "made before, it keeps what it has"
    await installation.db.execute("UPDATE installation SET has_default_retention = true")
    await run_retention(installation.db, history.settings, stores, now=installation.clock())
    assert (await history.rows())[:3] == (12, 12, 0), "payloads are deleted after 90 days"
    never = history.settings.model_copy(update={"seal_answers_after_days": 0})
    await run_sealing(installation.db, never, history.sealed, now=installation.clock())
    assert len(history.files) == 5


async def test_the_migration_tells_new_installations_from_those_with_people(installation):
    db, statements = installation.db, import_module("sightline.db.migrations.versions.0074_sealed_months").STATEMENTS
    drop = """DROP TABLE sealed_months; ALTER TABLE scans DROP COLUMN answers_sealed_at;
              ALTER TABLE installation DROP COLUMN has_default_retention"""
    for has_people in (False, True):
        if has_people:
            await installation.tenant()
        await db.execute(drop)
        await db.execute(statements)
        assert await db.fetchval("SELECT has_default_retention FROM installation") is not has_people
