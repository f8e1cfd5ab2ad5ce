"""`webhooks`: deliveries per second of one worker, beside a bare loop that signs and posts the same bodies."""

import asyncio
import time
import uuid
from statistics import median, quantiles

import aiohttp
import msgspec

from bench.comparison import Aborted, Target
from bench.engine.customers import Account, open_account
from bench.engine.installation import Child, run_limited, running_fake, running_worker, wait_for_workers
from bench.plan import Plan
from bench.world import World
from sightline.accounts.models import Actor, Role
from sightline.accounts.models import Plan as CustomerPlan
from sightline.db.engine import Database
from sightline.events import record_event
from sightline.http.egress import Guard
from sightline.kit.clock import to_iso, utc_now
from sightline.webhooks.endpoints import WebhookInput, register_endpoint
from sightline.webhooks.secrets import SecretBox, make_secret
from sightline.webhooks.signing import sign_headers

NAME = "webhooks"
TITLE = "Webhook deliveries of one worker, beside a bare loop that signs and posts the same bodies"
EVENTS, _AT_ONCE = 2_000, 50
_LIMIT_SECONDS = 600
_PATIENCE_SECONDS = 120


class WebhookResult(msgspec.Struct, frozen=True):
    benchmark: str
    title: str
    events: int
    cpu_ms_per_delivery: float | None
    """Of the worker's process."""
    recorded_seconds: list[float]
    """From the commit of the events until all deliveries are noted as succeeded."""
    ratio: float
    middle_half: tuple[float, float]
    targets: list[Target]
    """None was set."""
    throughput: dict[str, list[float]]
    """Deliveries per second, from the first to the last that the receiver saw."""


class _Received(msgspec.Struct, frozen=True):
    deliveries: int
    events: int
    seconds: float

    @property
    def per_second(self) -> float:
        return (self.deliveries - 1) / self.seconds


class _Scene:
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
        guard, box = Guard(https_only=True, allow_loopback=True), SecretBox(secret_key.encode())
        async with self._db.transaction() as tx:
            given = WebhookInput(url=f"{self.url}/hook")
            await register_endpoint(tx, actor, given, guard=guard, box=box, now=utc_now())

    async def deliver(self) -> tuple[_Received, float, list[tuple[uuid.UUID, bytes]]]:
        """All events in one transaction: the worker, which waits, sees them in the same moment."""
        await self._get("/forget")
        workspace_id = self._account.workspace_id
        async with self._db.transaction() as tx:
            ids = [
                await record_event(
                    tx, workspace_id, "scan.completed", _scan(), livemode=True, cause=str(uuid.uuid4()), now=utc_now()
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

    async def post_bare(self, bodies: list[tuple[uuid.UUID, bytes]]) -> _Received:
        await self._get("/forget")
        left, secret = iter(bodies), make_secret()

        async def go_on() -> None:
            for event_id, body in left:
                headers = sign_headers(event_id, body, [secret], now=utc_now())
                async with self._session.post(f"{self.url}/hook", data=body, headers=headers) as response:
                    await response.read()

        await asyncio.gather(*(go_on() for _ in range(_AT_ONCE)))
        return self._require_each_once(await self._get("/received"))

    def _require_each_once(self, received: _Received) -> _Received:
        if (received.deliveries, received.events) != (EVENTS, EVENTS):
            raise Aborted(f"{EVENTS} events were to be delivered once each, and it was {received}")
        return received

    async def _get(self, path: str) -> _Received:
        async with self._session.get(self.url + path) as response:
            return msgspec.json.decode(await response.read(), type=_Received)


def measure(world: World, plan: Plan) -> WebhookResult:
    settings = {"SIGHTLINE_WEBHOOK_ALLOW_LOOPBACK": "1"}
    with (
        running_fake("receiver", world, "bench.webhooks.receiver") as (_, port),
        running_worker(world, settings) as worker,
    ):
        wait_for_workers(world, worker)
        return run_limited(_measure(world, port, worker, max(2, plan.rounds // 3)), _LIMIT_SECONDS, worker)


async def _measure(world: World, port: int, worker: Child, rounds: int) -> WebhookResult:
    """The first round is a warm-up, and left out."""
    db = Database(world.database_url, pool_size=2)
    await db.open()
    speed: dict[str, list[float]] = {"worker": [], "bare": []}
    recorded: list[float] = []
    cpu: list[float] = []
    try:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            scene = _Scene(db, session, await open_account(db), port)
            await scene.register(world.environment["SIGHTLINE_SECRET_KEY"])
            _, _, bodies = await scene.deliver()
            await scene.post_bare(bodies)
            for number in range(rounds):
                bare = await scene.post_bare(bodies) if number % 2 else None
                before = worker.cpu_seconds()
                delivered, seconds, bodies = await scene.deliver()
                after = worker.cpu_seconds()
                bare = bare or await scene.post_bare(bodies)
                speed["worker"].append(delivered.per_second)
                speed["bare"].append(bare.per_second)
                recorded.append(seconds)
                cpu.extend([] if before is None or after is None else [1000 * (after - before) / EVENTS])
    finally:
        await db.close()
    return _to_result(speed, recorded, median(cpu) if cpu else None)


def _to_result(speed: dict[str, list[float]], recorded: list[float], cpu: float | None) -> WebhookResult:
    ratios = [ours / bare for ours, bare in zip(speed["worker"], speed["bare"], strict=True)]
    low, _, high = quantiles(ratios, n=4, method="inclusive")
    return WebhookResult(NAME, TITLE, EVENTS, cpu, recorded, median(ratios), (low, high), [], speed)


def _scan() -> dict[str, object]:
    """As much as the event of a check that completed carries."""
    now = to_iso(utc_now())
    return {
        "id": str(uuid.uuid4()),
        "domain_id": str(uuid.uuid4()),
        "domain": "acme.com",
        "livemode": True,
        "measurement_scope": "console_check",
        "measurement_label": "Console Check",
        "status": "completed",
        "answers_total": 50,
        "answers_completed": 50,
        "answers_failed": 0,
        "visibility_score": 61.4,
        "brand_coverage_pct": 58.0,
        "ai_mentions": 29,
        "citation_count": 17,
        "market_position": 2,
        "started_at": now,
        "completed_at": now,
        "duration_seconds": 41.7,
        "error_message": None,
        "selected_platforms": ["chatgpt", "claude", "gemini", "deepseek", "perplexity"],
        "customer_keywords": [f"best crm for teams of {size}" for size in range(2, 12)],
    }


def print_figures(result: WebhookResult) -> None:
    print(f"  {result.events:,} events to one endpoint\n\n  {'':<10}{'deliveries/s':>14}{'to bare':>10}{'CPU ms':>10}")
    cpu = "-" if result.cpu_ms_per_delivery is None else f"{result.cpu_ms_per_delivery:.2f}"
    print(f"  {'worker':<10}{median(result.throughput['worker']):>14,.0f}{result.ratio:>10.2f}{cpu:>10}")
    print(f"  {'bare':<10}{median(result.throughput['bare']):>14,.0f}{1:>10.2f}{'-':>10}")
    print(
        f"\n  Medians over {len(result.recorded_seconds)} alternating rounds (half of the ratios: "
        f"{result.middle_half[0]:.2f} to {result.middle_half[1]:.2f}). From commit until\n  all deliveries are noted: "
        f"{median(result.recorded_seconds):.2f} s. No target was set.\n"
    )
