"""`sightline domain`: the operator manages tracked domains."""

import asyncio
import json

import pytest
import structlog
from typer.testing import CliRunner

from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.cli.main import app
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.plans.table import Plan
from tests.databases import run_sql
from tests.installation import PASSWORD_HASH

UNKNOWN_ID = "00000000-0000-7000-8000-000000000000"


def run(*arguments: str):
    return CliRunner().invoke(app, ["domain", *arguments])


def run_json(*arguments: str):
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def refused(*arguments: str) -> str:
    done = run(*arguments)
    assert done.exit_code == 1
    return " ".join(done.stderr.split())


@pytest.fixture
def workspace(database_url, tmp_path, monkeypatch):
    """Create the data without an event loop of the test, because a command starts its own."""
    for name, value in {"DATABASE_URL": database_url, "SECRET_KEY": "s" * 40, "DATA_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(f"SIGHTLINE_{name}", value)

    async def make() -> str:
        db = Database(database_url, pool_size=1)
        await db.open()
        async with db.transaction() as tx:
            owner = await create_user(tx, "owner@acme.com", "", PASSWORD_HASH, now=utc_now())
            made = await create_workspace(tx, owner, "Acme", Plan.STARTER, now=utc_now())
        await db.close()
        return str(made.id)

    yield asyncio.run(make())
    structlog.reset_defaults()


def test_a_domain_is_added_set_up_listed_changed_and_removed(workspace):
    added = run_json("add", "acme.com", "--workspace", workspace)
    assert (added["domain"], added["status"], added["next_check_at"]) == ("acme.com", "setup", None)
    made = run_json(
        *("setup", added["id"], "--language", "en", "--brand", "Acme", "--alias", "Acme Cloud", "--owned", "acme.io"),
        *("--competitor", "globex.com=Globex", "--competitor", "initech.com", "--country", "de"),
        *("--prompt", "best crm", "--prompt", "cheapest crm"),
    )
    assert (made["domain"]["status"], made["domain"]["prompt_count"], made["domain"]["competitor_count"]) == (
        *("active", 2),
        2,
    )
    first = made["first_check"]
    assert (first["measurement_scope"], first["status"], first["answers_total"]) == ("full_check", "pending", 8)
    assert run_json("show", added["id"]) == made["domain"]
    assert run_json("findings", added["id"])["headline"].startswith("There is nothing to compare yet")
    changed = run_json("change", added["id"], "--brand", "Acme Inc")
    assert (changed["brand_name"], changed["aliases"]) == ("Acme Inc", ["Acme Cloud"])
    assert [row["id"] for row in run_json("list", "--workspace", workspace)] == [added["id"]]
    assert "acme.com" in run("list", "--workspace", workspace).stdout
    assert run_json("remove", added["id"]) == {"id": added["id"], "deleted": True}
    assert run_json("list", "--workspace", workspace) == []


def test_without_prompts_the_sandbox_suggests_them(workspace, database_url):
    added = run_json("add", "acme.com", "--workspace", workspace)
    made = run_json("setup", added["id"], "--language", "de", "--country", "DE", "--competitor", "globex.com=Globex")
    assert made["domain"]["prompt_count"] == 10
    shown = json.loads(CliRunner().invoke(app, ["prompt", "list", added["id"], "--json"]).stdout)
    assert {(row["source"], row["language_code"], row["country_iso_2"]) for row in shown} == {("suggested", "de", "DE")}


def test_a_first_check_that_failed_is_retried(workspace, database_url):
    added = run_json("add", "acme.com", "--workspace", workspace)
    made = run_json("setup", added["id"], "--language", "en", "--prompt", "best crm")
    assert "A scan of this domain is active" in refused("retry", added["id"])
    asyncio.run(run_sql(database_url, "UPDATE scans SET status = 'failed', completed_at = now()"))
    again = run_json("retry", added["id"])
    assert again["id"] != made["first_check"]["id"]


@pytest.mark.parametrize("command", ["show", "retry", "remove", "change"])
def test_an_unknown_domain_is_reported(workspace, command):
    assert f"There is no tracked domain {UNKNOWN_ID}" in refused(command, UNKNOWN_ID)


def test_refusals_are_explained(workspace):
    assert "domain: a single label is not a domain" in refused("add", "acme", "--workspace", workspace)
    assert "Workspace not found" in refused("add", "acme.com", "--workspace", UNKNOWN_ID)
    added = run_json("add", "acme.com", "--workspace", workspace)
    assert "language_code" in refused("setup", added["id"], "--language", "xx", "--prompt", "best crm")
    run_json("add", "globex.com", "--workspace", workspace)
    assert "The plan tracks 2 domains" in refused("add", "initech.com", "--workspace", workspace)
