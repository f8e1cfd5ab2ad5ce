"""Competitors of a tracked domain, as rows."""

import uuid
from datetime import datetime
from typing import Literal

import msgspec

DiscoverySource = Literal["added_by_you", "detected"]
CompetitorStatus = Literal["suggested", "confirmed", "dismissed", "hidden"]


class CompetitorRow(msgspec.Struct, frozen=True):
    """One row of `competitors`, in the order of `columns(CompetitorRow)`."""

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
    def looked_for(self) -> list[str]:
        """Every name that answers may use for it beside its domain; the first is the one that is shown."""
        return [*([self.display_name] if self.display_name else []), *self.names]
