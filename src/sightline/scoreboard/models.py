"""The rows of the scoreboard, and the facts that it keeps of each answer."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time
from typing import NamedTuple

import msgspec

from sightline.kit.clock import Timestamp, to_iso
from sightline.metrics.observation import Observation, Status, Surface, UnscoredReason, drop_former_surfaces
from sightline.scans.models import AnswersSource
from sightline.scans.schemas.results import Headline
from sightline.scans.stored import Scope

_decode_headline = msgspec.json.Decoder(Headline).decode
UncitedPlatforms = Mapping[AnswersSource, frozenset[str]]
"""The platforms that show no sources by design, for live answers and for made-up ones."""


class CheckRow(msgspec.Struct, frozen=True):
    """A completed check."""

    id: uuid.UUID
    completed_at: datetime
    scope: Scope = "full_check"


class CellRow(msgspec.Struct, frozen=True):
    """One cell: the answer that it shows, and when it was last asked. Fields are in the order of the columns."""

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
    """What one answer says about the brand, short enough to be stored for every answer."""

    platform: str
    status: Status
    answer_id: str
    mentioned: bool = False
    cited: bool = False
    rank: int | None = None
    sentiment: float | None = None
    unscored: UnscoredReason | None = None
    has_sources: bool = False
    source_domains: tuple[str, ...] = ()
    surface: Surface | None = None
    """None in facts from before surfaces were recorded, and without an answer."""

    def to_observation(self, prompt_id: str, country: str | None) -> Observation:
        """Convert to the input of the formulas. The number of occurrences is not stored, so it is one or zero."""
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
            unscored=self.unscored,
            cited=self.cited,
            has_sources=self.has_sources,
            source_domains=frozenset(self.source_domains),
            surface=self.surface,
        )


class PromptScanRow(msgspec.Struct, frozen=True):
    """One prompt in one scan, a row of `prompt_checks`. `cells` holds `CellFacts` as JSON."""

    prompt_id: uuid.UUID
    scan_id: uuid.UUID
    scope: Scope
    answers_source: AnswersSource
    completed_at: datetime
    valid: int
    cited: bool
    cells: bytes
    named: bool | None = None
    """Whether an answer names a brand, tracked or not. None in rows from before this was recorded."""


class ImportedWeek(msgspec.Struct, frozen=True):
    """One row of `imported_weeks`: the figures of the answers of one week of a file."""

    first_day: date
    last_day: date
    file_name: str
    platforms: list[str]
    figures: bytes
    kept_at: datetime

    @property
    def headline(self) -> Headline:
        return _decode_headline(self.figures)

    @property
    def at(self) -> Timestamp:
        """Return the time at which trends show the week: the noon of its last day with answers."""
        return to_iso(datetime.combine(self.last_day, time(12), UTC))


class ImportedDomain(NamedTuple):
    """A tracked domain with an imported history."""

    id: uuid.UUID
    domain: str
    client_id: uuid.UUID | None
    file_name: str
    first_day: date
    last_day: date
    weeks: int


class PromptAnswers(NamedTuple):
    """The answers of one source to a prompt."""

    workspace_id: uuid.UUID
    domain_id: uuid.UUID
    prompt_id: uuid.UUID
    source: AnswersSource


class LatestScans(NamedTuple):
    """How many of the latest scans are read, of one scope or of all, between two times if they are given."""

    limit: int
    scope: Scope | None = None
    since: datetime | None = None
    until: datetime | None = None


class BoardRow(msgspec.Struct, frozen=True):
    base_scan_id: uuid.UUID | None
    latest_scan_id: uuid.UUID | None
    as_of: datetime
    revision: int
    shown: int
    board: bytes | None

    @property
    def plan_scan_id(self) -> uuid.UUID | None:
        """Return the Full Check that the board is based on; before the first one, the latest check."""
        return self.base_scan_id or self.latest_scan_id


decode_facts = msgspec.json.Decoder(tuple[CellFacts, ...]).decode
encode_facts = msgspec.json.encode


def decode_comparable_facts(checks: Sequence[bytes]) -> list[list[CellFacts]]:
    """Decode the facts of several checks, oldest first, for figures and tests that combine checks."""
    return drop_former_surfaces(map(decode_facts, checks))
