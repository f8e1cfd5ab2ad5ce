"""Tracked domains as the Data API reads them. Setting one up is the dashboard's business."""

import uuid
from datetime import datetime

import msgspec

from sightline.accounts.models import Actor
from sightline.db.engine import Reader, Transaction
from sightline.db.keyset import Slice, cut_page
from sightline.domains import queries, track_queries
from sightline.domains.models import BrandDetails, TrackedDomain
from sightline.domains.recompute import want_recompute
from sightline.domains.register import merge_details
from sightline.domains.schemas import Aliases, DomainChanges, Name, OwnedDomains
from sightline.errors import Problem, invalid_field
from sightline.kit.clock import to_iso


async def list_tracked_domains(
    db: Reader, actor: Actor, *, after: queries.SortKey | None, page_size: int
) -> Slice[TrackedDomain]:
    """Most recently added first."""
    rows = await queries.list_tracked_domains(db, actor.workspace_id, after=after, limit=page_size + 1)
    return cut_page(rows, page_size, lambda row: (to_iso(row.created_at), str(row.id)))


async def read_tracked_domain(db: Reader, actor: Actor, domain_id: uuid.UUID | None) -> TrackedDomain:
    found = domain_id and await queries.find_tracked_domain(db, actor.workspace_id, domain_id)
    if not found:
        raise Problem("domain_not_found")
    return found


class BrandChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """What may change of a tracked domain's brand; a field left out stays as it is, a list replaces the old one."""

    brand_name: Name | msgspec.UnsetType = msgspec.UNSET
    aliases: Aliases | msgspec.UnsetType = msgspec.UNSET
    owned_domains: OwnedDomains | msgspec.UnsetType = msgspec.UNSET


async def change_tracked_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID | None, changes: BrandChanges, *, now: datetime
) -> TrackedDomain:
    """Under the domain's lock, so that two changes cannot mix. Stored answers are read again where it matters.

    A domain that is tracked as a competitor's is refused as the brand's own.
    """
    current = domain_id and await queries.lock_tracked_domain(tx, workspace_id, domain_id)
    if not current:
        raise Problem("domain_not_found")
    changed = await apply_changes(tx, workspace_id, current, changes)
    if changed == current:
        return current
    details = _details_of(changed)
    await queries.update_brand(tx, workspace_id, current.id, details)
    await want_recompute(tx, workspace_id, current.id, "brand_changed", now=now)
    return changed


async def apply_changes(
    db: Reader, workspace_id: uuid.UUID, current: TrackedDomain, changes: BrandChanges
) -> TrackedDomain:
    """The domain as it would be; nothing is written. Refused is what cannot be."""
    given = DomainChanges(changes.brand_name, changes.aliases, changes.owned_domains)
    details = merge_details(current.domain, _details_of(current), given, livemode=True)
    if details == _details_of(current):
        return current
    if rival := await queries.find_confirmed_below(db, workspace_id, current.id, details.owned_domains):
        competitor, owned = rival
        message = f"{owned} cannot be the brand's own: {competitor} is one of its competitors"
        raise invalid_field(f"owned_domains[{details.owned_domains.index(owned)}]", message, "competitor")
    return msgspec.structs.replace(
        current, brand_name=details.brand_name, aliases=details.aliases, owned_domains=details.owned_domains
    )


def _details_of(domain: TrackedDomain) -> BrandDetails:
    return BrandDetails(domain.brand_name, domain.aliases, domain.owned_domains, competitors=[])


async def find_tracked_domain(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> TrackedDomain | None:
    return await queries.find_tracked_domain(db, workspace_id, domain_id)


async def count_tracked_domains(db: Reader, workspace_id: uuid.UUID) -> int:
    """Return how many domains count against the plan's limit."""
    return await track_queries.count_tracked(db, workspace_id)
