"""The first check of a domain, for an Overview without figures: not started, running, or failed with Retry scan."""

from typing import NamedTuple

from sightline.scans.stored import ScanRow
from sightline.scans.tracked_scans import list_tracked_scans
from sightline.web.page_context import PageContext
from sightline.web.pages.dashboard.checks import is_retry_offered


class FirstCheck(NamedTuple):
    """The latest check of a domain that has no figures yet; None before it is started."""

    scan: ScanRow | None
    may_retry: bool


async def read_first_check(ctx: PageContext) -> FirstCheck | None:
    """Return the first check; None once a check has given figures."""
    domain = ctx.domain
    assert domain is not None
    if domain.last_full_check_at or domain.last_daily_check_at or domain.last_audit_at:
        return None
    found = await list_tracked_scans(
        ctx.db, ctx.actor, domain.id, after=None, page_size=1, live_only=ctx.app_context.settings.sandbox_ended
    )
    scan = found.rows[0] if found.rows else None
    has_failed = scan is not None and scan.status == "failed"
    return FirstCheck(scan, has_failed and await is_retry_offered(ctx))
