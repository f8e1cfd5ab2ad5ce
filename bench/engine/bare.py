"""The bare loop that the engine is compared with: it calls, decodes JSON and inserts a row, and does nothing else."""

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Any

import aiohttp
import asyncpg
import msgspec

from bench.engine.settings import AT_ONCE
from sightline.kit.ids import new_id
from sightline.platforms.connectors import CONNECTORS, find_vendors
from sightline.platforms.models import HttpRequest, PlatformConnection, Question
from sightline.settings import Settings

# The path below the platform's address, and how to read the text of its answer.
_WAYS: dict[str, tuple[str, Callable[[Any], str]]] = {
    "chatgpt": ("", lambda answer: answer["output"][0]["content"][0]["text"]),
    "claude": ("", lambda answer: answer["content"][0]["text"]),
    "gemini": ("", lambda answer: answer["candidates"][0]["content"]["parts"][0]["text"]),
    "deepseek": ("", lambda answer: answer["choices"][0]["message"]["content"]),
    "local": ("/local/v1", lambda answer: answer["choices"][0]["message"]["content"]),
}


class BareLoop:
    """A loop with as many PostgreSQL connections as a worker; every row is its own transaction."""

    def __init__(self, session: aiohttp.ClientSession, pool: "asyncpg.Pool[Any]", platform_port: int) -> None:
        self._session = session
        self._pool = pool
        self._ways = [
            (_request(platform, f"http://127.0.0.1:{platform_port}{path}"), read)
            for platform, (path, read) in _WAYS.items()
        ]

    async def run(self, answers: int, at_once: int = AT_ONCE) -> float:
        """Process this many answers, and return the answers per second."""
        left = iter(range(answers))
        began = time.perf_counter()
        await asyncio.gather(*(self._go_on(left) for _ in range(at_once)))
        return answers / (time.perf_counter() - began)

    async def _go_on(self, left: Iterator[int]) -> None:
        for number in left:
            request, read = self._ways[number % len(self._ways)]
            async with self._session.post(request.url, data=request.body, headers=request.headers) as response:
                text = read(msgspec.json.decode(await response.read()))
            await self._pool.execute("INSERT INTO bare (id, text) VALUES ($1, $2)", new_id(), text)


def _request(platform: str, base_url: str) -> HttpRequest:
    """Build the same request that the engine sends."""
    vendor = find_vendors(platform)[0]
    connection = PlatformConnection(platform=platform, vendor=vendor, base_url=base_url, secret="k", model="m")
    return CONNECTORS[platform, vendor].request(Question("best crm for teams of five", language="en"), connection)


async def open_pool(database_url: str) -> "asyncpg.Pool[Any]":
    size = Settings.model_fields["database_pool_size"].default
    pool = await asyncpg.create_pool(database_url, min_size=size, max_size=size)
    await pool.execute("CREATE TABLE IF NOT EXISTS bare (id uuid PRIMARY KEY, text text NOT NULL)")
    return pool
