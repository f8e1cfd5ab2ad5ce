"""The page as pydantic describes it."""

import uuid
from datetime import datetime
from typing import Annotated, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, PlainSerializer

from sightline.kit.clock import to_iso
from sightline.kit.rounding import round_half_away

T = TypeVar("T")
Timestamp = Annotated[datetime, PlainSerializer(to_iso, return_type=str)]
Figure = Annotated[float, PlainSerializer(round_half_away, return_type=float)]


class Competitor(BaseModel):
    domain: str
    name: str | None = None


class Domain(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: uuid.UUID
    domain: str
    status: str
    livemode: bool
    brand_name: str
    aliases: list[str]
    owned_domains: list[str]
    competitors: list[Competitor]
    created_at: Timestamp
    latest_visibility_score: Figure | None
    latest_brand_coverage_pct: Figure | None
    latest_market_position: int | None
    last_scan_at: Timestamp | None
    scan_count: int


class PageMeta(BaseModel):
    has_more: bool
    next_cursor: str | None
    request_id: str


class Page(BaseModel, Generic[T]):
    data: list[T]
    meta: PageMeta
