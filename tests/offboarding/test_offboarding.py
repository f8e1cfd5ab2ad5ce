"""The export and the deletion of a workspace: everything it owns, wherever it is, and nothing of anybody else."""

import csv
import io
import json
import re
import uuid
import zipfile
from datetime import timedelta

import msgspec
import pytest

from sightline.accounts.models import Role, build_operator_actor
from sightline.audit.models import AuditFilter
from sightline.audit.queries import list_entries
from sightline.jobs.retry import Retry
from sightline.mail.emails import JOB as EMAIL_JOB
from sightline.mail.emails import OutgoingEmail
from sightline.offboarding import delete, export
from sightline.offboarding.models import ERASE_JOB, EXPORT_JOB, GRACE, EraseJob, ExportJob
from sightline.offboarding.owned_tables import LEFT_OUT_COLUMNS, LEFT_OUT_TABLES, OwnedTable, sort_for_deletion
from sightline.offboarding.queries import list_owned_tables
from sightline.scans.payloads.object_store import IN_DATABASE
from sightline.scans.scheduling.queries import list_due_any_workspace
from sightline.worker.housekeeping import run_housekeeping
from tests.installation import Installation
from tests.scans.stored_payloads import SENT, open_stores
from tests.web.page_browser import open_browser
from tests.web.populated_tenant import populate_tenant

# Tables that belong to no workspace, each with the reason why a deletion leaves its rows.
OF_NO_WORKSPACE = {
    "alembic_version": "the version of the schema",
    "bootstrap_tokens": "hashes of tokens of the installation, which expire",
    "cost_batches": "ids of batches that were counted, for a day",
    "credit_packs": "what the operator sells",
    "email_changes": "of a person",
    "ended_access": "ids of ended memberships and hashes of keys, for a week",
    "failed_attempts": "counters by hashes, for a day",
    "identities": "of a person",
    "installation": "facts about the installation",
    "jobs": "deleted by their payload",
    "pending_sign_ins": "of a person",
    "recovery_codes": "of a person",
    "second_factors": "of a person",
    "operators": "of a person",
    "password_resets": "of a person",
    "platform_credentials": "of the operator",
    "platform_failures": "figures of platforms",
    "platform_leases": "slots of workers",
    "platform_options": "of the operator",
    "platform_pauses": "of the operator",
    "rate_minutes": "counters, for minutes",
    "sessions": "of a person",
    "users": "people; those who belong to no other workspace get a pseudonym",
    "workers": "processes",
    "workspaces": "the last row of a deletion",
}
_SECRET = re.compile(r"(digest|secret|sealed|token|password|hash|session|checkout_url|headers)$")
_HARMLESS = {("idempotency_keys", "path_hash"), ("idempotency_keys", "body_hash"), ("idempotency_keys", "headers")}


async def request_deletion(installation, tenant, settings=None):
    settings = settings or installation.app_context.settings
    actor = build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)
    name = await installation.db.fetchval("SELECT name FROM workspaces WHERE id = $1", tenant.workspace.id)
    async with installation.db.transaction() as tx:
        return await delete.request_deletion(tx, settings, actor, name, now=installation.clock())


async def erase(installation, tenant, stores=IN_DATABASE):
    job, settings = EraseJob(tenant.workspace.id), installation.app_context.settings
    await delete.erase_workspace(
        installation.db, settings, stores, installation.app_context.sealed, job, now=installation.clock()
    )


async def make_export(installation, tenant, stores=IN_DATABASE):
    actor = build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)
    async with installation.db.transaction() as tx:
        export_id = await export.request_export(tx, actor, now=installation.clock())
    job, settings = ExportJob(tenant.workspace.id, export_id), installation.app_context.settings
    await export.make_export(
        installation.db, settings, stores, installation.app_context.sealed, job, now=installation.clock()
    )
    content = await export.open_export(installation.db, actor, export_id, now=installation.clock())
    return zipfile.ZipFile(io.BytesIO(b"".join([part async for part in content])))


async def read_rows(installation, workspace_id):
    """Return the rows of a workspace by table. Tables without any are left out."""
    found = {}
    for table in await list_owned_tables(installation.db):
        rows = await installation.db.fetch(
            f'SELECT t::text FROM "{table.name}" t WHERE workspace_id = $1 ORDER BY 1', workspace_id
        )
        if rows:
            found[table.name] = [row[0] for row in rows]
    return found


async def test_every_table_belongs_to_a_workspace_or_is_listed_with_a_reason(installation):
    """A new table with a `workspace_id` is exported and deleted like the others; any other has to be listed here."""
    tables = await installation.db.fetch(
        """SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace
           AND c.relkind IN ('r', 'p') AND NOT c.relispartition"""
    )
    owned = {table.name for table in await list_owned_tables(installation.db)}
    assert {row[0] for row in tables} - owned == OF_NO_WORKSPACE.keys()
    assert LEFT_OUT_TABLES.keys() <= owned and LEFT_OUT_COLUMNS.keys() <= owned


async def test_no_column_that_sounds_like_a_secret_is_exported(installation):
    columns = await installation.db.fetch(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
    )
    owned = {table.name for table in await list_owned_tables(installation.db)}
    exported = {
        (table, column)
        for table, column in columns
        if table in owned and table not in LEFT_OUT_TABLES and column not in LEFT_OUT_COLUMNS.get(table, ())
    }
    assert {each for each in exported if _SECRET.search(each[1])} - _HARMLESS == set()


def test_rows_that_others_refer_to_are_deleted_last():
    def table(name, *parents):
        return OwnedTable(name, ["id"], [], list(parents), refers_to_itself=False)

    tables = [table("domains", "workspaces", "clients"), table("clients"), table("scans", "domains")]
    assert [each.name for each in sort_for_deletion(tables)] == ["scans", "domains", "clients"]
    with pytest.raises(AssertionError, match="circle"):
        sort_for_deletion([table("a", "b"), table("b", "a")])


async def test_the_export_has_every_row_and_the_deletion_leaves_none_and_touches_nobody_else(
    installation, client, tmp_path
):
    other, _ = await populate_tenant(installation, client)
    tenant, ids = await populate_tenant(installation, client)
    workspace_id = tenant.workspace.id
    stores = open_stores(f"file:{tmp_path}/payloads")
    key = (workspace_id, uuid.UUID(ids["check"]), uuid.UUID(ids["check_answer"]))
    others_key = (other.workspace.id, *key[1:])
    await stores.current.write(key, SENT)
    await stores.current.write(others_key, SENT)
    # A table that a later version adds, which no code knows.
    await installation.db.execute("CREATE TABLE later (workspace_id uuid, id uuid PRIMARY KEY, note text)")
    try:
        await installation.db.execute("INSERT INTO later SELECT $1, gen_random_uuid(), 'mine'", workspace_id)
        archive = await make_export(installation, tenant, stores)
        await _verify_export(installation, tenant, archive)
        before = await read_rows(installation, other.workspace.id)
        assert len(before) > 40, "most tables have rows of both"
        await request_deletion(installation, tenant)
        await erase(installation, tenant, stores)
        assert (await read_rows(installation, workspace_id)).keys() > before.keys() - {"later"}, "not due yet"
        installation.clock.advance(days=7, minutes=1)
        await erase(installation, tenant, stores)
        assert await read_rows(installation, workspace_id) == {}
        assert await read_rows(installation, other.workspace.id) == before
    finally:
        await installation.db.execute("DROP TABLE later")
    assert await installation.db.fetchval("SELECT count(*) FROM workspaces WHERE id = $1", workspace_id) == 0
    jobs = await installation.db.fetch("SELECT convert_from(payload, 'UTF8') FROM jobs")
    assert not any(tenant.id in row[0] for row in jobs)
    assert await stores.current.read(key) is None and await stores.current.read(others_key) == SENT
    await erase(installation, tenant, stores)  # again: nothing to do


async def _verify_export(installation, tenant, archive):
    assert archive.testzip() is None
    manifest = json.loads(archive.read("manifest.json"))
    rows = await read_rows(installation, tenant.workspace.id)
    for name in rows.keys() - LEFT_OUT_TABLES.keys():
        lines = archive.read(f"data/{name}.jsonl").splitlines()
        assert all(json.loads(line)["workspace_id"] == tenant.id for line in lines), name
        assert len(lines) == manifest["rows"][f"data/{name}.jsonl"], name
        if name != "audit_entries":  # the request is an entry, too
            assert len(lines) == len(rows[name]), name
    (payload,) = archive.read("payloads.jsonl").splitlines()
    assert json.loads(payload)["payload"] == {"text": "Acme"}
    people = list(csv.DictReader(io.StringIO(archive.read("people.csv").decode())))
    assert tenant.owner.email in {each["email"] for each in people}
    assert b"which anvil" in archive.read("tables/acme.com/answers.csv")
    everything = b"".join(archive.read(name) for name in archive.namelist())
    secrets = await installation.db.fetch(
        """SELECT encode(digest, 'hex') FROM api_keys WHERE workspace_id = $1 UNION ALL
           SELECT encode(secret, 'hex') FROM webhook_endpoints WHERE workspace_id = $1 UNION ALL
           SELECT session FROM local_orders WHERE workspace_id = $1 UNION ALL SELECT password_hash FROM users""",
        tenant.workspace.id,
    )
    assert len(secrets) > 5 and not any(row[0].encode() in everything for row in secrets)
    assert tenant.live.encode() not in everything


class Killed(BaseException):
    """Stands for kill -9: what was committed stays, and nothing else happens."""


@pytest.mark.parametrize("point", ["after_workspace_closed", "after_rows_deleted", "before_workspace_deleted"])
async def test_a_deletion_goes_on_where_a_killed_worker_left_it(installation, client, monkeypatch, point):
    tenant, _ = await populate_tenant(installation, client)
    await request_deletion(installation, tenant)
    installation.clock.advance(days=8)

    def die(name):
        if name == point:
            raise Killed

    # So that the step fails at this exact moment.
    monkeypatch.setattr(delete, "crash_point", die)
    with pytest.raises(Killed):
        await erase(installation, tenant)
    monkeypatch.undo()
    async with installation.client(X_API_Key=tenant.live) as caller:
        assert (await caller.get("/api/v1/console/domains")).status_code == 401
    async with open_browser(installation, tenant.owner) as browser:
        assert (await browser.get(f"/w/{tenant.id}")).status_code == 404
    await run_housekeeping(installation.db, installation.app_context.settings, now=installation.clock())
    assert await installation.db.fetchval("SELECT count(*) FROM jobs WHERE kind = $1", ERASE_JOB) == 1
    await erase(installation, tenant)
    assert await read_rows(installation, tenant.workspace.id) == {}


async def test_an_export_starts_again_after_a_killed_worker_and_is_complete(installation, client, monkeypatch):
    tenant, _ = await populate_tenant(installation, client)
    actor = build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)
    async with installation.db.transaction() as tx:
        export_id = await export.request_export(tx, actor, now=installation.clock())
        assert await export.request_export(tx, actor, now=installation.clock()) is None, "one at a time"
    job, settings = ExportJob(tenant.workspace.id, export_id), installation.app_context.settings
    given = (installation.db, settings, IN_DATABASE, installation.app_context.sealed, job)

    def die(_):
        raise Killed

    # To have several parts of a small file.
    monkeypatch.setattr(export, "PART_BYTES", 10_000)
    # So that the step fails at this exact moment.
    monkeypatch.setattr(export, "crash_point", die)
    with pytest.raises(Killed):
        await export.make_export(*given, now=installation.clock())
    # The next worker is not killed.
    monkeypatch.setattr(export, "crash_point", lambda _: None)
    for _ in range(2):  # the second time, nothing is left to do
        await export.make_export(*given, now=installation.clock())
    assert await installation.db.fetchval("SELECT count(*) FROM workspace_export_parts") > 2
    content = await export.open_export(installation.db, actor, export_id, now=installation.clock())
    archive = zipfile.ZipFile(io.BytesIO(b"".join([part async for part in content])))
    assert archive.testzip() is None and "README.txt" in archive.namelist()


async def test_checks_stop_at_the_request_and_start_again_when_it_is_canceled(installation):
    tenant = await installation.tenant()
    domain = await installation.tracked_domain(tenant)
    now = installation.clock()
    await installation.db.execute(
        "UPDATE domains SET status = 'active', anchor_at = $2, next_check_at = $2 WHERE id = $1",
        uuid.UUID(domain),
        now,
    )
    assert len(await list_due_any_workspace(installation.db, now=now, after=None, limit=10)) == 1
    deletion = await request_deletion(installation, tenant)
    assert deletion.due_at - deletion.requested_at == GRACE == timedelta(days=7)
    assert await request_deletion(installation, tenant) == deletion, "again changes nothing"
    assert await list_due_any_workspace(installation.db, now=now, after=None, limit=10) == []
    actor = build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)
    for _ in range(2):
        async with installation.db.transaction() as tx:
            await delete.cancel_deletion(tx, installation.app_context.settings, actor, now=now)
    assert len(await list_due_any_workspace(installation.db, now=now, after=None, limit=10)) == 1
    installation.clock.advance(days=8)
    await erase(installation, tenant)
    assert await installation.db.fetchval("SELECT count(*) FROM workspaces") == 1
    actions = [
        each.action
        for each in await list_entries(
            installation.db, tenant.workspace.id, AuditFilter(group="workspace"), after=None, limit=3
        )
    ]
    assert actions[:2] == ["deletion_canceled", "deletion_requested"]


async def test_a_forgotten_person_keeps_a_pseudonym_in_the_logs_of_other_workspaces(installation):
    tenant, elsewhere = await installation.tenant(), await installation.tenant()
    left = await installation.member(elsewhere, Role.ADMIN)
    await installation.set_role(tenant, left, Role.EDITOR)
    async with open_browser(installation, left):
        pass  # a sign-in, which both logs have
    await installation.db.execute(
        "DELETE FROM members WHERE workspace_id = $1 AND user_id = $2", elsewhere.workspace.id, left.id
    )
    await request_deletion(installation, tenant)
    installation.clock.advance(days=8)
    await erase(installation, tenant)
    row = await installation.db.fetchrow("SELECT name, email, password_hash FROM users WHERE id = $1", left.id)
    pseudonym = f"Former user {left.id.hex[-6:]}"
    assert tuple(row) == (pseudonym, f"deleted-{left.id}@invalid", "!")
    entries = await list_entries(
        installation.db, elsewhere.workspace.id, AuditFilter(group="sign_in"), after=None, limit=5
    )
    assert [each.name for each in entries] == [pseudonym]
    assert left.email not in repr(entries)
    tables = await installation.db.fetch(
        """SELECT DISTINCT f.conrelid::regclass::text FROM pg_constraint f
           WHERE f.contype = 'f' AND f.confrelid = 'users'::regclass AND EXISTS (
               SELECT FROM pg_attribute a WHERE a.attrelid = f.conrelid AND a.attname = 'user_id')"""
    )
    for (table,) in tables:  # also in tables that a later version adds
        assert await installation.db.fetchval(f"SELECT count(*) FROM {table} WHERE user_id = $1", left.id) == 0, table


async def test_only_an_owner_exports_and_deletes_and_each_refusal_changes_nothing(installation):
    tenant, other = await installation.tenant(), await installation.tenant()
    admin = await installation.member(tenant, Role.ADMIN)
    page = f"/w/{tenant.id}/data"
    async with open_browser(installation, admin) as browser:
        assert (await browser.get(page)).status_code == 403
        for form in ("export", "delete", "cancel"):
            assert (await browser.post(f"{page}/{form}", data={"name": tenant.workspace.name})).status_code == 403
    async with open_browser(installation, tenant.owner) as browser:
        wrong = await browser.post(f"{page}/delete", data={"name": "another"})
        assert wrong.status_code == 422 and "This is not the name of the workspace." in wrong.text
        assert (await browser.post(f"{page}/export")).status_code == 303
        (job,) = await installation.db.fetch("SELECT payload FROM jobs WHERE kind = $1", EXPORT_JOB)
        await export.make_export(
            installation.db,
            installation.app_context.settings,
            IN_DATABASE,
            installation.app_context.sealed,
            msgspec.json.decode(job[0], type=ExportJob),
            now=installation.clock(),
        )
        (link,) = re.findall(r'href="([^"]+\.zip)"', (await browser.get(page)).text)
        file = await browser.get(link)
        assert zipfile.ZipFile(io.BytesIO(file.content)).testzip() is None
        foreign = link.replace(tenant.id, other.id)
        assert (await browser.get(foreign)).status_code == 404
        assert (await browser.post(f"{page}/delete", data={"name": tenant.workspace.name})).status_code == 303
        assert "will be deleted after" in (await browser.get(page)).text
        assert (await browser.post(f"{page}/cancel")).status_code == 303
        installation.clock.advance(hours=25)
        assert (await browser.get(link)).status_code == 404, "the day is over"
        await run_housekeeping(installation.db, installation.app_context.settings, now=installation.clock())
        assert await installation.db.fetchval("SELECT count(*) FROM workspace_export_parts") == 0
        await installation.open_session_for(browser, tenant.owner)  # deletion asks for a recent sign-in
        await browser.post(f"{page}/delete", data={"name": tenant.workspace.name})
        installation.clock.advance(days=6, hours=23)
        await installation.open_session_for(browser, tenant.owner)
        installation.clock.advance(hours=2)
        late = await browser.post(f"{page}/cancel")
        assert late.status_code == 409 and "is being deleted" in late.text
    async with installation.client(X_API_Key=other.live) as client:
        assert (await client.get("/api/v1/console/domains")).status_code == 200


async def test_admins_get_e_mails_about_each_step(database_url, tmp_path):
    given = {"smtp_url": "smtp://127.0.0.1:9", "base_url": "http://test"}
    async with Installation.open(database_url, tmp_path, **given) as installation:
        tenant = await installation.tenant()
        admin = await installation.member(tenant, Role.ADMIN)
        await installation.member(tenant, Role.EDITOR)
        actor = build_operator_actor(tenant.workspace.id, user_id=tenant.owner.id)
        both = {tenant.owner.email, admin.email}
        await make_export(installation, tenant)
        (ready,) = await _take_emails(installation)
        assert ready.to == tenant.owner.email and f"http://test/w/{tenant.id}/data" in ready.text
        await request_deletion(installation, tenant)
        told = await _take_emails(installation)
        assert {each.to for each in told} == both and tenant.workspace.name in told[0].text
        async with installation.db.transaction() as tx:
            settings = installation.app_context.settings
            await delete.cancel_deletion(tx, settings, actor, now=installation.clock())
        assert {each.to for each in await _take_emails(installation)} == both
        await request_deletion(installation, tenant)
        await _take_emails(installation)
        installation.clock.advance(days=8)
        await erase(installation, tenant)
        assert {each.to for each in await _take_emails(installation)} == both


async def _take_emails(installation):
    rows = await installation.db.fetch("DELETE FROM jobs WHERE kind = $1 RETURNING payload", EMAIL_JOB)
    return [msgspec.json.decode(row[0], type=OutgoingEmail) for row in rows]


async def test_a_deletion_waits_for_jobs_of_the_workspace_that_still_run(installation):
    tenant = await installation.tenant()
    await request_deletion(installation, tenant)
    installation.clock.advance(days=8)
    worker = uuid.uuid4()
    await installation.db.execute(
        "INSERT INTO jobs (kind, payload, priority, run_after, worker_id) VALUES ('scan.start', $1, 0, now(), $2)",
        json.dumps({"workspace_id": tenant.id}).encode(),
        worker,
    )
    with pytest.raises(Retry):
        await erase(installation, tenant)
    await installation.db.execute("DELETE FROM jobs WHERE worker_id = $1", worker)
    await erase(installation, tenant)
    assert await installation.db.fetchval("SELECT count(*) FROM workspaces WHERE id = $1", tenant.workspace.id) == 0


async def test_the_ledger_stays_append_only_while_no_deletion_has_begun(installation):
    tenant = await installation.tenant()
    actor_rows = "SELECT count(*) FROM credit_entries"
    await installation.db.execute(
        "INSERT INTO credit_accounts (workspace_id, livemode, created_at) VALUES ($1, true, now())",
        tenant.workspace.id,
    )
    await installation.db.execute(
        """INSERT INTO credit_entries (workspace_id, id, livemode, delta, reason, description, cause, created_at)
           VALUES ($1, $2, true, 5, 'purchase', 'five', 'test', now())""",
        tenant.workspace.id,
        uuid.uuid4(),
    )
    await request_deletion(installation, tenant)
    with pytest.raises(Exception, match="append-only"):
        await installation.db.execute("DELETE FROM credit_entries")
    installation.clock.advance(days=8)
    await erase(installation, tenant)
    assert await installation.db.fetchval(actor_rows) == 0
