"""`sightline prompt`: the operator manages the prompts of a tracked domain."""

import asyncio
import json

import pytest
import structlog
from typer.testing import CliRunner

from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.cli.main import app
from sightline.db.engine import Database
from sightline.domains.models import BrandDetails
from sightline.domains.tracking.queries import insert_tracked_domain
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.prompts.suggestions.models import NewSuggestion
from sightline.prompts.suggestions.review import store_suggestions
from tests.installation import PASSWORD_HASH, START


class Operator:
    def __init__(self, domain_id):
        self.domain_id = str(domain_id)

    def run(self, command, *arguments):
        return CliRunner().invoke(app, ["prompt", command, self.domain_id, *arguments])

    def json(self, *arguments):
        done = self.run(*arguments, "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    def refused(self, *arguments):
        done = self.run(*arguments)
        assert done.exit_code != 0
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return " ".join(done.stderr.split())


@pytest.fixture
def operator(database_url, tmp_path, monkeypatch):
    """Create the data without an event loop of the test, because a command starts its own."""
    for name, value in {"DATABASE_URL": database_url, "SECRET_KEY": "s" * 40, "DATA_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(f"SIGHTLINE_{name}", value)
    monkeypatch.setenv("SIGHTLINE_PLANS", '{"starter": {"tracked_prompts": 2}}')

    async def make():
        db = Database(database_url, pool_size=1)
        await db.open()
        domain_id, details = new_id(), BrandDetails("Acme", aliases=[], owned_domains=[], competitors=[])
        found = [
            NewSuggestion(prompt=text, language_code="en", country_iso_2=None, priority=70, origin="template")
            for text in ("crm for [small] shops", "crm for forges")
        ]
        async with db.transaction() as tx:
            owner = await create_user(tx, "owner@acme.com", "", PASSWORD_HASH, now=START)
            made = await create_workspace(tx, owner, "Acme", Plan.STARTER, now=START)
            await insert_tracked_domain(tx, made.id, domain_id, "acme.com", details, [], now=START)
            await store_suggestions(tx, made.id, domain_id, found, now=START)
        await db.close()
        return domain_id

    yield Operator(asyncio.run(make()))
    structlog.reset_defaults()


def test_the_commands_for_prompts(operator):
    made = operator.json("add", "Best [CRM]?", "--language", "EN", "--country", "us")
    assert (made["prompt"], made["language_code"], made["country_iso_2"]) == ("Best [CRM]?", "en", "US")
    assert operator.json("list") == [made]
    assert operator.json("unpin", made["id"])["user_pinned"] is False
    assert operator.json("pin", made["id"])["user_pinned"] is True
    printed = operator.run("list").stdout
    assert "Best [CRM]?" in printed and "pinned" in printed and "US" in printed

    first, second = operator.json("suggestions")
    assert first["prompt"] in operator.run("suggestions").stdout
    accepted = operator.json("accept", first["id"])
    assert (accepted["source"], accepted["user_pinned"]) == ("suggested", False)
    assert "limits tracked prompts to 2, and the workspace has 2" in operator.refused("accept", second["id"])
    assert operator.json("dismiss", second["id"])["status"] == "dismissed"
    assert operator.json("suggestions") == []

    assert operator.json("remove", made["id"]) == {"id": made["id"], "deleted": True}
    assert "no such active prompt" in operator.refused("remove", made["id"])
    assert [row["id"] for row in operator.json("list")] == [accepted["id"]]


def test_errors_are_explained(operator):
    assert "language_code" in operator.refused("add", "best crm", "--language", "xx")
    assert "--language" in operator.refused("add", "best crm")
    assert "not open" in operator.refused("dismiss", str(new_id()))
    operator.domain_id = str(new_id())
    assert "no tracked domain" in operator.refused("list")
