"""What is looked up for a prompt, and what a vendor answers."""

import uuid
from decimal import Decimal
from typing import Literal

import msgspec


class Market(msgspec.Struct, frozen=True):
    """Where demand is looked up: country and language. No country means Global. Only old records lack a language."""

    country: str | None
    language: str | None


class DuePrompt(msgspec.Struct, frozen=True):
    """An active prompt whose volumes are due."""

    id: uuid.UUID
    prompt: str
    country_iso_2: str | None
    language_code: str | None

    @property
    def market(self) -> Market:
        return Market(self.country_iso_2, self.language_code)


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """What a source says about one prompt.

    `searched` is False when search data could not be fetched; then the values known before stay.
    """

    state: Literal["estimated", "no_estimate", "failed", "unsupported"]
    ai_search_volume: int | None = None
    searched: bool = False
    search_volume: int | None = None
    cpc_usd: Decimal | None = None
