"""All SQL of scheduling. Due checks are found across workspaces; everything else names its workspace."""

import uuid
from collections.abc import Mapping
from datetime import datetime

from sightline.db.engine import Reader, Transaction, columns, to_row_or_none, to_rows
from sightline.plans.table import Plan
from sightline.scans.scheduling.models import (
    DueCursor,
    PlannedDomain,
    PreviousCheck,
    PromptHistoryRow,
    ScheduledDomain,
    ScheduledPrompt,
)

_DOMAIN = columns(ScheduledDomain)
_ASKED = columns(ScheduledPrompt)
# An arbitrary number that no other advisory lock of this database uses.
_RESUMING = 7_410_302_305


async def list_due_any_workspace(db: Reader, *, now: datetime, after: DueCursor | None, limit: int) -> list[DueCursor]:
    """List due domains, longest overdue first. A domain with an active scan is not listed until that scan ends.

    Those of a workspace that is going to be deleted are not listed at all.
    """
    rows = await db.fetch(
        """SELECT next_check_at, workspace_id, id FROM domains d
           WHERE kind = 'tracked' AND status = 'active' AND next_check_at <= $1 AND anchor_at IS NOT NULL
             AND ($2::timestamptz IS NULL OR (next_check_at, workspace_id, id) > ($2, $3::uuid, $4::uuid))
             AND NOT EXISTS (SELECT FROM scans s WHERE s.workspace_id = d.workspace_id AND s.domain_id = d.id
                                                   AND s.status IN ('pending', 'running'))
             AND NOT EXISTS (SELECT FROM workspace_deletions x WHERE x.workspace_id = d.workspace_id)
           ORDER BY next_check_at, workspace_id, id LIMIT $5""",
        now,
        *((after.next_check_at, after.workspace_id, after.domain_id) if after else (None, None, None)),
        limit,
    )
    return to_rows(DueCursor, rows)


async def lock_due_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, now: datetime
) -> ScheduledDomain | None:
    """Lock a due domain. Return None when it is no longer due or another scheduler has locked it."""
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
    """Return an active domain without locking it."""
    row = await db.fetchrow(
        f"""SELECT {_DOMAIN} FROM domains
            WHERE workspace_id = $1 AND id = $2 AND kind = 'tracked' AND status = 'active' AND anchor_at IS NOT NULL""",
        workspace_id,
        domain_id,
    )
    return to_row_or_none(ScheduledDomain, row)


async def read_plan(db: Reader, workspace_id: uuid.UUID) -> Plan:
    return Plan(await db.fetchval("SELECT plan FROM workspaces WHERE id = $1", workspace_id))


async def count_older_domains(db: Reader, workspace_id: uuid.UUID, domain: ScheduledDomain) -> int:
    """Return how many tracked domains of the workspace are older; the plan covers the oldest ones first."""
    found: int = await db.fetchval(
        """SELECT count(*) FROM domains
           WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'
             AND (created_at, id) < ($2, $3)""",
        workspace_id,
        domain.created_at,
        domain.id,
    )
    return found


async def list_prompts_within_plan(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, domains: int, prompts: int
) -> list[ScheduledPrompt]:
    """List the prompts of the domain that a plan with these limits covers, pinned first, then oldest.

    The limit is for the whole workspace: the prompts of all covered domains share it in the same order.
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
    return to_rows(ScheduledPrompt, rows)


async def list_planned_any_workspace(db: Reader, *, prompts_by_plan: Mapping[Plan, int]) -> list[PlannedDomain]:
    """List the domains whose next check is planned, each with its number of prompts within the plan."""
    rows = await db.fetch(
        """WITH ranked AS (
                SELECT p.workspace_id, p.domain_id, row_number() OVER (
                    PARTITION BY p.workspace_id ORDER BY p.pinned_at IS NULL, p.created_at, p.id) AS place
                FROM prompts p JOIN domains d ON d.workspace_id = p.workspace_id AND d.id = p.domain_id
                WHERE p.status = 'active' AND d.kind = 'tracked' AND d.status = 'active' AND d.next_check_at IS NOT NULL
            ), counted AS (
                SELECT r.workspace_id, r.domain_id, count(*) AS prompts
                FROM ranked r JOIN workspaces w ON w.id = r.workspace_id
                JOIN unnest($1::text[], $2::integer[]) AS allowed (plan, prompts) ON allowed.plan = w.plan
                WHERE r.place <= allowed.prompts GROUP BY r.workspace_id, r.domain_id
            )
            SELECT w.plan, d.anchor_at, d.next_check_at, d.chosen_platforms, c.prompts
            FROM counted c JOIN domains d ON d.workspace_id = c.workspace_id AND d.id = c.domain_id
            JOIN workspaces w ON w.id = d.workspace_id""",
        [str(plan) for plan in prompts_by_plan],
        list(prompts_by_plan.values()),
    )
    return [PlannedDomain(Plan(row[0]), *tuple(row)[1:]) for row in rows]


async def list_active_prompts(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> list[ScheduledPrompt]:
    """List active prompts, pinned first, then oldest."""
    rows = await db.fetch(
        f"""SELECT {_ASKED} FROM prompts WHERE workspace_id = $1 AND domain_id = $2 AND status = 'active'
            ORDER BY pinned_at IS NULL, created_at, id""",
        workspace_id,
        domain_id,
    )
    return to_rows(ScheduledPrompt, rows)


async def list_prompt_histories(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, checks: int
) -> list[PromptHistoryRow]:
    """List the latest checks of each active prompt, oldest first."""
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
    return to_rows(PromptHistoryRow, rows)


async def find_latest_check(db: Reader, workspace_id: uuid.UUID, domain: ScheduledDomain) -> PreviousCheck | None:
    """Return a completed check of the domain since its setup or, if there is none, the latest one."""
    row = await db.fetchrow(
        """SELECT status, measurement_scope FROM scans
           WHERE workspace_id = $1 AND domain_id = $2 AND created_at >= $3
           ORDER BY status = 'completed' DESC, created_at DESC, id DESC LIMIT 1""",
        workspace_id,
        domain.id,
        domain.anchor_at,
    )
    return to_row_or_none(PreviousCheck, row)


async def is_retryable(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> bool:
    """Return whether the latest check since the setup failed, and none has completed or is active."""
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
    """Return whether the workspace has had its free audit."""
    found = await db.fetchval("SELECT audited_at IS NOT NULL FROM workspaces WHERE id = $1", workspace_id)
    return bool(found)


async def has_only_sandbox_audit(db: Reader, workspace_id: uuid.UUID) -> bool:
    """Return whether the workspace has had a free audit, but only one whose answers are made up."""
    found: bool = await db.fetchval(
        """SELECT coalesce(bool_and(answers_source = 'sandbox'), false) FROM scans
           WHERE workspace_id = $1 AND measurement_scope = 'free_audit'""",
        workspace_id,
    )
    return found


async def claim_resuming_any_workspace(tx: Transaction) -> bool:
    """Return whether this transaction may resume checks; at most one does at a time."""
    claimed: bool = await tx.fetchval("SELECT pg_try_advisory_xact_lock($1)", _RESUMING)
    return claimed


async def list_unscheduled_any_workspace(
    tx: Transaction, *, domains_by_plan: Mapping[Plan, int], limit: int
) -> list[ScheduledDomain]:
    """List domains without a next check although the plan of their workspace now covers them."""
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
