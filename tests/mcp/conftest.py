"""A world for assistants: a tracked domain with checks, a Console domain with a scan, and a client of the MCP SDK."""

from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from sightline.accounts.models import Role
from sightline.api.app import create_app
from sightline.mcp.availability import find_mounts
from sightline.mcp.server import SightlineServer
from sightline.mcp.spending import SpendLimits
from sightline.mcp.stdio.sdk_source import SdkSource
from sightline.plans.table import Plan
from sightline.reports.weekly.write import write_report
from sightline.scans.jobs import ScanJob
from sightline_sdk import AsyncSightline
from tests.console_customers import Customer
from tests.scan_history import ScanHistory, ScriptedAnswer

PROMPTS = [f"which anvil is good for {use}" for use in ("knives", "nails", "gates", "rings", "tools", "art", "hooks")]
OLD = ScriptedAnswer("1. Acme is what most smiths use.\n2. Globex", ("https://wiki.org/anvils", "https://acme.com/a"))
NEW = ScriptedAnswer("Globex is what most smiths use. " + "It rings well. " * 400, ("https://g2.com/anvils",))


LIMITS = SpendLimits(20, 50)


class World:
    """The application with `/mcp`, and what tools are called with."""

    def __init__(self, installation) -> None:
        self.installation = installation
        installation.app = create_app(installation.app_context, mounts=find_mounts())

    @asynccontextmanager
    async def running(self):
        async with self.installation.app.mounts[0].run():
            yield self

    @asynccontextmanager
    async def connect(self, key: str, *, mode: str = "auto", **options):
        """Return a client of the official SDK that speaks streamable HTTP with the application."""
        transport = httpx2.ASGITransport(app=self.installation.app, client=("203.0.113.7", 4711))
        http = httpx2.AsyncClient(transport=transport, headers={"Authorization": f"Bearer {key}"})
        async with http, Client(streamable_http_client("http://test/mcp", http_client=http), mode=mode, **options) as c:
            yield c


@asynccontextmanager
async def connect_by_sdk(installation, *, data, console, limits=LIMITS, mode="auto", **options):
    """Return a client of the server that `sightline mcp` runs, whose SDK calls the application."""
    transport = httpx2.ASGITransport(app=installation.app, client=("203.0.113.7", 4711))
    async with httpx2.AsyncClient(transport=transport) as http:

        def open_client(key: str | None) -> AsyncSightline | None:
            return None if key is None else AsyncSightline(key, base_url="http://test", http_client=http, max_retries=0)

        source = SdkSource(open_client(data), open_client(console), console or "", limits, installation.clock)
        async with Client(SightlineServer(source), mode=mode, **options) as client:
            yield client


@pytest.fixture
def world(installation):
    """Return the world. A test runs it: the SDK's manager has to be entered and left in one task."""
    return World(installation)


async def track_history(installation) -> ScanHistory:
    """Return an Agency workspace with two Full Checks that differ, on three platforms of which one is silent."""
    history = await ScanHistory.open(installation, *PROMPTS)
    await history.run_full_check(lambda prompt, platform: OLD)
    scan_id = await history.run_full_check(lambda prompt, platform: None if platform == "gemini" else NEW)
    job = ScanJob(history.workspace_id, scan_id)
    await write_report(installation.db, job, clock=installation.clock, base_url="http://test")
    return history


async def mint_keys(installation, history, customer) -> dict[str, str]:
    """Return a key of each kind, role, scope and plan."""
    tenant, console = history.tenant, customer.tenant
    viewer = await installation.member(tenant, Role.VIEWER)
    console_viewer = await installation.member(console, Role.VIEWER)
    keys = {
        "data, agency, write": tenant.data_write,
        "data, agency, read": tenant.data,
        "data, agency, write, viewer": await installation.mint(tenant, viewer, "data", write=True),
        "console, live": customer.key,
        "console, live, viewer": await installation.mint(console, console_viewer, "console"),
        "console, live, scope read": await installation.mint(console, console.owner, "console", scopes=["read"]),
        "console, test": console.test,
    }
    for plan in (Plan.PROFESSIONAL, Plan.STARTER, Plan.FREE):
        keys[f"data, {plan}"] = (await installation.tenant(plan)).data
    return keys


async def open_customer(installation) -> Customer:
    return await Customer.create(installation, installation.client())
