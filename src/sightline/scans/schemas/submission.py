"""Schemas of a scan to submit or to preview in the Console API."""

import uuid
from typing import Annotated, Literal

import msgspec

MAX_KEYWORDS = 50


KeywordsSource = Literal["given", "suggested"]


Keywords = Annotated[list[str], msgspec.Meta(min_length=1, max_length=MAX_KEYWORDS)]


PlatformKeys = Annotated[list[str], msgspec.Meta(min_length=1)]


class ScanInput(msgspec.Struct, frozen=True, omit_defaults=True):
    """A check to submit or to preview. Members that are not known are ignored; null is the same as left out."""

    domain_id: Annotated[str, msgspec.Meta(min_length=1)]
    keywords: Keywords | None = None
    platforms: PlatformKeys | None = None
    max_credits: Annotated[float, msgspec.Meta(ge=0)] | None = None
    content_project_id: Annotated[str, msgspec.Meta(max_length=255)] | None = None


class ScanPreview(msgspec.Struct, frozen=True, kw_only=True):
    """The price of a check, and what it would ask. Nothing is charged or kept."""

    credits_required: int
    balance: int
    balance_after: int
    sufficient: bool
    answers_total: int
    platforms: list[str]
    keywords: list[str]
    keywords_source: KeywordsSource
    active_scan_id: uuid.UUID | None
