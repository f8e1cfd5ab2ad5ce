"""Suggested prompts, as they are found and as rows."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

Origin = Literal["fan_out", "question", "template", "setup"]


class NewSuggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt that we propose, best first by `priority` (metrics 1.12)."""

    prompt: str
    language_code: str | None
    country_iso_2: str | None
    priority: float
    origin: Origin
    scan_id: uuid.UUID | None = None


class SuggestionRow(msgspec.Struct, frozen=True):
    """One row of `prompt_suggestions`, in the order of `columns(SuggestionRow)`."""

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
