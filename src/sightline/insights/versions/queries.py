"""All SQL of the version of a domain's data."""

import uuid

from sightline.db.engine import Reader, to_row
from sightline.insights.versions.models import DomainVersion

_VERSIONED = (
    "scoreboards",
    "drawn_insights",
    "alerts",
    "alert_mutes",
    "recommendation_marks",
    "competitors",
    "prompts",
    "prompt_suggestions",
    "ignored_sites",
    "corrections",
    "recomputations",
    "reports",
)
_RECENT_SCANS = 5  # more than a domain completes while a worker stores the findings of one scan


async def read_row_versions(
    db: Reader, workspace_id: uuid.UUID, domain_id: uuid.UUID | None, *, newest_domains: int
) -> DomainVersion:
    """Return, for each table, the number of rows and the sum of the ids of the transactions that wrote them.

    Only the newest scans can change, because a domain has at most one active scan; recomputing is counted separately.
    """
    of_domain = "WHERE workspace_id = $1 AND domain_id = $2"
    each = f"(SELECT concat(count(*), '.', sum(xmin::text::bigint)) FROM {{}} {of_domain})"
    row = await db.fetchrow(
        f"""WITH offered AS (
                SELECT id, xmin FROM domains
                WHERE workspace_id = $1 AND kind = 'tracked' AND livemode AND status <> 'removed'
                ORDER BY created_at DESC, id DESC LIMIT $3),
            newest AS (
                SELECT concat(id, '.', xmin) AS version FROM scans {of_domain}
                ORDER BY created_at DESC, id DESC LIMIT 1),
            completed AS (
                SELECT s.id, concat(s.id, '.', s.xmin) AS version, r.has_facts FROM scans s
                JOIN scan_results r ON r.workspace_id = s.workspace_id AND r.scan_id = s.id
                WHERE s.workspace_id = $1 AND s.domain_id = $2 AND s.status = 'completed'
                ORDER BY s.created_at DESC, s.id DESC LIMIT {_RECENT_SCANS})
            SELECT concat_ws(' ', (SELECT concat(status, xmin) FROM domains WHERE workspace_id = $1 AND id = $2),
                             (SELECT string_agg(concat(id, '.', xmin), ' ' ORDER BY id) FROM offered),
                             {", ".join(each.format(table) for table in _VERSIONED)},
                             (SELECT string_agg(version, ' ' ORDER BY id) FROM completed)) AS rows,
                   coalesce((SELECT version FROM newest), '') AS newest_scan,
                   NOT EXISTS (SELECT FROM recomputations {of_domain} AND status IN ('waiting', 'running'))
                   AND NOT EXISTS (SELECT FROM completed WHERE NOT has_facts) AS is_settled""",
        workspace_id,
        domain_id,
        newest_domains,
    )
    return to_row(DomainVersion, row)
