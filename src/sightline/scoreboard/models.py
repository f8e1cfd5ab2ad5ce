"""The scoreboard's rows, and what it remembers of an answer."""

import uuid
from collections.abc import Mapping
from datetime import datetime

import msgspec

from sightline.metrics.observation import Observation
from sightline.platforms.models import Status
from sightline.scans.models import AnswersSource
from sightline.scans.stored import Scope

UncitedPlatforms = Mapping[AnswersSource, frozenset[str]]
"""The platforms that show no sources by design, for live answers and for made-up ones."""


class CellRow(msgspec.Struct, frozen=True):
    """One cell: the answer that is shown, and when the cell was last asked. In the order of `columns(CellRow)`."""

    prompt_id: uuid.UUID
    platform: str
    base: bool
    scan_id: uuid.UUID
    scope: Scope
    answer_id: uuid.UUID
    status: Status
    stale: bool
    checked_at: datetime
    seen_at: datetime

    @property
    def key(self) -> tuple[uuid.UUID, str]:
        return (self.prompt_id, self.platform)


class CellFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one answer says of the brand, short enough to be kept for every answer there ever was."""

    platform: str
    status: Status
    answer_id: str
    mentioned: bool = False
    cited: bool = False
    rank: int | None = None
    sentiment: float | None = None
    has_sources: bool = False
    source_domains: tuple[str, ...] = ()

    def to_observation(self, prompt_id: str, country: str | None) -> Observation:
        """As a formula takes it. How often the brand is named is not kept: once is enough here."""
        return Observation(
            prompt_id=prompt_id,
            platform=self.platform,
            country=country,
            status=self.status,
            answer_id=self.answer_id,
            mentioned=self.mentioned,
            occurrences=int(self.mentioned),
            rank=self.rank,
            stance="neutral" if self.mentioned else None,
            sentiment=self.sentiment,
            cited=self.cited,
            has_sources=self.has_sources,
            source_domains=frozenset(self.source_domains),
        )


class PromptScanRow(msgspec.Struct, frozen=True):
    """One prompt in one check."""

    prompt_id: uuid.UUID
    scan_id: uuid.UUID
    scope: Scope
    answers_source: AnswersSource
    completed_at: datetime
    valid: int
    cited: bool
    cells: bytes


class BoardRow(msgspec.Struct, frozen=True):
    base_scan_id: uuid.UUID | None
    latest_scan_id: uuid.UUID | None
    as_of: datetime
    revision: int
    shown: int
    board: bytes | None


_facts = msgspec.json.Decoder(tuple[CellFacts, ...])


def decode_facts(cells: bytes) -> tuple[CellFacts, ...]:
    return _facts.decode(cells)


def encode_facts(cells: tuple[CellFacts, ...]) -> bytes:
    return msgspec.json.encode(cells)
