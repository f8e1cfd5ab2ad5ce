"""Tracked domains with a schedule, and a clock that the test moves. No worker runs: the test ends the scans."""

import json
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from sightline.accounts.workspaces import set_plan
from sightline.db.engine import Database
from sightline.domains.tracking.queries import set_next_check
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.scans.queries import move_scan
from sightline.scans.scheduling.due import next_due
from sightline.scans.scheduling.tick import tick
from sightline.scans.states import ScanStatus
from sightline.settings import Settings
from tests.installation import Installation

# A Monday. The following week contains a leap day.
ANCHOR = datetime(2028, 2, 21, 9, 30, 10, 250_000, tzinfo=UTC)
DAY = timedelta(days=1)


class TrackedDomain(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    id: uuid.UUID


class World:
    """An installation whose time is `installation.clock`."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.installation.clock.now = ANCHOR

    @property
    def db(self) -> Database:
        return self.installation.db

    @property
    def settings(self) -> Settings:
        return self.installation.app_context.settings

    @property
    def now(self) -> datetime:
        return self.installation.clock.now

    async def workspace(self, plan: Plan = Plan.STARTER) -> uuid.UUID:
        return (await self.installation.tenant(plan)).workspace.id

    async def domain(
        self, workspace_id: uuid.UUID, *prompts: str, name: str = "acme.com", anchor: datetime | None = None
    ) -> TrackedDomain:
        """Create an active domain whose first check is done: the next one is on the following day."""
        domain = TrackedDomain(workspace_id, new_id())
        anchor = anchor or self.now
        await self.db.execute(
            """INSERT INTO domains (workspace_id, id, kind, livemode, domain, brand_name, status, anchor_at, created_at)
               VALUES ($1, $2, 'tracked', true, $3, 'Acme', 'active', $4, $5)""",
            workspace_id,
            domain.id,
            name,
            anchor,
            self.now,
        )
        async with self.db.transaction() as tx:
            await set_next_check(tx, workspace_id, domain.id, next_due(anchor, anchor))
        for text in prompts:
            await self.prompt(domain, text)
        return domain

    async def prompt(
        self, domain: TrackedDomain, text: str, *, pinned: bool = False, daily: bool = True, volume: int | None = None
    ) -> uuid.UUID:
        prompt_id = new_id()
        await self.db.execute(
            """INSERT INTO prompts (workspace_id, id, domain_id, prompt, identity, source, status, pinned_at, daily,
                                    ai_search_volume, ai_search_volume_state, created_at)
               VALUES ($1, $2, $3, $4, $4, 'added_by_you', 'active', $5, $6, $7, $8, $9)""",
            domain.workspace_id,
            prompt_id,
            domain.id,
            text,
            self.now if pinned else None,
            daily,
            volume,
            "pending" if volume is None else "estimated",
            self.now,
        )
        return prompt_id

    async def set_plan(self, workspace_id: uuid.UUID, plan: Plan) -> None:
        async with self.db.transaction() as tx:
            assert await set_plan(tx, workspace_id, plan, now=self.now)

    async def tick(self) -> int:
        return await tick(self.db, self.settings, now=self.now)

    async def end_scans(self, status: ScanStatus = ScanStatus.COMPLETED) -> None:
        rows = await self.db.fetch("SELECT workspace_id, id FROM scans WHERE status = 'pending'")
        async with self.db.transaction() as tx:
            for workspace_id, scan_id in rows:
                for before, after in ((ScanStatus.PENDING, ScanStatus.RUNNING), (ScanStatus.RUNNING, status)):
                    await move_scan(tx, workspace_id, scan_id, from_=before, to=after, now=self.now)

    async def started_checks(self, domain: TrackedDomain) -> list[tuple[str, datetime]]:
        """Return the checks of the domain in the order in which they were started."""
        rows = await self.db.fetch(
            """SELECT measurement_scope, created_at FROM scans WHERE workspace_id = $1 AND domain_id = $2
               ORDER BY created_at, id""",
            domain.workspace_id,
            domain.id,
        )
        return [(scope, at) for scope, at in rows]

    async def latest_scan(self, domain: TrackedDomain) -> dict:
        row = await self.db.fetchrow(
            "SELECT * FROM scans WHERE workspace_id = $1 AND domain_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1",
            domain.workspace_id,
            domain.id,
        )
        return dict(row)

    async def latest_prompts(self, domain: TrackedDomain) -> list[str]:
        """Return the prompts of the latest check."""
        return [prompt["text"] for prompt in json.loads((await self.latest_scan(domain))["prompts"])]

    async def next_check(self, domain: TrackedDomain) -> tuple[str | None, datetime | None]:
        row = await self.db.fetchrow(
            "SELECT next_check_scope, next_check_at FROM domains WHERE workspace_id = $1 AND id = $2",
            domain.workspace_id,
            domain.id,
        )
        return row[0], row[1]

    async def store_history(
        self, domain: TrackedDomain, prompt_id: uuid.UUID, *checks: dict[str, bool | None], source: str = "sandbox"
    ) -> None:
        """Store checks of the prompt: for each platform whether it mentioned the brand, or None for a failed answer."""
        for index, platforms in enumerate(checks):
            cells = [
                {"platform": key, "status": "failed" if mentioned is None else "ok", "mentioned": bool(mentioned)}
                for key, mentioned in platforms.items()
            ]
            await self.db.execute(
                """INSERT INTO prompt_checks (workspace_id, domain_id, prompt_id, scan_id, scope, answers_source,
                                              completed_at, valid, cited, cells)
                   VALUES ($1, $2, $3, $4, 'daily_check', $7, $5, 1, false, $6)""",
                domain.workspace_id,
                domain.id,
                prompt_id,
                new_id(),
                self.now + index * DAY,
                json.dumps(cells).encode(),
                source,
            )

    async def tick_on(self, days: Sequence[int], *, hours: float = 0, end: bool = True) -> None:
        """Tick once on each of these days after the anchor, at the scheduled minute plus these hours."""
        for day in days:
            self.installation.clock.now = ANCHOR + day * DAY + timedelta(hours=hours)
            await self.tick()
            if end:
                await self.end_scans()


def on(day: int) -> datetime:
    """Return the scheduled time of that day."""
    return ANCHOR + day * DAY
