"""Customers that submit scans over HTTP and wait until they are completed."""

import asyncio
import itertools
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import msgspec

from bench.comparison import Aborted
from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.api_keys.issue import NewKey, mint_key
from sightline.credits.ledger import CreditAccount, CreditRules, NewEntry, post_entry
from sightline.db.engine import Database
from sightline.kit.clock import utc_now
from sightline.plans.table import Plan as CustomerPlan

PLATFORMS = ("chatgpt", "claude", "gemini", "deepseek", "local")
KEYWORDS = 50
_CREDITS = 10_000_000
_COMPETITORS = [{"domain": "globex.com", "name": "Globex"}, {"domain": "initech.com", "name": "Initech"}]

_numbers = itertools.count(1)


class Account(msgspec.Struct, frozen=True):
    workspace_id: uuid.UUID
    user_id: uuid.UUID
    key: str


class Timing(msgspec.Struct, frozen=True):
    """Seconds since the first request was sent."""

    submitted: float
    stored: float
    """All answers have been stored."""
    completed: float
    """All scans are completed, with results."""


async def open_account(db: Database) -> Account:
    """Create a workspace with credits for any number of scans."""
    now = utc_now()
    async with db.transaction() as tx:
        owner = await create_user(tx, f"owner{next(_numbers)}@acme.com", "Owner", "no password opens this", now=now)
        assert owner is not None
        workspace = await create_workspace(tx, owner, "Acme", CustomerPlan.AGENCY, now=now)
        _, key = await mint_key(tx, workspace.id, owner.id, NewKey(name="Key", kind="console", livemode=True), now=now)
        await post_entry(
            tx,
            CreditAccount(workspace.id, livemode=True, rules=CreditRules(0, 0)),
            NewEntry(_CREDITS, "promotional_grant", "bench", "To measure with"),
            now=now,
        )
    return Account(workspace.id, owner.id, key)


class Customer:
    """A workspace with some domains, and a connection for each of them."""

    def __init__(self, db: Database, session: aiohttp.ClientSession, base_url: str, account: Account) -> None:
        self._db = db
        self._session = session
        self._url = f"{base_url}/api/v1/console"
        self.account = account
        self.domain_ids: list[str] = []

    async def register_domains(self, count: int) -> None:
        for number in range(count):
            payload = {"domain": f"brand{number}.com", "brand_name": "Acme", "competitors": _COMPETITORS}
            self.domain_ids.append(await self._post("/domains", payload))

    async def submit(self, scans: int, keywords: int, platforms: tuple[str, ...]) -> list[uuid.UUID]:
        """Submit scans of different domains concurrently, with keywords that were never asked before."""
        return list(
            await asyncio.gather(
                *(self._submit(domain_id, keywords, platforms) for domain_id in self.domain_ids[:scans])
            )
        )

    async def _submit(self, domain_id: str, keywords: int, platforms: tuple[str, ...]) -> uuid.UUID:
        number = next(_numbers)
        asked = [f"best crm for teams of {number} {keyword}" for keyword in range(keywords)]
        payload = {"domain_id": domain_id, "platforms": platforms, "keywords": asked}
        return uuid.UUID(await self._post("/scans", payload))

    async def _post(self, path: str, payload: object) -> str:
        headers = {"X-API-Key": self.account.key, "Idempotency-Key": f"bench-{next(_numbers)}"}
        async with self._session.post(self._url + path, json=payload, headers=headers) as response:
            if response.status >= 300:
                raise Aborted(f"POST {path} was answered with {response.status}: {(await response.text())[:600]}")
            object_id: str = (await response.json())["data"]["id"]
            return object_id

    async def check(
        self, scans: int, keywords: int, platforms: tuple[str, ...] = PLATFORMS, *, poll_seconds: float = 0.01
    ) -> Timing:
        """Submit scans, and wait until all of them are completed."""
        began = time.perf_counter()
        ids = await self.submit(scans, keywords, platforms)
        submitted = time.perf_counter() - began
        stored = 0.0
        while True:
            completed, answers = await self.progress(ids)
            stored = stored or (answers == scans * keywords * len(platforms)) * (time.perf_counter() - began)
            if completed == scans:
                return Timing(submitted, stored, time.perf_counter() - began)
            await asyncio.sleep(poll_seconds)

    async def progress(self, ids: list[uuid.UUID]) -> tuple[int, int]:
        """Return the number of completed scans and of stored answers. A failed answer or scan aborts the run."""
        completed, ended, answers, failed = await self._db.fetchrow(
            """SELECT count(*) FILTER (WHERE status = 'completed'), count(*) FILTER (WHERE completed_at IS NOT NULL),
                      sum(answers_completed), sum(answers_failed)
               FROM scans WHERE workspace_id = $1 AND id = ANY($2::uuid[])""",
            self.account.workspace_id,
            ids,
        )
        if failed or ended > completed:
            raise Aborted(f"{failed} answers failed, {ended - completed} scans did not complete")
        return completed, answers


@asynccontextmanager
async def open_customers(database_url: str, api_port: int, *domains: int) -> AsyncIterator[list[Customer]]:
    """Open a customer for each given number of domains."""
    db = Database(database_url, pool_size=4)
    await db.open()
    try:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            customers = []
            for count in domains:
                customer = Customer(db, session, f"http://127.0.0.1:{api_port}", await open_account(db))
                await customer.register_domains(count)
                customers.append(customer)
            yield customers
    finally:
        await db.close()
