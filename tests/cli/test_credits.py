"""`sightline credits`: the operator manages balances, caps, packs and the ledger."""

import asyncio
import json

import pytest
from typer.testing import CliRunner

from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.cli.main import app
from sightline.db.engine import Database
from sightline.plans.table import Plan
from tests.databases import run_sql
from tests.installation import PASSWORD_HASH, START

UNKNOWN_ID = "00000000-0000-7000-8000-000000000000"


class Operator:
    """Runs commands in this process, because starting one for each would take most of the time."""

    def run(self, *arguments: str):
        return CliRunner().invoke(app, ["credits", *arguments])

    def json(self, *arguments: str):
        done = self.run(*arguments, "--json")
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)

    def refused(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.exit_code != 0
        assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
        return " ".join(done.stderr.split())


@pytest.fixture
def operator(database_url, tmp_path, monkeypatch):
    for name, value in {"DATABASE_URL": database_url, "SECRET_KEY": "s" * 40, "DATA_DIR": str(tmp_path)}.items():
        monkeypatch.setenv(f"SIGHTLINE_{name}", value)
    return Operator()


@pytest.fixture
def workspace(database_url):
    """Create the data without an event loop of the test, because a command starts its own."""

    async def make() -> str:
        db = Database(database_url, pool_size=1)
        await db.open()
        async with db.transaction() as tx:
            owner = await create_user(tx, "owner@acme.com", "", PASSWORD_HASH, now=START)
            made = await create_workspace(tx, owner, "Acme", Plan.AGENCY, now=START)
        await db.close()
        return str(made.id)

    return asyncio.run(make())


def test_grants_and_adjustments_are_in_the_ledger(operator, workspace):
    assert operator.json("balance", workspace) == {
        "workspace_id": workspace,
        "livemode": True,
        "balance": 0,
        "spend_cap_cents": 150_000,
        "current_month_spend_cents": 0,
    }
    assert operator.json("grant", workspace, "100", "--note", "Welcome")["balance"] == 100
    assert operator.json("grant", workspace, "100", "--note", "Welcome")["balance"] == 200, "on purpose"
    assert operator.json("grant", workspace, "5", "--test")["balance"] == 1_005
    assert operator.json("adjust", workspace, "-150", "--note", "Counted again")["balance"] == 50
    assert "The balance is 50" in operator.refused("adjust", workspace, "-51", "--note", "x")
    assert "must not be 0" in operator.refused("adjust", workspace, "0", "--note", "x")
    assert "--note" in operator.refused("adjust", workspace, "-1")
    operator.refused("grant", workspace, "0")
    operator.refused("grant", workspace, str(2**63))

    rows = operator.json("ledger", workspace)
    assert [(row["delta"], row["reason"], row["description"]) for row in rows] == [
        (-150, "manual_adjustment", "Counted again"),
        (100, "promotional_grant", "Welcome"),
        (100, "promotional_grant", "Welcome"),
    ]
    assert len(operator.json("ledger", workspace, "--reason", "manual_adjustment")) == 1
    assert len(operator.json("ledger", workspace, "--limit", "2")) == 2
    assert [row["delta"] for row in operator.json("ledger", workspace, "--test")] == [5, 1_000]
    assert "one of purchase" in operator.refused("ledger", workspace, "--reason", "theft")
    printed = operator.run("ledger", workspace).stdout
    assert "-150" in printed and "Counted again" in printed

    for words in (("balance",), ("grant", "5"), ("adjust", "5", "--note", "x"), ("ledger",), ("cap", "5")):
        assert "no workspace" in operator.refused(words[0], UNKNOWN_ID, *words[1:])


def test_the_spend_cap_and_the_purchase_switch(operator, workspace):
    assert operator.json("cap", workspace, "1000")["spend_cap_cents"] == 1_000
    assert operator.json("balance", workspace)["spend_cap_cents"] == 1_000
    assert operator.json("cap", workspace, "--default")["spend_cap_cents"] == 150_000
    assert operator.json("balance", workspace)["spend_cap_cents"] == 150_000
    assert "either" in operator.refused("cap", workspace)
    assert "either" in operator.refused("cap", workspace, "5", "--default")
    assert operator.json("purchases", "off") == {"purchases_enabled": False}
    assert operator.json("purchases", "on") == {"purchases_enabled": True}
    assert "on" in operator.refused("purchases", "maybe")


def test_packs(operator):
    made = operator.json("packs", "add", "25", "4500", "--badge", "New")
    assert (made["name"], made["badge"], made["active"]) == ("25 credits", "New", True)
    pricing_id = str(made["pricing_id"])
    assert operator.json("packs", "change", pricing_id, "--price-cents", "4000")["credits"] == 25
    assert operator.json("packs", "retire", pricing_id)["active"] is False
    rows = {str(row["pricing_id"]): row for row in operator.json("packs", "list")}
    assert (len(rows), rows[pricing_id]["price_cents"], rows[pricing_id]["active"]) == (5, 4_000, False)
    assert "There is no pack 99" in operator.refused("packs", "retire", "99")
    assert "retired" in operator.run("packs", "list").stdout


def test_verify_exits_with_1_and_lists_inconsistencies(operator, workspace, database_url):
    operator.json("grant", workspace, "100")
    sound = operator.run("verify")
    assert (sound.exit_code, sound.stdout.strip()) == (0, "The ledger is consistent.")
    asyncio.run(run_sql(database_url, "UPDATE credit_accounts SET balance = 90"))
    broken = operator.run("verify", "--json")
    assert broken.exit_code == 1
    assert json.loads(broken.stdout)["faults"] == [
        {
            "workspace_id": workspace,
            "livemode": True,
            "kind": "balance",
            "subject": "account",
            "detail": "the balance is 90, but its entries add up to 100",
        }
    ]
    assert workspace in operator.run("verify").stdout


def test_payments_in_review_are_listed_and_resolved(operator, workspace, database_url):
    reference = "co_" + "r" * 32
    asyncio.run(
        run_sql(
            database_url,
            f"""INSERT INTO checkout_attempts (workspace_id, id, reference, livemode, user_id, pricing_id, credits,
                    amount_cents, currency, provider, status, reason, payment_reference, expires_at, created_at,
                    updated_at)
                SELECT id, gen_random_uuid(), '{reference}', true, payer_user_id, 1, 10, 1900, 'usd', 'stripe',
                       'reconciliation', 'Paid in [eur], ordered in usd.', 'pi_1', now(), now(), now()
                FROM workspaces""",
        )
    )
    assert "Paid in [eur], ordered in usd." in operator.run("reconciliations").stdout
    (listed,) = operator.json("reconciliations")
    assert (listed["checkout_reference"], listed["workspace"], listed["status"]) == (
        reference,
        "Acme",
        "reconciliation",
    )
    assert "Use `credited`" in operator.refused("reconciliations", "resolve", reference, "lost", "--note", "x")
    assert "No payment" in operator.refused("reconciliations", "resolve", "co_x", "credited", "--note", "x")
    resolved = operator.json("reconciliations", "resolve", reference, "credited", "--note", "Fine")
    assert (resolved["status"], resolved["reason"]) == ("credited", "Resolved by the operator: Fine")
    assert operator.json("balance", workspace)["balance"] == 10
    assert operator.json("verify") == {"faults": []}
    assert "No payment needs review" in operator.run("reconciliations").stdout
