"""The baseline: what this page costs if nothing but the page is made.

It is a bare ASGI function with the same two statements, Structs, bytes and headers. It has no framework, no order of
refusals, no saved copies, no metrics, no log line and no usage figures. How a time and a figure are formatted is part
of the bytes, so those functions are the product's.
"""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import asyncpg
import msgspec

from bench.domains.cursor import next_cursor
from sightline.api.edge.cursors import DEFAULT_PAGE_SIZE
from sightline.api.edge.envelope import Page, PageMeta
from sightline.api.edge.security_headers import build_security_headers
from sightline.domains.models import Competitor
from sightline.domains.queries import LIST_CONSOLE
from sightline.domains.schemas import Domain
from sightline.kit.clock import to_iso, to_iso_or_none
from sightline.kit.ids import new_id
from sightline.kit.rounding import round_half_away_or_none
from sightline.plans.table import build_plan_table
from sightline.settings import Settings
from sightline.usage.models import RecognizedKey
from sightline.usage.queries import RECOGNIZE_KEY
from sightline.usage.rate_limit import build_rate_limits

_read_competitors = msgspec.json.Decoder(list[Competitor]).decode
_encode = msgspec.json.Encoder().encode
_SECURITY_HEADERS = build_security_headers(https=False)
_KEY_FIELDS = len(RecognizedKey.__struct_fields__)


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Any]:
    assert settings.database_url is not None
    async with asyncpg.create_pool(
        settings.database_url.get_secret_value(),
        min_size=0,
        max_size=settings.database_pool_size,
        reset=_keep_as_it_is,
        server_settings={"timezone": "UTC"},
    ) as pool:
        yield _make_app(pool, settings)


async def _keep_as_it_is(_: Any) -> None:
    pass


def _make_app(pool: asyncpg.Pool, settings: Settings) -> Any:
    limits = build_rate_limits(settings, build_plan_table(settings.plans))
    limit_values = (
        list(limits),
        [limit.per_minute for limit in limits.values()],
        [limit.per_month for limit in limits.values()],
    )
    signing_key = settings.signing_key

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await _live(receive, send)
            return
        now = datetime.now(UTC)
        minute = now.replace(second=0, microsecond=0)
        month = minute.replace(day=1, hour=0, minute=0)
        key = dict(scope["headers"]).get(b"x-api-key", b"")
        digest = hashlib.sha256(key).digest()
        async with pool.acquire() as connection:
            row = await connection.fetchrow(RECOGNIZE_KEY, digest, month, *limit_values, None, "console", minute, now)
            known = row and RecognizedKey(*row[:_KEY_FIELDS])
            if not known or known.minute_count is None or known.month_count is None:
                await _refuse(send)
                return
            rows = await connection.fetch(LIST_CONSOLE, known.workspace_id, known.livemode, DEFAULT_PAGE_SIZE + 1)
        request_id = str(new_id())
        body = _encode(_to_page(rows, known, signing_key, request_id))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
            (b"vary", b"Accept-Encoding"),
            *_SECURITY_HEADERS,
            (b"cache-control", b"no-store"),
            (b"x-ratelimit-limit", b"%d" % known.per_minute),
            (b"x-ratelimit-remaining", b"%d" % (known.per_minute - known.minute_count)),
            (b"x-ratelimit-reset", b"%d" % (60 - now.second)),
            (b"x-ratelimit-limit-month", b"%d" % known.per_month),
            (b"x-ratelimit-remaining-month", b"%d" % (known.per_month - known.month_count)),
            (b"x-request-id", request_id.encode()),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def _to_page(rows: list[Any], known: RecognizedKey, signing_key: bytes, request_id: str) -> Page[Domain]:
    shown = [_to_domain(*row) for row in rows[:DEFAULT_PAGE_SIZE]]
    cursor = None
    if len(rows) > DEFAULT_PAGE_SIZE:
        last = shown[-1]
        cursor = next_cursor(last.created_at, last.id, known.workspace_id, known.livemode, signing_key)
    return Page(shown, PageMeta(cursor is not None, cursor, request_id))


def _to_domain(*columns: Any) -> Domain:
    values = list(columns)
    values[7] = _read_competitors(values[7])
    values[8] = to_iso(values[8])
    values[9] = round_half_away_or_none(values[9])
    values[10] = round_half_away_or_none(values[10])
    values[12] = to_iso_or_none(values[12])
    return Domain(*values)


async def _refuse(send: Any) -> None:
    await send({"type": "http.response.start", "status": 401, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


async def _live(receive: Any, send: Any) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
