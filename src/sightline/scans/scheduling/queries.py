"""All SQL of scheduling. What is due is looked for across workspaces; everything else names its workspace."""

import uuid
from collections.abc import Mapping
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.plans.table import Plan
from sightline.scans.scheduling.due import Due
from sightline.scans.scheduling.models import AskedPrompt, EndedCheck, Moment, ScheduledDomain, SeenPrompt

_DOMAIN = columns(ScheduledDomain)
_ASKED = columns(AskedPrompt)
# Any number that no other lock of this database has.
_ARMING = 7_410_302_305


async def list_due_any_workspace(db: Reader, *, now: datetime, after: Moment | None, limit: int) -> list[Moment]:
    """Those who have waited longest first. A domain with an active scan waits for its end, and is not listed."""
    rows = await db.fetch(
        """SELECT next_check_at, workspace_id, id FROM domains d
           WHERE kind = 'tracked' AND status = 'active' AND next_check_at <= $1 AND anchor_at IS NOT NULL
             AND ($2::timestamptz IS NULL OR (next_check_at, workspace_id, id) > ($2, $3::uuid, $4::uuid))
             AND NOT EXISTS (SELECT FROM scans s WHERE s.workspace_id = d.workspace_id AND s.domain_id = d.id
                                                   AND s.status IN ('pending', 'running'))
           ORDER BY next_check_at, workspace_id, id LIMIT $5""",
        now,
        *((after.next_check_at, after.workspace_id, after.domain_id) if after else (None, None, None)),
        limit,
    )
    return to_rows(Moment, rows)


async def lock_due_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, now: datetime
) -> ScheduledDomain | None:
    """None when it is not due any more, or when another scheduler has it in hand."""
    row = await tx.fetchrow(
        f"""SELECT {_DOMAIN} FROM domains
            WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND status = 'active' AND next_check_at <= $3
            FOR NO KEY UPDATE SKIP LOCKED""",
        workspace_id,
        domain_id,
        now,
    )
    return to_row_or_none(ScheduledDomain, row)


async def lock_active_domain(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> ScheduledDomain | None:
    row = await tx.fetchrow(
        f"""SELECT {_DOMAIN} FROM domains
            WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND status = 'active' AND anchor_at IS NOT NULL
            FOR NO KEY UPDATE""",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(ScheduledDomain, row)


async def find_active_domain(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> ScheduledDomain | None:
    """The same, to look at."""
    row = await db.fetchrow(
        f"""SELECT {_DOMAIN} FROM domains
            WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND status = 'active' AND anchor_at IS NOT NULL""",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(ScheduledDomain, row)


async def set_next_check(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, due: Due | None) -> None:
    await tx.execute(
        "UPDATE domains SET next_check_at = $3, next_check_scope = $4 WHERE workspace_id = $1 AND id = $2",
        workspace_id,
        domain_id,
        *(due or (None, None)),
    )


async def set_platforms(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, platforms: list[str]) -> None:
    await tx.execute(
        "UPDATE domains SET platforms = $3 WHERE workspace_id = $1 AND id = $2", workspace_id, domain_id, platforms
    )


async def read_plan(db: Reader, workspace_id: uuid.UUID) -> Plan:
    return Plan(await db.fetchval("SELECT plan FROM workspaces WHERE id = $1", workspace_id))


async def count_older_domains(db: Reader, workspace_id: uuid.UUID, domain: ScheduledDomain) -> int:
    """How many tracked domains of the workspace come before this one where the plan has not room for all."""
    found: int = await db.fetchval(
        """SELECT count(*) FROM domains
           WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'
             AND (created_at, id) < ($2, $3)""",
        workspace_id,
        domain.created_at,
        domain.id,
    )
    return found


async def list_asked_prompts(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, domains: int, prompts: int
) -> list[AskedPrompt]:
    """The domain's part of what a plan with so many domains and prompts has room for, pinned first, then oldest.

    The room is the workspace's: the prompts of all domains that are checked share it in that same order.
    """
    rows = await db.fetch(
        f"""WITH checked AS (
                SELECT id FROM domains
                WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'
                ORDER BY created_at, id LIMIT $3
            ), ranked AS (
                SELECT *, row_number() OVER (ORDER BY pinned_at IS NULL, created_at, id) AS place FROM prompts
                WHERE workspace_id = $1 AND status = 'active' AND domain_id IN (SELECT id FROM checked)
            )
            SELECT {_ASKED} FROM ranked WHERE domain_id = $2 AND place <= $4 ORDER BY place""",
        workspace_id,
        domain_id,
        domains,
        prompts,
    )
    return to_rows(AskedPrompt, rows)


async def list_active_prompts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[AskedPrompt]:
    """Pinned first, then oldest."""
    rows = await db.fetch(
        f"""SELECT {_ASKED} FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'
            ORDER BY pinned_at IS NULL, created_at, id""",
        workspace_id,
        domain_id,
    )
    return to_rows(AskedPrompt, rows)


async def read_histories(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, checks: int) -> list[SeenPrompt]:
    """The latest checks of each active prompt, oldest first."""
    rows = await db.fetch(
        """SELECT p.id, latest.answers_source, latest.completed_at, latest.cells FROM prompts p CROSS JOIN LATERAL (
               SELECT answers_source, completed_at, scan_id, cells FROM prompt_checks c
               WHERE c.workspace_id = $1 AND c.domain_id = $2 AND c.prompt_id = p.id
               ORDER BY completed_at DESC, scan_id DESC LIMIT $3) latest
           WHERE p.workspace_id = $1 AND p.domain_id = $2 AND p.status = 'active'
           ORDER BY latest.completed_at, latest.scan_id""",
        workspace_id,
        domain_id,
        checks,
    )
    return to_rows(SeenPrompt, rows)


async def find_ended_check(db: Reader, workspace_id: uuid.UUID, domain: ScheduledDomain) -> EndedCheck | None:
    """The completed check of the domain since its setup; without one, the latest."""
    row = await db.fetchrow(
        """SELECT status, measurement_scope FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND created_at >= $3
           ORDER BY status = 'completed' DESC, created_at DESC, id DESC LIMIT 1""",
        workspace_id,
        domain.id,
        domain.anchor_at,
    )
    return to_row_or_none(EndedCheck, row)


async def is_retryable(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    """Whether the latest check since the setup failed, and none has completed or is under way."""
    latest = await db.fetchval(
        """SELECT s.status FROM domains d
           JOIN scans s ON s.workspace_id = d.workspace_id AND s.domain_id = d.id AND s.created_at >= d.anchor_at
           WHERE d.workspace_id = $1 AND d.id = $2 AND d.kind = 'tracked' AND d.status = 'active'
           ORDER BY s.status IN ('completed', 'pending', 'running') DESC, s.created_at DESC, s.id DESC LIMIT 1""",
        workspace_id,
        domain_id,
    )
    return bool(latest == "failed")


async def is_audited(db: Reader, workspace_id: uuid.UUID) -> bool:
    """Whether the workspace has had its free audit."""
    found = await db.fetchval("SELECT audited_at IS NOT NULL FROM workspaces WHERE id = $1", workspace_id)
    return bool(found)


async def claim_audit(tx: Transaction, workspace_id: uuid.UUID, *, now: datetime) -> bool:
    """Once per workspace, ever: of two who try at once one waits, and then finds it claimed."""
    claimed = await tx.fetchval(
        "UPDATE workspaces SET audited_at = $2 WHERE id = $1 AND audited_at IS NULL RETURNING true", workspace_id, now
    )
    return claimed is not None


async def claim_arming_any_workspace(tx: Transaction) -> bool:
    """One process at a time; whoever is not the one has nothing to do."""
    claimed: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock($1)", _ARMING)
    return claimed


async def list_unarmed_any_workspace(
    tx: Transaction, *, domains_by_plan: Mapping[Plan, int], limit: int
) -> list[ScheduledDomain]:
    """Domains without a next check although the plan of their workspace has checks, and room for them, now."""
    rows = await tx.fetch(
        f"""SELECT {columns(ScheduledDomain, "d")} FROM domains d
            JOIN workspaces w ON w.id = d.workspace_id
            JOIN unnest($1::text[], $2::integer[]) AS allowed (plan, domains) ON allowed.plan = w.plan
            WHERE d.kind = 'tracked' AND d.status = 'active' AND d.next_check_at IS NULL AND d.anchor_at IS NOT NULL
              AND allowed.domains > (
                  SELECT count(*) FROM domains o
                  WHERE o.workspace_id = d.workspace_id AND o.kind = 'tracked' AND o.livemode AND o.status <> 'removed'
                    AND (o.created_at, o.id) < (d.created_at, d.id))
            LIMIT $3 FOR NO KEY UPDATE OF d SKIP LOCKED""",
        [str(plan) for plan in domains_by_plan],
        list(domains_by_plan.values()),
        limit,
    )
    return to_rows(ScheduledDomain, rows)
