"""The tenant and the attackers' workspaces, made over HTTP, so that any version of the product can be measured."""

import asyncio
import hashlib
import secrets
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import aiohttp
import asyncpg
import msgspec

from bench.attack.orders import AttackingWorkspace
from bench.comparison import Aborted

WORKSPACES = 30
_PREFIX = "/api/v1/console"


class Scene(msgspec.Struct, frozen=True):
    """The request that the tenant repeats, and what the attackers have."""

    page: bytes
    workspaces: list[AttackingWorkspace]
    webhook_key: str
    webhook_id: str


class _Person(msgspec.Struct, frozen=True):
    email: str
    password: str
    workspace_id: str
    live_key: str
    test_key: str


async def set_up(database_url: str, port: int, receiver_port: int) -> Scene:
    """Create 31 workspaces: one reads a page, the others have a scan to follow, and one of them a slow receiver."""
    connection = await asyncpg.connect(database_url)
    try:
        # The server makes a token of its own when it has started, and deletes the others.
        while not await connection.fetchval("SELECT count(*) FROM bootstrap_tokens"):  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.1)
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as session:
            tenant, *others = [await _create_person(connection, session) for _ in range(WORKSPACES + 1)]
            return Scene(
                page=await _format_page(session, tenant, port),
                workspaces=[await _prepare_attacker(connection, session, each) for each in others],
                webhook_key=others[0].live_key,
                webhook_id=await _register_webhook(session, others[0], receiver_port),
            )
    finally:
        await connection.close()


async def _create_person(connection: "asyncpg.Connection[Any]", session: aiohttp.ClientSession) -> _Person:
    token, now = f"bt_{secrets.token_urlsafe(24)}", datetime.now(UTC)
    await connection.execute(
        "INSERT INTO bootstrap_tokens (digest, created_at, expires_at) VALUES ($1, $2, $3)",
        hashlib.sha256(token.encode()).digest(),
        now,
        now + timedelta(hours=1),
    )
    email, password = f"{secrets.token_hex(8)}@acme.com", secrets.token_urlsafe(24)
    body = {"token": token, "email": email, "password": password, "workspace_name": "Acme"}
    made = await _post(session, "/account/bootstrap", body)
    keys = {each["key"][:8]: each["key"] for each in made["keys"]}
    return _Person(email, password, made["workspace"]["id"], keys["sk_live_"], keys["sk_test_"])


async def _prepare_attacker(
    connection: "asyncpg.Connection[Any]", session: aiohttp.ClientSession, person: _Person
) -> AttackingWorkspace:
    domain = await _post(session, "/domains", {"domain": "acme.com", "brand_name": "Acme"}, person.test_key)
    wanted = {"domain_id": domain["id"], "platforms": ["chatgpt"], "keywords": ["best crm for small teams"]}
    scan = await _post(session, "/scans", wanted, person.test_key)
    data_key = await _post(session, "/keys", {"name": "Import", "kind": "data", "scopes": ["write"]}, person.live_key)
    tracked_domain_id = uuid.uuid4()
    await connection.execute("UPDATE workspaces SET plan = 'agency' WHERE id = $1", uuid.UUID(person.workspace_id))
    await connection.execute(
        """INSERT INTO domains (workspace_id, id, kind, livemode, domain, brand_name, aliases, owned_domains,
                                competitors, status, platforms, created_at)
           VALUES ($1, $2, 'tracked', true, 'acme.com', 'Acme', '{}', '{}', '[]', 'setup', '{}', $3)""",
        uuid.UUID(person.workspace_id),
        tracked_domain_id,
        datetime.now(UTC),
    )
    return AttackingWorkspace(
        key=person.test_key,
        domain_id=domain["id"],
        scan_id=scan["id"],
        data_key=data_key["key"],
        tracked_domain_id=str(tracked_domain_id),
    )


async def _register_webhook(session: aiohttp.ClientSession, person: _Person, receiver_port: int) -> str:
    made = await _post(session, "/webhooks", {"url": f"http://127.0.0.4:{receiver_port}/hook"}, person.live_key)
    webhook_id: str = made["id"]
    return webhook_id


async def _format_page(session: aiohttp.ClientSession, tenant: _Person, port: int) -> bytes:
    """Return the request for a page of the Console, with some domains on it."""
    for number in range(20):
        await _post(session, "/domains", {"domain": f"brand{number}.com", "brand_name": "Brand"}, tenant.live_key)
    sign_in = {"email": tenant.email, "password": tenant.password}
    async with session.post(f"{_PREFIX}/session", json=sign_in) as response:
        cookie = response.headers["Set-Cookie"].partition(";")[0]
    path = f"/w/{tenant.workspace_id}/console/domains"
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode()


async def _post(session: aiohttp.ClientSession, path: str, body: object, key: str = "") -> Any:
    headers = {"X-API-Key": key, "Idempotency-Key": secrets.token_hex(16)} if key else {}
    async with session.post(_PREFIX + path, json=body, headers=headers) as response:
        if response.status >= 300:
            raise Aborted(f"POST {path} was answered with {response.status}: {(await response.text())[:600]}")
        return (await response.json())["data"]
