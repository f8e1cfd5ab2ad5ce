"""The same page on FastAPI, pydantic and SQLAlchemy's ORM, as somebody who knows them well would write it.

The choices are in its favor: SQLAlchemy caches every statement, key, workspace and member come with one SELECT, one
transaction carries the whole request, commits do not wait for the disk (as they do not in the product's counting),
objects are not expired, counters are upserted below the ORM, and pydantic reads and writes JSON in Rust. It keeps no
saved copies, metrics, logs or usage figures.
"""

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header, HTTPException, Response
from pydantic import BaseModel
from pydantic_core import from_json
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine

from bench.domains.cursor import next_cursor
from bench.domains.fill import PATH
from bench.domains.schemas import Domain, Page, PageMeta
from bench.domains.tables import ApiKey, RateMinute, RateMonth
from bench.domains.tables import Domain as DomainRow
from sightline.api.edge.security_headers import build_security_headers
from sightline.kit.clock import to_iso
from sightline.kit.ids import new_id
from sightline.settings import Settings

_PAGE_SIZE = 50
_SECURITY_HEADERS = {name.decode(): value.decode() for name, value in build_security_headers(https=False)}


class Caller(BaseModel):
    model_config = {"arbitrary_types_allowed": True}

    key: ApiKey
    request_id: str


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Any]:
    assert settings.database_url is not None
    engine = create_async_engine(
        make_url(settings.database_url.get_secret_value()).set(drivername="postgresql+asyncpg"),
        pool_size=settings.database_pool_size,
        max_overflow=0,
        json_deserializer=from_json,
        connect_args={"server_settings": {"timezone": "UTC", "synchronous_commit": "off"}},
    )
    try:
        yield _make_app(async_sessionmaker(engine, expire_on_commit=False), settings)
    finally:
        await engine.dispose()


def _make_app(sessions: async_sessionmaker[AsyncSession], settings: Settings) -> FastAPI:
    app = FastAPI(title="Domains")

    async def open_session() -> AsyncIterator[AsyncSession]:
        async with sessions.begin() as session:
            yield session

    # scope="function": committed before the answer is sent, so that an answered request is a counted one.
    Session = Annotated[AsyncSession, Depends(open_session, scope="function")]  # noqa: N806 - a type

    async def authenticate(x_api_key: Annotated[str, Header()], session: Session, response: Response) -> Caller:
        now = datetime.now(UTC)
        key = await _find_key(session, hashlib.sha256(x_api_key.encode()).digest())
        if key is None or key.kind != "console" or key.revoked_at is not None:
            raise HTTPException(401, "The key is not valid.")
        if key.maker is None:
            raise HTTPException(403, "The member who made this key has left.")
        in_minute, in_month = await _count(session, key, now)
        limit, month_limit = settings.console_rate_per_minute, settings.console_rate_per_month
        if in_minute > limit or in_month > month_limit:
            raise HTTPException(429, "Too many requests.")
        request_id = str(new_id())
        response.headers.update(
            {
                "vary": "Accept-Encoding",
                **_SECURITY_HEADERS,
                "cache-control": "no-store",
                "x-ratelimit-limit": str(limit),
                "x-ratelimit-remaining": str(limit - in_minute),
                "x-ratelimit-reset": str(60 - now.second),
                "x-ratelimit-limit-month": str(month_limit),
                "x-ratelimit-remaining-month": str(month_limit - in_month),
                "x-request-id": request_id,
            }
        )
        return Caller(key=key, request_id=request_id)

    @app.get(PATH)
    async def list_domains(caller: Annotated[Caller, Depends(authenticate)], session: Session) -> Page[Domain]:
        key = caller.key
        rows = await _list_domains(session, key)
        shown = [Domain.model_validate(row) for row in rows[:_PAGE_SIZE]]
        cursor = None
        if len(rows) > _PAGE_SIZE:
            last = shown[-1]
            cursor = next_cursor(to_iso(last.created_at), last.id, key.workspace_id, key.livemode, settings.signing_key)
        meta = PageMeta(has_more=cursor is not None, next_cursor=cursor, request_id=caller.request_id)
        return Page[Domain](data=shown, meta=meta)

    return app


async def _find_key(session: AsyncSession, digest: bytes) -> ApiKey | None:
    return await session.scalar(select(ApiKey).where(ApiKey.digest == digest))


async def _count(session: AsyncSession, key: ApiKey, now: datetime) -> tuple[int, int]:
    """Count on the tables, because upserts through the ORM's bulk path cost more without any benefit."""
    minute = now.replace(second=0, microsecond=0)
    month = minute.replace(day=1, hour=0, minute=0)
    in_minute = await session.scalar(
        insert(RateMinute.__table__)
        .values(subject=key.id, minute=minute, n=1)
        .on_conflict_do_update(index_elements=["subject", "minute"], set_={"n": RateMinute.n + 1})
        .returning(RateMinute.n)
    )
    in_month = await session.scalar(
        insert(RateMonth.__table__)
        .values(workspace_id=key.workspace_id, key_id=key.id, month=month, n=1)
        .on_conflict_do_update(index_elements=["workspace_id", "key_id", "month"], set_={"n": RateMonth.n + 1})
        .returning(RateMonth.n)
    )
    return in_minute or 0, in_month or 0


async def _list_domains(session: AsyncSession, key: ApiKey) -> list[DomainRow]:
    found = await session.scalars(
        select(DomainRow)
        .where(
            DomainRow.workspace_id == key.workspace_id,
            DomainRow.kind == "console",
            DomainRow.livemode == key.livemode,
            DomainRow.status != "removed",
        )
        .order_by(DomainRow.created_at.desc(), DomainRow.id.desc())
        .limit(_PAGE_SIZE + 1)
    )
    return list(found)
