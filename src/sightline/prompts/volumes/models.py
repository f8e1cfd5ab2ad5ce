"""What is looked up for a prompt, and what a vendor answers."""

import uuid
from decimal import Decimal
from typing import Literal

import msgspec


class Market(msgspec.Struct, frozen=True):
    """The country and language for which demand is looked up. No country means Global; no language, an old record."""

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

    `searched` is False when search data could not be fetched; the values known before then stay.
    """

    state: Literal["estimated", "no_estimate", "failed", "unsupported"]
    ai_search_volume: int | None = None
    searched: bool = False
    search_volume: int | None = None
    cpc_usd: Decimal | None = None
