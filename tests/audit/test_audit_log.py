"""The audit log: what is recorded, who reads it, and that nothing in it can be changed."""

import csv
import io
from contextlib import suppress
from datetime import timedelta

import asyncpg
import pytest

from sightline.accounts.models import Role
from sightline.audit.models import ACTION_LABELS, INSTALLATION_ID, AuditFilter
from sightline.audit.queries import list_entries
from sightline.audit.record import record_audit
from sightline.db.failures import DatabaseRefused
from sightline.kit.ids import new_id
from sightline.kit.security_log import identify_caller
from sightline.settings import Settings
from sightline.worker.housekeeping import run_housekeeping
from tests.installation import PASSWORD
from tests.web.page_browser import open_browser

AUDIT = "/api/v1/console/audit"
_ADDRESS = "203.0.113.7"


async def read_all(installation, workspace_id, **wanted):
    return await list_entries(installation.db, workspace_id, AuditFilter(**wanted), after=None, limit=1_000)


async def test_a_change_is_recorded_in_its_transaction_with_who_what_and_from_where(installation):
    tenant = await installation.tenant()
    async with installation.client(X_API_Key=tenant.live) as client:
        made = await client.post("/api/v1/console/keys", json={"name": "=CI", "scopes": ["read"]})
        listed = (await client.get(AUDIT, params={"action": "key_created"})).json()
    newest = listed["data"][0]
    key = made.json()["data"]
    assert newest["action"] == "key_created" and newest["name"] == "=CI"
    assert newest["details"] == {"key_id": key["id"], "kind": "console", "livemode": True, "scopes": ["read"]}
    assert newest["actor"]["type"] == "key" and newest["address"] == _ADDRESS
    assert newest["request_id"] == made.headers["x-request-id"]
    assert key["key"] not in str(listed)
    with suppress(ZeroDivisionError):
        async with installation.db.transaction() as tx:
            await record_audit(tx, tenant.workspace.id, "plan_set", plan="free")
            raise ZeroDivisionError
    assert await read_all(installation, tenant.workspace.id, action="plan_set") == []


async def test_sign_ins_and_refused_ones_are_in_the_log_of_each_workspace_of_the_person_alone(installation):
    tenant, other = await installation.tenant(), await installation.tenant()
    member = await installation.member(tenant, Role.EDITOR)
    async with open_browser(installation) as browser:
        for email, password in ((member.email, "a wrong one"), ("x@acme.com", PASSWORD), (member.email, PASSWORD)):
            await browser.post("/sign-in", data={"email": email, "password": password})
        await browser.post("/sign-out")
    entries = await read_all(installation, tenant.workspace.id, group="sign_in")
    assert [(each.action, each.by_type, each.by_id, each.name) for each in entries] == [
        ("signed_out", "person", member.id, member.name),
        ("session_started", "person", member.id, member.name),
        ("sign_in_failed", "system", None, member.name),
    ]
    assert {each.address for each in entries} == {_ADDRESS}
    assert "a wrong one" not in repr(entries) and PASSWORD not in repr(entries) and member.email not in repr(entries)
    assert await read_all(installation, other.workspace.id, group="sign_in") == []


async def test_nothing_can_be_changed_removed_or_emptied_not_even_by_the_owner_of_the_table(installation):
    tenant = await installation.tenant()
    before = await read_all(installation, tenant.workspace.id)
    assert before
    for statement in (
        "UPDATE audit_entries SET action = 'other'",
        "UPDATE audit_entries SET recorded_at = recorded_at - interval '1 year'",
        "DELETE FROM audit_entries",
        "TRUNCATE audit_entries",
    ):
        with pytest.raises(asyncpg.RaiseError, match="append-only"):
            await installation.db.execute(statement)
    assert await read_all(installation, tenant.workspace.id) == before


async def test_a_role_of_the_application_needs_only_insert_and_select(installation):
    tenant = await installation.tenant()
    role = f"app_{new_id().hex}"
    await _store_old(installation, tenant.workspace.id, days=800)
    try:
        async with installation.db.transaction() as tx:
            await tx.execute(f'CREATE ROLE "{role}" NOLOGIN')
            await tx.execute(f'GRANT SELECT, INSERT ON audit_entries TO "{role}"')
        for statement in ("UPDATE audit_entries SET name = ''", "DELETE FROM audit_entries", "TRUNCATE audit_entries"):
            with pytest.raises(DatabaseRefused, match="permission denied"):
                await _execute_as(installation, role, statement)
        async with installation.db.transaction() as tx:
            await tx.execute(f'SET LOCAL ROLE "{role}"')
            await record_audit(tx, tenant.workspace.id, "plan_set", plan="free")
            assert await tx.fetchval("SELECT count(*) FROM audit_entries") > 0
            assert await tx.fetchval("SELECT remove_old_audit_entries(730, 10)") == 1
    finally:
        await installation.db.execute(f'DROP OWNED BY "{role}"')
        await installation.db.execute(f'DROP ROLE "{role}"')


async def _execute_as(installation, role, statement):
    async with installation.db.transaction() as tx:
        await tx.execute(f'SET LOCAL ROLE "{role}"')
        await tx.execute(statement)


async def _store_old(installation, workspace_id, *, days):
    await installation.db.execute(
        """INSERT INTO audit_entries (workspace_id, id, recorded_at, action, by_type, details)
           VALUES ($1, $2, clock_timestamp() - $3::interval, 'signed_out', 'system', '{}')""",
        workspace_id,
        new_id(),
        timedelta(days=days),
    )


async def test_housekeeping_removes_only_what_is_older_than_the_retention(installation):
    tenant = await installation.tenant()
    for days in (91, 99, 101):
        await _store_old(installation, tenant.workspace.id, days=days)
    settings = Settings(_env_file=None, audit_retention_days=100)
    before = len(await read_all(installation, tenant.workspace.id))
    await run_housekeeping(installation.db, settings, now=installation.clock())
    assert len(await read_all(installation, tenant.workspace.id)) == before - 1
    assert await installation.db.fetchval("SELECT remove_old_audit_entries(0, 100)") == 2, "never below 90 days"
    assert Settings.model_fields["audit_retention_days"].default == 730


async def test_the_operation_needs_its_scope_an_admin_and_live_mode(installation):
    tenant = await installation.tenant()
    editor = await installation.member(tenant, Role.EDITOR)
    cases = {
        await installation.mint(tenant, tenant.owner, "console", scopes=["audit"]): (200, None),
        await installation.mint(tenant, tenant.owner, "console", scopes=["read"]): (403, "scope_required"),
        await installation.mint(tenant, editor, "console"): (403, "workspace_access_required"),
        tenant.test: (403, "workspace_access_required"),
    }
    for key, (status, code) in cases.items():
        async with installation.client(X_API_Key=key) as client:
            for path in (AUDIT, f"{AUDIT}.csv"):
                response = await client.get(path)
                assert response.status_code == status, (path, response.text)
                assert code is None or response.json()["code"] == code


async def test_filters_pages_and_bad_values(installation):
    tenant = await installation.tenant()
    async with installation.client(X_API_Key=tenant.live) as client:
        first = (await client.get(AUDIT, params={"page_size": 2})).json()
        second = (await client.get(AUDIT, params={"page_size": 2, "cursor": first["meta"]["next_cursor"]})).json()
        ids = [each["id"] for each in first["data"] + second["data"]]
        everything = [str(each.id) for each in await read_all(installation, tenant.workspace.id)]
        assert ids == everything[:4] and len(set(ids)) == 4
        keys = (await client.get(AUDIT, params={"group": "keys"})).json()["data"]
        assert {each["action"] for each in keys} == {"key_created"}
        assert (await client.get(AUDIT, params={"group": "keys", "action": "plan_set"})).json()["data"] == []
        assert (await client.get(AUDIT, params={"since": "2999-01-01T00:00:00Z"})).json()["data"] == []
        assert (await client.get(AUDIT, params={"before": "2001-01-01"})).json()["data"] == []
        assert (await client.get(AUDIT, params={"by": str(new_id())})).json()["data"] == []
        for name, value in (("by", "me"), ("since", "yesterday"), ("group", "installation"), ("action", "x")):
            response = await client.get(AUDIT, params={name: value})
            assert response.status_code == 422 and response.json()["errors"][0]["field"] == name, response.text


async def test_the_csv_has_every_entry_guards_formulas_and_is_recorded(installation):
    tenant = await installation.tenant()
    async with installation.client(X_API_Key=tenant.live) as client:
        await client.post("/api/v1/console/keys", json={"name": "=HYPERLINK(1)"})
        response = await client.get(f"{AUDIT}.csv")
    assert response.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert rows[0]["action"] == "audit_exported"
    assert "'=HYPERLINK(1)" in {row["name"] for row in rows}
    assert [row["id"] for row in rows] == [str(each.id) for each in await read_all(installation, tenant.workspace.id)]


async def test_what_an_operator_does_is_marked_and_the_installation_has_a_log_of_its_own(installation):
    tenant = await installation.tenant()
    identify_caller(by="operator")
    async with installation.db.transaction() as tx:
        await record_audit(tx, tenant.workspace.id, "plan_set", plan="free")
        await record_audit(tx, None, "platform_paused", platform="chatgpt")
    identify_caller()
    (plan,) = await read_all(installation, tenant.workspace.id, action="plan_set")
    (paused,) = await read_all(installation, INSTALLATION_ID, action="platform_paused")
    assert plan.by_type == paused.by_type == "operator"


async def test_the_page_is_for_admins_and_has_filters(installation):
    tenant, other = await installation.tenant(), await installation.tenant()
    admin, editor = await installation.member(tenant, Role.ADMIN), await installation.member(tenant, Role.EDITOR)
    page = f"/w/{tenant.id}/audit"
    async with open_browser(installation, admin) as browser:
        shown = await browser.get(page)
        assert shown.status_code == 200 and "Key created" in shown.text and tenant.owner.name in shown.text
        only = await browser.get(page, params={"group": "members", "since": "2001-01-01", "until": "nonsense"})
        assert "Member added or role changed" in only.text and '<td data-label="What">Key created' not in only.text
        file = await browser.get(f"{page}.csv", params={"group": "keys"})
        assert file.status_code == 200 and "key_created" in file.text and "member_role_set" not in file.text
        assert (await browser.get(f"/w/{other.id}/audit")).status_code == 404
    async with open_browser(installation, editor) as browser:
        assert (await browser.get(page)).status_code == 403
        assert (await browser.get(f"{page}.csv")).status_code == 403


def test_every_action_has_a_label_and_fits_the_log():
    assert all(label and action.islower() for action, label in ACTION_LABELS.items())
