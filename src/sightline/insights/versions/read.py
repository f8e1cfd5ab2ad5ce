"""Reading the version of a domain's data."""

import uuid

from sightline.db.engine import Reader
from sightline.insights.versions import queries
from sightline.insights.versions.models import DomainVersion


async def read_version(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID | None, *, newest_domains: int
) -> DomainVersion:
    """Return the version of everything that pages show of a domain, and of the workspace's newest domains."""
    return await queries.read_row_versions(db, workspace_id, domain_id, newest_domains=newest_domains)
