"""All SQL of the end of the sandbox, which concerns the whole installation."""

import uuid
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_rows
from sightline.onboarding.sandbox_end.models import WorkspaceEnding

_OWN_DOMAINS = """
SELECT d.workspace_id, d.id FROM domains d JOIN workspaces w ON w.id = d.workspace_id
WHERE d.kind = 'tracked' AND d.livemode AND d.status = 'active' AND d.anchor_at IS NOT NULL
  AND NOT d.made_for_demo AND NOT w.made_for_demo AND w.closed_at IS NULL
"""


async def list_own_domains_any_workspace(tx: Transaction) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """Return (workspace, domain) of every tracked domain that goes on: those that are no demonstration."""
    return [(row[0], row[1]) for row in await tx.fetch(_OWN_DOMAINS)]


async def list_confirmed_any_workspace(tx: Transaction) -> list[tuple[uuid.UUID, uuid.UUID, str, str, list[str]]]:
    """Return the tracked domains that have confirmed competitors: ids, domain, brand, and the competitors' domains."""
    rows = await tx.fetch(
        f"""SELECT d.workspace_id, d.id, d.domain, d.brand_name, array_agg(c.competitor_domain)
            FROM ({_OWN_DOMAINS}) own JOIN domains d ON d.workspace_id = own.workspace_id AND d.id = own.id
            JOIN competitors c ON c.workspace_id = d.workspace_id AND c.domain_id = d.id
            WHERE c.status IN ('confirmed', 'hidden') GROUP BY 1, 2"""
    )
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


async def list_concerned_any_workspace(db: Reader) -> list[tuple[uuid.UUID, str, bool, list[uuid.UUID], list[str]]]:
    """Return workspaces with a demonstration or with test money, and the tracked domains that end there.

    In a workspace that was made for a demonstration, these are all its tracked domains.
    """
    rows = await db.fetch(
        """SELECT w.id, w.name, w.made_for_demo,
                  coalesce(array_agg(d.id ORDER BY d.domain) FILTER (WHERE d.id IS NOT NULL), '{}'),
                  coalesce(array_agg(d.domain ORDER BY d.domain) FILTER (WHERE d.id IS NOT NULL), '{}')
           FROM workspaces w
           LEFT JOIN domains d ON d.workspace_id = w.id AND d.kind = 'tracked' AND d.livemode
                              AND d.status <> 'removed' AND (d.made_for_demo OR w.made_for_demo)
           WHERE w.closed_at IS NULL
             AND (w.made_for_demo OR d.id IS NOT NULL
                  OR EXISTS (SELECT FROM checkout_attempts a
                             WHERE a.workspace_id = w.id AND a.livemode AND a.credited_at IS NOT NULL
                               AND (a.provider = 'local' OR a.provider_session LIKE 'cs_test_%')))
           GROUP BY w.id ORDER BY w.created_at, w.id"""
    )
    return [(row[0], row[1], row[2], row[3], row[4]) for row in rows]


async def lock_active_sandbox_scans(tx: Transaction, workspace_id: uuid.UUID) -> list[uuid.UUID]:
    """Lock and return the paid scans that the sandbox answers for live credits and that have not ended."""
    rows = await tx.fetch(
        """SELECT id FROM scans
           WHERE workspace_id = $1 AND livemode AND measurement_scope = 'console_check' AND answers_source = 'sandbox'
             AND status IN ('pending', 'running')
           ORDER BY id FOR UPDATE""",
        workspace_id,
    )
    return [row[0] for row in rows]


async def insert_ending(tx: Transaction, ending: WorkspaceEnding) -> None:
    await tx.execute(
        """INSERT INTO sandbox_endings (workspace_id, closes, domains, credits, ended_at)
           VALUES ($1, $2, $3, $4, $5)""",
        ending.workspace_id,
        ending.closes,
        ending.domains,
        ending.credits,
        ending.ended_at,
    )


_ENDINGS = """SELECT e.workspace_id, w.name, e.closes, e.domains, e.credits, e.ended_at
    FROM sandbox_endings e JOIN workspaces w ON w.id = e.workspace_id"""
assert columns(WorkspaceEnding) == "workspace_id, name, closes, domains, credits, ended_at"


async def list_endings_any_workspace(db: Reader) -> list[WorkspaceEnding]:
    return to_rows(WorkspaceEnding, await db.fetch(f"{_ENDINGS} ORDER BY w.created_at, w.id"))


async def list_endings_of_owner(
    db: Reader, user_id: uuid.UUID, workspace_id: uuid.UUID | None, *, since: datetime
) -> list[WorkspaceEnding]:
    """Return what ended in a workspace that the user owns, and which of the user's workspaces were closed."""
    rows = await db.fetch(
        f"""{_ENDINGS} JOIN members m ON m.workspace_id = e.workspace_id AND m.user_id = $1 AND m.role = 'owner'
            WHERE (e.workspace_id = $2 OR e.closes) AND e.ended_at > $3 ORDER BY w.created_at, w.id""",
        user_id,
        workspace_id,
        since,
    )
    return to_rows(WorkspaceEnding, rows)
