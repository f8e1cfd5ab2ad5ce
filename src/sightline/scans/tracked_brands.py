"""The brands of a tracked domain as they are now: its names, its confirmed competitors and its excluded phrases."""

import uuid

from sightline.competitors.queries import list_confirmed_competitors
from sightline.db.engine import Reader
from sightline.domains.models import TrackedDomainRow
from sightline.scans.brands import MeasuredBrands, build_tracked_brands
from sightline.scans.corrections.queries import list_exclusions


async def read_tracked_brands(db: Reader, workspace_id: uuid.UUID, domain: TrackedDomainRow) -> MeasuredBrands:
    """Return the brands to measure. Corrections of single answers belong to the scan of the answer."""
    competitors = await list_confirmed_competitors(db, workspace_id, domain.id)
    return build_tracked_brands(domain, competitors, await list_exclusions(db, workspace_id, domain.id))
