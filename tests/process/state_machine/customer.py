"""One customer in one workspace, over HTTP, and a worker that can be crashed at any moment."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

import msgspec

from sightline.api.app import create_app
from sightline.credits.ledger import CreditAccount, grant_credits
from sightline.credits.verify import verify_ledgers_any_workspace
from sightline.db.engine import Database
from sightline.kit.ids import new_id
from sightline.scans.running.sweeping.sweep import sweep_scans
from sightline.web.app import ROUTES, handle_not_found
from sightline.worker.run import run_worker
from tests.credits.buyers import Buyer
from tests.fakes.stripe import FakeStripe
from tests.installation import Clock, Installation

CONSOLE = "/api/v1/console"
SETTINGS = {
    "console_rate_per_minute": 1_000_000,
    "session_rate_per_minute": 1_000_000,
    "anonymous_rate_per_minute": 1_000_000,
    "spend_cap_cents": 1_000_000_000,
    "sandbox_latency_ms": 0,
    "worker_timeout": 0.5,
    "worker_grace": 0,
}


class SharedInstallation:
    """The installation that all examples share. Each example has its own workspace."""

    def __init__(self, installation: Installation, stripe: FakeStripe | None) -> None:
        self.installation = installation
        self.stripe = stripe
        self.failures: list[str] = []

    @classmethod
    @asynccontextmanager
    async def open(cls, database_url: str, data_dir, *, with_stripe: bool):
        async with AsyncExitStack() as stack:
            clock = Clock()
            stripe = await stack.enter_async_context(FakeStripe(clock))
            given = {**SETTINGS, **(stripe.settings() if with_stripe else {})}
            installation = await stack.enter_async_context(Installation.open(database_url, data_dir, **given))
            installation.clock = clock
            installation.app_context = msgspec.structs.replace(installation.app_context, clock=clock)
            installation.app = create_app(installation.app_context, ROUTES, handle_not_found)
            stack.push_async_callback(installation.app_context.payments.close)
            yield cls(installation, stripe if with_stripe else None)


class StateMachineCustomer(Buyer):
    """The customer of one example. `Buyer` adds purchases and every way to learn the result of a payment."""

    async def open_with(self, credits: int) -> None:  # noqa: A002 - the product's term
        await self.open()
        if credits:
            async with self.installation.db.transaction() as tx:
                workspace_id = self.tenant.workspace.id
                now = self.installation.clock()
                await grant_credits(
                    tx, CreditAccount(workspace_id, livemode=True, rules=self.rules), credits, note="", now=now
                )

    async def mint(self) -> tuple[str, str]:
        answer = await self.post(f"{CONSOLE}/keys", name="A key")
        assert answer.status_code == 201, answer.text
        made = answer.json()["data"]
        return made["id"], made["key"]

    async def revoke(self, key_id: str) -> None:
        answer = await self.browser.delete(f"{CONSOLE}/keys/{key_id}", headers={"Idempotency-Key": str(new_id())})
        assert answer.status_code == 200, answer.text

    async def send(self, api_key: str, path: str, body: dict, key: str):
        async with self.installation.client(X_API_Key=api_key, Idempotency_Key=key) as client:
            return await client.post(f"{CONSOLE}{path}", json=body)

    async def read(self, api_key: str, path: str):
        async with self.installation.client(X_API_Key=api_key) as client:
            return await client.get(f"{CONSOLE}{path}")

    async def pay_locally(self, reference: str) -> None:
        session = await self.installation.db.fetchval(
            "SELECT session FROM local_orders WHERE reference = $1", reference
        )
        async with self.installation.client() as client:
            paid = await client.post(f"/checkout/local/{session}", data={"action": "pay"})
        assert paid.status_code == 303, paid.text

    # The worker

    async def work_until_done(self) -> None:
        async with self._working():
            await _until(self._is_done, seconds=30)

    async def crash_at(self, moment: float) -> None:
        """Crash the worker after this many seconds."""
        async with self._worker_that_crashes(latency_ms=0):
            await asyncio.sleep(moment)

    async def crash_once_started(self) -> None:
        """Crash the worker when all scans have started and none has an answer."""
        async with self._worker_that_crashes(latency_ms=10_000):
            await _until(self._is_started, seconds=30)

    @asynccontextmanager
    async def _worker_that_crashes(self, *, latency_ms: int):
        """Run a worker, then close its connections and cancel its tasks, so that it can no longer write."""
        before = asyncio.all_tasks()
        db = Database(self.installation.db.url, pool_size=5)
        await db.open()
        settings = self.installation.app_context.settings.model_copy(update={"sandbox_latency_ms": latency_ms})
        asyncio.create_task(run_worker(settings, db, db.url, asyncio.Event(), clock=self.installation.clock))  # noqa: RUF006
        yield
        db.pool.terminate()
        while remaining := asyncio.all_tasks() - before:
            for task in remaining:
                task.cancel()
            await asyncio.wait(remaining, timeout=0.2)
        await db.close()
        # Other workers take over its jobs and its share of the platforms after 5 s. This skips them.
        await self.installation.db.execute("UPDATE workers SET seen_at = seen_at - interval '5 seconds'")

    async def sweep(self) -> None:
        await sweep_scans(
            self.installation.db, deadline=timedelta(hours=1), patience=timedelta(0), clock=self.installation.clock
        )

    @asynccontextmanager
    async def _working(self):
        stopping = asyncio.Event()
        settings, db = self.installation.app_context.settings, self.installation.db
        task = asyncio.create_task(run_worker(settings, db, db.url, stopping, clock=self.installation.clock))
        try:
            yield task
        finally:
            stopping.set()
            await task

    async def _is_done(self) -> bool:
        return await self._count("pending", "running") == 0

    async def _is_started(self) -> bool:
        return await self._count("pending") == 0

    async def _count(self, *states: str) -> int:
        query = "SELECT count(*) FROM scans WHERE workspace_id = $1 AND status = ANY($2)"
        return await self.installation.db.fetchval(query, self.tenant.workspace.id, states)

    # The books

    async def read_books(self) -> "Books":
        db, workspace_id = self.installation.db, self.tenant.workspace.id
        account = "SELECT balance FROM credit_accounts WHERE workspace_id = $1 AND livemode"
        total = "SELECT coalesce(sum(delta), 0)::bigint FROM credit_entries WHERE workspace_id = $1 AND livemode"
        scans = "SELECT id::text, status, domain_id::text FROM scans WHERE workspace_id = $1"
        events = "SELECT type, cause, count(*) FROM events WHERE workspace_id = $1 GROUP BY type, cause"
        doubled = """SELECT count(*) FROM (SELECT 1 FROM answers WHERE workspace_id = $1
                     GROUP BY scan_id, prompt_index, platform, country HAVING count(*) > 1) AS twice"""
        return Books(
            balance=await db.fetchval(account, workspace_id) or 0,
            total=await db.fetchval(total, workspace_id),
            scans=[tuple(row) for row in await db.fetch(scans, workspace_id)],
            events=[tuple(row) for row in await db.fetch(events, workspace_id)],
            doubled_answers=await db.fetchval(doubled, workspace_id),
            faults=[fault for fault in await verify_ledgers_any_workspace(db) if fault.workspace_id == workspace_id],
        )


class Books(msgspec.Struct, frozen=True):
    balance: int
    total: int
    scans: list[tuple[str, str, str]]
    events: list[tuple[str, str, int]]
    doubled_answers: int
    faults: list


async def _until(condition, *, seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)
