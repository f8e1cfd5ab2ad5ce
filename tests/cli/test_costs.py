"""`sightline costs`: what calls to platforms cost, for the operator."""

import asyncio
import json
import uuid
from datetime import date, timedelta

from typer.testing import CliRunner

from sightline.cli.main import app
from sightline.kit.clock import utc_now
from tests.cli.test_credits import operator, workspace  # noqa: F401 - fixtures
from tests.databases import run_sql


def run(*arguments):
    return CliRunner().invoke(app, ["costs", *arguments])


def test_costs_by_workspace_domain_and_platform(operator, workspace, database_url):  # noqa: F811
    assert "No calls to platforms in this period." in run().stdout
    domain, day = uuid.uuid4(), utc_now().date()
    rows = ", ".join(
        f"('{workspace}', '{each}', '{domain}', '{platform}', {calls}, 1, {priced}, 1000, NULL, NULL, {cost})"
        for each, platform, calls, priced, cost in (
            (day, "chatgpt", 10, 9, "0.0123"),
            (day - timedelta(days=400), "chatgpt", 99, 99, "99"),
            (day, "grok", 5, 0, "NULL"),
        )
    )
    insert_domain = f"""INSERT INTO domains (workspace_id, id, kind, livemode, domain, brand_name, status, created_at)
                        VALUES ('{workspace}', '{domain}', 'console', true, 'acme.com', 'Acme', 'active', now())"""
    asyncio.run(run_sql(database_url, f"{insert_domain}; INSERT INTO platform_costs VALUES {rows}"))
    found = run()
    assert found.exit_code == 0, found.stderr
    lines = [" ".join(line.split()) for line in found.stdout.splitlines()]
    assert f"{workspace} acme.com ChatGPT 10 1 1,000 \u2013 0.0123 USD" in lines
    assert f"{workspace} acme.com Grok 5 1 1,000 \u2013 \u2013" in lines, "an unknown cost is not 0"
    assert "Total 15 2 2,000 \u2013 0.0123 USD" in lines
    assert "The cost of 6 of 15 calls is not known" in found.stdout
    documents = json.loads(run("--workspace", workspace, "--since", "2000-01-01", "--json").stdout)
    assert [(each["platform"], each["calls"], each["cost_usd"]) for each in documents] == [
        ("grok", 5, None),
        ("chatgpt", 10, 0.0123),
        ("chatgpt", 99, 99.0),
    ]
    assert date.fromisoformat(documents[0]["day"]) == day and documents[0]["workspace_id"] == workspace
    assert json.loads(run("--workspace", str(uuid.uuid4()), "--json").stdout) == []
    refused = run("--since", "tomorrow")
    assert refused.exit_code == 1 and "must be a date such as 2026-11-16" in " ".join(refused.stderr.split())
