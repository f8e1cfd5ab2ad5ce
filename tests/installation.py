"""The installation under test: the real application on a real database, with users and workspaces."""

import uuid
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from typing import Any

import httpx
import msgspec

from sightline.accounts.guests import add_guest
from sightline.accounts.members import set_member_role
from sightline.accounts.models import Role, User, Workspace, build_operator_actor
from sightline.accounts.passwords import hash_now
from sightline.accounts.sign_in.models import Browser
from sightline.accounts.sign_in.sessions import open_session
from sightline.accounts.users import create_user
from sightline.accounts.workspaces import create_workspace
from sightline.api.app import create_app
from sightline.api.app_context import AppContext, build_app_context
from sightline.api.edge.browsers import format_session_cookie
from sightline.api.edge.middleware import ApiMiddleware
from sightline.api_keys.issue import NewKey, mint_key
from sightline.clients.manage import add_client, set_logo
from sightline.clients.schemas import ClientInput
from sightline.db.engine import Database
from sightline.domains.models import BrandDetails
from sightline.domains.tracking.queries import insert_tracked_domain
from sightline.kit.ids import new_id
from sightline.plans.table import Plan
from sightline.settings import Settings
from tests.logos import make_png

PASSWORD = "correct horse battery"
PASSWORD_HASH = hash_now(PASSWORD)
START = datetime(2026, 11, 15, 9, 30, 10, tzinfo=UTC)


class Clock:
    """A clock that stands still until the test advances it."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **duration: float) -> None:
        self.now += timedelta(**duration)


class Tenant(msgspec.Struct):
    """A workspace with its owner and a key of every kind."""

    workspace: Workspace
    owner: User
    live: str
    test: str
    data: str
    data_write: str

    @property
    def id(self) -> str:
        return str(self.workspace.id)


def build_settings(**changes: Any) -> Settings:
    return Settings(**{"secret_key": "s" * 40, "base_url": "http://test", "analyzer_processes": 0, **changes})


@cache
def default_settings() -> Settings:
    """Return the settings of most tests: reading them takes longer than many a test."""
    return build_settings()


class Installation:
    def __init__(self, app_context: AppContext, clock: Clock) -> None:
        self.app_context = app_context
        self.clock = clock
        self._made = 0

    @cached_property
    def app(self) -> ApiMiddleware:
        return create_app(self.app_context)

    @classmethod
    @asynccontextmanager
    async def open(cls, database_url: str, data_dir, **settings):
        db = Database(database_url, pool_size=5)
        await db.open()
        try:
            async with cls.on(db, data_dir, **settings) as opened:
                yield opened
        finally:
            await db.close()

    @classmethod
    @asynccontextmanager
    async def on(cls, db: Database, data_dir, **settings):
        """Open the application on a database that is open."""
        clock = Clock()
        configured = build_settings(**settings) if settings else default_settings()
        configured = configured.model_copy(update={"data_dir": data_dir / "data"})
        app_context = build_app_context(configured, db, clock)
        app_context.copies.open(now=clock())
        app_context.ended_callers.open(now=clock())
        try:
            yield cls(app_context, clock)
        finally:
            await app_context.copies.close()

    @property
    def db(self) -> Database:
        return self.app_context.db

    def client(self, *, address: str = "203.0.113.7", **headers: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.app, client=(address, 4711))
        return httpx.AsyncClient(
            transport=transport, base_url="http://test", headers={k.replace("_", "-"): v for k, v in headers.items()}
        )

    async def user(self, email: str | None = None) -> User:
        self._made += 1
        async with self.db.transaction() as tx:
            address = email or f"person-{new_id().hex[-8:]}@acme.com"
            made = await create_user(tx, address, "", PASSWORD_HASH, now=self.clock())
        assert made is not None
        return made

    async def member(self, tenant: Tenant, role: Role, *, billing: bool = False) -> User:
        made = await self.user()
        await self.set_role(tenant, made, role, billing=billing)
        return made

    async def set_role(self, tenant: Tenant, user: User, role: Role, *, billing: bool = False) -> None:
        async with self.db.transaction() as tx:
            await set_member_role(tx, tenant.workspace.id, user.id, role, billing=billing, now=self.clock())

    async def guest(self, tenant: Tenant, role: Role, *domain_ids: str) -> tuple[User, uuid.UUID]:
        """Add a client with these domains, and return a guest of it and its id."""
        made, actor = await self.user(), build_operator_actor(tenant.workspace.id)
        async with self.db.transaction() as tx:
            new = ClientInput(f"Client {self._made}", list(domain_ids))
            client = await add_client(tx, actor, new, now=self.clock())
            await set_logo(tx, actor, client.id, make_png())
            await add_guest(tx, tenant.workspace.id, client.id, made.id, role, now=self.clock())
        return made, client.id

    async def mint(
        self, tenant: Tenant, by: User, kind: str, *, livemode: bool = True, write: bool = False, **bounds: Any
    ) -> str:
        """Mint a key as its maker would, with the bounds that are given: scopes, end, addresses."""
        bounds.setdefault("scopes", ["write"] if write else [])
        async with self.db.transaction() as tx:
            new = NewKey(name="A key", kind=kind, livemode=livemode, **bounds)
            _, secret = await mint_key(tx, tenant.workspace.id, by.id, new, now=self.clock())
        return secret

    async def tenant(self, plan: Plan = Plan.AGENCY) -> Tenant:
        owner = await self.user()
        async with self.db.transaction() as tx:
            workspace = await create_workspace(tx, owner, f"Workspace {self._made}", plan, now=self.clock())
        tenant = Tenant(workspace, owner, "", "", "", "")
        tenant.live = await self.mint(tenant, owner, "console")
        tenant.test = await self.mint(tenant, owner, "console", livemode=False)
        tenant.data = await self.mint(tenant, owner, "data")
        tenant.data_write = await self.mint(tenant, owner, "data", write=True)
        return tenant

    async def tracked_domain(self, tenant: Tenant, domain: str = "acme.com") -> str:
        domain_id = new_id()
        details = BrandDetails("Acme", aliases=[], owned_domains=[], competitors=[])
        async with self.db.transaction() as tx:
            await insert_tracked_domain(tx, tenant.workspace.id, domain_id, domain, details, [], now=self.clock())
        return str(domain_id)

    async def console_domain(self, key: str, domain: str = "acme.com") -> str:
        async with self.client(X_API_Key=key, Idempotency_Key=str(new_id())) as client:
            answer = await client.post("/api/v1/console/domains", json={"domain": domain})
        assert answer.status_code == 201, answer.text
        return answer.json()["data"]["id"]

    async def sign_in(self, user: User) -> httpx.AsyncClient:
        """Return a signed-in browser of this origin. The caller closes it."""
        client = self.client(Sec_Fetch_Site="same-origin")
        await self.open_session_for(client, user)
        return client

    async def open_session_for(self, client: httpx.AsyncClient, user: User, *, agent: str | None = None) -> None:
        """Sign the user in without checking a password, which would take longer than the rest of a test."""
        settings = self.app_context.settings
        async with self.db.transaction() as tx:
            browser = Browser("203.0.113.7", agent)
            opened = await open_session(tx, settings, user.id, browser=browser, now=self.clock())
        name, _, _ = format_session_cookie(opened.token, 0, https=settings.is_https).partition("=")
        client.cookies.set(name, opened.token, domain="test.local", path="/")
