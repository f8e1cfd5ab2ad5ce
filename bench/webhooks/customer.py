"""One customer, one endpoint, and two ways in which the same events are delivered to it."""

import asyncio
import time
import uuid

import aiohttp
import msgspec

from bench.comparison import Aborted
from bench.engine.customers import Account
from sightline.accounts.models import Actor, Role
from sightline.db.engine import Database
from sightline.events import record_event
from sightline.http.egress import EgressGuard
from sightline.kit.clock import to_iso, utc_now
from sightline.plans.table import Plan as CustomerPlan
from sightline.scans.schemas.scan import scan_path
from sightline.scans.schemas.scan_events import ScanCompletedData
from sightline.scans.states import ScanStatus
from sightline.webhooks.deliveries.signing import sign_headers
from sightline.webhooks.endpoints import register_endpoint
from sightline.webhooks.schemas import WebhookInput
from sightline.webhooks.secrets import SecretBox, make_secret

EVENTS, _AT_ONCE = 2_000, 50
_PATIENCE_SECONDS = 120


class Received(msgspec.Struct, frozen=True):
    deliveries: int
    events: int
    seconds: float

    @property
    def per_second(self) -> float:
        return (self.deliveries - 1) / self.seconds


class WebhookCustomer:
    def __init__(self, db: Database, session: aiohttp.ClientSession, account: Account, receiver_port: int) -> None:
        self._db = db
        self._session = session
        self._account = account
        self.url = f"http://127.0.0.1:{receiver_port}"

    async def register(self, secret_key: str) -> None:
        actor = Actor(
            via="console",
            workspace_id=self._account.workspace_id,
            user_id=self._account.user_id,
            role=Role.OWNER,
            plan=CustomerPlan.AGENCY,
            livemode=True,
        )
        guard, box = EgressGuard(https_only=True, allow_loopback=True), SecretBox(secret_key.encode())
        async with self._db.transaction() as tx:
            given = WebhookInput(url=f"{self.url}/hook")
            await register_endpoint(tx, actor, given, guard=guard, box=box, now=utc_now())

    async def deliver(self) -> tuple[Received, float, list[tuple[uuid.UUID, bytes]]]:
        """Write all events in one transaction, so that the waiting worker sees them in the same moment."""
        await self._get("/forget")
        workspace_id = self._account.workspace_id
        async with self._db.transaction() as tx:
            ids = [
                await record_event(
                    tx, "scan.completed", _completed_scan(workspace_id), cause=str(uuid.uuid4()), now=utc_now()
                )
                for _ in range(EVENTS)
            ]
        began = time.perf_counter()
        while await self._count_succeeded(ids) < EVENTS:
            if time.perf_counter() > began + _PATIENCE_SECONDS:
                raise Aborted(f"{await self._get('/received')} after {_PATIENCE_SECONDS} seconds")
            await asyncio.sleep(0.05)
        recorded = time.perf_counter() - began
        bodies = await self._db.fetch(
            "SELECT id, body FROM events WHERE workspace_id = $1 AND id = ANY($2::uuid[])", workspace_id, ids
        )
        return self._require_each_once(await self._get("/received")), recorded, [tuple(row) for row in bodies]

    async def _count_succeeded(self, ids: list[uuid.UUID | None]) -> int:
        count: int = await self._db.fetchval(
            """SELECT count(*) FROM webhook_deliveries
               WHERE workspace_id = $1 AND event_id = ANY($2::uuid[]) AND status = 'succeeded'""",
            self._account.workspace_id,
            ids,
        )
        return count

    async def post_bare(self, bodies: list[tuple[uuid.UUID, bytes]]) -> Received:
        await self._get("/forget")
        left, secret = iter(bodies), make_secret()

        async def go_on() -> None:
            for event_id, body in left:
                headers = sign_headers(event_id, body, [secret], now=utc_now())
                async with self._session.post(f"{self.url}/hook", data=body, headers=headers) as response:
                    await response.read()

        await asyncio.gather(*(go_on() for _ in range(_AT_ONCE)))
        return self._require_each_once(await self._get("/received"))

    def _require_each_once(self, received: Received) -> Received:
        if (received.deliveries, received.events) != (EVENTS, EVENTS):
            raise Aborted(f"{EVENTS} events were to be delivered once each, and it was {received}")
        return received

    async def _get(self, path: str) -> Received:
        async with self._session.get(self.url + path) as response:
            return msgspec.json.decode(await response.read(), type=Received)


def _completed_scan(workspace_id: uuid.UUID) -> ScanCompletedData:
    """Build a scan as large as the event of a completed one carries."""
    now, scan_id = to_iso(utc_now()), uuid.uuid4()
    return ScanCompletedData(
        id=scan_id,
        workspace_id=workspace_id,
        domain_id=uuid.uuid4(),
        domain="acme.com",
        livemode=True,
        measurement_scope="console_check",
        measurement_label="Console Check",
        status=ScanStatus.COMPLETED,
        answers_total=50,
        answers_completed=50,
        answers_failed=0,
        visibility_score=61.4,
        brand_coverage_pct=58.0,
        ai_mentions=29,
        citation_count=17,
        market_position=2,
        started_at=now,
        completed_at=now,
        duration_seconds=41.7,
        error_message=None,
        selected_platforms=["chatgpt", "claude", "gemini", "deepseek", "perplexity"],
        customer_keywords=[f"best crm for teams of {size}" for size in range(2, 12)],
        keywords_note=None,
        content_project_id=None,
        credits_charged=5,
        credits_refunded=0,
        answers_source="live",
        answers_expired_at=None,
        created_at=now,
        results_url=f"https://sightline.example{scan_path(scan_id)}/results",
    )
