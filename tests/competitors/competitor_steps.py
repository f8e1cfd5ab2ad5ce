"""Steps of reviewing competitors of a tracked domain, and the jobs and recomputations that follow."""

import json
from uuid import UUID

from sightline.competitors import queries, review
from sightline.competitors.detect import DetectedCompetitor, suggest_competitors
from sightline.kit.ids import new_id


class CompetitorSteps:
    """Actions on the competitors of a tenant that tracks acme.com."""

    def __init__(self, installation, tenant, domain_id: str) -> None:
        self.installation = installation
        self.tenant = tenant
        self.workspace = tenant.workspace.id
        self.domain = UUID(domain_id)

    @classmethod
    async def open(cls, installation):
        tenant = await installation.tenant()
        return cls(installation, tenant, await installation.tracked_domain(tenant))

    async def run(self, step, *arguments, **options):
        """Run one step in its own transaction, a minute after the one before."""
        self.installation.clock.advance(minutes=1)
        async with self.installation.db.transaction() as tx:
            return await step(tx, self.workspace, self.domain, *arguments, **options, now=self.installation.clock())

    async def add(self, domain: str, *names: str):
        return await self.run(review.add_competitor, domain, names)

    async def suggest(self, *found: tuple):
        """Suggest competitors, given as name, domain and score."""
        await self.run(suggest_competitors, [DetectedCompetitor(*each) for each in found])
        return await self.list_all()

    async def list_all(self) -> list:
        return await queries.list_all_competitors(self.installation.db, self.workspace, self.domain)

    async def find(self, competitor_id):
        return await queries.find_competitor(self.installation.db, self.workspace, self.domain, competitor_id)

    async def confirmed(self) -> list[str]:
        rows = await queries.list_confirmed_competitors(self.installation.db, self.workspace, self.domain)
        return [row.competitor_domain for row in rows]

    async def count(self) -> int:
        query = "SELECT competitor_count FROM domains WHERE workspace_id = $1 AND id = $2"
        return await self.installation.db.fetchval(query, self.workspace, self.domain)

    async def insert_scan(self, status: str = "completed") -> None:
        """Insert a scan row without answers."""
        await self.installation.db.execute(
            """INSERT INTO scans (workspace_id, id, domain_id, domain, livemode, measurement_scope, status, priority,
                   answers_source, brand, selected_platforms, customer_keywords, credits_charged, answers_total,
                   created_at, started_at, completed_at)
               VALUES ($1, $2, $3, 'acme.com', true, 'full_check', $4, 20, 'sandbox', '{}', '{}', '{}', 0, 1, $5, $5,
                   CASE WHEN $4 = 'running' THEN NULL ELSE $5::timestamptz END)""",
            self.workspace,
            new_id(),
            self.domain,
            status,
            self.installation.clock(),
        )

    async def jobs(self, kind: str) -> list[dict]:
        query = "SELECT payload FROM jobs WHERE kind = $1 ORDER BY id"
        return [json.loads(row[0]) for row in await self.installation.db.fetch(query, kind)]

    async def recomputations(self) -> list[tuple]:
        query = "SELECT reason, status FROM recomputations WHERE workspace_id = $1 AND domain_id = $2 ORDER BY id"
        return [tuple(row) for row in await self.installation.db.fetch(query, self.workspace, self.domain)]

    async def forget_recomputations(self) -> None:
        await self.installation.db.execute("DELETE FROM recomputations")
        await self.installation.db.execute("DELETE FROM jobs WHERE kind = 'domain.recompute'")
