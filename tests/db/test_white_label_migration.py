"""Migrations 0065 and 0066: clients of the commit before look like Sightline, and nothing is sent for them."""

from importlib import import_module

from sightline.accounts.models import build_operator_actor
from sightline.clients.look import SIGHTLINE
from sightline.clients.manage import read_client, read_look
from sightline.reports.mailings.queries import find_schedule

COLUMNS = ("logo", "color", "sender_name", "shows_maker", "recipients", "language", "timezone")


async def test_rows_of_the_commit_before(installation):
    db, tenant = installation.db, await installation.tenant()
    await db.execute("DROP TABLE report_schedules, report_emails, report_unsubscriptions, report_links")
    await db.execute("ALTER TABLE clients " + ", ".join(f"DROP COLUMN {name}" for name in COLUMNS))
    client_id = await db.fetchval(
        "INSERT INTO clients VALUES ($1, gen_random_uuid(), 'Acme Group', now()) RETURNING id", tenant.workspace.id
    )
    for name in ("0065_white_label", "0066_report_schedules"):
        await db.execute(import_module(f"sightline.db.migrations.versions.{name}").STATEMENTS)
    client = await read_client(db, build_operator_actor(tenant.workspace.id), client_id)
    assert (client.name, client.has_logo, client.shows_maker, client.recipients) == ("Acme Group", False, True, [])
    assert await read_look(db, tenant.workspace.id, client_id) == SIGHTLINE
    assert await find_schedule(db, tenant.workspace.id, client_id) is None
