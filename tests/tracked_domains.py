"""A workspace that sets up tracked domains with the dashboard's functions and reads them through the Data API."""

from contextlib import asynccontextmanager

from sightline.domains.schemas import CompetitorInput
from sightline.domains.tracking.track import TrackInput, track_domain
from sightline.onboarding.setup import SetupInput, complete_setup
from sightline.plans.table import Plan
from sightline.scans.scheduling.models import build_check_rules
from tests.running_worker import until

PROMPTS = ("best anvil for a small forge", "which anvil is quiet", "anvil for beginners")
COMPETITORS = ("globex.com", "initech.com")


class Tracker:
    """A tenant with a Data key, and its tracked domains."""

    def __init__(self, installation, tenant) -> None:
        self.installation = installation
        self.tenant = tenant
        self.client = installation.client(X_API_Key=tenant.data_write)

    @property
    def workspace_id(self):
        return self.tenant.workspace.id

    @classmethod
    @asynccontextmanager
    async def open(cls, installation, plan: Plan = Plan.AGENCY):
        tracker = cls(installation, await installation.tenant(plan))
        try:
            yield tracker
        finally:
            await tracker.client.aclose()

    async def track(self, domain: str = "acme.com", *, prompts=PROMPTS, competitors=COMPETITORS, **details):
        """Set up the domain, whose first scan then waits for a worker."""
        rules = build_check_rules(self.installation.app_context.settings)
        setup = SetupInput(
            language_code="en",
            prompts=list(prompts),
            competitors=[CompetitorInput(name) for name in competitors],
            **details,
        )
        async with self.installation.db.transaction() as tx:
            now = self.installation.clock()
            tracked = await track_domain(tx, self.workspace_id, TrackInput(domain), plans=rules.plans, now=now)
            return await complete_setup(tx, self.workspace_id, tracked.id, setup, rules=rules, now=now)

    async def get(self, path: str, **options):
        return await self.client.get(f"/api/v1/ext{path}", **options)

    async def read(self, path: str, **options):
        answer = await self.get(path, **options)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    async def wait_for_board(self, domain_id, scan_id):
        """Return the scoreboard as soon as it shows the scan."""

        async def find_board():
            board = await self.read(f"/domains/{domain_id}/analytics")
            shown = await self.get(f"/domains/{domain_id}/analytics", params={"scan_id": str(scan_id)})
            is_shown = shown.status_code == 200 and shown.json()["data"]["as_of"] == board["as_of"]
            return board if is_shown else None

        return await until(find_board, seconds=60)
