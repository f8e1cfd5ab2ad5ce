"""Tracking a domain. Names are validated, never contacted."""

import uuid
from datetime import datetime

import msgspec

from sightline.accounts.queries import lock_workspace
from sightline.audit.record import record_audit
from sightline.db.engine import Transaction
from sightline.domains.models import BrandDetails, TrackedDomainRow
from sightline.domains.names import InvalidDomainName, clean_domain, first_label
from sightline.domains.schemas import DomainName
from sightline.domains.tracking import queries
from sightline.errors import Problem, invalid_fields
from sightline.kit.ids import new_id
from sightline.plans.table import PlanTable


class TrackInput(msgspec.Struct, frozen=True):
    """A domain to track. The details of its brand follow at its setup."""

    domain: DomainName


async def track_domain(
    tx: Transaction, workspace_id: uuid.UUID, payload: TrackInput, *, plans: PlanTable, now: datetime
) -> TrackedDomainRow:
    """Start tracking a domain: a new record in setup, or a removed one with its id, history and brand.

    The workspace is locked, so two requests cannot take its last place. Refused: an invalid domain name (422), a
    domain that is tracked already (409, with its id), and one domain more than the plan allows (403).
    """
    domain = clean_tracked_name(payload.domain)
    workspace = await lock_workspace(tx, workspace_id)
    if workspace is None:
        raise Problem("workspace_not_found")
    known = await queries.lock_record_by_name(tx, workspace_id, domain)
    if known is not None and known.status != "removed":
        raise Problem("domain_exists", domain_id=str(known.id))
    await _require_free_place(tx, workspace_id, plans, limit=plans[workspace.plan].tracked_domains)
    if known is not None:
        await queries.revive(tx, workspace_id, known.id)
        await record_audit(tx, workspace_id, "domain_tracked", domain, domain_id=known.id)
        return await _read(tx, workspace_id, known.id)
    domain_id = new_id()
    details = BrandDetails(first_label(domain), aliases=[], owned_domains=[], competitors=[])
    await queries.insert_tracked_domain(tx, workspace_id, domain_id, domain, details, [], now=now)
    await record_audit(tx, workspace_id, "domain_tracked", domain, domain_id=domain_id)
    return await _read(tx, workspace_id, domain_id)


def clean_tracked_name(name: str) -> str:
    """Return the domain that a typed name stands for. Refused: a text that is not a domain name (422)."""
    try:
        return clean_domain(name, livemode=True)
    except InvalidDomainName as error:
        raise invalid_fields(("domain", str(error), "invalid_domain"), problem="invalid_domain") from error


async def _require_free_place(tx: Transaction, workspace_id: uuid.UUID, plans: PlanTable, *, limit: int) -> None:
    if await queries.count_tracked_domains(tx, workspace_id) < limit:
        return
    larger = [plan for plan, grants in plans.items() if grants.tracked_domains > limit]
    more = f" More are part of {', '.join(larger)}." if larger else ""
    counted = "1 domain" if limit == 1 else f"{limit} domains"
    raise Problem("plan_required", f"The plan tracks {counted}.{more}", required_plans=larger)


async def _read(tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> TrackedDomainRow:
    found = await queries.find_tracked_domain(tx, workspace_id, domain_id)
    assert found is not None  # written in this transaction
    return found
