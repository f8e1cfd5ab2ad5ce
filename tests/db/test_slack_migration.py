"""Migration 0067: endpoints of the commit before are webhooks, and their deliveries go with them."""

import uuid
from importlib import import_module

from sightline.accounts.models import build_operator_actor
from sightline.webhooks.endpoints import read_endpoint


async def test_rows_of_the_commit_before(installation):
    db, tenant, endpoint_id = installation.db, await installation.tenant(), uuid.uuid4()
    await db.execute("ALTER TABLE webhook_endpoints DROP COLUMN kind, DROP COLUMN client_id")
    await db.execute(
        """INSERT INTO webhook_endpoints (workspace_id, id, livemode, url, description, events, status, secret,
                                          created_at, updated_at)
           VALUES ($1, $2, true, 'https://hooks.acme.com/', '', '{}', 'enabled', 'x', now(), now())""",
        tenant.workspace.id,
        endpoint_id,
    )
    await db.execute(import_module("sightline.db.migrations.versions.0067_slack").STATEMENTS)
    found = await read_endpoint(db, build_operator_actor(tenant.workspace.id), endpoint_id)
    assert (found.kind, found.client_id) == ("webhook", None)
