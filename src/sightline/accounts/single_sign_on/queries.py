"""SQL of identity providers, the e-mail domains of workspaces, and who people are at a provider."""

import uuid
from datetime import datetime

from sightline.accounts.models import User
from sightline.accounts.single_sign_on.models import StoredProvider
from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows

_PROVIDER = columns(StoredProvider, "p")


async def upsert_provider(tx: Transaction, workspace_id: uuid.UUID, provider: StoredProvider) -> None:
    await tx.execute(
        """INSERT INTO identity_providers (workspace_id, issuer, client_id, client_secret, changed_at)
           VALUES ($1, $2, $3, $4, $5) ON CONFLICT (workspace_id)
           DO UPDATE SET issuer = $2, client_id = $3, client_secret = $4, changed_at = $5""",
        workspace_id,
        provider.issuer,
        provider.client_id,
        provider.client_secret,
        provider.changed_at,
    )


async def find_provider(db: Reader, workspace_id: uuid.UUID) -> StoredProvider | None:
    """Return the provider of an open workspace."""
    row = await db.fetchrow(
        f"""SELECT {_PROVIDER} FROM identity_providers p JOIN workspaces w ON w.id = p.workspace_id
            WHERE p.workspace_id = $1 AND w.closed_at IS NULL""",
        workspace_id,
    )
    return to_row_or_none(StoredProvider, row)


async def has_provider_any_workspace(db: Reader) -> bool:
    found: bool = await db.fetchval("SELECT EXISTS (SELECT FROM identity_providers)")
    return found


async def lock_providers_any_workspace(tx: Transaction) -> list[StoredProvider]:
    rows = await tx.fetch(f"SELECT {_PROVIDER} FROM identity_providers p ORDER BY workspace_id FOR UPDATE")
    return to_rows(StoredProvider, rows)


async def delete_provider(tx: Transaction, workspace_id: uuid.UUID) -> bool:
    """Delete the provider of a workspace. Sessions that began through it continue as if begun with a password."""
    await tx.execute("UPDATE sessions SET provider_id = NULL WHERE provider_id = $1", workspace_id)
    await tx.execute("UPDATE pending_sign_ins SET provider_id = NULL WHERE provider_id = $1", workspace_id)
    deleted = await tx.fetchval("DELETE FROM identity_providers WHERE workspace_id = $1 RETURNING true", workspace_id)
    return deleted is not None


async def find_workspace_of_domain(db: Reader, domain: str) -> uuid.UUID | None:
    """Return the workspace with a provider of its own to which the e-mail domain is assigned."""
    found: uuid.UUID | None = await db.fetchval(
        """SELECT d.workspace_id FROM sign_in_domains d JOIN identity_providers p ON p.workspace_id = d.workspace_id
           JOIN workspaces w ON w.id = d.workspace_id AND w.closed_at IS NULL WHERE d.domain = $1""",
        domain,
    )
    return found


async def list_domains(db: Reader, workspace_id: uuid.UUID) -> list[str]:
    rows = await db.fetch("SELECT domain FROM sign_in_domains WHERE workspace_id = $1 ORDER BY domain", workspace_id)
    return [domain for (domain,) in rows]


async def list_domains_any_workspace(db: Reader) -> list[tuple[str, uuid.UUID, str, bool, bool]]:
    """Return each domain with its workspace, its name, and whether it has a provider and requires single sign-on."""
    rows = await db.fetch(
        """SELECT d.domain, w.id, w.name, p.workspace_id IS NOT NULL, w.required_provider_id IS NOT NULL
           FROM sign_in_domains d JOIN workspaces w ON w.id = d.workspace_id
           LEFT JOIN identity_providers p ON p.workspace_id = w.id ORDER BY d.domain"""
    )
    return [tuple(row) for row in rows]


async def insert_domain(tx: Transaction, workspace_id: uuid.UUID, domain: str, *, now: datetime) -> uuid.UUID:
    """Assign the domain unless it is assigned; return the workspace that has it now."""
    await tx.execute(
        "INSERT INTO sign_in_domains (workspace_id, domain, assigned_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        workspace_id,
        domain,
        now,
    )
    owner: uuid.UUID = await tx.fetchval("SELECT workspace_id FROM sign_in_domains WHERE domain = $1", domain)
    return owner


async def delete_domain(tx: Transaction, domain: str) -> uuid.UUID | None:
    """Delete the assignment; return the workspace that had the domain."""
    found: uuid.UUID | None = await tx.fetchval(
        "DELETE FROM sign_in_domains WHERE domain = $1 RETURNING workspace_id", domain
    )
    return found


async def find_identity_user(db: Reader, issuer: str, subject: str) -> User | None:
    row = await db.fetchrow(
        f"""SELECT {columns(User, "u")} FROM identities i JOIN users u ON u.id = i.user_id
            WHERE i.issuer = $1 AND i.subject = $2""",
        issuer,
        subject,
    )
    return to_row_or_none(User, row)


async def insert_identity(tx: Transaction, issuer: str, subject: str, user_id: uuid.UUID, *, now: datetime) -> None:
    await tx.execute(
        "INSERT INTO identities (issuer, subject, user_id, linked_at) VALUES ($1, $2, $3, $4)",
        issuer,
        subject,
        user_id,
        now,
    )


async def is_operator(db: Reader, user_id: uuid.UUID) -> bool:
    found: bool = await db.fetchval("SELECT EXISTS (SELECT FROM operators WHERE user_id = $1)", user_id)
    return found
