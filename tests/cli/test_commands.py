"""Commands for users, keys, plans and the installation; each test has its own database."""

import httpx
import pytest

from tests.process.serving.processes import run, run_json, running

PASSWORD = "correct horse battery"


@pytest.fixture
def settings(database_url, tmp_path):
    return {"database_url": database_url, "secret_key": "s" * 40, "data_dir": tmp_path / "data"}


def refused(*arguments, **settings):
    done = run(*arguments, **settings)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    return " ".join(done.stderr.split())


def test_commands_manage_users_keys_and_plans_and_refuse_short_passwords(settings):
    made = run_json("user", "add", "owner@acme.com", "--password", PASSWORD, "--workspace-name", "Acme", **settings)
    workspace = made["workspace_id"]
    assert "already exists" in refused("user", "add", "OWNER@acme.com", "--password", PASSWORD, **settings)
    assert "10 to 1000" in refused("user", "add", "x@acme.com", "--password", "short", **settings)
    assert "e-mail address" in refused("user", "add", "nobody", "--password", PASSWORD, **settings)
    run_json("user", "add", "editor@acme.com", "--password", PASSWORD, "--workspace", workspace, **settings)
    listed = {user["email"]: user["member"] for user in run_json("user", "list", **settings)}
    assert listed["owner@acme.com"] == [f"owner of Acme {workspace}"]
    assert listed["editor@acme.com"] == [f"editor of Acme {workspace}"]

    assert not any(user["operator"] for user in run_json("user", "list", **settings)), "a shared database has none"
    granted = run_json("user", "operator", "EDITOR@acme.com", **settings)
    assert granted == {"email": "editor@acme.com", "operator": True, "changed": True}
    assert [user["operator"] for user in run_json("user", "list", **settings)] == [False, True]
    assert run_json("user", "operator", "editor@acme.com", "--remove", **settings)["changed"] is True
    assert run_json("user", "operator", "editor@acme.com", "--remove", **settings)["changed"] is False
    assert "There is no user" in refused("user", "operator", "x@acme.com", **settings)

    assert run_json("plan", "show", **settings)[0]["plan"] == "agency"
    run_json("plan", "set", workspace, "starter", **settings)
    assert run_json("plan", "show", **settings)[0]["plan"] == "starter"
    nobody = "00000000-0000-7000-8000-000000000000"
    assert "no workspace" in refused("plan", "set", nobody, "free", **settings)

    minted = run_json(
        "key", "create", "--workspace", workspace, "--member", "editor@acme.com", "--kind", "data", **settings
    )
    assert minted["key"].startswith("dk_live_")
    assert "not a member" in refused("key", "create", "--workspace", workspace, "--member", "x@acme.com", **settings)
    (row,) = run_json("key", "list", "--workspace", workspace, **settings)
    assert minted["key"] not in str(row) and row["last_four"] == minted["key"][-4:]
    rotated = run_json("key", "rotate", minted["id"], "--workspace", workspace, **settings)
    assert rotated["id"] == minted["id"] and rotated["key"] != minted["key"]
    run_json("key", "revoke", minted["id"], "--workspace", workspace, **settings)
    assert run_json("key", "list", "--workspace", workspace, **settings)[0]["revoked_at"]
    owned = ("--workspace", workspace, "--member", "owner@acme.com")
    bounds = ("--scope", "read", "--scope", "scans", "--expires-in-days", "30", "--address", "203.0.113.0/24")
    bounded = run_json("key", "create", *owned, *bounds, **settings)
    assert (bounded["scopes"], bounded["allowed_addresses"]) == (["read", "scans"], ["203.0.113.0/24"])
    assert bounded["expires_at"]
    assert "for a Console key" in refused("key", "create", *owned, "--scope", "write", **settings)
    assert run_json("key", "revoke-all", "--workspace", workspace, **settings) == {"revoked": 1}

    assert "needs an owner" in refused("user", "remove", "owner@acme.com", "--workspace", workspace, **settings)
    assert run("user", "role", "editor@acme.com", "owner", "--workspace", workspace, **settings).returncode == 0
    assert run("user", "remove", "owner@acme.com", "--workspace", workspace, **settings).returncode == 0
    assert run("user", "password", "editor@acme.com", "--password", "another password", **settings).returncode == 0


def test_demo_prints_one_object_and_a_later_call_keeps_ids_and_old_keys(settings):
    first = run_json("demo", "--weeks", "0", **settings)
    assert set(first["users"]) == {"owner", "editor", "viewer"}
    assert set(first["workspaces"]) == {"agency", "professional", "starter", "free"}
    assert set(first["keys"]) == {
        "console_live", "console_test", "console_revoked", "data_agency_write", "data_agency_read",
        "data_agency_write_viewer", "data_professional", "data_starter", "data_revoked",
    }  # fmt: skip
    again = run_json("demo", "--weeks", "0", **settings)
    for same in (
        "base_url", "workspaces", "tracked_domain_id", "other_workspace_domain_id", "console_domain_id",
        "console_test_domain_id",
    ):  # fmt: skip
        assert again[same] == first[same]
    assert {p: u["email"] for p, u in again["users"].items()} == {p: u["email"] for p, u in first["users"].items()}
    assert not set(again["keys"].values()) & set(first["keys"].values())

    with running("api", **settings) as api, httpx.Client(base_url=f"{api.url}/api/v1", timeout=20) as client:

        def get(path, key):
            return client.get(path, headers={"X-API-Key": key})

        for made in (first, again):  # old keys stay valid
            keys = made["keys"]
            assert get(f"/console/domains/{made['console_domain_id']}", keys["console_live"]).status_code == 200
            assert get(f"/console/domains/{made['console_test_domain_id']}", keys["console_test"]).status_code == 200
            for name in ("data_agency_write", "data_agency_read", "data_agency_write_viewer"):
                assert get(f"/ext/domains/{made['tracked_domain_id']}", keys[name]).status_code == 200
            path = f"/ext/domains/{made['other_workspace_domain_id']}"
            assert get(path, keys["data_professional"]).status_code == 200
            assert get(path, keys["data_agency_read"]).json()["code"] == "domain_not_found"
            assert get("/ext/domains", keys["data_starter"]).status_code == 200
            for name, path in (("console_revoked", "/console/account"), ("data_revoked", "/ext/domains")):
                assert get(path, keys[name]).json()["code"] == "key_revoked"
        old, new = first["users"]["viewer"], again["users"]["viewer"]
        assert client.post("/console/session", json=old).status_code == 401
        (workspace,) = client.post("/console/session", json=new).json()["data"]["workspaces"]
        assert (workspace["id"], workspace["role"]) == (first["workspaces"]["agency"]["id"], "viewer")


def test_console_switch_takes_effect_at_once(settings):
    demo = run_json("demo", "--weeks", "0", **settings)
    headers = {"X-API-Key": demo["keys"]["console_live"]}
    with running("api", **settings) as api:
        url = f"{api.url}/api/v1/console/account"
        assert run("console", "off", **settings).returncode == 0
        assert httpx.get(url, headers=headers).json()["code"] == "service_disabled"
        assert run("console", "on", **settings).returncode == 0
        assert httpx.get(url, headers=headers).status_code == 200
    assert "on" in refused("console", "maybe", **settings)


def test_bootstrap_token_replaces_the_unused_one(settings):
    made = [run_json("bootstrap-token", **settings) for _ in range(2)]
    assert all(token["url"].endswith(f"/welcome?token={token['token']}") for token in made)
    with running("api", **settings) as api:
        statuses = []
        for token in made:
            body = {"email": "a@acme.com", "password": PASSWORD, "workspace_name": "A", "token": token["token"]}
            answer = httpx.post(f"{api.url}/api/v1/console/account/bootstrap", json=body, timeout=20)
            statuses.append(answer.status_code)
        assert statuses == [401, 201]


class TestDoctor:
    def findings(self, *, healthy=True, **settings):
        done = run("doctor", "--json", **settings)
        assert (done.returncode == 0) is healthy, done.stdout
        import json

        report = json.loads(done.stdout)
        return {finding["what"]: finding for finding in report["findings"]}, report

    def test_a_healthy_installation(self, settings):
        found, report = self.findings(**settings)
        assert {finding["state"] for finding in found.values()} == {"fine", "note"} or all(
            finding["state"] == "fine" for finding in found.values()
        )
        assert "schema" in found["Database"]["text"]
        assert "s" * 40 not in str(report), "secrets are hidden"

    def test_an_unreachable_database_and_a_missing_secret_come_with_a_remedy(self, tmp_path):
        found, _ = self.findings(healthy=False, database_url="postgresql://x@127.0.0.1:1/x", data_dir=tmp_path)
        assert found["Database"]["state"] == found["Secret key"]["state"] == "wrong"
        assert found["Database"]["remedy"] and found["Secret key"]["remedy"]

    def test_an_old_schema(self, server_url, tmp_path):
        found, _ = self.findings(healthy=False, database_url=server_url, secret_key="s" * 40, data_dir=tmp_path)
        assert found["Database"]["remedy"] == f"Run: env SIGHTLINE_DATA_DIR={tmp_path} sightline migrate"


def test_a_command_does_not_migrate_a_shared_database(server_url, tmp_path):
    message = refused("user", "list", database_url=server_url, secret_key="s" * 40, data_dir=tmp_path)
    assert "sightline migrate" in message


def test_bad_settings_are_named(tmp_path):
    assert "SIGHTLINE_PORT" in refused("doctor", port="http", data_dir=tmp_path)
    elsewhere = {"data_dir": tmp_path, "database_url": "postgresql://x@127.0.0.1:1/x", "port": 0}
    assert "gold" in refused("api", plans='{"gold": {}}', secret_key="s" * 40, **elsewhere)
    done = refused("api", **elsewhere)
    assert "SIGHTLINE_SECRET_KEY" in done
