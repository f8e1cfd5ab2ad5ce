"""Constant load: customers who track domains, submit scans, receive webhooks, sign in, read pages and sign out."""

import asyncio
import itertools
import sys
import time
import uuid
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

import aiohttp
import msgspec

from bench.comparison import Aborted
from bench.engine.customers import PLATFORMS, Account, Customer, open_account
from bench.soak.site import SoakSite
from bench.tracking.brand import TrackedDomain
from bench.webhooks.customer import WebhookCustomer
from sightline.accounts.sign_in.models import Browser
from sightline.accounts.sign_in.sessions import digest_token, open_session, sign_out
from sightline.api.edge.browsers import format_session_cookie
from sightline.db.engine import Database, DatabaseUnavailable
from sightline.kit.clock import utc_now

_KEYWORDS = (10, 50)
"""Per scan of a customer: small scans come and go quickly, large ones keep the queue full."""
_DAILY_PER_FULL = 6
_POLL_SECONDS = 0.5
_READ_SECONDS = 2.0
_LONGEST_CHECK = 600
_PAGES = ("", "/prompts", "/answers", "/competitors", "/sources", "/checks", "/alerts", "/recommendations")


class Counts(msgspec.Struct):
    """What the load has done so far."""

    pages: int = 0
    failures: int = 0
    """Scans, checks and reads that failed. The load goes on: one failure must not end an hour."""


class Load:
    def __init__(self, site: SoakSite, db: Database, session: aiohttp.ClientSession) -> None:
        self._site = site
        self._db = db
        self._session = session
        self.counts = Counts()

    async def start(self) -> Sequence[Coroutine[Any, Any, None]]:
        """Create the customers, and return what they do until they are cancelled."""
        scanners = [await self._open_scanner() for _ in _KEYWORDS]
        return [
            *(
                self._repeat(partial(self._scan, scanner, keywords))
                for scanner, keywords in zip(scanners, _KEYWORDS, strict=True)
            ),
            *(self._repeat(partial(self._track, owned, itertools.count(1))) for owned in self._site.tracked),
            *(self._repeat(partial(self._read, owned)) for owned in self._site.tracked),
        ]

    async def _repeat(self, step: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await step()
            except (Aborted, aiohttp.ClientError, DatabaseUnavailable, TimeoutError) as error:
                self.counts.failures += 1
                print(f"{type(error).__name__}: {str(error)[:300]}", file=sys.stderr, flush=True)
                await asyncio.sleep(_READ_SECONDS)

    async def _open_scanner(self) -> Customer:
        account = await open_account(self._db)
        scanner = Customer(self._db, self._session, self._site.url, account)
        await scanner.register_domains(2)
        await self._receive_webhooks(account)
        return scanner

    async def _receive_webhooks(self, account: Account) -> None:
        receiver = WebhookCustomer(self._db, self._session, account, self._site.receiver_port)
        await receiver.register(self._site.environment.variables["SIGHTLINE_SECRET_KEY"])

    async def _scan(self, scanner: Customer, keywords: int) -> None:
        await scanner.check(len(scanner.domain_ids), keywords, PLATFORMS, poll_seconds=_POLL_SECONDS)

    async def _track(self, owned: TrackedDomain, numbers: Iterator[int]) -> None:
        """Let the next check of the domain fall due as soon as the one before is followed up."""
        await self._wait_until_idle(owned)
        is_full = next(numbers) % (_DAILY_PER_FULL + 1) == 0
        await self._db.execute(
            """UPDATE domains SET anchor_at = now() - $2::interval, next_check_at = now(), next_check_scope = $3
               WHERE id = $1""",
            owned.domain_id,
            timedelta(days=7 if is_full else 1),
            "full_check" if is_full else "daily_check",
        )
        await self._wait_for_check(owned)

    async def _wait_until_idle(self, owned: TrackedDomain) -> None:
        """Wait until no scan of the domain runs and no job of its scans is left."""
        await self._wait_for(
            owned,
            """SELECT NOT EXISTS (SELECT FROM scans WHERE domain_id = $1 AND completed_at IS NULL) AND NOT EXISTS (
                   SELECT FROM jobs WHERE failed_at IS NULL AND key IN (
                       SELECT step || ':' || s.id FROM unnest(ARRAY['follow', 'insights', 'report']) step,
                              (SELECT id FROM scans WHERE domain_id = $1 ORDER BY id DESC LIMIT 2) s))""",
        )

    async def _wait_for_check(self, owned: TrackedDomain) -> None:
        await self._wait_for(owned, "SELECT next_check_at > now() FROM domains WHERE id = $1")

    async def _wait_for(self, owned: TrackedDomain, query: str) -> None:
        deadline = time.monotonic() + _LONGEST_CHECK
        while not await self._db.fetchval(query, owned.domain_id):
            if time.monotonic() > deadline:
                raise Aborted(f"a check of {owned.domain_id} does not end")
            await asyncio.sleep(_POLL_SECONDS)

    async def _read(self, owned: TrackedDomain) -> None:
        """Sign in, read each page once and the same facts by key, and sign out."""
        user_id = await self._db.fetchval("SELECT user_id FROM members WHERE workspace_id = $1", owned.workspace_id)
        base = f"/w/{owned.workspace_id}/d/{owned.domain_id}"
        token = await self._sign_in(user_id)
        cookie = format_session_cookie(token, 86_400, https=False).partition(";")[0]
        for page in _PAGES:
            await self._get(base + page, {"Cookie": cookie})
            await self._get(f"/api/v1/ext/domains/{owned.domain_id}/analytics", {"X-API-Key": owned.key})
            await asyncio.sleep(_READ_SECONDS)
        async with self._db.transaction() as tx:
            await sign_out(tx, digest_token(token))

    async def _sign_in(self, user_id: uuid.UUID) -> str:
        async with self._db.transaction() as tx:
            browser = Browser("127.0.0.1")
            return (await open_session(tx, self._site.settings, user_id, browser=browser, now=utc_now())).token

    async def _get(self, path: str, headers: dict[str, str]) -> None:
        async with self._session.get(self._site.url + path, headers=headers) as response:
            text = await response.text()
        if response.status != 200:
            raise Aborted(f"GET {path} was answered with {response.status}: {text[:600]}")
        self.counts.pages += 1
