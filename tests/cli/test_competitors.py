"""`sightline competitor`: the operator reviews the competitors of a tracked domain."""

import asyncio
import json

import pytest
import structlog
from typer.testing import CliRunner

from sightline.cli.main import app
from sightline.competitors.detect import DetectedCompetitor, suggest_competitors
from sightline.db.engine import Database
from sightline.kit.ids import new_id
from tests.installation import START, Installation


class Operator:
    def __init__(self, database_url: str, workspace, domain) -> None:
        self.database_url = database_url
        self.workspace = workspace
        self.domain = domain

    def run(self, step: str, *arguments: str):
        given = [step, str(self.domain), *map(str, arguments), "--workspace", str(self.workspace)]
        return CliRunner().invoke(app, ["competitor", *given])

    def json(self, step: str, *arguments: str):
        done = self.run(step, *arguments, "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    def suggest(self, *found: DetectedCompetitor) -> None:
        async def work():
            db = Database(self.database_url, pool_size=1)
            await db.open()
            async with db.transaction() as tx:
                await suggest_competitors(tx, self.workspace, self.domain, found, now=START)
            await db.close()

        asyncio.run(work())


@pytest.fixture(autouse=True)
def restore_logging():
    """Restore logging, which commands configure for the whole process of the tests."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def operator(database_url, tmp_path, monkeypatch):
    async def make():
        async with Installation.open(database_url, tmp_path) as installation:
            tenant = await installation.tenant()
            return tenant.workspace.id, await installation.tracked_domain(tenant)

    workspace, domain = asyncio.run(make())
    for name, value in {"DATABASE_URL": database_url, "SECRET_KEY": "s" * 40, "DATA_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(f"SIGHTLINE_{name}", value)
    return Operator(database_url, workspace, domain)


def test_every_step_prints_the_competitor(operator):
    added = operator.json("add", "https://www.globex.com", "--name", "Globex", "--name", "GBX")
    assert (added["competitor_domain"], added["status"], added["names"]) == (
        "globex.com",
        "confirmed",
        ["Globex", "GBX"],
    )
    for step, status in (("hide", "hidden"), ("unhide", "confirmed"), ("dismiss", "dismissed")):
        assert operator.json(step, added["id"])["status"] == status
    assert operator.json("rename", added["id"], "--name", "Globex Corp")["names"] == ["Globex Corp"]
    (listed,) = operator.json("list")
    assert (listed["id"], listed["status"]) == (added["id"], "dismissed")
    assert "globex.com is confirmed." in operator.run("add", "globex.com").stdout


def test_suggestions_are_listed_and_confirmed(operator):
    operator.suggest(DetectedCompetitor("Initech", None, 5.0), DetectedCompetitor("Globex [1]", "globex.com", 7.0))
    shown = operator.run("list").stdout
    assert "Initech" in shown and "Globex [1]" in shown
    globex, initech = operator.json("list")
    assert operator.json("confirm", globex["id"])["status"] == "confirmed"
    refused = operator.run("confirm", initech["id"])
    assert (refused.exit_code, "found by its name only" in " ".join(refused.stderr.split())) == (1, True)
    assert operator.json("confirm", initech["id"], "--domain", "initech.com")["competitor_domain"] == "initech.com"


def test_missing_domains_and_competitors_are_reported(operator):
    assert "Not found" in operator.run("hide", str(new_id())).stderr
    operator.domain = new_id()
    for step in (("list",), ("add", "globex.com")):
        done = operator.run(*step)
        assert (done.exit_code, "Domain not found" in done.stderr) == (1, True)
