"""Suggested prompts: new ones, and rows."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

Origin = Literal["fan_out", "question", "aspect", "use", "rivals", "stage", "template", "setup"]
"""Where a suggestion comes from: platforms, an editor, or templates."""


class NewSuggestion(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt to suggest, ranked by `priority` (metrics 1.12).

    `origin_subjects` are the platforms, the aspect, the use, the rivals, the stage or the category that led to it,
    `origin_answers` is the number of answers that did.
    """

    prompt: str
    language_code: str | None
    country_iso_2: str | None
    priority: float
    origin: Origin
    origin_subjects: tuple[str, ...] = ()
    origin_answers: int | None = None
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
    origin_subjects: list[str]
    origin_answers: int | None
    status: Literal["open", "accepted", "dismissed"]
    created_at: datetime
    decided_at: datetime | None
