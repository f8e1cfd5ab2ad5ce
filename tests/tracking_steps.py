"""Steps of tracking domains as the dashboard does them: one transaction per step, at the time of the test clock."""

import uuid
from collections.abc import Awaitable, Callable
from typing import TypeVar

from sightline.db.engine import Transaction
from sightline.domains.models import TrackedDomainRow
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.onboarding.setup import CompletedSetup, SetupInput, complete_setup
from sightline.plans.table import Plan
from sightline.prompts.remove import remove_tracked_domain
from sightline.scans.queries import move_scan
from sightline.scans.scheduling.first_check import retry_first_check
from sightline.scans.scheduling.models import CheckRules, build_check_rules
from sightline.scans.scheduling.tick import tick
from sightline.scans.states import ScanStatus
from sightline.scans.stored import ScanRow
from tests.installation import Installation

T = TypeVar("T")


class TrackingSteps:
    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.db = installation.db

    @property
    def rules(self) -> CheckRules:
        return build_check_rules(self.installation.app_context.settings)

    async def workspace(self, plan: Plan = Plan.STARTER) -> uuid.UUID:
        return (await self.installation.tenant(plan)).workspace.id

    async def run(self, step: Callable[[Transaction], Awaitable[T]]) -> T:
        async with self.db.transaction() as tx:
            return await step(tx)

    async def track(self, workspace_id: uuid.UUID, domain: str = "acme.com") -> TrackedDomainRow:
        payload = TrackInput(domain)
        return await self.run(
            lambda tx: track_domain(tx, workspace_id, payload, plans=self.rules.plans, now=self.installation.clock())
        )

    async def set_up(self, workspace_id: uuid.UUID, domain_id: uuid.UUID, *prompts: str, **fields) -> CompletedSetup:
        payload = SetupInput(**{"language_code": "en", "prompts": list(prompts or ("best crm",)), **fields})
        return await self.run(
            lambda tx: complete_setup(
                tx, workspace_id, domain_id, payload, rules=self.rules, now=self.installation.clock()
            )
        )

    async def track_and_set_up(
        self, workspace_id: uuid.UUID, domain: str = "acme.com", *prompts: str, **fields
    ) -> CompletedSetup:
        return await self.set_up(workspace_id, (await self.track(workspace_id, domain)).id, *prompts, **fields)

    async def retry(self, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> ScanRow:
        return await self.run(
            lambda tx: retry_first_check(tx, workspace_id, domain_id, rules=self.rules, now=self.installation.clock())
        )

    async def remove(self, workspace_id: uuid.UUID, domain_id: uuid.UUID) -> uuid.UUID:
        return await self.run(
            lambda tx: remove_tracked_domain(tx, workspace_id, domain_id, now=self.installation.clock())
        )

    async def tick(self) -> int:
        return await tick(self.db, self.installation.app_context.settings, now=self.installation.clock())

    async def end_scan(self, workspace_id: uuid.UUID, scan_id: uuid.UUID, status: ScanStatus) -> None:
        now = self.installation.clock()
        async with self.db.transaction() as tx:
            running = ScanStatus.RUNNING
            await move_scan(tx, workspace_id, scan_id, from_=ScanStatus.PENDING, to=running, now=now)
            assert await move_scan(tx, workspace_id, scan_id, from_=running, to=status, now=now)

    async def scopes(self, workspace_id: uuid.UUID) -> list[str]:
        rows = await self.db.fetch(
            "SELECT measurement_scope FROM scans WHERE workspace_id = $1 ORDER BY created_at, id", workspace_id
        )
        return [scope for (scope,) in rows]
