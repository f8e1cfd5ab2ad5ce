"""`sightline doctor` lists what ends with the sandbox, and what has ended."""

import asyncio
import json

import pytest
from typer.testing import CliRunner

from sightline.accounts.queries import update_workspace
from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.cli.main import app
from sightline.db.engine import Database
from sightline.onboarding.sandbox_end.leave import leave_sandbox
from sightline.plans.table import Plan
from tests.installation import PASSWORD_HASH, START, build_settings


@pytest.fixture
def list_sandbox_lines(database_url, tmp_path, monkeypatch):
    for name, value in {"DATABASE_URL": database_url, "SECRET_KEY": "s" * 40, "DATA_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(f"SIGHTLINE_{name}", value)

    def list_lines() -> list[str]:
        done = CliRunner().invoke(app, ["doctor", "--json"])
        assert done.exit_code == 0, done.stdout + done.stderr
        return [each["text"] for each in json.loads(done.stdout)["findings"] if each["what"] == "Sandbox"]

    return list_lines


def test_what_ends_is_listed_before_and_after(database_url, list_sandbox_lines, monkeypatch):
    def on_database(action):
        async def run():
            db = Database(database_url, pool_size=1)
            await db.open()
            try:
                return await action(db)
            finally:
                await db.close()

        return asyncio.run(run())

    async def add_demo(db):
        async with db.transaction() as tx:
            owner = await create_user(tx, "owner@acme.com", "", PASSWORD_HASH, now=START)
            demo = await create_workspace(tx, owner, "Demo [one]", Plan.AGENCY, now=START)
            await update_workspace(tx, demo.id, {"made_for_demo": True})
        return demo.id

    async def leave(db):
        await leave_sandbox(db, build_settings(openai_api_key="sk-platform"), now=START)

    assert len(list_sandbox_lines()) == 1
    demo_id = on_database(add_demo)
    first, planned = list_sandbox_lines()
    assert "no platform is connected" in first and planned == f"will end: Demo [one] ({demo_id}): closed"
    monkeypatch.setenv("SIGHTLINE_OPENAI_API_KEY", "sk-platform")
    assert "at the next start" in list_sandbox_lines()[0]
    on_database(leave)
    assert list_sandbox_lines() == [
        "ended when the first platform was connected",
        f"Demo [one] ({demo_id}): closed on 15 Nov 2026",
    ]
