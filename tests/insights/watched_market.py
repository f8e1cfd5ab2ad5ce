"""A made-up market of anvils with an action to watch: it concerns three prompts, and there are six others."""

import uuid
from datetime import datetime

from sightline.accounts.models import Actor, Role
from sightline.insights.models import AskedPrompt, StoredRecommendation, task_key
from sightline.insights.queries import replace_ranked
from sightline.insights.recommendations.tasks import mark_done
from sightline.plans.table import Plan
from tests.scan_history import ScanHistory

CONCERNED = ("anvil for a garage", "anvil for a farrier", "quiet anvil")
OTHERS = ("best anvil", "cheap anvil", "steel anvil", "cast anvil", "heavy anvil", "small anvil")
BRANDED = "is acme good"
USUAL = OTHERS[:2]
"""The prompts whose answers name the brand all the time."""
PAGE = "forgereview.com/best-anvils"
KEY = task_key("get_listed", PAGE)


class WatchedMarket:
    def __init__(self, history: ScanHistory, concerned: list[uuid.UUID]) -> None:
        self.history, self.concerned = history, concerned

    @classmethod
    async def open(cls, installation) -> "WatchedMarket":
        history = await ScanHistory.open(installation, *OTHERS, BRANDED)
        return cls(history, [await history.add_prompt(text) for text in CONCERNED])

    async def run_full_check(self, *named: str) -> uuid.UUID:
        """Run a Full Check a week later, in which the answers to these prompts name the brand."""
        return await self._run("full_check", *named)

    async def run_daily_check(self, *named: str) -> uuid.UUID:
        return await self._run("daily_check", *named)

    async def _run(self, scope: str, *named: str) -> uuid.UUID:
        self.history.installation.clock.advance(days=7)
        named = (*named, BRANDED)
        return await self.history.run_scan(
            scope, lambda prompt, _: f"{'Acme' if prompt.text in named else 'Globex'} is a sound pick.", insights=False
        )

    async def recommend(self, scan_id: uuid.UUID, *, page: str = PAGE) -> str:
        """Replace the recommendations by one from this check that concerns three prompts; return its key."""
        prompts = zip(self.concerned, CONCERNED, strict=True)
        found = StoredRecommendation(
            kind="get_listed",
            subject=page,
            site=page.partition("/")[0],
            prompts=tuple(AskedPrompt(str(prompt_id), text) for prompt_id, text in prompts),
            proofs=(),
        )
        async with self.history.installation.db.transaction() as tx:
            domain_key = (self.history.workspace_id, self.history.domain_id)
            await replace_ranked(tx, *domain_key, "recommendation", scan_id, [found])
        return found.key

    async def mark(self, key: str = KEY, *, done_at: datetime | None = None) -> None:
        history = self.history
        actor = Actor("session", history.workspace_id, history.tenant.owner.id, Role.OWNER, Plan.AGENCY, livemode=True)
        async with history.installation.db.transaction() as tx:
            await mark_done(tx, actor, history.domain_id, key, now=history.installation.clock(), done_at=done_at)

    async def run_until_marked(self) -> tuple[list[uuid.UUID], uuid.UUID]:
        """Run two Full Checks and the one that leads to the action, and mark the action; return their ids."""
        before = [await self.run_full_check(*USUAL) for _ in range(2)]
        led_by = await self.run_full_check(*USUAL[:1])
        await self.recommend(led_by)
        await self.mark()
        return before, led_by
