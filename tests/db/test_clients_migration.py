"""Migration 0057: domains of the commit before have no client, and its open invitations still make members."""

import uuid
from datetime import timedelta
from importlib import import_module

from sightline.accounts.invitations.accept import accept_invitation
from sightline.accounts.invitations.tokens import digest_token
from sightline.accounts.models import Role, build_operator_actor
from sightline.accounts.queries import find_member_role
from sightline.domains.tracking.read import read_tracked_domain


async def test_rows_of_the_commit_before(installation):
    db, now = installation.db, installation.clock()
    tenant, invited = await installation.tenant(), await installation.user()
    domain_id = uuid.UUID(await installation.tracked_domain(tenant))
    await db.execute("DROP TABLE guests")
    await db.execute("ALTER TABLE invitations DROP COLUMN client_id")
    await db.execute("ALTER TABLE domains DROP COLUMN client_id")
    await db.execute("DROP TABLE clients CASCADE")  # with what later migrations added to it
    await db.execute(
        """INSERT INTO invitations (workspace_id, id, digest, role, billing, invited_by, created_at, expires_at)
           VALUES ($1, gen_random_uuid(), $2, 'admin', true, $3, $4, $5)""",
        tenant.workspace.id,
        digest_token("in_old"),
        tenant.owner.id,
        now,
        now + timedelta(days=7),
    )
    await db.execute(import_module("sightline.db.migrations.versions.0057_clients").STATEMENTS)
    domain = await read_tracked_domain(db, build_operator_actor(tenant.workspace.id), domain_id)
    assert domain.client_id is None
    async with db.transaction() as tx:
        await accept_invitation(tx, "in_old", invited.id, now=now)
    assert await find_member_role(db, tenant.workspace.id, invited.id) is Role.ADMIN
