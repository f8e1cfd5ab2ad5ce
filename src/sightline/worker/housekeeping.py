"""Housekeeping: deleting what has expired in every feature, and preparing partitions for the coming months."""

from datetime import datetime, timedelta

from sightline.accounts.ended_access import delete_old_any_workspace
from sightline.accounts.sign_in.sessions import delete_ended_sessions_any_workspace
from sightline.accounts.sign_in.waits import delete_old_failures
from sightline.audit.queries import remove_old_entries_any_workspace
from sightline.db.engine import Database
from sightline.idempotency.claims import delete_old_keys_any_workspace
from sightline.insights.editor.queries import delete_unused_replies_any_workspace
from sightline.jobs.queue import bring_forward_jobs
from sightline.jobs.workers import claim_housekeeping, free_abandoned_jobs
from sightline.offboarding.delete import enqueue_due_deletions_any_workspace
from sightline.offboarding.export import delete_expired_exports_any_workspace
from sightline.onboarding.suggestions.queries import delete_old_suggestions_any_workspace
from sightline.platforms.costs.queries import delete_old_batches_any_workspace
from sightline.reports.mailings.links import KEPT_FOR
from sightline.reports.mailings.queries import delete_old_emails_any_workspace
from sightline.scans.partitions import make_partitions
from sightline.scans.running.queries import delete_ended_tasks_any_workspace
from sightline.scans.second_opinions.queries import delete_expired_any_workspace
from sightline.settings import Settings
from sightline.usage.counters import delete_old_windows_any_workspace
from sightline.webhooks.deliveries.fan_out import sweep_deliveries_any_workspace
from sightline.webhooks.deliveries.history import delete_old_deliveries_any_workspace

_USAGE_DAYS = 62  # a whole month to date, whatever its length, and the month before
_MAX_AUDIT_ENTRIES = 10_000  # at a time


async def run_housekeeping(db: Database, settings: Settings, *, now: datetime) -> None:
    """Delete expired rows and create partitions. Any number of processes may call it at once: one does the work.

    No step deletes what a rule still needs.
    """
    async with db.transaction() as tx:
        if not await claim_housekeeping(tx):
            return
        await delete_ended_sessions_any_workspace(tx, now=now)
        await delete_old_any_workspace(tx, actor_age=timedelta(seconds=settings.degraded_auth_age))
        await delete_old_keys_any_workspace(
            tx,
            lease=settings.idempotency_lease,
            retention=settings.idempotency_retention,
            now=now,
        )
        await delete_old_windows_any_workspace(
            tx, minutes_before=now - timedelta(minutes=5), usage_before=now - timedelta(days=_USAGE_DAYS)
        )
        await delete_old_batches_any_workspace(tx, before=now - timedelta(days=1))
        await delete_old_suggestions_any_workspace(tx, now=now)
        await delete_unused_replies_any_workspace(tx, now=now)
        await delete_expired_any_workspace(tx, now=now)
        await delete_ended_tasks_any_workspace(tx)
        await delete_old_failures(tx, now=now)
        await delete_old_emails_any_workspace(tx, before=now - KEPT_FOR)
        await free_abandoned_jobs(tx)
        await bring_forward_jobs(tx)
        await sweep_deliveries_any_workspace(tx, now=now)
        await delete_old_deliveries_any_workspace(tx, before=now - timedelta(days=settings.webhook_retention_days))
        await remove_old_entries_any_workspace(tx, days=settings.audit_retention_days, limit=_MAX_AUDIT_ENTRIES)
        await delete_expired_exports_any_workspace(tx, now=now)
        await enqueue_due_deletions_any_workspace(tx, now=now)
        await make_partitions(tx, now=now)
