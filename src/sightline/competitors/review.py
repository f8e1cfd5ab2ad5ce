"""Reviewing competitors: only those that somebody has confirmed are listed and measured.

Every action takes the domain lock first, so concurrent decisions are made one after the other. A change of the
confirmed competitors or of their names requests a recompute of stored scans.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime

from sightline.competitors import queries
from sightline.competitors.models import CompetitorRow
from sightline.competitors.names import (
    clean_competitor_domain,
    clean_names,
    merge_names,
    reject_own_domain,
    too_many_competitors,
)
from sightline.competitors.site_job import enqueue_site_read
from sightline.competitors.states import TRANSITIONS, Action
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.domains.models import TrackedDomainRow
from sightline.domains.recomputations.request import request_recompute
from sightline.domains.tracking.queries import update_competitor_count
from sightline.domains.tracking.read import lock_domain
from sightline.errors import Problem, invalid_field
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id

MAX_CONFIRMED = 20


async def list_competitors(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: queries.SortKey | None, page_size: int
) -> Slice[CompetitorRow]:
    """Return the confirmed competitors, most recently updated first."""
    rows = await queries.list_page(db, workspace_id, domain_id, "confirmed", after=after, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (to_iso(row.last_updated), str(row.id)))


async def list_suggested(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, *, after: queries.SortKey | None, page_size: int
) -> Slice[CompetitorRow]:
    """Return what answers present as competitors and nobody has reviewed, most recently found first."""
    rows = await queries.list_page(db, workspace_id, domain_id, "suggested", after=after, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (to_iso(row.last_updated), str(row.id)))


async def read_competitor(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_id: uuid.UUID | None
) -> CompetitorRow:
    """Return a confirmed competitor. Refused: every other one (404)."""
    found = competitor_id and await queries.find_confirmed(db, workspace_id, domain_id, competitor_id)
    if not found:
        raise Problem("not_found")
    return found


async def add_competitor(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    domain: str,
    names: Sequence[str] = (),
    *,
    now: datetime,
) -> CompetitorRow:
    """Add a confirmed competitor, whatever was decided about it before. A confirmed one gets the new names.

    Refused: an invalid domain, one of the brand's own, and more than 20 competitors (422).
    """
    tracked = await lock_domain(tx, workspace_id, domain_id)
    return await _confirm_domain(
        tx, workspace_id, tracked, clean_competitor_domain(domain, tracked), clean_names(names), now=now
    )


async def confirm_competitor(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    competitor_id: uuid.UUID | None,
    *,
    domain: str | None = None,
    now: datetime,
) -> CompetitorRow:
    """Confirm a suggestion, which is measured by its suggested name from then on.

    A suggestion found by name alone needs a domain; if that domain is already stored, the two are merged.
    """
    tracked = await lock_domain(tx, workspace_id, domain_id)
    row = await _find(tx, workspace_id, domain_id, competitor_id)
    if row.competitor_domain is not None:
        if domain is not None and clean_competitor_domain(domain, tracked) != row.competitor_domain:
            raise invalid_field("domain", f"this competitor is known as {row.competitor_domain}", "other_domain")
        return await _apply_action(
            tx, workspace_id, tracked, row, "confirm", merge_names(_list_found_names(row), row.names), now=now
        )
    if row.status != "suggested":
        raise _refused_action(row, "confirm")
    if domain is None:
        raise invalid_field("domain", f"“{row.found_as}” was found by its name only; enter its domain", "required")
    cleaned = clean_competitor_domain(domain, tracked)
    names = merge_names(_list_found_names(row), row.names)
    if await queries.find_by_domain(tx, workspace_id, domain_id, cleaned) is not None:
        await queries.delete_without_domain(tx, workspace_id, row.id)
        return await _confirm_domain(tx, workspace_id, tracked, cleaned, names, now=now)
    row = await queries.set_domain(tx, workspace_id, row.id, cleaned, now=now)
    return await _apply_action(tx, workspace_id, tracked, row, "confirm", names, now=now)


async def dismiss_competitor(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_id: uuid.UUID | None, *, now: datetime
) -> CompetitorRow:
    """Dismiss a suggested or confirmed competitor: it is not listed, measured or suggested again."""
    return await _run_action(tx, workspace_id, domain_id, competitor_id, "dismiss", now=now)


async def hide_competitor(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_id: uuid.UUID | None, *, now: datetime
) -> CompetitorRow:
    """Hide a confirmed competitor: it is neither listed nor measured until it is unhidden."""
    return await _run_action(tx, workspace_id, domain_id, competitor_id, "hide", now=now)


async def unhide_competitor(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_id: uuid.UUID | None, *, now: datetime
) -> CompetitorRow:
    return await _run_action(tx, workspace_id, domain_id, competitor_id, "unhide", now=now)


async def rename_competitor(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    competitor_id: uuid.UUID | None,
    names: Sequence[str],
    *,
    now: datetime,
) -> CompetitorRow:
    """Replace the names to search for. The name that its own site declares stays."""
    await lock_domain(tx, workspace_id, domain_id)
    row = await _find(tx, workspace_id, domain_id, competitor_id)
    return await _set_names(tx, workspace_id, row, clean_names(names), now=now)


async def _find(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID, competitor_id: uuid.UUID | None
) -> CompetitorRow:
    found = competitor_id and await queries.find_competitor(tx, workspace_id, domain_id, competitor_id)
    if not found:
        raise Problem("not_found")
    return found


async def _run_action(
    tx: Transaction,
    workspace_id: uuid.UUID,
    domain_id: uuid.UUID,
    competitor_id: uuid.UUID | None,
    action: Action,
    *,
    now: datetime,
) -> CompetitorRow:
    tracked = await lock_domain(tx, workspace_id, domain_id)
    row = await _find(tx, workspace_id, domain_id, competitor_id)
    return await _apply_action(tx, workspace_id, tracked, row, action, row.names, now=now)


async def _confirm_domain(
    tx: Transaction,
    workspace_id: uuid.UUID,
    tracked: TrackedDomainRow,
    domain: str,
    names: Sequence[str],
    *,
    now: datetime,
) -> CompetitorRow:
    """Confirm the competitor with this domain, inserting it if needed, and put these names before its own."""
    row = await queries.find_by_domain(tx, workspace_id, tracked.id, domain)
    if row is not None:
        names = merge_names(names, row.names)
        return await _apply_action(tx, workspace_id, tracked, row, "add", names, now=now)
    await _require_capacity(tx, workspace_id, tracked.id)
    row = await queries.insert_competitor(
        tx,
        workspace_id,
        tracked.id,
        new_id(),
        domain,
        status="confirmed",
        source="added_by_you",
        names=names,
        now=now,
    )
    await _follow_up(tx, workspace_id, row, now=now)
    return row


async def _apply_action(
    tx: Transaction,
    workspace_id: uuid.UUID,
    tracked: TrackedDomainRow,
    row: CompetitorRow,
    action: Action,
    names: Sequence[str],
    *,
    now: datetime,
) -> CompetitorRow:
    """Apply an action. If the status is its target already, nothing changes, except for the names when adding."""
    target = TRANSITIONS[action].target
    if row.status == target:
        return await _set_names(tx, workspace_id, row, names, now=now) if action == "add" else row
    if target == "confirmed":
        reject_own_domain(row.competitor_domain or "", tracked)  # it may have become one of the brand's own
        await _require_capacity(tx, workspace_id, tracked.id)
    changed = await queries.change_status(tx, workspace_id, row.id, action, now=now)
    if changed is None:
        raise _refused_action(row, action)
    if list(names) != changed.names:
        changed = await queries.set_names(tx, workspace_id, row.id, names, now=now)
    if "confirmed" in {row.status, target}:
        await _follow_up(tx, workspace_id, changed, now=now)
    return changed


async def _set_names(
    tx: Transaction, workspace_id: uuid.UUID, row: CompetitorRow, names: Sequence[str], *, now: datetime
) -> CompetitorRow:
    if list(names) == row.names:
        return row
    named = await queries.set_names(tx, workspace_id, row.id, names, now=now)
    if row.status == "confirmed":
        await request_recompute(tx, workspace_id, row.domain_id, "competitor_named", now=now)
    return named


async def _follow_up(tx: Transaction, workspace_id: uuid.UUID, row: CompetitorRow, *, now: datetime) -> None:
    """Update everything that depends on the confirmed competitors."""
    await update_competitor_count(tx, workspace_id, row.domain_id)
    await request_recompute(tx, workspace_id, row.domain_id, "competitors_changed", now=now)
    if row.status == "confirmed" and row.display_name is None:
        await enqueue_site_read(tx, workspace_id, row.id)


async def _require_capacity(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> None:
    if await queries.count_confirmed(tx, workspace_id, domain_id) >= MAX_CONFIRMED:
        raise too_many_competitors(MAX_CONFIRMED)


def _list_found_names(row: CompetitorRow) -> list[str]:
    return [row.found_as] if row.found_as else []


def _refused_action(row: CompetitorRow, action: Action) -> Problem:
    """Build the error of an action that the status does not allow."""
    possible = " or ".join(sorted(TRANSITIONS[action].sources))
    return invalid_field("competitor_id", f"it is {row.status}; to {action} it, it must be {possible}", "state")
