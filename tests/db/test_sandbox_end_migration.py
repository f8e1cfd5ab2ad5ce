"""Migrations 0020 and 0023: orders get a mode and a way out, and what is a demonstration is derived."""

import uuid

import asyncpg

from sightline.db.migrate import migrate
from tests.databases import run_sql, with_database
from tests.db.test_stored_rows import restore


async def test_demonstrations_of_the_commit_before_are_found(server_url):
    name = f"test_{uuid.uuid4().hex}"
    await restore(server_url, name)
    connection = await asyncpg.connect(with_database(server_url, name))
    try:
        real, forgotten, own = await add_workspaces(connection)
        in_test_mode = await connection.fetchval("SELECT min(reference) FROM local_orders")
        await connection.execute("UPDATE checkout_attempts SET livemode = false WHERE reference = $1", in_test_mode)
        await migrate(with_database(server_url, name))
        orders = await connection.fetch("SELECT reference, livemode, return_url, cancel_url FROM local_orders")
        assert [row["reference"] for row in orders if not row["livemode"]] == [in_test_mode] and len(orders) > 1
        assert all(row["cancel_url"] == row["return_url"].replace("/return", "/cancel") for row in orders)
        of_command = await connection.fetch(
            "SELECT value::uuid FROM installation, jsonb_each_text(demo -> 'workspaces') ORDER BY 1"
        )
        made_for = await connection.fetch("SELECT id FROM workspaces WHERE made_for_demo")
        shown = await connection.fetch("SELECT shown_in FROM demonstrations WHERE shown_in <> workspace_id")
        expected = {row[0] for row in of_command} | {row[0] for row in shown} | {forgotten}
        assert len(of_command) == 4 and {row[0] for row in made_for} == expected
        domains = await connection.fetch("SELECT workspace_id FROM domains WHERE made_for_demo")
        assert real in {row[0] for row in domains} and own not in {row[0] for row in domains}
    finally:
        await connection.close()
        await run_sql(server_url, f'DROP DATABASE "{name}" WITH (FORCE)')


async def add_workspaces(connection) -> tuple[uuid.UUID, uuid.UUID, uuid.UUID]:
    """Add a real workspace with a demonstration, a forgotten demonstration, and one that a person set up again."""
    made = []
    for label, created, anchor in (
        ("Real", "2026-01-01", "2026-05-01"),
        ("Demonstration", "2026-06-01", "2026-05-01"),
        ("Own", "2026-01-01", "2026-06-20"),
    ):
        workspace_id, domain_id = uuid.uuid4(), uuid.uuid4()
        made.append(workspace_id)
        await connection.execute(
            f"INSERT INTO workspaces (id, name, plan, created_at) VALUES ($1, $2, 'starter', '{created}')",
            workspace_id,
            label,
        )
        await connection.execute(
            f"""INSERT INTO domains (workspace_id, id, kind, livemode, domain, brand_name, status, created_at,
                                     anchor_at)
                VALUES ($1, $2, 'tracked', true, 'acme.com', 'Acme', 'active', '{anchor}', '{anchor}')""",
            workspace_id,
            domain_id,
        )
        if label != "Demonstration":
            await connection.execute(
                """INSERT INTO demonstrations (workspace_id, shown_in, domain_id, created_at, completed_at)
                   VALUES ($1, $1, $2, '2026-06-01', '2026-06-01')""",
                workspace_id,
                domain_id,
            )
    return made[0], made[1], made[2]
