"""The rows of competitors of a tracked domain."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

DiscoverySource = Literal["added_by_you", "detected"]
CompetitorStatus = Literal["suggested", "confirmed", "dismissed", "hidden"]


class CompetitorRow(msgspec.Struct, frozen=True):
    """One row of `competitors`, with fields in the order of its columns."""

    id: uuid.UUID
    domain_id: uuid.UUID
    competitor_domain: str | None
    found_as: str | None
    names: list[str]
    display_name: str | None
    discovery_source: DiscoverySource
    status: CompetitorStatus
    score: float | None
    discovered_at: datetime
    last_updated: datetime

    @property
    def all_names(self) -> list[str]:
        """Return every name that answers may use for it besides its domain; the first one is displayed."""
        return [*([self.display_name] if self.display_name else []), *self.names]
