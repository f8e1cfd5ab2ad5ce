"""Suggested prompts: new ones, and rows."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

Origin = Literal["fan_out", "question", "template", "setup"]


class NewSuggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt to suggest, ranked by `priority` (metrics 1.12)."""

    prompt: str
    language_code: str | None
    country_iso_2: str | None
    priority: float
    origin: Origin
    scan_id: uuid.UUID | None = None


class SuggestionRow(msgspec.Struct, frozen=True):
    """A row of `prompt_suggestions`, in the order of `columns(SuggestionRow)`."""

    id: uuid.UUID
    domain_id: uuid.UUID
    scan_id: uuid.UUID | None
    prompt: str
    language_code: str | None
    country_iso_2: str | None
    priority: float
    origin: Origin
    status: Literal["open", "accepted", "dismissed"]
    created_at: datetime
    decided_at: datetime | None
