"""SQL of versions: which transactions wrote the rows that a domain's Overview is made of."""

import uuid

from sightline.db.engine import Reader

_TABLES = ("scoreboards", "drawn_insights", "alerts", "alert_mutes", "recommendation_marks", "competitors")


async def read_row_versions(db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> str:
    """For each table how many rows there are and who wrote them last: a change has a writer of its own, always."""
    each = "(SELECT concat(count(*), '.', sum(xmin::text::bigint)) FROM {} WHERE workspace_id = $1 AND domain_id = $2)"
    found: str = await db.fetchval(
        f"SELECT concat_ws(' ', {', '.join(each.format(table) for table in _TABLES)})", workspace_id, domain_id
    )
    return found
