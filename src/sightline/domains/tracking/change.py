"""Changing the brand of a tracked domain."""

import uuid
from datetime import datetime

import msgspec

from sightline.db.engine import Reader, Transaction
from sightline.domains.models import BrandDetails, TrackedDomainRow
from sightline.domains.recomputations.request import request_recompute
from sightline.domains.register import merge_details
from sightline.domains.schemas import Aliases, DomainChanges, Name, OwnedDomains
from sightline.domains.tracking import queries
from sightline.domains.tracking.read import lock_domain
from sightline.errors import invalid_field


class BrandChanges(msgspec.Struct, frozen=True, omit_defaults=True):
    """Changes of a tracked domain's brand. A field that is left out stays; a list replaces the old one."""

    brand_name: Name | msgspec.UnsetType = msgspec.UNSET
    aliases: Aliases | msgspec.UnsetType = msgspec.UNSET
    owned_domains: OwnedDomains | msgspec.UnsetType = msgspec.UNSET


async def change_tracked_domain(
    tx: Transaction, workspace_id: uuid.UUID, domain_id: uuid.UUID | None, changes: BrandChanges, *, now: datetime
) -> TrackedDomainRow:
    """Change the brand, and request that stored answers are analyzed again.

    The domain is locked, so two changes cannot mix. Refused: an own domain that belongs to a competitor (422).
    """
    current = await lock_domain(tx, workspace_id, domain_id)
    changed = await apply_changes(tx, workspace_id, current, changes)
    if changed == current:
        return current
    details = _brand_details(changed)
    await queries.update_brand(tx, workspace_id, current.id, details)
    await request_recompute(tx, workspace_id, current.id, "brand_changed", now=now)
    return changed


async def apply_changes(
    db: Reader, workspace_id: uuid.UUID, current: TrackedDomainRow, changes: BrandChanges
) -> TrackedDomainRow:
    """Return the domain with the changes, without writing them. Refused: invalid changes (422)."""
    domain_changes = DomainChanges(changes.brand_name, changes.aliases, changes.owned_domains)
    details = merge_details(current.domain, _brand_details(current), domain_changes, livemode=True)
    if details == _brand_details(current):
        return current
    if rival := await queries.find_competitor_below(db, workspace_id, current.id, details.owned_domains):
        competitor, owned = rival
        message = f"{owned} cannot be the brand's own: {competitor} is one of its competitors"
        raise invalid_field(f"owned_domains[{details.owned_domains.index(owned)}]", message, "competitor")
    return msgspec.structs.replace(
        current, brand_name=details.brand_name, aliases=details.aliases, owned_domains=details.owned_domains
    )


def _brand_details(domain: TrackedDomainRow) -> BrandDetails:
    return BrandDetails(domain.brand_name, domain.aliases, domain.owned_domains, competitors=[])
