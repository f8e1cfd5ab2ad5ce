"""The tables that the page needs, as SQLAlchemy maps them."""

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import DateTime, ForeignKey, ForeignKeyConstraint
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import Text


class Base(DeclarativeBase):
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy's own way to say it
        str: Text(),
        datetime: DateTime(timezone=True),
        list[str]: ARRAY(Text()),
        list[dict[str, Any]]: JSONB(),
    }


class Workspace(Base):
    __tablename__ = "workspaces"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    plan: Mapped[str]


class Member(Base):
    __tablename__ = "members"

    workspace_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("workspaces.id"), primary_key=True)
    user_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    role: Mapped[str]


class ApiKey(Base):
    __tablename__ = "api_keys"
    __table_args__ = (
        ForeignKeyConstraint(["workspace_id", "created_by"], ["members.workspace_id", "members.user_id"]),
    )

    workspace_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("workspaces.id"), primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    livemode: Mapped[bool]
    digest: Mapped[bytes]
    created_by: Mapped[uuid.UUID]
    revoked_at: Mapped[datetime | None]

    workspace: Mapped[Workspace] = relationship(lazy="joined", innerjoin=True, viewonly=True)
    maker: Mapped[Member | None] = relationship(lazy="joined", viewonly=True)


class Domain(Base):
    __tablename__ = "domains"

    workspace_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("workspaces.id"), primary_key=True)
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    domain: Mapped[str]
    status: Mapped[str]
    livemode: Mapped[bool]
    brand_name: Mapped[str]
    aliases: Mapped[list[str]]
    owned_domains: Mapped[list[str]]
    competitors: Mapped[list[dict[str, Any]]]
    created_at: Mapped[datetime]
    latest_visibility_score: Mapped[float | None]
    latest_brand_coverage_pct: Mapped[float | None]
    latest_market_position: Mapped[int | None]
    last_scan_at: Mapped[datetime | None]
    scan_count: Mapped[int]


class RateMinute(Base):
    __tablename__ = "rate_minutes"

    subject: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    minute: Mapped[datetime] = mapped_column(primary_key=True)
    n: Mapped[int]


class RateMonth(Base):
    __tablename__ = "rate_months"

    workspace_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    key_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    month: Mapped[datetime] = mapped_column(primary_key=True)
    n: Mapped[int]
