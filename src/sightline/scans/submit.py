"""Submitting a scan: charged, counted and enqueued in one transaction, or not at all."""

from datetime import datetime

from sightline.accounts.models import Actor
from sightline.credits import ledger
from sightline.credits.ledger import CreditRules
from sightline.db.engine import Transaction
from sightline.domains import queries as domain_queries
from sightline.domains.models import ConsoleDomainRow
from sightline.errors import Problem
from sightline.jobs.queue import enqueue
from sightline.kit.counting import count
from sightline.kit.ids import new_id
from sightline.scans import queries
from sightline.scans.draft import ScanDraft
from sightline.scans.jobs import ScanJob, build_start_job
from sightline.scans.states import Priority
from sightline.scans.stored import NewScan, ScanRow


async def submit_scan(
    tx: Transaction, actor: Actor, domain: ConsoleDomainRow, draft: ScanDraft, *, rules: CreditRules, now: datetime
) -> ScanRow:
    """Accept a scan.

    Refused: a price above `max_credits` (409), a scan while another one of the domain is active (409), and then too few
    credits (402).

    `domain` is locked, so no other scan of it can be submitted after the check for an active one. The unique index of
    active scans is the second safeguard.
    """
    workspace_id = actor.workspace_id
    if draft.exceeds_max_credits:
        raise Problem("max_credits_exceeded", required_credits=draft.credits)
    if (active := await domain_queries.find_active_scan(tx, workspace_id, domain.id)) is not None:
        raise Problem("scan_in_progress", active_scan_id=str(active))
    scan = _accept(domain, draft)
    row = await queries.insert_scan(tx, workspace_id, scan, now=now)
    if row is None:
        active = await domain_queries.find_active_scan(tx, workspace_id, domain.id)
        raise Problem("scan_in_progress", active_scan_id=str(active))
    await ledger.charge_scan(
        tx,
        ledger.CreditAccount(workspace_id, actor.livemode, rules),
        scan.id,
        draft.credits,
        description=f"Scan of {domain.domain} on {count(len(draft.platforms), 'platform')}",
        now=now,
    )
    await domain_queries.count_scan(tx, workspace_id, domain.id, now=now)
    await enqueue(
        tx,
        build_start_job(ScanJob(workspace_id, scan.id), scan.priority),
    )
    return row


def _accept(domain: ConsoleDomainRow, draft: ScanDraft) -> NewScan:
    return NewScan(
        id=new_id(),
        domain_id=domain.id,
        domain=domain.domain,
        livemode=domain.livemode,
        measurement_scope="console_check",
        priority=Priority.CONSOLE,
        answers_source=draft.answers_source,
        measured=draft.measured,
        selected_platforms=draft.platforms,
        customer_keywords=draft.keywords,
        prompts=draft.prompts,
        content_project_id=draft.content_project_id,
        credits_charged=draft.credits,
        answers_total=draft.answers_total,
        surfaces=draft.surfaces,
    )
